package waves

import "caucus.example/caucus"

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:        "waves",
	Title:       "Colour waves (reconstruction)",
	Family:      "aggregate",
	Shape:       caucus.ShapeRounds,
	Source:      "after Datta, Larmore, Vemula, Theoretical Computer Science 412 (2011); reconstructed without its text, and without the bit that makes the original silent",
	Elects:      "the smallest ID of each connected network, with a tree of fewest hops",
	Stabilising: caucus.Tested,
	Guarantee: "self-stabilising: proved by its authors for the original; this reconstruction is tested from clean and corrupted states on random networks, " +
		"synchronous and asynchronous, not proved",
	Cost:  "one message of at most 34 bytes per node and round; about 3 rounds for each hop between the leader and the farthest node; colours flip for ever",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true},
}

// FromArgs makes the algorithm, which has no parameters.
func FromArgs(caucus.Args) (Waves, error) { return Waves{}, nil }
