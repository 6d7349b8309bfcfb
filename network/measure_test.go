package network

import (
	"bufio"
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"pgregory.net/rapid"
)

// gonumGraph copies g for the comparison with gonum's algorithms.
func gonumGraph(g *Graph) *simple.UndirectedGraph {
	u := simple.NewUndirectedGraph()
	for i := range g.Len() {
		u.AddNode(simple.Node(i))
	}
	for i := range g.Len() {
		for _, j := range g.Neighbours(i) {
			u.SetEdge(u.NewEdge(simple.Node(i), simple.Node(j)))
		}
	}
	return u
}

func TestHopsAgreeWithGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		all := path.DijkstraAllPaths(gonumGraph(g))
		for i := range g.Len() {
			far := 0
			for j, d := range Hops(g, i) {
				want := all.Weight(int64(i), int64(j))
				if d < 0 && want < 1e9 || d >= 0 && float64(d) != want {
					t.Fatalf("distance %d–%d is %d, gonum says %v", i, j, d, want)
				}
				far = max(far, int(d))
			}
			if e := Eccentricity(g, i); e != far {
				t.Fatalf("eccentricity of %d is %d, want %d", i, e, far)
			}
		}
	})
}

func TestComponentsAgreeWithGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		c := FindComponents(g)
		want := topo.ConnectedComponents(gonumGraph(g))
		if len(c.Size) != len(want) || c.Size[c.Largest] != slices.Max(c.Size) {
			t.Fatalf("components %v (largest %d), gonum finds %d", c.Size, c.Largest, len(want))
		}
		for _, nodes := range want {
			label := c.Label[nodes[0].ID()]
			if c.Size[label] != len(nodes) || slices.ContainsFunc(nodes,
				func(n graph.Node) bool { return c.Label[n.ID()] != label }) {
				t.Fatalf("component %v is labelled otherwise: %v", nodes, c.Label)
			}
		}
	})
}

func TestDiameterIsTheGreatestEccentricity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		c := FindComponents(g)
		want := 0
		for i := range g.Len() {
			if int(c.Label[i]) == c.Largest {
				want = max(want, Eccentricity(g, i))
			}
		}
		if d := c.Diameter(t.Context(), g, DiameterBudget); d != (Diameter{want, want, true}) {
			t.Fatalf("diameter %+v, want %d", d, want)
		}
		if d := c.Diameter(t.Context(), g, 0); d.Exact != (d.Hops == d.Most) || d.Hops > want || d.Most < want {
			t.Fatalf("bound %+v for a diameter of %d", d, want)
		}
	})
}

// Larger than one word of searches, and than one batch.
func TestDiameterOfLargerGraphs(t *testing.T) {
	for spec, want := range map[string]int{"ring:1001": 500, "grid:30x40": 68, "hypercube:9": 9, "tree:511": 16,
		"line:300": 299, "torus:21x16": 18} {
		g := generate(t, spec, 1)
		if d := FindComponents(g).Diameter(t.Context(), g, DiameterBudget); d != (Diameter{want, want, true}) {
			t.Errorf("%s: diameter %+v, want %d", spec, d, want)
		}
	}
}

// Lines, rings, grids and trees cost a few searches, whatever their size.
func TestDiameterOfAnySize(t *testing.T) {
	for spec, want := range map[string]int{"ring:200000": 100000, "grid:300x401": 699, "tree:131071": 32,
		"line:100000": 99999} {
		g := generate(t, spec, 1)
		if d := FindComponents(g).Diameter(t.Context(), g, 200*len(g.Nbr)); d != (Diameter{want, want, true}) {
			t.Errorf("%s: diameter %+v, want %d", spec, d, want)
		}
	}
	g := generate(t, "torus:101x102", 1)
	d := FindComponents(g).Diameter(t.Context(), g, 10*len(g.Nbr))
	if d.Exact || d.Hops > 101 || d.Most < 101 || d.Most > 202 {
		t.Errorf("a torus within a small budget: %+v, want bounds around 101", d)
	}
}

func TestMeasures(t *testing.T) {
	// A triangle with a tail of two, an edge apart, and two lone nodes.
	g, _, err := Build(9, []Edge{{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {2, 3, 1}, {3, 4, 1}, {5, 6, 1}})
	if err != nil {
		t.Fatal(err)
	}
	want := Measures{Nodes: 9, Edges: 6, Components: 4, Largest: 5, Isolated: 2, MaxDegree: 3, MeanDegree: 12.0 / 9,
		Diameter: Diameter{3, 3, true}}
	if diff := cmp.Diff(want, Measure(t.Context(), g, DiameterBudget)); diff != "" {
		t.Error(diff)
	}
	if h := DegreeHistogram(g); !slices.Equal(h, []int{2, 3, 3, 1}) {
		t.Errorf("degrees %v, want 2, 3, 3, 1 nodes of degree 0 to 3", h)
	}
	empty, _, err := Build(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Measures{Diameter: Diameter{0, 0, true}}, Measure(context.Background(), empty, 1)); diff != "" {
		t.Error(diff)
	}
}

// meshFile is a METIS file of the shared data: after a header, line i lists the
// neighbours of node i from 1.
const meshFile = "../../shared/data/topologies/4elt.graph"

func readMesh(t testing.TB) *Graph {
	f, err := os.Open(meshFile)
	if err != nil {
		t.Skipf("the shared data folder is not here: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan()
	var records []Edge
	n := int32(0)
	for ; lines.Scan(); n++ {
		for _, word := range strings.Fields(lines.Text()) {
			j, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, Edge{A: n, B: int32(j - 1)})
		}
	}
	g, _, err := Build(int(n), records)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The figures are those of facts.json beside the file, found by other programs.
func TestMeasuresOfARealMesh(t *testing.T) {
	m := Measure(t.Context(), readMesh(t), DiameterBudget)
	want := Measures{Nodes: 15606, Edges: 45878, Components: 1, Largest: 15606, MaxDegree: 10,
		MeanDegree: 2 * 45878.0 / 15606, Diameter: Diameter{102, 102, true}}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
}

// A search that is told to stop has bounds: on a torus of 60 x 60, where no budget ends it, those of the sweeps.
func TestDiameterStops(t *testing.T) {
	g, err := Generate("torus:60x60", 1)
	if err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	d := FindComponents(g).Diameter(stopped, g, DiameterBudget)
	if d.Exact || d.Hops > 60 || d.Most < 60 {
		t.Errorf("%+v, want bounds on 60", d)
	}
}
