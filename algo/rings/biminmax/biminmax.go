// Package biminmax is a MinMax for rings of two directions. Only its name and its cost, 1.44 n log n
// + O(n), are known from the table of a lecture; this is a realisation of our own with that cost.
// Candidates keep their IDs and use four rules in turn: send right and go on if smaller than what
// comes from the left; send left and go on if smaller than what comes from the right; send left, larger;
// send right, larger. To change direction and rule in every step would not do: on a ring of
// rising IDs each step would defeat one node only, n²/2 messages.
//
// Assumes a ring with consistent left/right labels, reliable links that keep the order of
// messages, distinct IDs; any non-empty set of initiators, since everybody who wakes is a candidate. Without
// labels use Stages with Feedback. Elects one node, not in general that of least ID; every
// node terminates and knows it. Not self-stabilising.
//
// Messages: n a step, at worst n(k+2), where k is the largest index with F_k <= n, F = 2, 3, 5, 8,
// 13, ….
package biminmax

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "bi-min-max",
	Title:     "BiMinMax (own realisation)",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "own realisation; the cost is that of van Leeuwen, Tan, 1987, who do without labels",
	Elects:    "some node",
	Guarantee: "terminates with one leader that every node knows (proved: a step keeps the least candidate and defeats the largest, or the other way round), not in general the least ID; not self-stabilising",
	Cost:      "n(k+2) messages at worst, k the largest index with F_k <= n in F = 2, 3, 5, 8, …: 1.44 n log n + O(n)",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, FIFO: true, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{IDs: 1}, {IDs: 1}},
}

var cycle = ring.Cycle{
	{Out: caucus.Right}, {Out: caucus.Left},
	{Out: caucus.Left, Max: true}, {Out: caucus.Right, Max: true},
}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (ring.Cycle, error) { return cycle, nil }
