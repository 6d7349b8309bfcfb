package network

import (
	"fmt"

	"caucus.example/caucus"
)

// CheckLabels reports where the ports are not labelled as the class has it, naming the node
// or edge at fault: every edge leads opposite ways from its two ends, no node has two ports
// of one label, and
//
//   - in a ring every node has a left and a right port;
//   - in a mesh the ports lead north, east, south and west as on a map;
//   - in a torus every node has all four, and its rows and columns close;
//   - in a hypercube every node has one port for each of the log2 n dimensions, and crossing
//     the same dimensions in another order leads to the same node.
//
// Of other classes no more is asked.
func CheckLabels(g *Graph, class caucus.Topology) error {
	if g.Labels == nil {
		return fmt.Errorf("the ports of %s are not labelled", g.describe())
	}
	for i := range g.Len() {
		if err := g.checkPorts(i, class); err != nil {
			return err
		}
	}
	switch class {
	case caucus.Mesh:
		return g.checkPlaces(compass(g.Len()+1, g.Len()+1)) // nothing is so wide that it closes
	case caucus.Torus:
		rows, cols := g.lap(caucus.South), g.lap(caucus.East)
		if rows*cols != g.Len() {
			return fmt.Errorf("not a torus: %d nodes, but going south from node %q leads round in %d steps and east "+
				"in %d", g.Len(), g.NodeName(0), rows, cols)
		}
		return g.checkPlaces(compass(rows, cols))
	case caucus.Hypercube:
		if d := g.Degree(0); d >= caucus.MaxDimensions || g.Len() != 1<<d {
			return fmt.Errorf("not a hypercube: %d nodes, but node %q has degree %d", g.Len(), g.NodeName(0), d)
		}
		return g.checkPlaces(func(at place, l caucus.Label) place {
			k, _ := l.Dimension()
			return place{at.x ^ 1<<k, 0}
		})
	}
	return nil
}

// ports goes through the labels of a node and the neighbours to whom they lead.
func (g *Graph) ports(i int) func(yield func(l caucus.Label, j int) bool) {
	first, end := g.span(i)
	return func(yield func(l caucus.Label, j int) bool) {
		for k, j := range g.Neighbours(i) {
			if !yield(g.Labels[first:end][k], int(j)) {
				return
			}
		}
	}
}

// checkPorts looks at the labels of one node.
func (g *Graph) checkPorts(i int, class caucus.Topology) error {
	has := map[caucus.Label]bool{}
	for label, j := range g.ports(i) {
		back := g.Labels[g.Port(j, i)]
		switch {
		case !class.Has(label, g.Degree(i)):
			return fmt.Errorf("node %q has a port with the label %q; allowed: %s", g.NodeName(i), label,
				class.Directions(g.Degree(i)))
		case label == back && label.Opposite() != back:
			return fmt.Errorf("edge %s has the same label at both ends; %s must lead to %s", g.edgeName(i, j), label,
				label.Opposite())
		case label.Opposite() != back:
			return fmt.Errorf("edge %s leads %s from one end and %s from the other; %s must lead to %s",
				g.edgeName(i, j), label, back, label, label.Opposite())
		case has[label]:
			return fmt.Errorf("node %q has two ports with the label %q; allowed: %s", g.NodeName(i), label,
				class.Directions(g.Degree(i)))
		}
		has[label] = true
	}
	// No label twice and none that does not belong: those of a node are all there if their number is right.
	want := map[caucus.Topology]int{caucus.Ring: 2, caucus.Torus: 4, caucus.Hypercube: g.Degree(0)}[class]
	if want != 0 && len(has) != want {
		return fmt.Errorf("node %q has %d labelled ports; allowed: %s", g.NodeName(i), len(has), class.Directions(want))
	}
	return nil
}

// place is where a node lies: column and row, or its number in a hypercube.
type place struct{ x, y int }

// compass moves on a map of the given size whose opposite borders touch.
func compass(rows, cols int) func(place, caucus.Label) place {
	return func(at place, l caucus.Label) place {
		switch l {
		case caucus.North:
			at.y += rows - 1
		case caucus.South:
			at.y++
		case caucus.East:
			at.x++
		case caucus.West:
			at.x += cols - 1
		}
		return place{at.x % cols, at.y % rows}
	}
}

// lap counts the steps in one direction from the first node until it is back.
func (g *Graph) lap(l caucus.Label) int {
	at, steps := 0, 0
	for steps <= g.Len() {
		for label, j := range g.ports(at) {
			if label == l {
				at = j
				break
			}
		}
		steps++
		if at == 0 {
			break
		}
	}
	return steps
}

// checkPlaces follows the labels from the first node and reports an edge that leads
// elsewhere than it says, or two nodes at one place.
func (g *Graph) checkPlaces(move func(place, caucus.Label) place) error {
	at, taken := make([]place, g.Len()), make(map[place]int, g.Len())
	known := make([]bool, g.Len())
	queue := []int{0}
	known[0], taken[at[0]] = true, 0
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for label, j := range g.ports(i) {
			to := move(at[i], label)
			if known[j] && at[j] != to {
				return fmt.Errorf("edge %s does not lead %s: other ways to its ends say otherwise", g.edgeName(i, j),
					label)
			}
			if known[j] {
				continue
			}
			if other, ok := taken[to]; ok {
				return fmt.Errorf("by the labels of their ports, nodes %q and %q lie at one place", g.NodeName(other),
					g.NodeName(j))
			}
			at[j], known[j], taken[to] = to, true, j
			queue = append(queue, j)
		}
	}
	return nil
}
