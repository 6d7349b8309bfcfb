// Package minfind is minimum finding by flooding: a node tells its neighbours the best candidate that it knows when it
// wakes, and again whenever it hears of a better one. It does not know that it is the end.
package minfind

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/rank"
)

// State is the best candidate that a node knows.
type State struct{ Best rank.Pair }

// Algorithm implements caucus.Events[State, rank.Pair].
type Algorithm struct{ plain.Events[State, rank.Pair] }

// Wake tells all neighbours the node's own rank.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[rank.Pair]) {
	s.Best = rank.Of(l) // start
	out.SendAll(l.Degree, -1, s.Best)
}

// Receive passes on what is better than anything heard, but not where it came from.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m rank.Pair, out *caucus.Outbox[rank.Pair]) {
	if m.Less(s.Best) { // receive, better
		s.Best = m
		out.SendAll(l.Degree, port, m)
	}
}
