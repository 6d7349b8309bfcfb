package collect

import "caucus.example/caucus"

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:        "collect",
	Title:       "Regions that know themselves (building blocks G and C)",
	Family:      "aggregate",
	Shape:       caucus.ShapeRounds,
	Source:      "blocks G and C of aggregate computing (Beal, Viroli); sources: own rule",
	Elects:      "as gradient: every node that is stronger than all its neighbours; each leader learns members, sum and maximum of strengths of its region and tells its followers",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising for edge lengths > 0, as a composition of self-stabilising blocks without feedback (known; tested here against a centralised " +
		"computation from corrupted states); while regions change the figures may be wrong in either direction",
	Cost:  "one message of at most 110 bytes per node and round; figures are right three tree depths of rounds after the sources rest",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "max-distance", Kind: caucus.KindLength, Default: "inf", Open: true,
			Doc: "greatest distance between a source and its followers; farther nodes stay undecided"},
	},
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Collect, error) { return New(a.Number("max-distance")) }
