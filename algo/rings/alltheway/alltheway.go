// Package alltheway is All the Way round the ring (Santoro, Design and Analysis of Distributed Algorithms, section
// 3.3.1): every ID goes once round and counts the links, so that every node learns how many they are and, having seen
// as many IDs, which is the least. No announcement is needed.
package alltheway

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
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

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Unlabelled bool // IDs start by the first port, not to the right
}

// Wake sends the node's own ID on its way.
func (a Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	s.Min, s.Seen = l.ID, 1
	first := 0
	if !a.Unlabelled {
		first = ring.Port(l, caucus.Right)
	}
	out.Send(first, Msg{ID: l.ID, Hops: 1})
}

// Receive counts, and passes on what is not its own (section 3.3.1).
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  on (v, h), v my own: the ring has size h
	// 2  on any other: min := least of min and v, one more is seen, and (v, h+1) goes on
	// 3  all seen: who has the least ID leads
	if s.Leader != caucus.None {
		return
	}
	if m.ID == l.ID { // 1
		s.Size = m.Hops
	} else { // 2
		s.Min = min(s.Min, m.ID)
		s.Seen++
		out.Send(ring.Other(port), Msg{ID: m.ID, Hops: m.Hops + 1})
	}
	if s.Seen == s.Size { // 3
		s.Leader = s.Min
	}
}
