package mesh_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/mesh"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func grid(t interface{ Fatal(...any) }, a, b int) *network.Graph {
	g, err := network.Generate(fmt.Sprintf("grid:%dx%d", a, b), 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t interface{ Fatal(...any) }, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), mesh.Algorithm{}, &mesh.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whatever the sides, IDs, delays and initiators, all end with the corner of least ID, within the
// messages of the doc comment for each kind.
func TestCorners(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(3, 8).Draw(t, "a"), rapid.IntRange(3, 8).Draw(t, "b")
		n, m := a*b, 2*a*b-a-b
		cfg := sim.Config{
			Graph: grid(t, a, b), Seed: rapid.Uint64().Draw(t, "seed"),
			Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(t,
				"delays"),
		}
		for _, id := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t, "ids") {
			cfg.IDs = append(cfg.IDs, caucus.ID(id))
		}
		cfg.Initiators = rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID[int]).Draw(t, "initiators")
		inner := 0 // initiators inside
		for _, i := range cfg.Initiators {
			if cfg.Graph.Degree(i) == 4 {
				inner++
			}
		}
		want := min(cfg.IDs[0], cfg.IDs[b-1], cfg.IDs[n-b], cfg.IDs[n-1])
		r := run(t, cfg)
		for i, o := range r.Outcomes {
			if !o.Final || o.Leader != want || (o.Role == caucus.Leader) != (cfg.IDs[i] == want) {
				t.Fatalf("node %d ends with %+v, want %d", i, o, want)
			}
		}
		for kind, most := range []int{2*m - (a-2)*(b-2) + inner, 4 * (a + b - 2), a + b + max(a, b) - 3, 2*m - n + 1} {
			if r.Kinds[kind] > int64(most) {
				t.Fatalf("%d messages %s, at most %d", r.Kinds[kind], mesh.Spec.Kinds[kind], most)
			}
		}
		if most := 6*n + len(cfg.Initiators) + 3*(a+b) + max(a, b) - 14; r.Messages > int64(most) {
			t.Fatalf("%d messages, at most %d", r.Messages, most)
		}
	})
}

// Squares with one initiator in a corner, IDs in rows. The messages grow as n: between two
// sizes by 6 for each node and what the border adds. Santoro's own realisation needs at most
// 6(a+b) + 5n + k* - 16, which is less from 5 × 5 on.
func TestLinear(t *testing.T) {
	for _, side := range []int{3, 8, 9, 16, 64} {
		n := side * side
		r := run(t, sim.Config{Graph: grid(t, side, side), Initiators: []int{0}})
		santoro := 12*side + 5*n + 1 - 16
		t.Logf("%d × %d: %d messages %v, %.3f n; Santoro's bound %d; time %g", side, side, r.Messages, r.Kinds,
			float64(r.Messages)/float64(n), santoro, r.Time)
		if most := int64(6*n + 7*side - 13); r.Messages > most || r.Messages < int64(5*n) {
			t.Errorf("%d × %d: %d messages, want at most %d and more than 5n", side, side, r.Messages, most)
		}
		if r.Time > float64(12*side) {
			t.Errorf("%d × %d: %g units of time", side, side, r.Time)
		}
	}
}

func TestRefused(t *testing.T) {
	for says, g := range map[string]*network.Graph{
		"mesh assumes the topology mesh: not a mesh of at least 3 × 3": grid(t, 2, 4),
		`not a mesh: node "1" has degree 1`:                            grid(t, 1, 5),
	} {
		if _, err := engine.RunEvents(context.Background(), mesh.Algorithm{}, &mesh.Spec,
			sim.Config{Graph: g}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
