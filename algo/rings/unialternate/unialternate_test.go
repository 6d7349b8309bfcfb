package unialternate_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/alternate"
	"caucus.example/caucus/algo/rings/unialternate"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, ringtest.Make(t, unialternate.FromArgs), &unialternate.Spec, ids, cfg)
}

// Every ring of 8, one ID fixed at node 0: at least a step, the lap and the announcement, 24; at most 8(4+2) = 48
// messages, F_4 = 8; mean by an independent simulation.
func TestAllRingsOfEight(t *testing.T) {
	ringtest.Eight(t, 24, 48, "37.417", func(ids []caucus.ID) *sim.Result { return run(t, ids, sim.Config{}) })
}

// The values meet as in Alternate, by other holders: the counts of the two are equal on every ring.
func TestAsAlternate(t *testing.T) {
	both := ringtest.Make(t, alternate.FromArgs)
	ids := worst.Increasing(7)
	ringtest.Orders(ids, func() {
		r := ringtest.Run(t, both, &alternate.Spec, ids, sim.Config{})
		if m := run(t, ids, sim.Config{}).Messages; m != r.Messages {
			t.Fatalf("%v: %d messages, two ways %d", ids, m, r.Messages)
		}
	})
}
