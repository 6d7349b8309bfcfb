package scenario

import (
	"slices"

	"caucus.example/caucus/network"
)

// tell lets the nodes know of the network what the algorithm needs to be known: their number, and the
// diameter, or, where that would take long to measure, twice the distance from one node to the farthest,
// which is no less.
func (r *Run) tell(*Scenario) error {
	g, needs := r.Config.Graph, r.Entry.Spec.Needs
	if needs.Nodes {
		r.Config.Known.Nodes = g.Len()
	}
	if (needs.Diameter || needs.UsesDiameter) && r.Config.Moving == nil && g.Len() > 0 {
		d := network.FindComponents(g).Diameter(g, network.ExactDiameterLimit)
		if !d.Exact {
			d.Hops = 2 * int(slices.Max(network.Hops(g, 0)))
		}
		r.Config.Known.Diameter = max(1, d.Hops)
	}
	return nil
}
