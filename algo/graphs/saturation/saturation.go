// Package saturation elects in a tree (Santoro, Design and Analysis of Distributed Algorithms, sections 2.6 and 3.2).
// After a wake-up flood every node waits until it has heard SATURATE from all neighbours but one and then sends its
// own to that one, its parent. Exactly two neighbours, the saturated nodes, hear from their parent too. In Elect-Min
// SATURATE carries the least ID of the sender's side, so that both know the least of all; in Elect-Root it carries
// nothing, and they compare their own IDs.
package saturation

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Kinds of messages.
const (
	Wake uint8 = iota
	Saturate
	Terminate
	Election
)

// Msg is one message: SATURATE of Elect-Min, ELECTION and TERMINATE carry an ID.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	ID   caucus.ID
}

// Phase is how far a node has come.
type Phase uint8

// Phases.
const (
	Asleep Phase = iota
	Active
	Processing // has sent SATURATE to its parent
	Saturated  // has heard SATURATE from its parent (Elect-Root)
	Done
)

// State is what a node remembers: a plain value. Of the ports that have not delivered
// SATURATE it keeps number and sum, because all that is ever asked is which one is left.
type State struct {
	Phase  Phase
	Left   int32     // ports that have not delivered SATURATE
	Sum    int32     // … and the sum of their numbers: once Left is 1, the parent
	Leader caucus.ID // the least ID heard (Elect-Min); of whom leads once Done
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Root bool // Elect-Root
}

// Wake starts an initiator. Any other node starts with its first message.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		a.activate(l, s, -1, out)
	}
}

// activate wakes all neighbours but the one that woke this node.
func (a Algorithm) activate(l *caucus.Local, s *State, waker int, out *caucus.Outbox[Msg]) {
	*s = State{Phase: Active, Left: int32(l.Degree), Sum: int32(l.Degree * (l.Degree - 1) / 2), Leader: l.ID}
	out.SendAll(l.Degree, waker, Msg{Kind: Wake})
	if l.Degree == 0 {
		s.Phase = Done
	}
	a.saturate(s, out)
}

// Receive takes one message. SATURATE may be overtaken by ELECTION and may overtake WAKE.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  Asleep, waking or woken: WAKE to all others, Active (section 2.6)
	// 2  Active, SATURATE from all but one: SATURATE to that one, the parent, Processing
	// 3  Processing, SATURATE from the parent: Saturated; Elect-Min knows the least ID of all
	// 4  Elect-Root: the two saturated nodes send each other ELECTION(ID), and the smaller leads (section 3.2)
	// 5  the saturated nodes send TERMINATE away from each other; who receives it is Done, and passes it on
	if s.Phase == Asleep { // 1
		a.activate(l, s, port, out)
	}
	switch {
	case s.Phase == Done || m.Kind == Wake:
	case m.Kind == Terminate: // 5
		s.Phase, s.Leader = Done, m.ID
		out.SendAll(l.Degree, port, m)
	case m.Kind == Election: // 4
		a.challenge(l, s, out)
		a.decide(l, s, min(l.ID, m.ID), out)
	case s.Phase == Active: // 2
		s.Left--
		s.Sum -= int32(port)
		a.hear(s, m)
		a.saturate(s, out)
	case s.Phase == Processing && int32(port) == s.Sum && a.Root: // 3, 4
		a.challenge(l, s, out)
	case s.Phase == Processing && int32(port) == s.Sum: // 3
		a.hear(s, m)
		a.decide(l, s, s.Leader, out)
	}
}

// hear takes in the least ID of one side.
func (a Algorithm) hear(s *State, m Msg) {
	if !a.Root {
		s.Leader = min(s.Leader, m.ID)
	}
}

// saturate tells the last neighbour that everybody else has been heard.
func (a Algorithm) saturate(s *State, out *caucus.Outbox[Msg]) {
	if s.Phase != Active || s.Left != 1 {
		return
	}
	s.Phase = Processing // 2
	m := Msg{Kind: Saturate}
	if !a.Root {
		m.ID = s.Leader
	}
	out.Send(int(s.Sum), m)
}

// challenge sends the own ID to the other saturated node.
func (a Algorithm) challenge(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	if s.Phase == Processing {
		s.Phase = Saturated // 4
		out.Send(int(s.Sum), Msg{Kind: Election, ID: l.ID})
	}
}

// decide ends the election at a saturated node, which tells all but the other one.
func (a Algorithm) decide(l *caucus.Local, s *State, leader caucus.ID, out *caucus.Outbox[Msg]) {
	s.Phase, s.Leader = Done, leader // 5
	out.SendAll(l.Degree, int(s.Sum), Msg{Kind: Terminate, ID: leader})
}
