package network

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caucus.example/caucus"
)

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		spec, says string // "" is accepted
		class      caucus.Topology
	}{
		{"line:3", "", ""},
		{"line:3", "", caucus.AnyTopology},
		{"line:3", "any, ring, tree, mesh, complete", "blob"},
		{"ring:3", "", caucus.Ring},
		{"ring:50", "", caucus.Ring},
		{"line:5", `node "1" has degree 1`, caucus.Ring},
		{"line:2", "2 nodes", caucus.Ring},
		{"grid:2x3", `node "2" has degree 3`, caucus.Ring},
		{"grid:2x2", "", caucus.Ring},
		{"line:1", "", caucus.Tree},
		{"tree:20", "", caucus.Tree},
		{"star:9", "", caucus.Tree},
		{"ba:n=50,m=1", "", caucus.Tree},
		{"ring:5", `edge "3" – "4" closes a cycle`, caucus.Tree},
		{"ring:4", `edge "3" – "4" closes a cycle`, caucus.Tree},
		{"er:n=5,p=0", `no path from node "1" to node "2"`, caucus.Tree},
		{"clique:1", "", caucus.Complete},
		{"clique:9", "", caucus.Complete},
		{"ring:3", "", caucus.Complete},
		{"ring:4", `nodes "1" and "3" have no edge`, caucus.Complete},
		{"grid:3x3", "", caucus.Mesh},
		{"grid:4x9", "", caucus.Mesh},
		{"grid:9x3", "", caucus.Mesh},
		{"grid:2x9", "at least 3 × 3", caucus.Mesh},
		{"grid:1x9", `node "1" has degree 1`, caucus.Mesh},
		{"torus:3x4", "no node of degree 2", caucus.Mesh},
		{"star:9", `node "1" has degree 8`, caucus.Mesh},
		{"ring:9", "not a mesh", caucus.Mesh},
	} {
		err := CheckClass(generate(t, c.spec, 1), c.class)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s as %q: %v, want %q", c.spec, c.class, err, c.says)
		}
	}
}

func TestMeshWithAnyNumbering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(3, 7).Draw(t, "rows"), rapid.IntRange(3, 7).Draw(t, "columns")
		g, err := Generate(fmt.Sprintf("grid:%dx%d", a, b), 1)
		if err != nil {
			t.Fatal(err)
		}
		g = Relabel(g, rapid.Permutation(shuffle(g.Len(), func(int) int { return 0 })).Draw(t, "order"))
		rows, cols, err := CheckMesh(g)
		if err != nil || rows != max(a, b) || cols != min(a, b) {
			t.Fatalf("%d × %d is recognised as %d × %d, %v", a, b, rows, cols, err)
		}
	})
}

// Crossing two edges of a grid keeps all degrees and counts, but never makes a grid again
// unless it gives the same number of 4-cycles; a grid of a × b has (a-1)(b-1).
func TestCrossedMeshIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, err := Generate("grid:4x5", 1)
		if err != nil {
			t.Fatal(err)
		}
		var edges []Edge
		for i := range g.Len() {
			for _, j := range g.Neighbours(i) {
				if int(j) > i {
					edges = append(edges, Edge{int32(i), j, 1})
				}
			}
		}
		p, q := rapid.IntRange(0, len(edges)-1).Draw(t, "edge"), rapid.IntRange(0, len(edges)-1).Draw(t, "other")
		edges[p].B, edges[q].B = edges[q].B, edges[p].B
		crossed, merged, err := Build(g.Len(), edges)
		if err != nil || merged.SelfLoops+merged.Repeats > 0 {
			return
		}
		_, _, err = CheckMesh(crossed)
		if squares(crossed) != 12 && err == nil {
			t.Fatalf("edges %d and %d crossed: still a mesh, with %d squares", p, q, squares(crossed))
		}
		if p == q && err != nil {
			t.Fatal(err)
		}
	})
}

// squares counts the 4-cycles: pairs of nodes with c common neighbours make c(c-1)/2,
// and each cycle is met at both diagonals.
func squares(g *Graph) int {
	count := 0
	for i := range g.Len() {
		for j := range i {
			common := 0
			for _, k := range g.Neighbours(i) {
				if g.Port(j, int(k)) >= 0 {
					common++
				}
			}
			count += common * (common - 1) / 2
		}
	}
	return count / 2
}

func TestTwoRingsAreNotARing(t *testing.T) {
	g, _, err := Build(6, []Edge{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {3, 4, 1}, {4, 5, 1}, {5, 3, 1}})
	if err != nil {
		t.Fatal(err)
	}
	g.Names = strings.Fields("a b c d e f")
	if err := CheckRing(g); err == nil || !strings.Contains(err.Error(), `no path from node "a" to node "d"`) {
		t.Error(err)
	}
}

func TestLabelChecks(t *testing.T) {
	for name, c := range map[string]struct {
		change func(g *Graph)
		says   string
	}{
		"none":       {func(g *Graph) { g.Labels = nil }, "not labelled"},
		"same label": {func(g *Graph) { g.Labels[0] = 3 - g.Labels[0] }, `edge "1" – "2" has the same label`},
		"turned node": {func(g *Graph) {
			g.Labels[g.Port(1, 0)], g.Labels[g.Port(1, 2)] = g.Labels[g.Port(1, 2)], g.Labels[g.Port(1, 0)]
		}, `edge "1" – "2" has the same label`},
		"missing": {func(g *Graph) { g.Labels[g.Port(0, 1)] = caucus.Unlabelled }, `node "1"`},
		"unknown": {func(g *Graph) { g.Labels[g.Port(2, 3)] = 9 }, `node "3"`},
	} {
		g := generate(t, "ring:5", 1)
		c.change(g)
		if err := CheckLabels(g, caucus.Ring); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestNamesOfGraph(t *testing.T) {
	g := generate(t, "line:2", 1)
	g.Names = []string{"Wien", "Graz"}
	names, err := Names(g)
	if err != nil || names.Name(2) != "Graz" {
		t.Errorf("%v, %v", names, err)
	}
	g.Names[1] = "Wien"
	if _, err := Names(g); err == nil || !strings.Contains(err.Error(), "Wien") {
		t.Errorf("repeated name: %v", err)
	}
}
