package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawMoving draws a network in which some move now and then and the others not at all, or one of contacts.
func drawMoving(t *rapid.T, n int) func() (mobility.Net, error) {
	side := rapid.SampledFrom([]float64{6, 9}).Draw(t, "side")
	if n > 100 {
		side *= 4
	}
	seed := rapid.Uint64().Draw(t, "walk")
	box := mobility.Box{MaxX: side, MaxY: side}
	if rapid.IntRange(0, 2).Draw(t, "contacts") > 0 {
		return func() (mobility.Net, error) {
			return mobility.NewWalk(mobility.Config{Arena: mobility.Arena{Width: side, Height: side}, Range: 2,
				Period: 1, Seed: seed, Groups: []mobility.Group{
					{N: n / 4, Place: box, Motion: mobility.Waypoint{MinSpeed: 0.5, MaxSpeed: 1, Pause: 20}},
					{N: n - n/4, Place: box, Motion: mobility.Still{}}}})
		}
	}
	var text strings.Builder
	for range rapid.IntRange(n/2, 3*n).Draw(t, "meetings") {
		a := rapid.IntRange(0, n-1).Draw(t, "a")
		b := rapid.IntRange(0, n-2).Draw(t, "b")
		if b >= a {
			b++
		}
		from := rapid.IntRange(0, 40).Draw(t, "from")
		fmt.Fprintf(&text, "%d %d %d %d\n", a, b, from, from+rapid.IntRange(1, 60).Draw(t, "lasts"))
	}
	for i := range n { // so that everybody is known
		fmt.Fprintf(&text, "%d %d %d %d\n", i, (i+1)%n, 1, 9)
	}
	return func() (mobility.Net, error) {
		trace, err := mobility.Read(strings.NewReader(text.String()), "meetings", mobility.Intervals,
			mobility.Options{})
		if err != nil {
			return nil, err
		}
		return trace.Net(1)
	}
}

// Who stands among those that stand is spared rounds, and the run is the same, bit by bit, as one in which one worker
// runs every node.
func TestStandingChangesNothing(t *testing.T) {
	list := inRounds(t)
	rapid.Check(t, func(t *rapid.T) {
		e := list[rapid.IntRange(0, len(list)-1).Draw(t, "algorithm")]
		args := configured(t, e, rapid.IntRange(0, len(variants[e.Spec.Name])).Draw(t, "variant"))
		n := rapid.SampledFrom([]int{6, 30, 30, 60, 600}).Draw(t, "n")
		g, _, err := network.Build(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Graph: g, Seed: rapid.Uint64().Draw(t, "seed"),
			MaxRounds: rapid.IntRange(5, 90).Draw(t, "rounds"),
			Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Synchronous, sim.Asynchronous,
				sim.Asynchronous, sim.Jittered}).Draw(t, "timing"),
			Moving:  &sim.Moving{New: drawMoving(t, n), Hops: rapid.Bool().Draw(t, "hops")},
			Every:   rapid.IntRange(0, 2).Draw(t, "every"),
			Traffic: rapid.IntRange(0, 5).Draw(t, "traffic") == 0, Unsafe: true,
			Known: caucus.Known{Nodes: n, Diameter: 12}, Strengths: make([]float64, n)}
		for i := range n {
			cfg.Strengths[i] = float64(uint32(i) * 2654435761 % 16)
		}
		if rapid.Bool().Draw(t, "faulty") {
			cfg.Faults = engine.DrawFaults(t, n)
			for k := range cfg.Faults {
				cfg.Faults[k].At *= 4
				cfg.Faults[k].Until *= 4
			}
		}
		if rapid.Bool().Draw(t, "sized") {
			cfg.SizeOf = e.SizeOf
		}
		cfg.Workers = rapid.IntRange(1, 2).Draw(t, "workers")
		if err := alike(t, e, args, cfg, rapid.Bool().Draw(t, "watched")); err != nil {
			t.Skip(err)
		}
	})
}

// Where nobody moves, hardly more nodes run than on the graph of those in reach of each other: none, where the
// algorithm comes to rest; and some after a change.
func TestNobodyRunsWhereNobodyMoves(t *testing.T) {
	const n = 120
	still := mobility.Config{Arena: mobility.Arena{Width: 19, Height: 19}, Range: 3, Period: 1,
		Groups: []mobility.Group{{N: n, Place: mobility.Box{MaxX: 19, MaxY: 19}, Motion: mobility.Still{}}}}
	empty, _, err := network.Build(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range inRounds(t) {
		for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
			cfg := sim.Config{Graph: empty, Timing: timing, Seed: 1, Workers: 1, Unsafe: true,
				Strengths: make([]float64, n), Known: caucus.Known{Nodes: n, Diameter: 60},
				Faults: []sim.Fault{{At: 420, Kind: sim.Strength, Nodes: []int{5}, Value: 1}},
				Moving: &sim.Moving{New: func() (mobility.Net, error) { return mobility.NewWalk(still) }}}
			for i := range n {
				cfg.Strengths[i] = float64(uint32(i) * 2654435761 % 64)
			}
			var rested, woken [2]int64
			for k := range rested {
				run, err := e.Start(configured(t, e, 0), cfg)
				if err != nil {
					t.Fatal(err)
				}
				steps := func(rounds int) int64 {
					before := engine.Ran(run)
					for range rounds {
						run.Step()
					}
					return engine.Ran(run) - before
				}
				steps(410)
				rested[k], woken[k] = steps(10), steps(1)
				cfg.Graph, cfg.Moving, cfg.Positions = run.Result().Graph, nil, true
				run.Close()
			}
			if rested[0] > rested[1]+rested[1]/8 || woken[0] == 0 || woken[0] > n/3+woken[1] {
				t.Errorf("%s %s: %d nodes run in ten rounds, on the graph %d; after a change %d and %d",
					e.Spec.Name, timing, rested[0], rested[1], woken[0], woken[1])
			}
		}
	}
}

// Workers share the rounds of a network that moves, under the race detector: it would see them meet. Of fewer nodes one
// takes all.
func TestWorkersShareMovingRounds(t *testing.T) {
	const n = 600
	box := mobility.Box{MaxX: 36, MaxY: 36}
	walk := mobility.Config{Arena: mobility.Arena{Width: 36, Height: 36}, Range: 2, Period: 1, Seed: 3,
		Groups: []mobility.Group{{N: n, Place: box, Motion: mobility.Waypoint{MinSpeed: 0.1, MaxSpeed: 1, Pause: 9}}}}
	g, _, err := network.Build(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range inRounds(t) {
		for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
			var first *sim.Result
			for _, workers := range []int{1, 3} {
				cfg := sim.Config{Graph: g, Seed: 1, MaxRounds: 9, Workers: workers, Unsafe: true, SizeOf: e.SizeOf,
					Strengths: make([]float64, n), Known: caucus.Known{Nodes: n, Diameter: 12}, Timing: timing,
					Faults: []sim.Fault{{At: 5.4, Kind: sim.Crash, Leaders: true}},
					Moving: &sim.Moving{New: func() (mobility.Net, error) { return mobility.NewWalk(walk) }}}
				for i := range n {
					cfg.Strengths[i] = float64(uint32(i) * 2654435761 % 64)
				}
				result, err := e.Simulate(t.Context(), configured(t, e, 0), cfg)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = result
				} else if d := cmp.Diff(first, result); d != "" {
					t.Errorf("%s, %s: %s", e.Spec.Name, timing, d)
				}
			}
		}
	}
}
