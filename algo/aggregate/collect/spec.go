package collect

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:   "collect",
	Title:  "Regions that know themselves (building blocks G and C)",
	Family: "aggregate",
	Shape:  caucus.ShapeRounds, ByStrength: true,
	Source: "blocks G and C of aggregate computing (Beal, Viroli); sources: own rule",
	Elects: "as gradient: every node that is stronger than all its neighbours; each leader learns members, " +
		"sum and maximum of strengths of its region and tells its followers",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising for edge lengths > 0, as a composition of self-stabilising blocks without " +
		"feedback (known; tested here against a centralised " +
		"computation from corrupted states); while regions change the figures may be wrong in either direction",
	Cost: "one message of at most 110 bytes per node and round; figures are right three tree depths of rounds " +
		"after the sources rest",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "max-distance", Kind: caucus.KindLength, Default: "inf", Open: true,
			Doc: "greatest distance between a source and its followers; farther nodes stay undecided"},
	},
}

// Config holds the options; see Spec for what each means.
type Config struct {
	MaxDistance float64 `param:"max-distance"`
}

// New checks the options.
func New(c Config) (*Collect, error) { return &Collect{maxDistance: c.MaxDistance}, Spec.Check(c) }

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Outcome reads the source off the report.
func (c *Collect) Outcome(l *caucus.Local, s *Report) caucus.Outcome {
	return block.Outcome(l, s.Lead, s.Dist)
}

// Domain is every report with the world's IDs, strengths and distances, and counts below its bound.
func (c *Collect) Domain(w *caucus.World) (caucus.Values[Report], caucus.Values[Report]) {
	region := func(p *caucus.Pick) Region {
		r := Region{Members: uint32(p.Below(p.Counter)), Sum: p.Strength()}
		r.Max = r.Sum
		return r
	}
	v := caucus.Every(w, func(p *caucus.Pick) Report {
		return Report{From: p.ID(), Strength: p.Strength(), Dist: p.Dist(), Lead: p.ID(), Parent: p.ID(),
			Below: region(p), Whole: region(p)}
	})
	return v, v
}

// Backs names the source that a message spreads, whichever instance of it.
func (c *Collect) Backs(m *Report) (caucus.ID, uint64) { return m.Lead, 0 }

// Expect is the nearest source by shortest paths.
func (c *Collect) Expect(n *caucus.Network) []caucus.Outcome {
	return block.Nearest(n, c.maxDistance, func(i int) bool { return block.LocallyStrongest(n, i) })
}
