package network

import (
	"fmt"
	"slices"

	"caucus.example/caucus"
)

// Names maps the graph's node names to IDs and back: node i has ID i+1. Empty and
// repeated names are refused.
func Names(g *Graph) (*caucus.Names, error) { return caucus.NewNames(g.Names, g.Len()) }

// Port gives the place of the edge from node i to node j in g.Nbr, -1 if there is none.
func (g *Graph) Port(i, j int) int {
	at, ok := slices.BinarySearch(g.Neighbours(i), int32(j))
	if !ok {
		return -1
	}
	first, _ := g.span(i)
	return first + at
}

// CheckClass reports why a graph is not of a class, naming the node or edge at fault;
// nil if it is. Empty classes count as any.
func CheckClass(g *Graph, class caucus.Topology) error {
	switch class {
	case "", caucus.AnyTopology:
		return nil
	case caucus.Ring:
		return CheckRing(g)
	case caucus.Tree:
		return CheckTree(g)
	case caucus.Mesh:
		_, _, err := CheckMesh(g)
		return err
	case caucus.Complete:
		return CheckComplete(g)
	case caucus.Torus, caucus.Hypercube:
		return CheckLabels(g, class)
	}
	return caucus.Wrong("topology class", string(class), "any, ring, tree, mesh, complete, torus, hypercube")
}

// CheckConnected reports a node that the first one has no path to.
func CheckConnected(g *Graph) error {
	for i, d := range g.hopsFromFirst() {
		if d < 0 {
			return fmt.Errorf("not connected: no path from node %q to node %q", g.NodeName(0), g.NodeName(i))
		}
	}
	return nil
}

func (g *Graph) hopsFromFirst() []int32 {
	if g.Len() == 0 {
		return nil
	}
	return Hops(g, 0)
}

// CheckRing reports why a graph is not one cycle of at least 3 nodes.
func CheckRing(g *Graph) error {
	if g.Len() < 3 {
		return fmt.Errorf("not a ring: %d nodes, a ring has at least 3", g.Len())
	}
	for i := range g.Len() {
		if g.Degree(i) != 2 {
			return fmt.Errorf("not a ring: node %q has degree %d, in a ring it is 2", g.NodeName(i), g.Degree(i))
		}
	}
	if err := CheckConnected(g); err != nil {
		return fmt.Errorf("not a ring: %w", err)
	}
	return nil
}

// CheckTree reports why a graph is not a tree; the edge it names lies on a cycle.
func CheckTree(g *Graph) error {
	if g.Len() == 0 {
		return fmt.Errorf("not a tree: no node")
	}
	if err := CheckConnected(g); err != nil {
		return fmt.Errorf("not a tree: %w", err)
	}
	if g.Edges() == g.Len()-1 {
		return nil
	}
	dist := g.hopsFromFirst()
	for i := range g.Len() {
		parents := 0
		for _, j := range g.Neighbours(i) {
			if dist[j] < dist[i] {
				parents++
			}
			// In a tree a node has one neighbour nearer to the first node and none as near.
			if dist[j] == dist[i] || parents > 1 {
				return fmt.Errorf("not a tree: edge %s closes a cycle", g.edgeName(i, int(j)))
			}
		}
	}
	return nil // unreachable: a connected graph with more edges than that has a cycle
}

// CheckComplete reports two nodes without an edge.
func CheckComplete(g *Graph) error {
	for i := range g.Len() {
		if g.Degree(i) == g.Len()-1 {
			continue
		}
		for j := range g.Len() {
			if j != i && g.Port(i, j) < 0 {
				return fmt.Errorf("not complete: nodes %q and %q have no edge", g.NodeName(i), g.NodeName(j))
			}
		}
	}
	return nil
}

// CheckMesh recognises a grid of at least 3 × 3 nodes, however they are numbered, and
// gives its sides. With a shorter side a border node cannot be told from the others by
// its degree, so nothing smaller counts as a mesh.
//
// From a corner A and the nearest other corner B, w steps away, a node at distances a
// and b from them must lie in column (a-b+w)/2 and row (a+b-w)/2. The graph is a grid
// if these places are all distinct and every edge joins two next to each other.
func CheckMesh(g *Graph) (rows, cols int, err error) {
	corner := -1
	for i := range g.Len() {
		if d := g.Degree(i); d < 2 || d > 4 {
			return 0, 0, fmt.Errorf("not a mesh: node %q has degree %d, in a mesh it is 2 to 4", g.NodeName(i), d)
		} else if d == 2 && corner < 0 {
			corner = i
		}
	}
	if err := CheckConnected(g); err != nil {
		return 0, 0, fmt.Errorf("not a mesh: %w", err)
	}
	if corner < 0 {
		return 0, 0, fmt.Errorf("not a mesh: no node of degree 2 to be a corner")
	}
	fromA := Hops(g, corner)
	second := -1
	for i := range g.Len() {
		if i != corner && g.Degree(i) == 2 && (second < 0 || fromA[i] < fromA[second]) {
			second = i
		}
	}
	if second < 0 {
		return 0, 0, fmt.Errorf("not a mesh: node %q is the only corner (degree 2)", g.NodeName(corner))
	}
	cols = int(fromA[second]) + 1
	rows = g.Len() / cols
	if rows < 3 || cols < 3 {
		return 0, 0, fmt.Errorf("not a mesh of at least 3 × 3: corners %q and %q are %d apart in %d nodes",
			g.NodeName(corner), g.NodeName(second), cols-1, g.Len())
	}
	if rows*cols != g.Len() || g.Edges() != rows*(cols-1)+cols*(rows-1) {
		return 0, 0, fmt.Errorf("not a mesh: corners %q and %q are %d apart, but %d nodes and %d edges make no grid "+
			"of that width",
			g.NodeName(corner), g.NodeName(second), cols-1, g.Len(), g.Edges())
	}
	return rows, cols, g.checkGrid(fromA, Hops(g, second), rows, cols)
}

// checkGrid checks the places that CheckMesh computes.
func (g *Graph) checkGrid(fromA, fromB []int32, rows, cols int) error {
	taken := make([]int, rows*cols) // place: node + 1
	row, col := make([]int, g.Len()), make([]int, g.Len())
	w := cols - 1
	for i := range g.Len() {
		a, b := int(fromA[i]), int(fromB[i])
		row[i], col[i] = (a+b-w)/2, (a-b+w)/2
		if (a+b-w)%2 != 0 || row[i] < 0 || row[i] >= rows || col[i] < 0 || col[i] >= cols {
			return fmt.Errorf("not a mesh: node %q is at no place of a %d × %d grid", g.NodeName(i), rows, cols)
		}
		place := &taken[row[i]*cols+col[i]]
		if *place != 0 {
			return fmt.Errorf("not a mesh: nodes %q and %q claim the same place of a %d × %d grid",
				g.NodeName(*place-1), g.NodeName(i), rows, cols)
		}
		*place = i + 1
	}
	for i := range g.Len() {
		for _, j := range g.Neighbours(i) {
			dr, dc := row[i]-row[j], col[i]-col[j]
			if dr*dr+dc*dc != 1 {
				return fmt.Errorf("not a mesh: edge %s joins places that are not next to each other in a %d × %d grid",
					g.edgeName(i, int(j)), rows, cols)
			}
		}
	}
	return nil
}
