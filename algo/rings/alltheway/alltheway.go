// Package alltheway is All the Way round the ring (Santoro, Design and Analysis of Distributed
// Algorithms, section 3.3.1): every ID goes once round and counts the links, so that every node
// learns how many they are and, having seen as many IDs, which is the least.
//
// Assumes a ring, reliable links and distinct IDs; any non-empty set of initiators. One way it
// assumes consistent left/right labels; two-way it does without: every node sends its ID by a
// port of its choice. The order of messages does not matter. Elects the least ID; every node terminates and
// knows it. Not self-stabilising.
//
// Messages: n² exactly, no announcement. Ideal time n, 2n-1 with one initiator.
package alltheway

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Msg is an ID under way.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	ID   caucus.ID
	Hops uint32 // links travelled, this one included
}

// State is what a node remembers.
type State struct {
	Min    caucus.ID // least ID seen; None while asleep
	Seen   uint32    // IDs seen, its own included
	Size   uint32    // of the ring; 0 until its own ID is back
	Leader caucus.ID // None until it has seen all
}

// Spec describes the algorithm on a one-way ring.
var Spec = caucus.Spec{
	Name:      "all-the-way",
	Title:     "All the Way",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, section 3.3.1",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "n² messages, ideal time n",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, Connected: true, DistinctIDs: true,
	},
	Carries: []caucus.Content{{IDs: 1, Counters: 1}},
}

// Bidirectional describes it on a ring of two directions without labels.
var Bidirectional = bidirectional(Spec)

func bidirectional(s caucus.Spec) caucus.Spec {
	s.Name, s.Title, s.Needs.Labels = "all-the-way-bi", "All the Way, two directions", false
	return s
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	Unlabelled bool // IDs start by the first port, not to the right
}

// FromArgs makes the algorithm for a one-way ring; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// BidirectionalFromArgs makes it for a ring without labels; it has no parameters.
func BidirectionalFromArgs(caucus.Args) (Algorithm, error) { return Algorithm{Unlabelled: true}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake sends the node's own ID on its way.
func (a Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	s.Min, s.Seen = l.ID, 1
	first := 0
	if !a.Unlabelled {
		first = ring.Port(l, caucus.Right)
	}
	out.Send(first, Msg{ID: l.ID, Hops: 1})
}

// Receive counts, and passes on what is not its own.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if s.Leader != caucus.None {
		return
	}
	if m.ID == l.ID {
		s.Size = m.Hops
	} else {
		s.Min = min(s.Min, m.ID)
		s.Seen++
		out.Send(ring.Other(port), Msg{ID: m.ID, Hops: m.Hops + 1})
	}
	if s.Seen == s.Size {
		s.Leader = s.Min
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once every ID is seen.
func (a Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	leader, role := a.Elected(l, s)
	return caucus.Outcome{Leader: leader, Role: role, Final: leader != caucus.None, Distance: -1}
}

// Elected is the part of Outcome that may change at every event. A node that has seen a smaller ID knows before the end
// that it does not lead.
func (Algorithm) Elected(l *caucus.Local, s *State) (caucus.ID, caucus.Role) {
	switch {
	case s.Leader == l.ID:
		return s.Leader, caucus.Leader
	case s.Leader != caucus.None:
		return s.Leader, caucus.Follower
	case s.Min < l.ID && s.Min != caucus.None:
		return caucus.None, caucus.Defeated
	}
	return caucus.None, caucus.Undecided
}

// Kind is the only one.
func (Algorithm) Kind(*Msg) int { return 0 }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids, counts := ring.IDs(w), w.Counter+1
	radix := []int{len(ids), counts, counts, len(ids)}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [4]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Min: ids[d[0]], Seen: uint32(d[1]), Size: uint32(d[2]), Leader: ids[d[3]]}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(len(ids), counts), At: func(k uint64) Msg {
		var buf [2]int
		d := caucus.Digits(k, buf[:], len(ids), counts)
		return Msg{ID: ids[d[0]], Hops: uint32(d[1])}
	}}
	return states, msgs
}
