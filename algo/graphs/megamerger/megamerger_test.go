package megamerger_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"pgregory.net/rapid"
)

func run(t interface{ Fatal(...any) }, cfg sim.Config) *sim.Result {
	cfg.Lengths = cfg.Graph.Weight
	r, err := engine.RunEvents(context.Background(), megamerger.Algorithm{}, &megamerger.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func id(cfg sim.Config, i int) caucus.ID {
	if cfg.IDs == nil {
		return caucus.ID(i + 1)
	}
	return cfg.IDs[i]
}

type edge struct{ a, b int }

// tree reads the tree off the outcomes, every edge with its smaller end first.
func tree(g *network.Graph, r *sim.Result) []edge {
	var edges []edge
	for i, o := range r.Outcomes {
		if o.Parent > 0 {
			j := int(g.Nbr[g.Off[i]+int(o.Parent)-1])
			edges = append(edges, edge{min(i, j), max(i, j)})
		}
	}
	return sorted(edges)
}

func sorted(edges []edge) []edge {
	slices.SortFunc(edges, func(e, f edge) int { return cmp.Or(e.a-f.a, e.b-f.b) })
	return edges
}

// minimum is gonum's minimum spanning tree, where the k-th cheapest edge (length, smaller
// ID, larger ID) weighs k, so that there is but one.
func minimum(cfg sim.Config) []edge {
	type costed struct {
		edge
		length float64
	}
	g := cfg.Graph
	var edges []costed
	for i := range g.Len() {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			if j := int(g.Nbr[k]); i < j {
				e := costed{edge{i, j}, 1}
				if g.Weight != nil {
					e.length = g.Weight[k]
				}
				edges = append(edges, e)
			}
		}
	}
	slices.SortFunc(edges, func(e, f costed) int {
		ea, eb, fa, fb := id(cfg, e.a), id(cfg, e.b), id(cfg, f.a), id(cfg, f.b)
		return cmp.Or(cmp.Compare(e.length, f.length), cmp.Compare(min(ea, eb), min(fa, fb)),
			cmp.Compare(max(ea, eb), max(fa, fb)))
	})
	from := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	for k, e := range edges {
		from.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(e.a), T: simple.Node(e.b), W: float64(k)})
	}
	to := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	path.Kruskal(to, from)
	var chosen []edge
	for it := to.Edges(); it.Next(); {
		a, b := int(it.Edge().From().ID()), int(it.Edge().To().ID())
		chosen = append(chosen, edge{min(a, b), max(a, b)})
	}
	return sorted(chosen)
}

// bound is 2m to greet and 2m + 5n log2 n + n + 1 for the rest.
func bound(g *network.Graph) float64 {
	n, m := float64(g.Len()), float64(g.Edges())
	return 4*m + 5*n*math.Log2(n) + n + 1
}

// network draws a connected graph with IDs: a tree and some more edges, with or without
// lengths, of which many are equal.
func networkOf(t *rapid.T) sim.Config {
	n := rapid.IntRange(1, 30).Draw(t, "n")
	var edges []network.Edge
	length := func() float64 { return float64(rapid.IntRange(1, 8).Draw(t, "length")) }
	for i := 1; i < n; i++ {
		edges = append(edges, network.Edge{A: int32(i), B: int32(rapid.IntRange(0, i-1).Draw(t, "parent")),
			W: length()})
	}
	for range rapid.IntRange(0, 2*n).Draw(t, "extra") {
		edges = append(edges, network.Edge{A: int32(rapid.IntRange(0, n-1).Draw(t, "a")),
			B: int32(rapid.IntRange(0, n-1).Draw(t, "b")), W: length()})
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "unit lengths") {
		g.Weight = nil
	}
	cfg := sim.Config{Graph: g}
	for _, id := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t, "ids") {
		cfg.IDs = append(cfg.IDs, caucus.ID(id))
	}
	return cfg
}

// Whatever the network, IDs, lengths, delays and initiators: one leader whom all know, at the root of
// the minimum spanning tree, within the messages promised.
func TestMinimumSpanningTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := networkOf(t)
		n := cfg.Graph.Len()
		cfg.Seed = rapid.Uint64().Draw(t, "seed")
		cfg.Delays = rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(t,
			"delays")
		cfg.Initiators = rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID[int]).Draw(t, "initiators")
		r := run(t, cfg)
		leader := r.Outcomes[0].Leader
		leaders := 0
		for i, o := range r.Outcomes {
			leads := cfg.IDs[i] == leader
			if !o.Final || o.Leader != leader || (o.Role == caucus.Leader) != leads || (o.Parent == 0) != leads {
				t.Fatalf("node %d ends with %+v, leader %d", i, o, leader)
			}
			if leads {
				leaders++
			}
		}
		if leaders != 1 {
			t.Fatalf("%d leaders", leaders)
		}
		if got, want := tree(cfg.Graph, r), minimum(cfg); !slices.Equal(got, want) {
			t.Fatalf("tree %v, minimum %v", got, want)
		}
		if float64(r.Messages) > bound(cfg.Graph) || r.Kinds[megamerger.Hello] != int64(2*cfg.Graph.Edges()) {
			t.Fatalf("%d messages %v, at most %g", r.Messages, r.Kinds, bound(cfg.Graph))
		}
	})
}

// Larger networks: the bound, and how far below it a run stays.
func TestBound(t *testing.T) {
	for _, spec := range []string{"regular:n=2000,d=4", "ba:n=2000,m=3", "torus:40x50", "clique:200", "ring:2048"} {
		g, err := network.Generate(spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Graph: g, Delays: sim.ExponentialDelay}
		for i := range g.Len() {
			cfg.IDs = append(cfg.IDs, caucus.ID(i+1))
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(g.Len(), func(i, j int) { cfg.IDs[i], cfg.IDs[j] = cfg.IDs[j], cfg.IDs[i] })
		r := run(t, cfg)
		if got, want := tree(g, r), minimum(cfg); !slices.Equal(got, want) {
			t.Errorf("%s: no minimum spanning tree", spec)
		}
		t.Logf("%s: %d messages %v, bound %.0f", spec, r.Messages, r.Kinds, bound(g))
		if !r.Converged || float64(r.Messages) > bound(g) {
			t.Errorf("%s: %d messages, at most %g", spec, r.Messages, bound(g))
		}
	}
}

func TestRefused(t *testing.T) {
	g, err := network.Generate("line:3", 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.RunEvents(context.Background(), megamerger.Algorithm{}, &megamerger.Spec,
		sim.Config{Graph: g, IDs: []caucus.ID{4, 5, 4}})
	if err == nil || !strings.Contains(err.Error(), "distinct IDs; nodes 1 and 3 both have ID 4") {
		t.Error(err)
	}
}
