package biminmax_test

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/biminmax"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, ringtest.Make(t, biminmax.FromArgs), &biminmax.Spec, ids, cfg)
}

// Every ring of 8, one ID fixed at node 0: at least a step, the lap and the announcement, 24; at most 8(4+2) = 48
// messages, F_4 = 8; mean by an independent simulation.
func TestAllRingsOfEight(t *testing.T) {
	ringtest.Eight(t, 24, 48, "37.417", func(ids []caucus.ID) *sim.Result { return run(t, ids, sim.Config{}) })
}

// Why not to change direction and rule in every step: on rising IDs one candidate is lost in a step.
func TestPlainAlternationIsQuadratic(t *testing.T) {
	const n = 64
	plain := ring.Cycle{{Out: caucus.Right}, {Out: caucus.Left, Max: true}}
	g, err := network.Generate("ring:64", 1)
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	for _, ids := range [][]caucus.ID{worst.Increasing(n), worst.Decreasing(n)} {
		r, err := sim.RunEvents(context.Background(), plain, &biminmax.Spec, sim.Config{Graph: g, IDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, r.Messages)
		if m := run(t, ids, sim.Config{}).Messages; m > n*10 { // Steps(64) is 8
			t.Errorf("%d messages, at most %d", m, n*10)
		}
	}
	if most < n*n/2 {
		t.Errorf("%d messages with the plain rules, expected more than n²/2", most)
	}
}
