package network

import (
	"strings"
	"testing"

	"caucus.example/caucus"
)

// Whatever their sides, the lattices label their ports as their class has it.
func TestLatticeLabels(t *testing.T) {
	for spec, class := range map[string]caucus.Topology{
		"grid:1x1": caucus.Mesh, "grid:1x5": caucus.Mesh, "grid:5x1": caucus.Mesh, "grid:2x2": caucus.Mesh,
		"grid:4x6":  caucus.Mesh,
		"torus:3x3": caucus.Torus, "torus:3x5": caucus.Torus, "torus:6x4": caucus.Torus,
		"hypercube:0": caucus.Hypercube, "hypercube:1": caucus.Hypercube, "hypercube:4": caucus.Hypercube,
	} {
		if err := CheckLabels(generate(t, spec, 1), class); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
	g := generate(t, "grid:3x4", 1) // node 6 lies in the second row and column
	for j, want := range map[int]caucus.Label{1: caucus.North, 6: caucus.East, 9: caucus.South, 4: caucus.West} {
		if got := g.Labels[g.Port(5, j)]; got != want {
			t.Errorf("grid: node 6 to node %d leads %s, want %s", j+1, got, want)
		}
	}
}

func TestWrongLabels(t *testing.T) {
	for name, c := range map[string]struct {
		spec, says string
		class      caucus.Topology
		change     func(g *Graph)
	}{
		"none": {"hypercube:3", "not labelled", caucus.Hypercube, func(g *Graph) { g.Labels = nil }},
		"other class": {"hypercube:3", `node "1" has a port with the label "dimension 0"`, caucus.Torus,
			func(*Graph) {}},
		"a mesh no torus": {"grid:4x4", `node "1" has 2 labelled ports`, caucus.Torus, func(*Graph) {}},
		"turned edge": {"torus:3x4", `edge "1" – "2" leads south from one end and west from the other`,
			caucus.Torus, func(g *Graph) { g.Labels[g.Port(0, 1)] = caucus.South }},
		"ends alike": {"torus:3x4", `edge "1" – "2" has the same label at both ends; east must lead to west`,
			caucus.Torus, func(g *Graph) { g.Labels[g.Port(1, 0)] = caucus.East }},
		"twice": {"hypercube:2", `two ports with the label "dimension 0"`, caucus.Hypercube,
			func(g *Graph) { g.Labels[g.Port(0, 2)], g.Labels[g.Port(2, 0)] = 7, 7 }},
		"beyond": {"hypercube:2", `dimension 5`, caucus.Hypercube,
			func(g *Graph) { g.Labels[0] = caucus.Dimension(5) }},
		// north and south of the right column exchanged
		"bent": {"grid:3x3", "does not lead", caucus.Mesh, func(g *Graph) {
			for _, e := range [][2]int{{2, 5}, {5, 8}} {
				a, b := g.Port(e[0], e[1]), g.Port(e[1], e[0])
				g.Labels[a], g.Labels[b] = g.Labels[b], g.Labels[a]
			}
		}},
	} {
		g := generate(t, c.spec, 1)
		c.change(g)
		if err := CheckLabels(g, c.class); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// A hypercube two of whose parallel edges are crossed still has the right labels at every
// node, but its dimensions commute no more: 4 steps over two dimensions lead elsewhere.
func TestCrossedHypercube(t *testing.T) {
	g := generate(t, "hypercube:3", 1)
	var edges []Edge
	label := map[[2]int32]caucus.Label{}
	for i := range int32(8) {
		for d := range 3 {
			j := i ^ 1<<d
			if d == 2 && i&3 < 2 { // 0-4 and 1-5 become 0-5 and 1-4
				j ^= 1
			}
			edges = append(edges, Edge{A: i, B: j})
			label[[2]int32{i, j}] = caucus.Dimension(d)
		}
	}
	crossed, _, err := Build(8, edges)
	if err != nil {
		t.Fatal(err)
	}
	crossed.label(func(i, j int) caucus.Label { return label[[2]int32{int32(i), int32(j)}] })
	if err := CheckLabels(crossed, caucus.Hypercube); err == nil || !strings.Contains(err.Error(), "lie at one place") {
		t.Error(err)
	}
	if err := CheckClass(g, caucus.Hypercube); err != nil {
		t.Error(err)
	}
	if err := CheckClass(generate(t, "torus:3x3", 1), caucus.Torus); err != nil {
		t.Error(err)
	}
}
