// Package alternate is Alternating Steps on an oriented ring (after Franklin's Stages;
// Santoro, Design and Analysis of Distributed Algorithms, section 3.3.6): in odd steps every candidate sends its
// ID to the right and reads one from the left, in even steps the other way round; it goes on
// if its own is smaller. Both neighbours of a loser cannot lose to it, so it is enough to be
// compared with one of them at a time.
//
// Assumes a ring with consistent left/right labels, reliable links and distinct IDs; any non-empty
// set of initiators, since everybody who wakes is a candidate. The order of messages does not matter,
// other than in the one-way form: before a candidate sends to the right again it must read a message from there that
// was sent, or let pass, by somebody who had read its last one. So two are never on the way between
// the same two candidates. Elects the least ID; every node terminates and knows it. Not self-stabilising.
//
// Messages: n a step. At worst n(k+2), where k is the largest index with F_k <= n, F = 2, 3, 5, 8,
// 13, …: k steps, the lap of the last candidate and that of the announcement; about 1.44 n log n. It is
// attained, see worst.Cycle.
package alternate

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "alternate",
	Title:     "Alternating Steps",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, section 3.3.6",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "n(k+2) messages at worst, attained, k the largest index with F_k <= n in F = 2, 3, 5, 8, …: 1.44 n log n + O(n)",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{IDs: 1}, {IDs: 1}},
}

var cycle = ring.Cycle{{Out: caucus.Right}, {Out: caucus.Left}}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (ring.Cycle, error) { return cycle, nil }
