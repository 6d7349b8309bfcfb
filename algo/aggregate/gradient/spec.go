package gradient

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name: "gradient", Title: "Gradient (building block G)", Family: "aggregate", Shape: caucus.ShapeRounds,
	ByStrength: true,
	Source:     "adaptive Bellman-Ford gradient of aggregate computing (block G of Beal, Viroli); sources: own rule",
	Elects: "every node that is stronger than all its neighbours (smaller ID on equal strength); the others " +
		"follow the nearest of them",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising for edge lengths > 0 (known of block G; tested here against shortest paths from " +
		"corrupted states): sources are right after one round, " +
		"distances that were too large after as many rounds as the farthest node has hops, those that were too " +
		"small rise by at least the shortest edge a round",
	Cost:  "one message of at most 40 bytes per node and round",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "max-distance", Kind: caucus.KindLength, Default: "inf", Open: true,
			Doc: "greatest distance between a source and its followers; farther nodes stay undecided"},
		{Name: "min-strength", Kind: caucus.KindNumber, Default: "0",
			Doc: "weaker nodes are no sources; above 0 needs a finite max-distance"},
	},
}

// New checks the options.
func New(c Config) (*Gradient, error) {
	if c.MinStrength > 0 && math.IsInf(c.MaxDistance, 1) {
		return nil, caucus.Wrong("max-distance", "inf",
			"a finite length with min-strength, since a network without a source would follow an old one "+
				"for ever")
	}
	return &Gradient{Config: c}, Spec.Check(c)
}

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Outcome reads the source off the gradient.
func (g *Gradient) Outcome(l *caucus.Local, s *Mark) caucus.Outcome {
	return block.Outcome(l, s.Lead, s.Dist)
}

// Domain is every mark with the world's IDs, strengths and distances.
func (g *Gradient) Domain(w *caucus.World) (caucus.Values[Mark], caucus.Values[Mark]) {
	v := caucus.Every(w, func(p *caucus.Pick) Mark {
		return Mark{From: p.ID(), Strength: p.Strength(), Dist: p.Dist(), Lead: p.ID()}
	})
	return v, v
}

// Backs names the source that a message spreads, whichever instance of it.
func (g *Gradient) Backs(m *Mark) (caucus.ID, uint64) { return m.Lead, 0 }

// Expect is the nearest source by shortest paths.
func (g *Gradient) Expect(n *caucus.Network) []caucus.Outcome {
	return block.Nearest(n, g.MaxDistance, func(i int) bool {
		return n.Strengths[i] >= g.MinStrength && block.LocallyStrongest(n, i)
	})
}
