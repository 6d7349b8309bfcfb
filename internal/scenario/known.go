package scenario

import (
	"context"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// Whole is the network as those see it who have the whole of it in view, when the run begins.
func (r *Run) Whole() *caucus.Network {
	c := &r.Config
	g := c.Graph
	net := &caucus.Network{Off: g.Off, Nbr: g.Nbr, Dist: c.Lengths, Labels: g.Labels, Known: c.Known}
	if net.Dist == nil {
		net.Dist = slices.Repeat([]float64{1}, len(g.Nbr))
	}
	for i := range g.Len() {
		net.IDs, net.Strengths = append(net.IDs, c.ID(i)), append(net.Strengths, c.Strength(i))
	}
	if c.Initiators != nil {
		net.Initiators = make([]bool, g.Len())
		for _, i := range c.Initiators {
			net.Initiators[i] = true
		}
	}
	return net
}

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
		r.Config.Known.Diameter = max(1, network.FindComponents(g).Diameter(context.Background(), g, budget).Most)
	}
	return nil
}
