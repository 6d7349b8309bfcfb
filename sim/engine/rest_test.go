package engine_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// variants are parameters under which algorithms differ in what they count or remember, beside their defaults.
var variants = map[string][]map[string]string{
	"bounded": {{"radius": "3"}, {"radius": "3", "heartbeat": "0"},
		{"radius": "4", "heartbeat": "0", "hop-limit": "3"}},
	"mo":     {{"k": "2"}},
	"prasle": {{"k": "80"}},
	"sparse": {{"grain": "4"}},
	"decay":  {{"lifetime": "9"}},
}

// inRounds gives every algorithm of rounds, with and without the service above it.
func inRounds(t testing.TB) (list []registry.Entry) {
	t.Helper()
	for _, e := range registry.All {
		if e.Spec.Shape == caucus.ShapeRounds {
			list = append(list, e, e.Region(region.Region{}))
		}
	}
	if len(list) < 20 {
		t.Fatalf("%d algorithms", len(list))
	}
	return list
}

// configured gives an algorithm's parameters, by default or of a variant.
func configured(t rapid.TB, e registry.Entry, variant int) caucus.Args {
	t.Helper()
	given := map[string]string{}
	if variant > 0 {
		given = variants[e.Spec.Name][variant-1]
	}
	args, err := e.Spec.Resolve("", given)
	if err != nil {
		t.Fatal(err)
	}
	return args
}

// drawRun draws a run of some dozens of rounds.
func drawRun(t *rapid.T) sim.Config {
	n := rapid.SampledFrom([]int{1, 5, 12, 30, 30, 70, 600}).Draw(t, "n")
	g := algotest.Network(t, n, 3, 1)
	if n >= 30 && rapid.Bool().Draw(t, "geometric") {
		var err error
		if g, err = network.Generate(fmt.Sprintf("rgg:n=%d,degree=6", n), rapid.Uint64().Draw(t, "graph")); err != nil {
			t.Fatal(err)
		}
	}
	cfg := sim.Config{Graph: g, Seed: rapid.Uint64().Draw(t, "seed"),
		MaxRounds: rapid.IntRange(5, 70).Draw(t, "rounds"),

		Timing:  rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous}).Draw(t, "timing"),
		Workers: rapid.IntRange(1, 2).Draw(t, "workers"), Traffic: rapid.Bool().Draw(t, "traffic"),
		Every: rapid.IntRange(0, 2).Draw(t, "every"), TwoWay: rapid.IntRange(0, 4).Draw(t, "two-way") == 0,
		Known: caucus.Known{Nodes: n, Diameter: 12}, Unsafe: true, Faults: engine.DrawFaults(t, n)}
	if rapid.Bool().Draw(t, "late") {
		for k := range cfg.Faults {
			cfg.Faults[k].At *= 4
			cfg.Faults[k].Until *= 4
		}
	}
	if len(g.Weight) == len(g.Nbr) && rapid.Bool().Draw(t, "lengths") {
		cfg.Lengths = g.Weight
	}
	cfg.Strengths = make([]float64, n)
	for i := range n {
		cfg.Strengths[i] = float64(rapid.IntRange(0, 4).Draw(t, "strength"))
	}
	return cfg
}

// Whatever goes wrong, a run in which nodes rest is the one in which every node runs in every round: outcomes, trace,
// samples, changes, messages, bytes, traffic, and the steps that a watcher is told.
func TestRestChangesNothing(t *testing.T) {
	list := inRounds(t)
	rapid.Check(t, func(t *rapid.T) {
		e := list[rapid.IntRange(0, len(list)-1).Draw(t, "algorithm")]
		args := configured(t, e, rapid.IntRange(0, len(variants[e.Spec.Name])).Draw(t, "variant"))
		cfg := drawRun(t)
		if rapid.Bool().Draw(t, "sized") {
			cfg.SizeOf = e.SizeOf
		}
		if err := alike(t, e, args, cfg, rapid.Bool().Draw(t, "watched")); err != nil {
			t.Fatal(err)
		}
	})
}

// alike runs twice, first with one worker and every node in every round, and holds that nothing differs. It is an
// error if the run is refused.
func alike(t rapid.TB, e registry.Entry, args caucus.Args, cfg sim.Config, watched bool) error {
	t.Helper()
	defer engine.WholeRounds(false)
	var results [2]*sim.Result
	var steps [2][]story.Step
	workers := cfg.Workers
	for k := range results {
		engine.WholeRounds(k == 0)
		cfg.Workers = []int{1, workers}[k]
		if watched {
			cfg.Watch = func(x *story.Step) bool { steps[k] = append(steps[k], *x); return true }
		}
		var err error
		if results[k], err = e.Simulate(context.Background(), args, cfg); err != nil {
			return err
		}
	}
	if d := cmp.Diff(results[0], results[1]); d != "" {
		t.Fatalf("%s, %+v: %s", e.Spec.Name, cfg, d)
	}
	if !reflect.DeepEqual(steps[0], steps[1]) {
		t.Fatalf("%s, %+v: %d steps are told if every node runs in every round, and %d other ones if not",
			e.Spec.Name, cfg, len(steps[0]), len(steps[1]))
	}
	return nil
}

