package recursive_test

import (
	"math"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/recursive"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/internal/wire"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

type rounds = engine.Rounds[recursive.Memory, recursive.Claims]

func start(t interface{ Fatal(...any) }, c recursive.Config, cfg sim.Config) *rounds {
	e, err := recursive.New(c)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 1
	r, err := engine.NewRounds(e, &recursive.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// regions gives the outcomes of Bounded Election, which is tested against a centralised computation.
func regions(t interface{ Fatal(...any) }, radius float64, cfg sim.Config) []caucus.Outcome {
	e, err := bounded.New(bounded.Config{Radius: radius})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workers, cfg.Faults = 1, nil
	r, err := engine.NewRounds(e, &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 300 {
		r.Step()
	}
	return r.Outcomes()
}

// Property: from a clean start with distinct strengths the regions are those of Bounded Election; and so they are once
// all strengths have changed, with the restart.
func TestRegionsOfBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 16).Draw(t, "n")
		g := algotest.Network(t, n, 6, 1)
		var order []float64
		for i := range n {
			order = append(order, float64(i))
		}
		cfg := sim.Config{Graph: g, Lengths: g.Weight, Strengths: rapid.Permutation(order).Draw(t, "strengths")}
		after := rapid.Permutation(order).Draw(t, "strengths after")
		for i := range after {
			after[i] += 0.5 // every strength changes
			cfg.Faults = append(cfg.Faults, sim.Fault{At: 120, Kind: sim.Strength, Nodes: []int{i}, Value: after[i]})
		}
		radius := float64(rapid.IntRange(1, 9).Draw(t, "radius"))
		r := start(t, recursive.Config{Radius: radius, Restart: true}, cfg)
		defer r.Close()
		for round := 1; round <= 240; round++ {
			r.Step()
			switch round {
			case 121:
				for i, o := range r.Outcomes() {
					if o.Role != caucus.Leader {
						t.Fatalf("node %d does not lead itself in the round after its strength changed: %+v", i+1, o)
					}
				}
				continue
			case 120:
			case 240:
				cfg.Strengths = after
			default:
				continue
			}
			want := regions(t, radius, cfg)
			if got := r.Outcomes(); !slices.Equal(got, want) {
				t.Fatalf("round %d: %+v\nBounded Election: %+v", round, got, want)
			}
		}
	})
}

