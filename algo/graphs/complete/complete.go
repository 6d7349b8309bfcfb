// Package complete is CompleteElect (Santoro, Design and Analysis of Distributed Algorithms, section
// 3.6.1): an election in a complete network by capturing. Initiators are candidates: one captures the
// other nodes one by one, and its size is how many it has captured. The larger size wins an attack,
// of two equal ones the smaller ID:
//
//   - a node that belongs to nobody (candidate, or passive: a candidate that was beaten) compares the
//     attacker with itself. If it loses it is captured by the attacker (ACCEPT), else the attacker becomes passive (REJECT);
//   - a captured node asks its owner (WARNING). An owner that loses becomes passive and gives the node up
//     (YES), else the attacker is rejected (NO). More attacks wait until the owner has answered.
//
// Nodes that belong to different candidates are different nodes, so one that owns more than half of all, itself
// included, is the only one. It leads and notifies all.
//
// Assumes a complete network, reliable links and distinct IDs; any non-empty set of initiators; no
// order of messages. Elects an initiator, whichever ID it has. Every node terminates and knows
// it. Not self-stabilising.
//
// Messages: at most 4n·H(⌊n/2⌋) + n - 1, about 2.77 n log2 n, where H(k) = 1 + 1/2 + … + 1/k. For an attack takes
// at most 4, and what a candidate of size s owns can be taken only by one that had size s before: those that ever reach
// it own disjoint sets of s + 1 nodes, so that at most n/(s+1) attack with it. (The 2.76 n log2 n - 1.76 n + 1 of the
// literature takes H for the logarithm; networks of 2, 4, 5 and 6 nodes need more.) Ideal time O(n).
package complete

import (
	"slices"

	"caucus.example/caucus"
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

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "complete-elect",
	Title:     "CompleteElect",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, section 3.6.1",
	Elects:    "an initiator, which one depends on the delays",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "at most 4n·H(n/2) + n - 1 messages, about 2.77 n log2 n; ideal time O(n)",
	Needs:     caucus.Needs{Topology: caucus.Complete, Connected: true, DistinctIDs: true},
	Kinds:     []string{"capture", "accept", "reject", "warning", "yes", "no", "notify"},
	Carries:   []caucus.Content{{IDs: 1, Counters: 1}, {}, {}, {IDs: 1, Counters: 1}, {}, {}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

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
	if n := l.Degree + 1; 2*(int(s.Size)+1) > n {
		s.Leader = l.ID
		out.SendAll(l.Degree, -1, Msg{Kind: Notify, ID: l.ID})
		return
	}
	port := (l.ID + caucus.ID(s.Size)) % caucus.ID(l.Degree)
	out.Send(int(port), Msg{Kind: Capture, Size: s.Size, ID: l.ID})
}

// Receive takes one message.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if s.Leader != caucus.None {
		return // whoever waits for an answer hears of the leader instead
	}
	switch m.Kind {
	case Notify:
		s.Leader = m.ID
	case Capture:
		attacked(l, s, Attack{int32(port), m.Size, m.ID}, out)
	case Accept:
		if s.Status == Candidate {
			s.Size++
			next(l, s, out)
		}
	case Reject:
		if s.Status == Candidate {
			s.Status = Passive
		}
	case Warning:
		answer := Msg{Kind: No}
		if beats(m.Size, m.ID, l, s) {
			answer.Kind = Yes
			if s.Status == Candidate {
				s.Status = Passive
			}
		}
		out.Send(port, answer)
	case Yes, No:
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
	case s.Status == Captured:
		s.Attacks = append(slices.Clip(s.Attacks), a)
		if len(s.Attacks) == 1 {
			warn(s, out)
		}
	case s.Status == Idle || beats(a.Size, a.ID, l, s):
		s.Status, s.Owner = Captured, a.Port
		out.Send(int(a.Port), Msg{Kind: Accept})
	default:
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

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, s.Status == Passive || s.Status == Captured)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message over the world's IDs, and every state of a node with at most one attack.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	n, sizes := len(ids), max(1, w.Counter)+1
	states := caucus.Values[State]{Len: caucus.Size(int(Captured)+1, sizes, 2, n, n), At: func(k uint64) State {
		var buf [5]int
		d := caucus.Digits(k, buf[:], int(Captured)+1, sizes, 2, n, n)
		s := State{Status: Status(d[0]), Size: uint32(d[1]), Owner: int32(d[2]), Leader: ids[d[4]]}
		if attacker := ids[d[3]]; attacker != caucus.None {
			s.Attacks = []Attack{{Size: 1, ID: attacker}}
		}
		return s
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(int(Notify)+1, sizes, n), At: func(k uint64) Msg {
		var buf [3]int
		d := caucus.Digits(k, buf[:], int(Notify)+1, sizes, n)
		return Msg{Kind: uint8(d[0]), Size: uint32(d[1]), ID: ids[d[2]]}
	}}
	return states, msgs
}
