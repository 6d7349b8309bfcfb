package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
)

// still gives nodes that do not move, once as a moving network and once as a graph.
func still(t *testing.T, n int, seed uint64) (moving, fixed sim.Config) {
	t.Helper()
	walk := func() (mobility.Net, error) {
		return mobility.NewWalk(mobility.Config{Arena: mobility.Arena{Width: 10, Height: 10}, Range: 1.5, Period: 1,
			Seed:   seed,
			Groups: []mobility.Group{{N: n, Place: mobility.Box{MaxX: 10, MaxY: 10}, Motion: mobility.Still{}}}})
	}
	net, err := walk()
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		net.Spoke(i, 0)
	}
	var edges []network.Edge
	g := &network.Graph{}
	for i := range n {
		row, _ := net.Neighbours(i, 0, nil, nil)
		for _, j := range row {
			edges = append(edges, network.Edge{A: int32(i), B: j, W: math.NaN()})
		}
		x, y := net.(mobility.Located).Position(i)
		g.X, g.Y = append(g.X, x), append(g.Y, y)
	}
	built, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	built.X, built.Y = g.X, g.Y
	return sim.Config{Graph: empty(t, n), Moving: &sim.Moving{New: walk}, Seed: seed},
		sim.Config{Graph: built, Positions: true, Seed: seed}
}

func empty(t testing.TB, n int) *network.Graph {
	t.Helper()
	g, _, err := network.Build(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A moving network whose nodes stand still is the same run as the graph of those in reach of each other,
// in every timing and whatever goes wrong: a lost or late message is decided by link and time.
func TestStandingStill(t *testing.T) {
	schedules := map[string][]sim.Fault{
		"none":  nil,
		"crash": {{At: 5.5, Kind: sim.Crash, Nodes: []int{3, 4, 5, 20}}, {At: 14, Kind: sim.Restart, Nodes: []int{4}}},
		"leave": {{At: 4, Kind: sim.Leave, Nodes: []int{0, 9, 30}}, {At: 9.3, Kind: sim.Restart, Nodes: []int{9}}},
		"links": {{At: 2, Until: 12, Kind: sim.Loss, Rate: 0.4}, {At: 3, Until: 9, Kind: sim.Delay, Rounds: 2,
			Rate: 0.3}},
		"expiry": {{At: 0, Kind: sim.Expiry, Rounds: 2}, {At: 1, Kind: sim.Loss, Rate: 0.5}},
		"divide": {{At: 3, Until: 8, Kind: sim.Partition, Nodes: []int{1, 2, 3, 4, 5, 6, 7}},
			{At: 5, Kind: sim.Strength, Nodes: []int{8, 9}, Value: 99}},
	}
	for name, faults := range schedules {
		for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered} {
			if timing == sim.Jittered && (name == "links" || name == "expiry") {
				continue // a message between two of which a receiver looks is not taken in
			}
			for seed := range uint64(3) {
				moving, fixed := still(t, 80, seed)
				var got [2]*sim.Result
				for k, cfg := range []sim.Config{moving, fixed} {
					cfg.Timing, cfg.Faults, cfg.MaxRounds, cfg.Every, cfg.Workers = timing, faults, 25, 1, 1
					cfg.Strengths = benchStrengths(80)
					r, err := Run(context.Background(), election(t, bounded.Default(4)), &bounded.Spec, cfg)
					if err != nil {
						t.Fatal(err)
					}
					got[k] = r
				}
				if got[0].TraceHash != got[1].TraceHash || !slices.Equal(got[0].Outcomes, got[1].Outcomes) {
					t.Errorf("%s, %s, seed %d: another run on the moving network", name, timing, seed)
				}
				if !slices.Equal(got[0].Graph.Nbr, fixed.Graph.Nbr) && faults == nil {
					t.Errorf("%s: another network at the end", timing)
				}
			}
		}
	}
}

// In an asynchronous period the second worker runs the rounds for which the first has found out whom nodes hear.
func TestTwoShareAPeriod(t *testing.T) {
	const n = 600
	cfg, _ := still(t, n, 1)
	cfg.Timing, cfg.Workers, cfg.Strengths = sim.Asynchronous, 2, benchStrengths(n)
	e, err := NewRounds(election(t, bounded.Default(4)), &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 3 {
		e.Step()
	}
	// In the first round, in which all start, one of two neighbours hears the other; then both do.
	if first, second := e.hands[0].messages, e.hands[1].messages; first == 0 || second != 2*2*first {
		t.Errorf("by the first worker %d messages in one round, by the second %d in two", first, second)
	}
}

// Nodes join when a trace shows them and leave when it drops them, and come back as new instances: 1 meets 2
// from 0 to 20 and again from 40 to 60, and 3 from 10 to 30. The largest ID leads.
func TestNodesJoinAndLeave(t *testing.T) {
	trace, err := mobility.Read(strings.NewReader("1 2 0 20\n1 3 10 30\n1 2 40 60\n3 2 50 60\n"), "meetings",
		mobility.Intervals, mobility.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Graph: empty(t, 3), Strengths: []float64{1, 2, 3}, Timing: sim.Asynchronous, MaxRounds: 70,
		Every:  1,
		Moving: &sim.Moving{New: func() (mobility.Net, error) { return trace.Net(1) }}}
	e, err := NewRounds(election(t, bounded.Default(9)), &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, c := range []struct {
		until int
		want  string
	}{
		{2, "2 2 -"},  // node 3 is not there yet
		{19, "3 3 3"}, // joined at 10
		{28, "3 2 3"}, // 2 keeps to itself, present until 60 as its last contact ends then
		{38, "1 2 3"}, // nobody meets
		{48, "2 2 3"},
		{58, "3 3 3"},
		{69, "- - -"}, // all have left
	} {
		for e.Periods() < c.until {
			e.Step()
		}
		var got []string
		for _, o := range e.Outcomes() {
			if o.Leader == caucus.None {
				got = append(got, "-")
			} else {
				got = append(got, fmt.Sprint(o.Leader))
			}
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("after %d s: %s, want %s", c.until, g, c.want)
		}
	}
	if r := e.Result(); r.Samples[0].Live != 2 || r.Samples[11].Live != 3 || r.Samples[65].Live != 0 {
		t.Errorf("live: %+v", r.Samples)
	}
}

func TestMovingRefused(t *testing.T) {
	moving, _ := still(t, 4, 1)
	for want, change := range map[string]func(*sim.Config){
		"nodes: found \"5\", allowed: 4":               func(c *sim.Config) { c.Graph = empty(t, 5) },
		"has no fixed edges; 2 are given":              func(c *sim.Config) { c.Graph = path(t, 3) },
		"timing: found \"exponential\", allowed: sync": func(c *sim.Config) { c.Timing = sim.Exponential },
		"width: found \"-1\"":                          func(c *sim.Config) { c.Moving = broken() },
	} {
		cfg := moving
		change(&cfg)
		if _, err := NewRounds(election(t, bounded.Default(3)), &bounded.Spec, cfg); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func broken() *sim.Moving {
	return &sim.Moving{New: func() (mobility.Net, error) {
		return mobility.NewWalk(mobility.Config{Arena: mobility.Arena{Width: -1, Height: 1}, Range: 1, Period: 1})
	}}
}
