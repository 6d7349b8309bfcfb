package loudest

import "caucus.example/caucus"

// Spec is what caucus list, the flags and the checker know about the algorithm.
var Spec = caucus.Spec{
	Name:        "loudest",
	Title:       "Loudest within reach",
	Family:      "aggregate",
	Shape:       caucus.ShapeRounds,
	Source:      "an example of an algorithm in a module of its own",
	Elects:      "one leader per region: the strongest node within reach; smaller ID on equal strength",
	Stabilising: caucus.Checked,
	Guarantee:   "self-stabilising (explored from every state on all networks of up to 3 nodes by its test)",
	Cost:        "one message of three numbers per node and round",
	Needs:       caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true},
	Params: []caucus.Param{{Name: "reach", Kind: caucus.KindInt, Default: "3", Max: 1000,
		Doc: "greatest number of hops between a leader and its followers"}},
}

// New makes the algorithm from its parameters.
func New(a caucus.Args) (*Election, error) { return &Election{reach: a.Int("reach")}, nil }
