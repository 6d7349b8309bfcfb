// Package ringtest runs elections on rings for the tests of the algorithms.
package ringtest

import (
	"context"
	"fmt"
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// Run simulates an election on the ring of these IDs, in the order in which messages go to the right.
func Run[S, M any](t testing.TB, algo caucus.Events[S, M], spec *caucus.Spec, ids []caucus.ID,
	cfg sim.Config) *sim.Result {
	t.Helper()
	g, err := network.Generate(fmt.Sprintf("ring:%d", len(ids)), 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Graph, cfg.IDs = g, ids
	r, err := engine.RunEvents(context.Background(), algo, spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Make makes an algorithm without parameters.
func Make[A any](t testing.TB, fromArgs func(caucus.Args) (A, error)) A {
	t.Helper()
	algo, err := fromArgs(caucus.Args{})
	if err != nil {
		t.Fatal(err)
	}
	return algo
}

// Shuffled gives the IDs 1 to n in a random order.
func Shuffled(n int, seed uint64) []caucus.ID {
	ids, rand := worst.Increasing(n), caucus.NewRand(seed, "ring")
	for i := n - 1; i > 0; i-- {
		j := rand.IntN(i + 1)
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}

// Orders calls f with every order of ids in which the first keeps its place: every ring of them.
func Orders(ids []caucus.ID, f func()) { permute(ids, 1, f) }

func permute(ids []caucus.ID, from int, f func()) {
	if from >= len(ids)-1 {
		f()
		return
	}
	for k := from; k < len(ids); k++ {
		ids[from], ids[k] = ids[k], ids[from]
		permute(ids, from+1, f)
		ids[from], ids[k] = ids[k], ids[from]
	}
}

// Eight runs an election on all rings of 8 and compares the least and most messages, and the mean to three decimals.
func Eight(t *testing.T, least, most int64, mean string, run func(ids []caucus.ID) *sim.Result) {
	t.Helper()
	low, high, sum, rings := int64(math.MaxInt64), int64(0), int64(0), 0
	ids := worst.Increasing(8)
	Orders(ids, func() {
		m := run(ids).Messages
		low, high, sum, rings = min(low, m), max(high, m), sum+m, rings+1
	})
	if rings != 5040 || low != least || high != most {
		t.Errorf("%d rings: %d to %d messages, want 5040: %d to %d", rings, low, high, least, most)
	}
	if got := fmt.Sprintf("%.3f", float64(sum)/float64(rings)); got != mean {
		t.Errorf("mean %s, want %s", got, mean)
	}
}