// everyFault is one fault of each kind, one after the other, between which a network may come to rest.
func everyFault() []sim.Fault {
	some, few := []int{1, 5, 6}, []int{3, 7}
	return []sim.Fault{{At: 14, Kind: sim.Join, Nodes: []int{9}}, {At: 25.5, Kind: sim.Partition, Nodes: some},
		{At: 36.5, Kind: sim.Heal}, {At: 48, Kind: sim.Crash, Nodes: few},
		{At: 59.25, Kind: sim.Restart, Nodes: few[:1]},
		{At: 70.5, Kind: sim.Restart, Nodes: few[1:], Keep: true}, {At: 81, Kind: sim.Strength, Nodes: some, Value: 9},
		{At: 92.5, Kind: sim.Corrupt, Nodes: some},
		{At: 110.25, Kind: sim.FakeLeader, Nodes: some, Fake: 99, Value: 50},
		{At: 130, Until: 137, Kind: sim.Partition, Nodes: few}, {At: 150.5, Kind: sim.Leave, Nodes: []int{2}},
		{At: 165, Until: 175, Kind: sim.Expiry, Rounds: 2}, {At: 170, Kind: sim.Crash, Nodes: few},
		{At: 190, Until: 195, Kind: sim.Loss, Rate: 0.5},
		{At: 205, Until: 209.5, Kind: sim.Delay, Rounds: 2, Rate: 0.5},
		{At: 220, Until: 224, Kind: sim.Duplication, Rounds: 3, Rate: 0.5},
		{At: 235, Until: 240, Kind: sim.Reordering, Rounds: 3, Rate: 0.5},
		{At: 250, Until: 255, Kind: sim.Latency, Value: 1.5, Spread: 0.5}}
}

// The same for every algorithm and every fault in both timings, on a network that stands still and on one that moves.
func TestRestAfterEveryFault(t *testing.T) {
	const n = 12
	g, err := network.Generate("rgg:n=12,degree=5", 2)
	if err != nil {
		t.Fatal(err)
	}
	apart, _, err := network.Build(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	walk := mobility.Config{Arena: mobility.Arena{Width: 6, Height: 6}, Range: 3, Period: 1, Seed: 1,
		Groups: []mobility.Group{{N: 3, Place: mobility.Box{MaxX: 6, MaxY: 6},
			Motion: mobility.Waypoint{MinSpeed: 0.2, MaxSpeed: 1, Pause: 25}},
			{N: n - 3, Place: mobility.Box{MaxX: 6, MaxY: 6}, Motion: mobility.Still{}}}}
	moving := &sim.Moving{New: func() (mobility.Net, error) { return mobility.NewWalk(walk) }}
	for _, e := range inRounds(t) {
		cfg := sim.Config{Seed: 1, MaxRounds: 270, Workers: 1, Unsafe: true, Strengths: make([]float64, n),
			Known: caucus.Known{Nodes: n, Diameter: n}, Faults: everyFault()}
		for i := range n {
			cfg.Strengths[i] = float64(i % 4)
		}
		for k := range 4 {
			cfg.Timing = []sim.Timing{sim.Synchronous, sim.Asynchronous}[k/2]
			counted := k%2 == 1
			if cfg.Traffic, cfg.SizeOf = counted, nil; counted {
				cfg.SizeOf = e.SizeOf // whose whole rounds after a fault hide what else is wrong behind it
			}
			for variant := range len(variants[e.Spec.Name]) + 1 {
				cfg.Graph, cfg.Moving = g, nil
				still := alike(t, e, configured(t, e, variant), cfg, counted)
				cfg.Graph, cfg.Moving = apart, moving
				walking := alike(t, e, configured(t, e, variant), cfg, counted)
				if still != nil || walking != nil {
					t.Fatal(e.Spec.Name, cfg.Timing, still, walking)
				}
			}
		}
	}
}

// Every algorithm of rounds comes to rest: after some time no node is run any more, though Bounded Election goes on
// counting, also after links that lost messages have got well; a change of strength wakes only those whom it concerns.
func TestNobodyRunsAtRest(t *testing.T) {
	g, err := network.Generate("rgg:n=300,degree=8", 3)
	if err != nil {
		t.Fatal(err)
	}
	strengths := make([]float64, g.Len())
	for i := range strengths {
		strengths[i] = float64(uint32(i) * 2654435761 % 64)
	}
	for _, e := range inRounds(t) {
		for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
			for variant := range len(variants[e.Spec.Name]) + 1 {
				if strings.HasPrefix(e.Spec.Name, "waves") {
					continue // its colours run for ever
				}
				run, err := e.Start(configured(t, e, variant), sim.Config{Graph: g, Timing: timing, Seed: 1,
					Strengths: strengths, Known: caucus.Known{Nodes: g.Len(), Diameter: 60}, Workers: 1, Unsafe: true,
					Faults: []sim.Fault{{At: 10, Until: 30, Kind: sim.Loss, Rate: 0.3},
						{At: 20, Until: 40.5, Kind: sim.Delay, Rate: 0.3, Rounds: 2},
						{At: 600, Kind: sim.Strength, Nodes: []int{5}, Value: 1}}})
				if err != nil {
					t.Fatal(err)
				}
				steps := func(n int) int64 {
					before := engine.Ran(run)
					for range n {
						run.Step()
					}
					return engine.Ran(run) - before
				}
				started, rested, woken := steps(500), steps(100), steps(1)
				if started == 0 || rested != 0 || woken == 0 || woken > 100 {
					t.Errorf("%s %s, variant %d: %d nodes run one by one until round 500, %d in the next hundred, "+
						"%d after a change", e.Spec.Name, timing, variant, started, rested, woken)
				}
				run.Close()
			}
		}
	}
}
