package decay

import "caucus.example/caucus"

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:        "decay",
	Title:       "Candidacies that expire (building block T)",
	Family:      "aggregate",
	Shape:       caucus.ShapeRounds,
	Source:      "block T of aggregate computing (Beal, Viroli); the election on top is this project's own",
	Elects:      "the strongest node within lifetime-1 hops along a path of its own supporters; smaller ID on equal strength",
	Stabilising: caucus.Tested,
	Guarantee: "self-stabilising: a candidacy that its owner does not renew loses a round of life in every round and hop, so none outlives lifetime rounds " +
		"(argued so; tested here against Bounded Election in hops, from corrupted states too)",
	Cost:  "one message of at most 22 bytes per node and round; a lost leader is followed for lifetime rounds at most",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true},
	Params: []caucus.Param{
		{Name: "lifetime", Kind: caucus.KindInt, Default: "64", Min: 1, Max: 65535,
			Doc: "rounds that a candidacy lives without renewal; each hop costs one, so followers are at most lifetime-1 hops away"},
	},
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Decay, error) { return New(a.Int("lifetime")) }
