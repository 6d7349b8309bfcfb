package gradient

import "caucus.example/caucus"

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:        "gradient",
	Title:       "Gradient (building block G)",
	Family:      "aggregate",
	Shape:       caucus.ShapeRounds,
	Source:      "adaptive Bellman-Ford gradient of aggregate computing (block G of Beal, Viroli); sources: own rule",
	Elects:      "every node that is stronger than all its neighbours (smaller ID on equal strength); the others follow the nearest of them",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising for edge lengths > 0 (known of block G; tested here against shortest paths from corrupted states): sources are right after one round, " +
		"distances that were too large after as many rounds as the farthest node has hops, those that were too small rise by at least the shortest edge a round",
	Cost:  "one message of at most 40 bytes per node and round",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "max-distance", Kind: caucus.KindLength, Default: "inf", Open: true,
			Doc: "greatest distance between a source and its followers; farther nodes stay undecided"},
		{Name: "min-strength", Kind: caucus.KindNumber, Default: "0",
			Doc: "weaker nodes are no sources; above 0 needs a finite max-distance"},
	},
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Gradient, error) {
	return New(Config{MaxDistance: a.Number("max-distance"), MinStrength: a.Number("min-strength")})
}
