package registry

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"pgregory.net/rapid"
)

// drawNetwork draws a network of the class that an algorithm needs, without labels if it needs none.
func drawNetwork(t *rapid.T, needs caucus.Needs) *network.Graph {
	var spec string
	switch side := rapid.IntRange(3, 6); needs.Topology {
	case caucus.Ring:
		spec = fmt.Sprint("ring:", rapid.IntRange(3, 30).Draw(t, "n"))
	case caucus.Mesh:
		spec = fmt.Sprintf("grid:%dx%d", side.Draw(t, "rows"), side.Draw(t, "cols"))
	case caucus.Torus:
		spec = fmt.Sprintf("torus:%dx%d", side.Draw(t, "rows"), side.Draw(t, "cols"))
	case caucus.Hypercube:
		spec = fmt.Sprint("hypercube:", rapid.IntRange(0, 5).Draw(t, "d"))
	case caucus.Complete:
		spec = fmt.Sprint("clique:", rapid.IntRange(1, 20).Draw(t, "n"))
	default:
		return drawGraph(t, needs.Topology == caucus.Tree)
	}
	g, err := network.Generate(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !needs.Labels {
		g.Labels = nil
	}
	return g
}

// drawGraph draws a random tree and, unless that is all, some more edges.
func drawGraph(t *rapid.T, tree bool) *network.Graph {
	n := rapid.IntRange(1, 30).Draw(t, "n")
	var edges []network.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, network.Edge{A: int32(i), B: int32(rapid.IntRange(0, i-1).Draw(t, "parent")), W: 1})
	}
	if !tree {
		for range rapid.IntRange(0, 2*n).Draw(t, "extra") {
			edges = append(edges, network.Edge{A: int32(rapid.IntRange(0, n-1).Draw(t, "a")),
				B: int32(rapid.IntRange(0, n-1).Draw(t, "b")), W: 1})
		}
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Property: whatever the network that an algorithm of the event shape is made for, and whatever IDs, initiators and
// delays, the election ends, exactly one node leads, all others know it, and it has the least ID where that is
// promised.
func TestNetworkElections(t *testing.T) {
	for _, e := range All {
		s := e.Spec
		if s.Shape != caucus.ShapeEvents || !s.Needs.DistinctIDs || s.Endless {
			continue
		}
		args, err := s.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		listens := s.Name == "minfind" || s.Name == "wbs" // for ever: its nodes do not know that it is the end
		t.Run(s.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := drawNetwork(t, s.Needs)
				n := g.Len()
				cfg := sim.Config{Graph: g, Seed: rapid.Uint64().Draw(t, "seed"),
					Known: caucus.Known{Nodes: n, Diameter: max(1, n-1)}}
				delays := []sim.Delays{sim.UnitDelay, sim.UniformDelay}
				if !s.Needs.Delay {
					delays = append(delays, sim.ExponentialDelay)
				}
				cfg.Delays = rapid.SampledFrom(delays).Draw(t, "delays")
				for _, id := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t,
					"ids") {
					cfg.IDs = append(cfg.IDs, caucus.ID(id))
				}
				if !rapid.Bool().Draw(t, "all initiate") {
					cfg.Initiators = rapid.SliceOfN(rapid.IntRange(0, n-1), 1, n).Draw(t, "initiators")
				}
				r, err := e.Simulate(context.Background(), args, cfg)
				if err != nil {
					t.Fatal(err)
				}
				leader := r.Outcomes[0].Leader
				if !r.Converged || s.LeastID && leader != slices.Min(cfg.IDs) {
					t.Fatalf("finished: %v; %d of %v leads", r.Converged, leader, cfg.IDs)
				}
				if bits := r.Bits(s, &cfg); s.Carries != nil && r.Messages > 0 && bits == 0 {
					t.Fatalf("no bits counted: %d kinds carry %v", len(r.Kinds), s.Carries)
				}
				if !slices.Contains(cfg.IDs, leader) {
					t.Fatalf("leader %d is none of %v", leader, cfg.IDs)
				}
				for i, o := range r.Outcomes {
					role := caucus.Follower
					if cfg.IDs[i] == leader {
						role = caucus.Leader
					}
					if o.Final == listens || o.Leader != leader || o.Role != role {
						t.Fatalf("node %d ends with %+v, want %s of %d", i, o, role, leader)
					}
				}
			})
		})
	}
}

// Two nodes of one ID: whatever needs distinct IDs refuses them, naming both.
func TestEqualIDsAreRefused(t *testing.T) {
	for _, e := range All {
		s := e.Spec
		if s.Shape != caucus.ShapeEvents || !s.Needs.DistinctIDs {
			continue
		}
		g, err := network.Generate(map[caucus.Topology]string{
			caucus.Ring: "ring:9", caucus.Tree: "line:9", caucus.Mesh: "grid:3x3", caucus.Torus: "torus:3x3",
			caucus.Hypercube: "hypercube:3",
		}[s.Needs.Topology], 1)
		if err != nil {
			g, _ = network.Generate("clique:9", 1)
		}
		args, err := s.Resolve("", nil)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]caucus.ID, g.Len())
		for i := range ids {
			ids[i] = caucus.ID(i + 1)
		}
		ids[4] = 2
		_, err = e.Simulate(context.Background(), args,
			sim.Config{Graph: g, IDs: ids, Known: caucus.Known{Nodes: g.Len(), Diameter: g.Len()}})
		if err == nil || !strings.Contains(err.Error(), "distinct IDs; nodes 2 and 5 both have ID 2") {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
