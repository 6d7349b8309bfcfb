// Package asfar is As Far as it can on a ring (Chang, Roberts, CACM 1979; Santoro, Design and Analysis of Distributed
// Algorithms, section 3.3.2): every ID travels until it meets a smaller one; the ID that comes home has won. There are
// three ways to set out: to the right, by a port of the node's choice, and by one drawn at random (ProbAsFar).
package asfar

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/ring"
)

// Kinds of messages.
const (
	Elect  = ring.Elect
	Notify = ring.Notify
)

// Msg is a travelling ID, or the winner's announcement.
type Msg = ring.Msg

// State is what a node remembers.
type State struct {
	Min caucus.ID // least ID seen; None while asleep
	// Met holds the least ID that has come in at each port at this very moment; only if the way is Random.
	Met [2]caucus.ID
	ring.End
}

// Way is how an ID sets out.
type Way uint8

// Ways.
const (
	ToTheRight  Way = iota
	ByFirstPort     // whichever the node happens to call its first
	Random          // by a port drawn at random; of two IDs that meet at a node the smaller is handled first
)

// Algorithm implements caucus.Events[State, Msg]. The zero value goes to the right.
type Algorithm struct {
	plain.Events[State, Msg]
	Way Way
}

// Timeless: only a random way is drawn.
func (a Algorithm) Timeless() bool { return a.Way != Random }

// Wake sends the node's own ID on its way if it starts on its own; else it depends on the
// message whether it has a chance.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		a.start(l, s, out)
	}
}

func (a Algorithm) start(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Min = l.ID
	first := 0
	switch a.Way {
	case ToTheRight:
		first = ring.Port(l, caucus.Right)
	case Random:
		first = l.Rand.IntN(2)
	}
	out.Send(first, Msg{Kind: Elect, ID: l.ID})
}

// Receive passes on what is smaller than anything seen, and stops the rest (section 3.3.2).
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  on an ID, asleep and smaller than it: start with my own instead
	// 2  on my own ID: I have won, and notify
	// 3  on one below the least seen: that is the least, I am defeated, and it goes on
	// 4  on any other: nothing, it stops here
	// 5  on the announcement: follow, and pass it on
	switch {
	case s.Over():
	case m.Kind == Notify: // 5
		if s.Hear(l, m.ID) {
			s.Min = m.ID
			out.Send(ring.Other(port), m)
		}
	case a.Way == Random:
		if s.Met == [2]caucus.ID{} {
			out.After(0, 0)
		}
		if met := &s.Met[port&1]; *met == caucus.None || m.ID < *met {
			*met = m.ID
		}
	default:
		a.handle(l, s, port, m.ID, out)
	}
}

// Timer handles what has met at the node, the smaller first.
func (a Algorithm) Timer(l *caucus.Local, s *State, _ int, out *caucus.Outbox[Msg]) {
	met := s.Met
	s.Met = [2]caucus.ID{}
	first := 0
	if met[1] < met[0] {
		first = 1
	}
	for _, p := range [2]int{first, ring.Other(first)} {
		if met[p] != caucus.None {
			a.handle(l, s, p, met[p], out)
		}
	}
}

func (a Algorithm) handle(l *caucus.Local, s *State, port int, id caucus.ID, out *caucus.Outbox[Msg]) {
	switch {
	case s.Over():
	case s.Min == caucus.None && id > l.ID: // 1
		a.start(l, s, out)
	case id == l.ID && s.Min == l.ID: // 2
		s.Hear(l, id)
		out.Send(ring.Other(port), Msg{Kind: Notify, ID: id})
	case id < s.Min || s.Min == caucus.None: // 3, else 4
		s.Min, s.Role = id, caucus.Defeated
		out.Send(ring.Other(port), Msg{Kind: Elect, ID: id})
	}
}