// On a clique of four the strongest node, 4, crashes or becomes the weakest. Its gossip stays, so that the others elect
// at the second level; with the restart a node whose own strength changes goes back to the first, but hears the gossip
// again from those whose strength has not. Only when all change is the ghost gone.
func TestGossipNeverForgets(t *testing.T) {
	g, err := network.Generate("clique:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	crash := sim.Fault{At: 20, Kind: sim.Crash, Nodes: []int{3}}
	weaker := sim.Fault{At: 20, Kind: sim.Strength, Nodes: []int{3}, Value: 0}
	one := sim.Fault{At: 40, Kind: sim.Strength, Nodes: []int{0}, Value: 3.5}
	all := sim.Fault{At: 40, Kind: sim.Strength, Nodes: []int{0, 1, 2}, Value: 3.5}
	for _, c := range []struct {
		name    string
		restart bool
		faults  []sim.Fault
		level   uint8
		leader  caucus.ID
	}{
		{"no fault", true, nil, 1, 4},
		{"crash", true, []sim.Fault{crash}, 2, 3},
		{"crash, one changes", true, []sim.Fault{crash, one}, 2, 1},
		{"crash, all change", true, []sim.Fault{crash, all}, 1, 1},
		{"crash, all change, no restart", false, []sim.Fault{crash, all}, 2, 1},
		{"weaker, no restart", false, []sim.Fault{weaker}, 2, 3},
	} {
		r := start(t, recursive.Config{Radius: 2, Restart: c.restart},
			sim.Config{Graph: g, Strengths: []float64{1, 2, 3, 4}, Faults: c.faults})
		for range 80 {
			r.Step()
		}
		for i := range 3 {
			if count, o := r.State(i).Claims.Count, r.Outcomes()[i]; count != c.level || o.Leader != c.leader {
				t.Errorf("%s: node %d at level %d: %+v, want leader %d at level %d", c.name, i+1, count, o, c.leader,
					c.level)
			}
		}
		r.Close()
	}
}

// With equal strengths the switch decides.
func TestTie(t *testing.T) {
	g, err := network.Generate("ring:5", 1)
	if err != nil {
		t.Fatal(err)
	}
	for large, want := range map[bool]caucus.ID{false: 1, true: 5} {
		r := start(t, recursive.Config{Radius: 2, LargeID: large}, sim.Config{Graph: g})
		for range 30 {
			r.Step()
		}
		for i, o := range r.Outcomes() {
			if o.Leader != want {
				t.Errorf("large %v: node %d: %+v", large, i+1, o)
			}
		}
		r.Close()
	}
}

// A line whose strengths rise to one end has as many levels as regions: the strongest takes its end and one level off
// the rest. Beyond MaxLevels nodes are undecided. With radius 1 the leaders are every other node from the strong end.
func TestDepthIsBounded(t *testing.T) {
	const n = 2*recursive.MaxLevels + 6
	var edges []network.Edge
	strengths := make([]float64, n)
	for i := range n {
		strengths[i] = float64(n - i)
		if i > 0 {
			edges = append(edges, network.Edge{A: int32(i - 1), B: int32(i), W: 1})
		}
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, recursive.Config{Radius: 1}, sim.Config{Graph: g, Strengths: strengths})
	defer r.Close()
	for range 4 * n {
		r.Step()
	}
	for i, o := range r.Outcomes() {
		want := caucus.Outcome{Role: caucus.Leader, Leader: caucus.ID(i + 1)}
		switch {
		case i >= 2*recursive.MaxLevels:
			want = caucus.Outcome{Distance: -1}
		case i%2 == 1:
			want = caucus.Outcome{Role: caucus.Follower, Leader: caucus.ID(i), Distance: 1}
		}
		if o != want {
			t.Errorf("node %d: %+v, want %+v", i+1, o, want)
		}
	}
}

// Whatever a state and messages hold, a round neither panics nor runs more levels than there are.
func FuzzRound(f *testing.F) {
	f.Add(uint8(0), 0.0, uint64(0), 0.0, uint8(0), true)
	f.Add(uint8(255), math.NaN(), uint64(7), math.NaN(), uint8(24), false)
	f.Add(uint8(3), math.Inf(1), uint64(9), math.Inf(-1), uint8(25), true)
	f.Fuzz(func(t *testing.T, count uint8, strength float64, best uint64, dist float64, heldCount uint8, large bool) {
		e, err := recursive.New(recursive.Config{Radius: 10, Restart: large, LargeID: large})
		if err != nil {
			t.Fatal(err)
		}
		m := recursive.Claims{Count: count}
		for k := range m.Levels {
			m.Levels[k] = recursive.Level{Strength: strength, Best: caucus.ID(best), Dist: dist}
		}
		s := recursive.Memory{Claims: m, Strength: 2}
		s.Claims.Count = heldCount
		l := caucus.Local{ID: 7, Strength: 2, Degree: 1}
		e.Outcome(&l, &s)
		for range 3 {
			out := e.Round(&l, &s, caucus.Inbox[recursive.Claims]{Msgs: []recursive.Claims{m}, Dist: []float64{1}})
			if out.Count < 1 || out.Count > recursive.MaxLevels || s.Claims.Count != out.Count {
				t.Fatalf("%d levels", out.Count)
			}
			if o := e.Outcome(&l, &s); o.Leader != caucus.None && !(o.Distance >= 0 && o.Distance <= 10) {
				t.Fatalf("%+v", o)
			}
		}
	})
}

// Messages that lie among others are read as those in a row are.
func TestWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		claims := func() (c recursive.Claims) {
			c.Count, c.Apart = rapid.Uint8Range(0, recursive.MaxLevels+2).Draw(t, "count"), rapid.Bool().Draw(t, "apart")
			for k := range c.Levels {
				c.Levels[k] = recursive.Level{Strength: float64(rapid.IntRange(0, 3).Draw(t, "strength")),
					Best: caucus.ID(rapid.IntRange(0, 4).Draw(t, "best")),
					Dist: float64(rapid.IntRange(0, 9).Draw(t, "dist"))}
			}
			return c
		}
		e, err := recursive.New(recursive.Config{Radius: 5, Memory: rapid.Bool().Draw(t, "memory")})
		if err != nil {
			t.Fatal(err)
		}
		row, among := caucus.Inbox[recursive.Claims]{}, caucus.Inbox[recursive.Claims]{}
		for range 3 {
			among.Msgs = append(among.Msgs, claims())
		}
		for range rapid.IntRange(0, 4).Draw(t, "neighbours") {
			k := rapid.IntRange(0, 2).Draw(t, "from")
			row.Msgs, row.Dist = append(row.Msgs, among.Msgs[k]), append(row.Dist, 1)
			among.From, among.Dist = append(among.From, int32(k)), row.Dist
		}
		l := caucus.Local{ID: 1, Strength: 1, Degree: len(row.Dist)}
		s := recursive.Memory{Claims: claims(), Strength: 1}
		again := s
		if a, b := e.Round(&l, &s, row), e.Round(&l, &again, among); a != b || s != again {
			t.Fatalf("%+v and %+v", a, b)
		}
	})
}

func TestRefusals(t *testing.T) {
	for _, radius := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := recursive.New(recursive.Config{Radius: radius}); err == nil {
			t.Errorf("radius %g is accepted", radius)
		}
	}
}

// The longest message fits into a datagram.
func TestLongestMessage(t *testing.T) {
	c := recursive.Claims{Count: recursive.MaxLevels}
	for k := range c.Levels {
		c.Levels[k] = recursive.Level{Strength: math.Pi, Best: math.MaxUint64, Dist: math.E}
	}
	codec, err := wire.NewCodec[recursive.Claims]()
	if err != nil {
		t.Fatal(err)
	}
	b, err := codec.Encode(&c)
	if err != nil || len(b) > 680 { // as Spec.Cost says
		t.Fatalf("%d bytes: %v", len(b), err)
	}
	if back, err := codec.Decode(b); err != nil || back != c {
		t.Fatalf("came back as %+v, %v", back, err)
	}
}
