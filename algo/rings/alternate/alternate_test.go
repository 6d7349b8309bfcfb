package alternate_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/alternate"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, ringtest.Make(t, alternate.FromArgs), &alternate.Spec, ids, cfg)
}

// Every ring of 8, one ID fixed at node 0: at least a step, the lap and the announcement, 24; at most 8(4+2) = 48
// messages, F_4 = 8; mean by an independent simulation.
func TestAllRingsOfEight(t *testing.T) {
	ringtest.Eight(t, 24, 48, "37.417", func(ids []caucus.ID) *sim.Result { return run(t, ids, sim.Config{}) })
}

// The worst ring of 8: 4 steps eliminate. With other delays as well, since a candidate's messages cannot
// overtake what it depends on.
func TestWorst(t *testing.T) {
	for _, delays := range []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay} {
		for seed := range uint64(20) {
			if r := run(t, worst.Cycle(8, ringtest.Make(t, alternate.FromArgs)), sim.Config{Delays: delays, Seed: seed}); r.Messages != 48 {
				t.Errorf("%s delays, seed %d: %d messages, want 48", delays, seed, r.Messages)
			}
		}
	}
}
