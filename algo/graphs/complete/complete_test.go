package complete_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/complete"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

func clique(t *testing.T, n int) *network.Graph {
	g, err := network.Generate(fmt.Sprint("clique:", n), 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t *testing.T, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), complete.Algorithm{}, &complete.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bound is 4n·H(⌊n/2⌋) + n - 1.
func bound(n int) float64 {
	h := 0.0
	for k := 1; k <= n/2; k++ {
		h += 1 / float64(k)
	}
	return 4*float64(n)*h + float64(n) - 1
}

// quoted is 2.76 n log2 n - 1.76 n + 1.
func quoted(n int) float64 {
	x := float64(n)
	return 2.76*x*math.Log2(x) - 1.76*x + 1
}

// Random orders of IDs, with delays of every kind: the most messages stay within the bound, and, but for the
// smallest networks, within the one that the literature has.
func TestBound(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 6, 9, 12, 16, 32, 64, 128} {
		g, most, worst := clique(t, n), int64(0), []int64{}
		for trial := range uint64(60) {
			ids := make([]caucus.ID, n)
			for i := range ids {
				ids[i] = caucus.ID(i + 1)
			}
			rand := caucus.NewRand(trial, "order")
			for i := range ids {
				j := i + rand.IntN(n-i)
				ids[i], ids[j] = ids[j], ids[i]
			}
			delays := []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}[trial%3]
			r := run(t, sim.Config{Graph: g, IDs: ids, Seed: trial, Delays: delays})
			if r.Messages > most {
				most, worst = r.Messages, r.Kinds
			}
			if r.Kinds[complete.Notify] != int64(n-1) {
				t.Fatalf("n=%d: messages %v", n, r.Kinds)
			}
		}
		t.Logf("n=%d: at most %d messages %v, bound %.1f, quoted %.1f", n, most, worst, bound(n), quoted(n))
		if float64(most) > bound(n) {
			t.Errorf("n=%d: %d messages, at most %g", n, most, bound(n))
		}
		if n >= 9 && float64(most) > quoted(n) || n == 2 && float64(most) <= quoted(n) {
			t.Errorf("n=%d: %d messages, quoted %g", n, most, quoted(n))
		}
	}
}

// Only initiators compete: one alone captures ⌊n/2⌋ nodes, 2 messages each, and tells all.
func TestOneInitiator(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 11} {
		r := run(t, sim.Config{Graph: clique(t, n), Initiators: []int{n - 1}})
		if want := int64(2*(n/2) + n - 1); r.Messages != want || r.Outcomes[n-1].Role != caucus.Leader {
			t.Errorf("n=%d: %d messages, want %d; %+v", n, r.Messages, want, r.Outcomes[n-1])
		}
	}
}

func TestRefused(t *testing.T) {
	g, err := network.Generate("ring:5", 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.RunEvents(context.Background(), complete.Algorithm{}, &complete.Spec, sim.Config{Graph: g})
	if err == nil || !strings.Contains(err.Error(), `not complete: nodes "1" and "3" have no edge`) {
		t.Error(err)
	}
}
