package unistages_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/unistages"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, unistages.Algorithm{}, &unistages.Spec, ids, cfg)
}

// Every stage halves: log n of them at 2n messages, the last lap and the announcement of n each.
func TestWorstIsAttained(t *testing.T) {
	for k := 2; k <= 10; k++ {
		n := 1 << k
		if r := run(t, worst.Halving(n), sim.Config{}); r.Messages != int64(2*n*k+2*n) || r.Kinds[1] != int64(n) {
			t.Errorf("n = %d: %d messages %v, want %d", n, r.Messages, r.Kinds, 2*n*k+2*n)
		}
	}
}

// Never more, for n that are no power of two either.
func TestBound(t *testing.T) {
	for _, n := range []int{5, 24, 64, 100} {
		for seed := range uint64(200) {
			if m := float64(run(t, ringtest.Shuffled(n, seed),
				sim.Config{}).Messages); m > float64(n)*(2*math.Log2(float64(n))+2) {
				t.Errorf("n = %d, seed %d: %g messages", n, seed, m)
			}
		}
	}
}

// The last holder of the least ID is its owner's right neighbour or beyond; the owner leads.
func TestOwnerLeads(t *testing.T) {
	r := run(t, []caucus.ID{3, 1, 4, 2}, sim.Config{})
	for i, o := range r.Outcomes {
		if o.Leader != 1 || (o.Role == caucus.Leader) != (i == 1) {
			t.Errorf("node %d: %+v", i, o)
		}
	}
}
