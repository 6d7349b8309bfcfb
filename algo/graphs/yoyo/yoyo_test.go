package yoyo_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func spec(prune bool) *caucus.Spec {
	if prune {
		return &yoyo.Spec
	}
	return &yoyo.PlainSpec
}

func run(t interface{ Fatal(...any) }, prune bool, cfg sim.Config) *sim.Result {
	cfg.Known.Nodes = cfg.Graph.Len()
	r, err := engine.RunEvents(context.Background(), yoyo.Algorithm{Prune: prune}, spec(prune), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// network draws a connected graph with IDs: a tree and some more edges.
func networkOf(t *rapid.T) sim.Config {
	n := rapid.IntRange(1, 30).Draw(t, "n")
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
	cfg := sim.Config{Graph: g}
	for _, id := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t, "ids") {
		cfg.IDs = append(cfg.IDs, caucus.ID(id))
	}
	return cfg
}

// Whatever the network, IDs, delays and initiators, all end with the least ID. The messages depend on
// neither delays nor initiators, but for those that notify: 2m for the IDs, for each link and iteration a value
// and a vote.
func TestElectsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := networkOf(t)
		n, m := cfg.Graph.Len(), cfg.Graph.Edges()
		for _, prune := range []bool{true, false} {
			calm := run(t, prune, cfg)
			wild := cfg
			wild.Seed = rapid.Uint64().Draw(t, "seed")
			wild.Delays = rapid.SampledFrom([]sim.Delays{sim.UniformDelay, sim.ExponentialDelay}).Draw(t, "delays")
			wild.Initiators = rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID[int]).Draw(t, "initiators")
			for _, r := range []*sim.Result{calm, run(t, prune, wild)} {
				for i, o := range r.Outcomes {
					least := slices.Min(cfg.IDs)
					if !o.Final || o.Leader != least || (o.Role == caucus.Leader) != (cfg.IDs[i] == least) {
						t.Fatalf("pruning %v: node %d ends with %+v, want %d", prune, i, o, least)
					}
				}
				if r.Kinds[yoyo.Hello] != int64(2*m) || r.Kinds[yoyo.Yo] != r.Kinds[yoyo.Vote] ||
					r.Kinds[yoyo.Notify] != int64(2*m-n+1) {
					t.Fatalf("pruning %v: messages %v, %d edges", prune, r.Kinds, m)
				}
				if r.Kinds[yoyo.Yo] != calm.Kinds[yoyo.Yo] {
					t.Fatalf("pruning %v: %d values with %s delays, %d with unit delays", prune, r.Kinds[yoyo.Yo],
						wild.Delays, calm.Kinds[yoyo.Yo])
				}
			}
			// Without pruning every link carries a value in every iteration; with pruning there are never more.
			if most := int64(m * yoyo.Iterations(n)); calm.Kinds[yoyo.Yo] > most ||
				!prune && calm.Kinds[yoyo.Yo] != most {
				t.Fatalf("pruning %v: %d values, want %d for %d edges", prune, calm.Kinds[yoyo.Yo], most, m)
			}
		}
	})
}

// sources runs without pruning and counts the sources that begin each iteration.
func sources(t interface{ Fatal(...any) }, cfg sim.Config) []int {
	cfg.Known.Nodes = cfg.Graph.Len()
	e, err := engine.NewEvents(yoyo.Algorithm{}, &yoyo.PlainSpec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	begun := make([]int32, cfg.Graph.Len())
	count := make([]int, yoyo.Iterations(cfg.Graph.Len())+1)
	for e.Step() {
		for i := range begun {
			s := e.State(i)
			if s.Iteration > begun[i] {
				begun[i] = s.Iteration
				if !slices.ContainsFunc(s.Links, func(l yoyo.Link) bool { return l.Direction == yoyo.In }) {
					count[s.Iteration-1]++
				}
			}
		}
	}
	return count
}

// Without pruning sources only become fewer, and ceil(log2 s) + 1 iterations leave one of s.
func TestSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := networkOf(t)
		count := sources(t, cfg)
		enough := int(math.Ceil(math.Log2(float64(count[0])))) + 1
		for k := range count {
			if k > 0 && (count[k] > count[k-1] || count[k-1] > 1 && count[k] == count[k-1]) ||
				k >= enough && count[k] != 1 {
				t.Fatalf("sources %v", count)
			}
		}
	})
}

// Node 6, a source, has five rivals 1 to 5, each at a sink of their own (11 to 15): of six sources
// only node 6 goes in the first iteration. In the second the five meet at node 6.
func TestSourcesDoNotHalve(t *testing.T) {
	var edges []network.Edge
	for k := int32(0); k < 5; k++ {
		edges = append(edges, network.Edge{A: k, B: 6 + k}, network.Edge{A: 5, B: 6 + k})
	}
	g, _, err := network.Build(11, edges)
	if err != nil {
		t.Fatal(err)
	}
	ids := []caucus.ID{1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15}
	if got := sources(t, sim.Config{Graph: g, IDs: ids}); !slices.Equal(got, []int{6, 5, 1, 1, 1, 1}) {
		t.Errorf("sources %v, want 6, 5, 1, …", got)
	}
}

// Equal IDs cannot be directed: refused, and in an unsafe run nobody ever leads.
func TestEqualIDs(t *testing.T) {
	g, _, err := network.Build(2, []network.Edge{{A: 0, B: 1}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Graph: g, IDs: []caucus.ID{7, 7}}
	_, err = engine.RunEvents(context.Background(), yoyo.Algorithm{Prune: true}, &yoyo.Spec, cfg)
	if err == nil || !strings.Contains(err.Error(), "distinct IDs; nodes 1 and 2 both have ID 7") {
		t.Error(err)
	}
	cfg.Unsafe = true
	for i, o := range run(t, true, cfg).Outcomes {
		if o.Final || o.Role != caucus.Undecided {
			t.Errorf("node %d: %+v", i, o)
		}
	}
}

// yo-yo-plain must know n.
func TestRefused(t *testing.T) {
	g, err := network.Generate("ring:5", 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.RunEvents(context.Background(), yoyo.Algorithm{}, &yoyo.PlainSpec, sim.Config{Graph: g})
	if err == nil || !strings.Contains(err.Error(), `known.nodes: found "nothing", allowed: the number of nodes`) {
		t.Error(err)
	}
}

// Once one source is left, all that remains goes in one iteration: the chain of a ring does not lose one
// node after the other, which would take about n²/8 values. IDs that rise along the ring leave one source at once.
func TestRingCollapses(t *testing.T) {
	g, err := network.Generate("ring:64", 1)
	if err != nil {
		t.Fatal(err)
	}
	if r := run(t, true, sim.Config{Graph: g}); r.Kinds[yoyo.Yo] != 64 {
		t.Errorf("%d values, want one for each of 64 edges", r.Kinds[yoyo.Yo])
	}
}

// Pruning shrinks the game: in a random network of 500 nodes and 2000 edges each edge carries a value in every
// one of 10 iterations without it, and in a third of them at most with it.
func TestPruningSaves(t *testing.T) {
	g, err := network.Generate("regular:n=500,d=8", 3)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Graph: g}
	pruned, plain := run(t, true, cfg), run(t, false, cfg)
	t.Logf("with pruning %v, without %v", pruned.Kinds, plain.Kinds)
	if 3*pruned.Kinds[yoyo.Yo] > plain.Kinds[yoyo.Yo] {
		t.Errorf("%d values over %d edges with pruning", pruned.Kinds[yoyo.Yo], g.Edges())
	}
}
