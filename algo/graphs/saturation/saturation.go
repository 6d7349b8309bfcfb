// Package saturation elects in a tree (Santoro, Design and Analysis of Distributed Algorithms,
// sections 2.6 and 3.2). After a wake-up flood every node waits until it has heard SATURATE from
// all neighbours but one and then sends its own to that one, its parent. Exactly two
// neighbours, the saturated nodes, hear from their parent too:
//
//   - Elect-Min: SATURATE carries the least ID of the sender's side, so that both saturated
//     nodes know the least of all; they spread it away from each other.
//   - Elect-Root: SATURATE carries nothing; the saturated nodes compare their own IDs and
//     the smaller one leads.
//
// Assumes a tree, reliable links and distinct IDs; any non-empty set of initiators; no
// order of messages. Every node terminates and knows the leader. Not self-stabilising.
//
// Messages with k* initiators, for n >= 2: n + k* - 2 to wake up, n to saturate, n - 2 to
// spread the result and, for Elect-Root, 2 between the saturated nodes: in all 3n + k* - 4
// and 3n + k* - 2. Ideal time O(D).
package saturation

import "caucus.example/caucus"

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

var needs = caucus.Needs{Topology: caucus.Tree, Connected: true, DistinctIDs: true}

// MinSpec describes Elect-Min.
var MinSpec = caucus.Spec{
	Name:      "elect-min",
	Title:     "Elect-Min (saturation of a tree)",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, sections 2.6 and 3.2",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "3n + k* - 4 messages with k* initiators, ideal time O(D)",
	Needs:     needs,
	Kinds:     []string{"wake", "saturate", "terminate"},
	Carries:   []caucus.Content{{}, {IDs: 1}, {IDs: 1}},
}

// RootSpec describes Elect-Root.
var RootSpec = caucus.Spec{
	Name:      "elect-root",
	Title:     "Elect-Root (saturation of a tree)",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, sections 2.6 and 3.2",
	Elects:    "the one of smaller ID of the two nodes that saturate; which two depends on the delays",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "3n + k* - 2 messages with k* initiators, of which 2n + k* carry no ID; ideal time O(D)",
	Needs:     needs,
	Kinds:     []string{"wake", "saturate", "terminate", "election"},
	Carries:   []caucus.Content{{}, {}, {IDs: 1}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	Root bool // Elect-Root
}

// MinFromArgs makes Elect-Min; it has no parameters.
func MinFromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// RootFromArgs makes Elect-Root; it has no parameters.
func RootFromArgs(caucus.Args) (Algorithm, error) { return Algorithm{Root: true}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

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
	if s.Phase == Asleep {
		a.activate(l, s, port, out)
	}
	switch {
	case s.Phase == Done || m.Kind == Wake:
	case m.Kind == Terminate:
		s.Phase, s.Leader = Done, m.ID
		out.SendAll(l.Degree, port, m)
	case m.Kind == Election:
		a.challenge(l, s, out)
		a.decide(l, s, min(l.ID, m.ID), out)
	case s.Phase == Active:
		s.Left--
		s.Sum -= int32(port)
		a.hear(s, m)
		a.saturate(s, out)
	case s.Phase == Processing && int32(port) == s.Sum && a.Root:
		a.challenge(l, s, out)
	case s.Phase == Processing && int32(port) == s.Sum:
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
	s.Phase = Processing
	m := Msg{Kind: Saturate}
	if !a.Root {
		m.ID = s.Leader
	}
	out.Send(int(s.Sum), m)
}

// challenge sends the own ID to the other saturated node.
func (a Algorithm) challenge(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	if s.Phase == Processing {
		s.Phase = Saturated
		out.Send(int(s.Sum), Msg{Kind: Election, ID: l.ID})
	}
}

// decide ends the election at a saturated node, which tells all but the other one.
func (a Algorithm) decide(l *caucus.Local, s *State, leader caucus.ID, out *caucus.Outbox[Msg]) {
	s.Phase, s.Leader = Done, leader
	out.SendAll(l.Degree, int(s.Sum), Msg{Kind: Terminate, ID: leader})
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	if s.Phase == Done {
		return caucus.Decided(l, s.Leader, false)
	}
	return caucus.Decided(l, caucus.None, false)
}

// Kind tells the messages apart.
func (a Algorithm) Kind(m *Msg) int { return int(min(m.Kind, a.last())) }

// last is the last kind of message that there is.
func (a Algorithm) last() uint8 {
	if a.Root {
		return Election
	}
	return Terminate
}

// Domain is every message over the world's IDs, and every state of a node of up to two ports.
func (a Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	states := caucus.Values[State]{Len: caucus.Size(int(Done)+1, 3, 2, len(ids)), At: func(k uint64) State {
		var buf [4]int
		d := caucus.Digits(k, buf[:], int(Done)+1, 3, 2, len(ids))
		return State{Phase: Phase(d[0]), Left: int32(d[1]), Sum: int32(d[2]), Leader: ids[d[3]]}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(int(a.last())+1, len(ids)), At: func(k uint64) Msg {
		var buf [2]int
		d := caucus.Digits(k, buf[:], int(a.last())+1, len(ids))
		return Msg{Kind: uint8(d[0]), ID: ids[d[1]]}
	}}
	return states, msgs
}
