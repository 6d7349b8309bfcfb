package network

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// checkSimple fails unless g is a simple undirected graph in good form: rows strictly
// rising, no self-loop, every edge at both ends, arrays of the right lengths.
func checkSimple(t interface {
	Helper()
	Fatalf(string, ...any)
}, g *Graph) {
	t.Helper()
	if g.Off[0] != 0 || g.Off[g.Len()] != len(g.Nbr) {
		t.Fatalf("rows run from %d to %d of %d", g.Off[0], g.Off[g.Len()], len(g.Nbr))
	}
	for i := range g.Len() {
		if g.Off[i] > g.Off[i+1] {
			t.Fatalf("row %d has negative length", i)
		}
		last := int32(-1)
		for _, j := range g.Neighbours(i) {
			if j <= last || int(j) == i || int(j) >= g.Len() {
				t.Fatalf("row %d is not strictly rising without %d: %v", i, i, g.Neighbours(i))
			}
			if g.Port(int(j), i) < 0 {
				t.Fatalf("edge %d–%d is missing at %d", i, j, j)
			}
			last = j
		}
	}
	if g.X != nil && (len(g.X) != g.Len() || len(g.Y) != g.Len()) {
		t.Fatalf("%d, %d coordinates for %d nodes", len(g.X), len(g.Y), g.Len())
	}
	if g.Labels != nil && len(g.Labels) != len(g.Nbr) {
		t.Fatalf("%d labels for %d ports", len(g.Labels), len(g.Nbr))
	}
}

// drawGraph draws any simple graph of up to 40 nodes, with weights.
func drawGraph(t *rapid.T) *Graph {
	n := rapid.IntRange(1, 40).Draw(t, "nodes")
	node := rapid.Int32Range(0, int32(n-1))
	records := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Edge {
		return Edge{A: node.Draw(t, "a"), B: node.Draw(t, "b"), W: rapid.Float64Range(0.1, 10).Draw(t, "w")}
	}), 0, 80).Draw(t, "edges")
	g, _, err := Build(n, records)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestBuildMergesAndCounts(t *testing.T) {
	nan := math.NaN()
	g, merged, err := Build(4, []Edge{{0, 1, 5}, {1, 0, 6}, {2, 2, 1}, {2, 0, nan}, {0, 1, 7}})
	if err != nil {
		t.Fatal(err)
	}
	checkSimple(t, g)
	if want := (Merged{Records: 5, SelfLoops: 1, Repeats: 2}); merged != want {
		t.Errorf("merged %+v, want %+v", merged, want)
	}
	if g.Edges() != 2 || g.Weight[g.Port(0, 1)] != 5 || g.Weight[g.Port(1, 0)] != 5 {
		t.Errorf("edges %d, weights %v: the first record's weight stays", g.Edges(), g.Weight)
	}
	if !math.IsNaN(g.Weight[g.Port(0, 2)]) {
		t.Errorf("an edge without weight has %v, want NaN", g.Weight[g.Port(0, 2)])
	}
	if _, _, err := Build(2, []Edge{{0, 2, nan}}); err == nil {
		t.Error("an edge to a node that does not exist was accepted")
	}
}

func TestBuildGivesSimpleGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkSimple(t, drawGraph(t)) })
}
