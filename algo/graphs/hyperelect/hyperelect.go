// Package hyperelect is HyperElect (Santoro, Design and Analysis of Distributed Algorithms, section
// 3.5.1): an election in a hypercube of n = 2^d nodes whose ports are labelled by dimension.
//
// In stage i, from 1 to d, the duelists of two neighbouring subcubes of dimension i-1 fight: each sends
// MATCH(ID, stage) across the i-th dimension. There it goes on from the node that it meets to
// the one that beat that node, and so on, until it meets the duelist of this subcube; there it waits if that
// one is not yet so far. The larger ID has lost and keeps the way to the smaller one. As the order
// in which dimensions are crossed does not matter, a way is the set of those that are crossed an odd number of times.
// The duelist that wins stage d leads and notifies all, dimension by dimension.
//
// Assumes a labelled hypercube, reliable links and distinct IDs; any non-empty set of initiators; no
// order of messages. Elects the least ID; every node terminates and knows it. Not
// self-stabilising.
//
// Messages: at most 7n - (log n)² - 3 log n - 7, n - 1 of them to notify
// (attained for n = 2, 4 and 8).
// Ideal time O(log³ n).
package hyperelect

import (
	"math/bits"
	"slices"

	"caucus.example/caucus"
)

// Kinds of messages.
const (
	Match uint8 = iota
	Notify
)

// Msg is a challenge on its way, or the winner's announcement. Ways are sets of dimensions.
type Msg struct {
	_     struct{} `cbor:",toarray"`
	Kind  uint8
	Stage uint8 // of MATCH, from 1
	ID    caucus.ID
	From  uint32 // way from the challenger to the receiver
	To    uint32 // way from the receiver to where MATCH goes; empty on arrival
}

// Challenge is a MATCH that waits for its stage.
type Challenge struct {
	ID   caucus.ID // None for none
	From uint32
}

// State is what a node remembers. Waiting is by stage - 1; it is copied before it is changed, so
// that states can be copied as values.
type State struct {
	Stage   uint8 // that the node fights in, or has lost in; 0 while asleep
	Lost    bool
	Victor  uint32 // way to the node that beat it
	Waiting []Challenge
	Leader  caucus.ID // None until the node terminates
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "hyper-elect",
	Title:     "HyperElect",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, section 3.5.1",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "at most 7n - (log2 n)^2 - 3 log2 n - 7 messages, ideal time O(log^3 n)",
	Needs:     caucus.Needs{Topology: caucus.Hypercube, Labels: true, Connected: true, DistinctIDs: true},
	Kinds:     []string{"match", "notify"},
	Carries:   []caucus.Content{{IDs: 1, Counters: 2, Bits: 5}, {IDs: 1}}, // a way has log2 n bits, a stage 5
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake enters the first stage.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	s.Waiting = make([]Challenge, l.Degree)
	advance(l, s, out)
}

// advance enters the next stage, or leads after the last.
func advance(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Stage++
	if int(s.Stage) > l.Degree {
		s.Leader = l.ID
		notify(l, l.Degree, l.ID, out)
		return
	}
	across(l, int(s.Stage)-1, Msg{Kind: Match, Stage: s.Stage, ID: l.ID}, out)
}

// across sends a message over the edge of a dimension.
func across(l *caucus.Local, dimension int, m Msg, out *caucus.Outbox[Msg]) {
	m.From ^= 1 << dimension
	m.To &^= 1 << dimension
	out.Send(l.PortTo(caucus.Dimension(dimension)), m)
}

// pass sends a MATCH after the victor.
func pass(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	m.To = s.Victor
	across(l, bits.TrailingZeros32(m.To), m, out)
}

// notify tells the subcube of the dimensions below the given one.
func notify(l *caucus.Local, below int, leader caucus.ID, out *caucus.Outbox[Msg]) {
	for d := range below {
		out.Send(l.PortTo(caucus.Dimension(d)), Msg{Kind: Notify, ID: leader})
	}
}

// Receive sends a MATCH further along its way, and takes one that has arrived.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	switch {
	case m.Kind == Notify:
		if s.Leader == caucus.None && port < len(l.Labels) {
			s.Leader = m.ID
			d, _ := l.Labels[port].Dimension()
			notify(l, d, m.ID, out)
		}
	case m.To != 0:
		across(l, bits.TrailingZeros32(m.To), m, out)
	case s.Lost:
		pass(l, s, m, out)
	case m.Stage >= 1 && int(m.Stage) <= len(s.Waiting):
		s.Waiting = slices.Clone(s.Waiting)
		s.Waiting[m.Stage-1] = Challenge{m.ID, m.From}
		fight(l, s, out)
	}
}

// fight meets the challenges whose stages have come. A node that loses one sends those that wait
// for later stages after the victor.
func fight(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	for s.Stage >= 1 && int(s.Stage) <= len(s.Waiting) {
		c := s.Waiting[s.Stage-1]
		if c.ID == caucus.None {
			return
		}
		s.Waiting[s.Stage-1] = Challenge{}
		if c.ID > l.ID {
			advance(l, s, out)
			continue
		}
		s.Lost, s.Victor = true, c.From
		for k, later := range s.Waiting {
			if later.ID != caucus.None {
				pass(l, s, Msg{Kind: Match, Stage: uint8(k + 1), ID: later.ID, From: later.From}, out)
			}
		}
		s.Waiting = nil
		return
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, s.Lost)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message over the world's IDs in a hypercube of two dimensions, and every state of
// a node of it.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	n := len(ids)
	states := caucus.Values[State]{Len: caucus.Size(4, 2, 4, n, n, n), At: func(k uint64) State {
		var buf [6]int
		d := caucus.Digits(k, buf[:], 4, 2, 4, n, n, n)
		return State{
			Stage: uint8(d[0]), Lost: d[1] == 1, Victor: uint32(d[2]),
			Waiting: []Challenge{{ID: ids[d[3]], From: 1}, {ID: ids[d[4]], From: 2}}, Leader: ids[d[5]],
		}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(int(Notify)+1, 3, n, 4, 4), At: func(k uint64) Msg {
		var buf [5]int
		d := caucus.Digits(k, buf[:], int(Notify)+1, 3, n, 4, 4)
		return Msg{Kind: uint8(d[0]), Stage: uint8(d[1]), ID: ids[d[2]], From: uint32(d[3]), To: uint32(d[4])}
	}}
	return states, msgs
}
