// Package unialternate is Alternating Steps on a one-way ring (Santoro, Design and
// Analysis of Distributed Algorithms, section 3.3.7): IDs go to the right only. In odd steps a candidate goes on if
// its value is smaller than the one received; in even steps it acts for its left neighbour, who in
// algo/rings/alternate would have compared with the right: it goes on, with the value received, if that is smaller.
//
// Assumes a ring with consistent left/right labels, reliable links that keep the order of
// messages, distinct IDs; any non-empty set of initiators, since everybody who wakes is a candidate.
// Elects the least ID, which another node than its owner holds and announces at the end; every node
// terminates and knows it. Not self-stabilising.
//
// Messages: those of algo/rings/alternate, n(k+2) at worst.
package unialternate

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "uni-alternate",
	Title:     "Alternating Steps, one way",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, section 3.3.7",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "n(k+2) messages at worst, attained, k the largest index with F_k <= n in F = 2, 3, 5, 8, …: 1.44 n log n + O(n)",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, FIFO: true, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{IDs: 1}, {IDs: 1}},
}

var cycle = ring.Cycle{{Out: caucus.Right}, {Out: caucus.Right, Take: true}}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (ring.Cycle, error) { return cycle, nil }
