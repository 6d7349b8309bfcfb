package registry

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// What an event algorithm copies grows no faster than its messages times log n, whatever the degree: eight times the
// nodes may take at most three times the bytes for each message, node and edge (log 512 is 1.5 times log 64; as much
// again for what grows by doubling). A list of neighbours that is copied at every message takes eight times.
func TestNothingIsCopiedAtEveryMessage(t *testing.T) {
	for _, e := range All {
		if e.Spec.Shape != caucus.ShapeEvents {
			continue
		}
		args, err := e.Spec.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"star", "clique", "ring", "line"} {
			small, large := 64, 512
			if kind == "clique" {
				small, large = 16, 128
			}
			a, errA := bytesEach(t, &e, args, kind, small)
			b, errB := bytesEach(t, &e, args, kind, large)
			if errors.Join(errA, errB) != nil {
				continue // a network that the algorithm does not take
			}
			if b > 3*a {
				t.Errorf("%s on %s: %.0f bytes for each message, node and edge with %d nodes, %.0f with %d",
					e.Spec.Name, kind, a, small, b, large)
			}
		}
	}
}

func bytesEach(t *testing.T, e *Entry, args caucus.Args, kind string, n int) (float64, error) {
	t.Helper()
	g, err := network.Generate(fmt.Sprintf("%s:%d", kind, n), 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Graph: g, Seed: 1, MaxEvents: 1_000_000, MaxRounds: 10_000, StableFor: 20, Workers: 1}
	cfg.Known.Nodes, cfg.Known.Diameter, cfg.Known.Delay = n, n, 2e9
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := e.Simulate(t.Context(), args, cfg)
	if err != nil {
		return 0, err
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(r.Messages+int64(n)+int64(g.Edges())), nil
}
