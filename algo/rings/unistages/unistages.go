// Package unistages is Stages on a one-way ring (Peterson, TOPLAS 1982; Dolev, Klawe, Rodeh, Journal of Algorithms
// 1982; Santoro, Design and Analysis of Distributed Algorithms, section 3.3.7): in each stage a candidate sends its
// value to the right, reads that of its left neighbour, sends that on and reads that of the neighbour beyond. It
// judges for the left neighbour: if the value in the middle is the least of the three it goes on with that, else not
// at all.
package unistages

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/ring"
)

// State is what a node remembers.
type State struct {
	Value caucus.ID // what it stands for; None while asleep
	First caucus.ID // of the left neighbour in this stage; None until it is read
	ring.End
}

// Algorithm implements caucus.Events[State, ring.Msg].
type Algorithm struct{ plain.Events[State, ring.Msg] }

// Wake makes the node a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[ring.Msg]) {
	s.Value = l.ID
	out.Send(ring.Port(l, caucus.Right), ring.Msg{Kind: ring.Elect, ID: s.Value})
}

// Receive reads a value or passes it on (section 3.3.7).
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m ring.Msg, out *caucus.Outbox[ring.Msg]) {
	// 1  a candidate that stands for v reads e1: if that is v, it has won, and notifies
	// 2            else sends e1 on
	// 3  reads e2: if e1 is less than v and than e2, v := e1, and the next stage begins
	// 4            else it is defeated, and passes on all that comes
	onward := ring.Other(port)
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		if s.Hear(l, m.ID) {
			out.Send(onward, m)
		}
	case s.Role == caucus.Defeated: // 4
		out.Send(onward, m)
	case s.First == caucus.None && m.ID == s.Value: // 1
		s.Hear(l, m.ID)
		out.Send(onward, ring.Msg{Kind: ring.Notify, ID: m.ID})
	case s.First == caucus.None: // 2
		s.First = m.ID
		out.Send(onward, m)
	case s.First < s.Value && s.First < m.ID: // 3
		s.Value, s.First = s.First, caucus.None
		out.Send(onward, ring.Msg{Kind: ring.Elect, ID: s.Value})
	default: // 4
		s.Role = caucus.Defeated
	}
}
