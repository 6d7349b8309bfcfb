package scenario

import "caucus.example/caucus/network"

// tell lets the nodes know of the network what the algorithm needs to be known: their number, and the
// diameter, or, where that would take long to measure, a bound that is no less.
func (r *Run) tell(*Scenario) error {
	g, needs := r.Config.Graph, r.Entry.Spec.Needs
	if needs.Nodes {
		r.Config.Known.Nodes = g.Len()
	}
	if (needs.Diameter || needs.UsesDiameter) && r.Config.Moving == nil && g.Len() > 0 {
		budget := network.DiameterBudget
		if g.Len() > 50_000 { // a bound does, where all of the budget would be needed
			budget /= 100
		}
		r.Config.Known.Diameter = max(1, network.FindComponents(g).Diameter(g, budget).Most)
	}
	return nil
}
