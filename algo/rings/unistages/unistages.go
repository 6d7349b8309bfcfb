// Package unistages is Stages on a one-way ring (Peterson, TOPLAS 1982; Dolev, Klawe, Rodeh,
// Journal of Algorithms 1982; Santoro, Design and Analysis of Distributed Algorithms, section 3.3.7): in each stage a
// candidate sends its value to the right, reads that of its left neighbour, sends that on and
// reads that of the neighbour beyond. It judges for the left neighbour: if the value in the
// middle is the least of the three it goes on with that, else not at all.
//
// Assumes a ring with consistent left/right labels, reliable links that keep the order of
// messages, distinct IDs; any non-empty set of initiators, since everybody who wakes is a candidate.
// Elects the least ID, which another node than its owner holds and announces at the end; every node
// terminates and knows it. Not self-stabilising.
//
// Messages: 2n a stage in which at most half the candidates survive, the lap of the last candidate and that
// of the announcement: at worst 2n log n + 2n for n a power of two, attained.
package unistages

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// State is what a node remembers.
type State struct {
	Value caucus.ID // what it stands for; None while asleep
	First caucus.ID // of the left neighbour in this stage; None until it is read
	ring.End
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "uni-stages",
	Title:     "Stages, one way",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Peterson, TOPLAS 1982; Dolev, Klawe, Rodeh, J. Algorithms 1982; Santoro, section 3.3.7",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "2n log n + 2n messages at worst, attained for n a power of two",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, FIFO: true, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{IDs: 1}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, ring.Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake makes the node a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[ring.Msg]) {
	s.Value = l.ID
	out.Send(ring.Port(l, caucus.Right), ring.Msg{Kind: ring.Elect, ID: s.Value})
}

// Receive reads a value or passes it on.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m ring.Msg, out *caucus.Outbox[ring.Msg]) {
	onward := ring.Other(port)
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		if s.Hear(l, m.ID) {
			out.Send(onward, m)
		}
	case s.Role == caucus.Defeated:
		out.Send(onward, m)
	case s.First == caucus.None && m.ID == s.Value:
		s.Hear(l, m.ID)
		out.Send(onward, ring.Msg{Kind: ring.Notify, ID: m.ID})
	case s.First == caucus.None:
		s.First = m.ID
		out.Send(onward, m)
	case s.First < s.Value && s.First < m.ID:
		s.Value, s.First = s.First, caucus.None
		out.Send(onward, ring.Msg{Kind: ring.Elect, ID: s.Value})
	default:
		s.Role = caucus.Defeated
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[ring.Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

// Elected is the part of Outcome that may change at every event.
func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the two messages apart.
func (Algorithm) Kind(m *ring.Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[ring.Msg]) {
	ids := ring.IDs(w)
	radix := []int{len(ids), len(ids), ring.Roles, len(ids)}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [4]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Value: ids[d[0]], First: ids[d[1]], End: ring.End{Role: caucus.Role(d[2]), Leader: ids[d[3]]}}
	}}
	return states, ring.Messages(w, 2)
}
