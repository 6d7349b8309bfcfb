// Package minmax is MinMax on a one-way ring (Higham, Przytycka, Information Processing
// Letters 1993; Santoro, Design and Analysis of Distributed Algorithms, section 3.3.7): candidates send their values to the
// right. In odd steps one goes on if the value received is smaller than its own, in even steps
// if it is larger, and always with the value received.
//
// Assumes a ring with consistent left/right labels, reliable links that keep the order of
// messages, distinct IDs; any non-empty set of initiators, since everybody who wakes is a candidate.
// Elects one node, not in general that of least ID: the owner of the value that stays. The one who
// holds it at the end announces it; every node terminates and knows it. Not self-stabilising.
//
// Messages: n a step, at worst n(k+2), where k is the largest index with F_k <= n, F = 2, 3, 5, 8,
// 13, …; about 1.44 n log n.
package minmax

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "min-max",
	Title:     "MinMax",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Higham, Przytycka, IPL 1993; Santoro, section 3.3.7",
	Elects:    "some node",
	Guarantee: "terminates with one leader that every node knows (proved), not in general the least ID; not self-stabilising",
	Cost:      "n(k+2) messages at worst, k the largest index with F_k <= n in F = 2, 3, 5, 8, …: 1.44 n log n + O(n)",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, FIFO: true, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{IDs: 1}, {IDs: 1}},
}

var cycle = ring.Cycle{{Out: caucus.Right, Take: true}, {Out: caucus.Right, Take: true, Max: true}}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (ring.Cycle, error) { return cycle, nil }
