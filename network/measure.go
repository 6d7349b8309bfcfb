package network

import "context"

// Measures are the figures that describe a graph.
type Measures struct {
	Nodes, Edges int
	Components   int
	Largest      int // nodes of the largest component
	Isolated     int // nodes without neighbour
	MaxDegree    int
	MeanDegree   float64
	Diameter     Diameter // of the largest component
}

// Measure describes a graph. The diameter may cost as many looks at an edge as the budget allows; see
// DiameterBudget; when ctx ends it is what is known of it by then. A graph without nodes measures 0.
func Measure(ctx context.Context, g *Graph, budget int) Measures {
	c := FindComponents(g)
	m := Measures{Nodes: g.Len(), Edges: g.Edges(), Components: len(c.Size)}
	m.Diameter = c.Diameter(ctx, g, budget)
	if m.Nodes == 0 {
		return m
	}
	m.Largest = c.Size[c.Largest]
	m.MeanDegree = float64(2*m.Edges) / float64(m.Nodes)
	for i := range m.Nodes {
		m.MaxDegree = max(m.MaxDegree, g.Degree(i))
		if g.Degree(i) == 0 {
			m.Isolated++
		}
	}
	return m
}

// DegreeHistogram counts the nodes of each degree from 0 to the greatest.
func DegreeHistogram(g *Graph) []int {
	var count []int
	for i := range g.Len() {
		for len(count) <= g.Degree(i) {
			count = append(count, 0)
		}
		count[g.Degree(i)]++
	}
	return count
}
