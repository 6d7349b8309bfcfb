package alltheway_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/alltheway"
	"caucus.example/caucus/sim"
)

// n links for each of n IDs, whatever their order and the delays: n² messages. In ideal time n if all
// start; if one does, the last to be woken starts after n-1 and its ID is home n later.
func TestCost(t *testing.T) {
	for _, n := range []int{3, 4, 8, 33} {
		for name, ids := range map[string][]caucus.ID{"increasing": worst.Increasing(n),
			"decreasing": worst.Decreasing(n), "halving": worst.Halving(n)} {
			for _, delays := range []sim.Delays{sim.UnitDelay, sim.ExponentialDelay} {
				one := ringtest.Run(t, alltheway.Algorithm{}, &alltheway.Spec, ids,
					sim.Config{Delays: delays, Initiators: []int{n / 2}})
				all := ringtest.Run(t, alltheway.Algorithm{}, &alltheway.Spec, ids, sim.Config{Delays: delays})
				two := ringtest.Run(t, alltheway.Algorithm{Unlabelled: true}, &alltheway.Bidirectional, ids,
					sim.Config{Delays: delays})
				for _, r := range []*sim.Result{one, all, two} {
					if r.Messages != int64(n*n) {
						t.Errorf("n = %d, %s IDs, %s delays: %d messages, want %d", n, name, delays, r.Messages, n*n)
					}
				}
				if delays == sim.UnitDelay && (all.Time != float64(n) || one.Time != float64(2*n-1) ||
					two.Time != float64(n)) {
					t.Errorf("n = %d: time %g one-way, %g two-way, %g with one initiator, want n, n and 2n-1", n,
						all.Time, two.Time, one.Time)
				}
			}
		}
	}
}

// Why IDs must be distinct: two nodes of ID 1 take each other's messages for their own, believe the ring
// to be 3 and 4 long, have seen as many IDs, and both lead.
func TestTwins(t *testing.T) {
	r := ringtest.Run(t, alltheway.Algorithm{}, &alltheway.Spec, []caucus.ID{1, 2, 3, 1, 4, 5, 6},
		sim.Config{Unsafe: true})
	for i, o := range r.Outcomes {
		if twin := i == 0 || i == 3; twin != (o.Role == caucus.Leader) {
			t.Errorf("node %d: %+v", i, o)
		}
	}
}
