package brogo_test

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/brogo"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// Property: with a known root or the revised version, and whatever the delays, the flood takes 2m - n + 1 messages and
// n - 1 go up and down each, all follow the best, and everybody's parents lead to the root.
func TestBrogo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		var edges []network.Edge
		for i := 1; i < n; i++ {
			edges = append(edges, network.Edge{A: int32(i), B: int32(rapid.IntRange(0, i-1).Draw(t, "parent"))})
		}
		for range rapid.IntRange(0, 2*n).Draw(t, "extra") {
			edges = append(edges, network.Edge{A: int32(rapid.IntRange(0, n-1).Draw(t, "a")),
				B: int32(rapid.IntRange(0, n-1).Draw(t, "b"))})
		}
		g, _, err := network.Build(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Graph: g, Seed: 3, Known: caucus.Known{Diameter: n},
			Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay}).Draw(t, "delays")}
		want := 0
		for i := range n {
			cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 3).Draw(t, "strength")))
			if cfg.Strengths[i] > cfg.Strengths[want] {
				want = i
			}
		}
		a := brogo.Algorithm{Root: caucus.ID(rapid.IntRange(0, n).Draw(t, "root"))}
		r, err := engine.RunEvents(context.Background(), a, &brogo.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if m := int64(g.Edges()); r.Kinds[brogo.Flood] != 2*m-int64(n)+1 || r.Kinds[brogo.Up] != int64(n-1) ||
			r.Kinds[brogo.Down] != int64(n-1) || r.Messages != 2*m+int64(n)-1 {
			t.Fatalf("%d nodes, %d edges: messages %v", n, m, r.Kinds)
		}
		for i, o := range r.Outcomes {
			if o.Leader != caucus.ID(want+1) || !o.Final {
				t.Fatalf("node %d: %+v, want %d", i+1, o, want+1)
			}
		}
	})
}

// Two floods meet, since messages take longer than was said: the smaller root's goes on and all know one leader.
func TestTwoRoots(t *testing.T) {
	g, err := network.Generate("ring:9", 1)
	if err != nil {
		t.Fatal(err)
	}
	// of the 1 s that it is
	r, err := engine.RunEvents(context.Background(), brogo.Algorithm{}, &brogo.Spec,
		sim.Config{Graph: g, Known: caucus.Known{Diameter: 4, Delay: 1e8}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Kinds[brogo.Flood] == 2*9-9+1 {
		t.Error("no second flood")
	}
	for i, o := range r.Outcomes {
		if o.Leader != 1 || !o.Final {
			t.Errorf("node %d: %+v", i+1, o)
		}
	}
}
