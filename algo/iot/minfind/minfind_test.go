package minfind_test

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

func run(t *testing.T, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), minfind.Algorithm{}, &minfind.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// By hand on a line whose rank falls to the right, unit delays: everybody tells (2m), then node i hears n-i
// improvements and passes each to the left, but node 1 has nobody there: 2m + the sum of n-i for i = 2 to n-1. With the
// rank rising it is the mirror image.
func TestMessages(t *testing.T) {
	for n := 2; n <= 12; n++ {
		edges := make([]network.Edge, n-1)
		for i := range edges {
			edges[i] = network.Edge{A: int32(i), B: int32(i + 1)}
		}
		g, _, err := network.Build(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		falls, flat := make([]float64, n), make([]float64, n)
		for i := range falls {
			falls[i] = float64(i)
		}
		want := int64(2*(n-1) + (n-1)*(n-2)/2)
		for name, c := range map[string]struct {
			strengths []float64
			leader    caucus.ID
		}{"rank falls": {falls, caucus.ID(n)}, "IDs decide": {flat, 1}} {
			r := run(t, sim.Config{Graph: g, Strengths: c.strengths})
			if r.Messages != want || r.SettledAt != n-1 {
				t.Errorf("%d nodes, %s: %d messages, want %d; settled at %d, want %d", n, name, r.Messages, want,
					r.SettledAt, n-1)
			}
			for i, o := range r.Outcomes {
				if o.Leader != c.leader || o.Final {
					t.Errorf("%d nodes, %s: node %d: %+v", n, name, i+1, o)
				}
			}
		}
	}
}

// A dead minimum stays for ever.
func TestDeadMinimumStays(t *testing.T) {
	g, err := network.Generate("ring:8", 1)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, sim.Config{Graph: g, Faults: []sim.Fault{{At: 0.5, Kind: sim.Crash, Nodes: []int{0}}}})
	for i, o := range r.Outcomes[1:] {
		if o.Leader != 1 {
			t.Errorf("node %d: %+v", i+2, o)
		}
	}
}
