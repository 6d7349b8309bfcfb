package engine_test

import (
	"context"
	"fmt"
	"testing"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// Property: with the two-way rule, links of which one direction carries nothing might as well not be there: a run ends
// with the outcomes of one on the links that carry both ways, in every timing and on any number of workers.
func TestTwoWay(t *testing.T) {
	algo, err := bounded.New(bounded.Default(3))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		g, err := network.Generate(fmt.Sprintf("er:n=%d,p=0.4", rapid.IntRange(2, 12).Draw(t, "n")),
			rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		var mute [][2]int
		var both []network.Edge
		for i := range g.Len() {
			for _, j := range g.Neighbours(i) {
				if int(j) < i {
					continue
				}
				switch rapid.IntRange(0, 3).Draw(t, "link") {
				case 0:
					mute = append(mute, [2]int{i, int(j)})
				case 1:
					mute = append(mute, [2]int{int(j), i})
				default:
					both = append(both, network.Edge{A: int32(i), B: j, W: 1})
				}
			}
		}
		timing := rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t, "timing")
		run := func(g *network.Graph, workers int, faults ...sim.Fault) *sim.Result {
			r, err := engine.Run(context.Background(), algo, &bounded.Spec,
				sim.Config{Graph: g, Timing: timing, StableFor: 40, Seed: 3,
					Workers: workers, TwoWay: true, Faults: faults})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		rest, _, err := network.Build(g.Len(), both)
		if err != nil {
			t.Fatal(err)
		}
		want := run(rest, 1)
		var faults []sim.Fault
		if mute != nil {
			faults = []sim.Fault{{Kind: sim.Loss, Rate: 1, Links: mute}}
		}
		got := run(g, 1, faults...)
		for i, o := range got.Outcomes {
			if o.Leader != want.Outcomes[i].Leader || o.Role != want.Outcomes[i].Role {
				t.Fatalf("node %d: %v, without the links %v; mute %v", i, o, want.Outcomes[i], mute)
			}
		}
		if other := run(g, 2, faults...); other.TraceHash != got.TraceHash {
			t.Fatal("another run on two workers")
		}
	})
}
