// Package complete is CompleteElect (Santoro, Design and Analysis of Distributed Algorithms, section 3.6.1): an
// election in a complete network by capturing. Initiators are candidates: one captures the other nodes one by one,
// and its size is how many it has captured. The larger size wins an attack, of two equal ones the smaller ID. Nodes
// that belong to different candidates are different nodes, so one that owns more than half of all, itself included,
// is the only one.
package complete

import (
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Kinds of messages.
const (
	Capture uint8 = iota
	Accept
	Reject
	Warning
	Yes
	No
	Notify
)

// Msg is one message: CAPTURE and WARNING carry the attacker's size and ID, NOTIFY the leader's ID.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	Size uint32
	ID   caucus.ID
}

// Status is the part that a node plays.
type Status uint8

// Statuses.
const (
	Asleep Status = iota
	Idle          // awake, and never was a candidate
	Candidate
	Passive
	Captured
)

// Attack is a CAPTURE that waits for the answer of the owner to a WARNING.
type Attack struct {
	Port int32
	Size uint32
	ID   caucus.ID
}

// State is what a node remembers. Attacks is copied before it is changed, so that states can be
// copied as values.
type State struct {
	Status  Status
	Size    uint32    // nodes captured
	Owner   int32     // port, once captured
	Attacks []Attack  // in the order in which they came; the owner has been asked about the first
	Leader  caucus.ID // None until the node terminates
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ plain.Events[State, Msg] }

// Wake makes an initiator a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	s.Status = Idle
	if initiator {
		s.Status = Candidate
		next(l, s, out)
	}
}

// next attacks another node, or leads. Every candidate begins at a port of its own, so that they
// do not all attack the same node.
func next(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	if n := l.Degree + 1; 2*(int(s.Size)+1) > n { // 1
		s.Leader = l.ID
		out.SendAll(l.Degree, -1, Msg{Kind: Notify, ID: l.ID})
		return
	}
	port := (l.ID + caucus.ID(s.Size)) % caucus.ID(l.Degree)
	out.Send(int(port), Msg{Kind: Capture, Size: s.Size, ID: l.ID})
}

// Receive takes one message (section 3.6.1).
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  candidate: CAPTURE(size, ID) over one port after the other; larger than half of all: leader, NOTIFY
	// 2  CAPTURE at a node that never was a candidate, or a candidate or passive one that is beaten: captured, ACCEPT
	// 3          at one that is not beaten: REJECT
	// 4          at a captured one: WARNING(size, ID) to its owner; further attacks wait
	// 5  WARNING at an owner that is beaten: passive, YES; else NO
	// 6  YES: the attacker is the owner, ACCEPT; NO: REJECT
	// 7  ACCEPT: size + 1, the next port; REJECT: passive
	if s.Leader != caucus.None {
		return // whoever waits for an answer hears of the leader instead
	}
	switch m.Kind {
	case Notify:
		s.Leader = m.ID
	case Capture:
		attacked(l, s, Attack{int32(port), m.Size, m.ID}, out)
	case Accept: // 7
		if s.Status == Candidate {
			s.Size++
			next(l, s, out)
		}
	case Reject: // 7
		if s.Status == Candidate {
			s.Status = Passive
		}
	case Warning: // 5
		answer := Msg{Kind: No}
		if beats(m.Size, m.ID, l, s) {
			answer.Kind = Yes
			if s.Status == Candidate {
				s.Status = Passive
			}
		}
		out.Send(port, answer)
	case Yes, No: // 6
		answered(s, m.Kind == Yes, out)
	}
}

// beats tells whether an attacker wins over this node.
func beats(size uint32, id caucus.ID, l *caucus.Local, s *State) bool {
	return size > s.Size || size == s.Size && id < l.ID
}

// attacked defends the node, if it can.
func attacked(l *caucus.Local, s *State, a Attack, out *caucus.Outbox[Msg]) {
	switch {
	case s.Status == Captured: // 4
		s.Attacks = append(slices.Clip(s.Attacks), a)
		if len(s.Attacks) == 1 {
			warn(s, out)
		}
	case s.Status == Idle || beats(a.Size, a.ID, l, s): // 2
		s.Status, s.Owner = Captured, a.Port
		out.Send(int(a.Port), Msg{Kind: Accept})
	default: // 3
		out.Send(int(a.Port), Msg{Kind: Reject})
	}
}

// warn asks the owner about the first attack.
func warn(s *State, out *caucus.Outbox[Msg]) {
	out.Send(int(s.Owner), Msg{Kind: Warning, Size: s.Attacks[0].Size, ID: s.Attacks[0].ID})
}

// answered ends the first attack and asks about the next.
func answered(s *State, yes bool, out *caucus.Outbox[Msg]) {
	if len(s.Attacks) == 0 {
		return
	}
	port := s.Attacks[0].Port
	s.Attacks = slices.Clip(s.Attacks[1:])
	if yes {
		s.Owner = port
		out.Send(int(port), Msg{Kind: Accept})
	} else {
		out.Send(int(port), Msg{Kind: Reject})
	}
	if len(s.Attacks) > 0 {
		warn(s, out)
	}
}
