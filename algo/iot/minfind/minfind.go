// Package minfind is minimum finding by flooding: a node tells its neighbours the best candidate
// that it knows when it wakes, and again whenever it hears of a better one.
//
// Assumes a connected network, reliable links in any order, distinct IDs; any non-empty set of initiators.
// Every node ends with the least pair of rank and ID, and does not know that it is the end. Not
// self-stabilising: the minimum only falls, so a candidate that is dead or never was stays for ever.
//
// Messages: the degree of a node for its start and less for each improvement; O(nm) at worst,
// O(m log n) expected for random ranks. Ideal time: the eccentricity of the best node, from when all are awake.
package minfind

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// State is the best candidate that a node knows.
type State struct{ Best rank.Pair }

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "minfind",
	Title:     "Minimum finding by flooding",
	Family:    "iot",
	Shape:     caucus.ShapeEvents,
	Source:    "folklore; the baseline of Conard, Ebnenasir, 2021",
	Elects:    "the node of least rank (largest strength), smaller ID on equal rank",
	Guarantee: "every node ends with the least pair of rank and ID and does not know that it is the end (proved, reliable links); not self-stabilising: a dead or fake minimum stays for ever (tested)",
	Cost:      "O(nm) messages at worst, O(m log n) expected for random ranks; ideal time the eccentricity of the best node",
	Needs:     caucus.Needs{Connected: true, DistinctIDs: true},
	Silent:    true,
}

// Algorithm implements caucus.Events[State, rank.Pair].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake tells all neighbours the node's own rank.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[rank.Pair]) {
	s.Best = rank.Of(l)
	out.SendAll(l.Degree, -1, s.Best)
}

// Receive passes on what is better than anything heard, but not where it came from.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m rank.Pair, out *caucus.Outbox[rank.Pair]) {
	if m.Less(s.Best) {
		s.Best = m
		out.SendAll(l.Degree, port, m)
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[rank.Pair]) {}

// Outcome follows the best candidate so far.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return rank.Outcome(l, s.Best, false)
}

// Kind is the same for all messages.
func (Algorithm) Kind(*rank.Pair) int { return 0 }

// Domain is every candidate.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[rank.Pair]) {
	pairs := rank.Domain(w)
	return caucus.Values[State]{Len: pairs.Len, At: func(k uint64) State { return State{pairs.At(k)} }}, pairs
}
