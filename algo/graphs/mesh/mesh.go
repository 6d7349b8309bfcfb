// Package mesh elects a corner of a mesh without sense of direction (after Santoro, Design and Analysis of
// Distributed Algorithms, section 3.4.1; the border election is this project's own): (1) a wake-up tells everybody
// the degrees of its neighbours, which show the border; (2) the corners compare IDs along it; (3) the least of them
// floods its own.
package mesh

import (
	"math/bits"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Kinds of messages.
const (
	Wake uint8 = iota
	Corner
	Yield
	Notify
)

// Msg is one message: WAKE carries the sender's degree, CORNER and NOTIFY an ID.
type Msg struct {
	_      struct{} `cbor:",toarray"`
	Kind   uint8
	Degree uint8
	ID     caucus.ID
}

// State is what a node remembers: a plain value.
type State struct {
	Awake   bool
	Yielded bool         // a neighbouring corner has given way to this corner
	Border  uint8        // ports along the border, one bit each; two when both are known
	Heard   [2]caucus.ID // at a corner: the next corner's ID, by port
	Waiting caucus.ID    // a corner's ID that came over one port of the border before the other was known
	Leader  caucus.ID    // None until the node terminates
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ plain.Events[State, Msg] }

// Wake starts an initiator. Any other node starts with its first message.
func (Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		activate(l, s, -1, out)
	}
}

// activate is the wake-up: every node tells its degree. Inner nodes (degree 4) leave out the neighbour that woke them;
// border nodes tell all, so that two neighbours on the border always hear of each other. A corner then sends its ID
// both ways to the next corner.
func activate(l *caucus.Local, s *State, waker int, out *caucus.Outbox[Msg]) {
	s.Awake = true // (1) wake-up
	if l.Degree < 4 {
		waker = -1
	}
	out.SendAll(l.Degree, waker, Msg{Kind: Wake, Degree: uint8(min(l.Degree, 4))})
	if l.Degree == 2 { // (2) border election
		s.Border = 0b11
		out.SendAll(2, -1, Msg{Kind: Corner, ID: l.ID})
	}
}

// Receive takes one message, in any order. What a node has heard along the border tells it as
// much of the port as a WAKE.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if s.Leader != caucus.None {
		return
	}
	if m.Kind == Notify { // (3) notification
		*s = State{Awake: true, Leader: m.ID} // and nothing else matters any more
		out.SendAll(l.Degree, port, m)
		return
	}
	if !s.Awake { // (1)
		activate(l, s, port, out)
	}
	switch {
	case l.Degree == 2: // (2), a corner
		compete(l, s, port, m, out)
	case l.Degree == 3 && (m.Kind != Wake || m.Degree < 4): // (2), a node of the border
		relay(s, port, m, out)
	}
}

// relay passes on what comes along the border, as soon as it is known where the border leads: over the ports to the two
// neighbours that have degree < 4.
func relay(s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if bits.OnesCount8(s.Border) < 2 {
		s.Border |= 1 << port
		if bits.OnesCount8(s.Border) == 2 && s.Waiting != caucus.None {
			out.Send(port, Msg{Kind: Corner, ID: s.Waiting})
			s.Waiting = caucus.None
		}
	}
	switch {
	case m.Kind == Wake:
	case bits.OnesCount8(s.Border) == 2:
		out.Send(bits.TrailingZeros8(s.Border&^(1<<port)), m)
	default:
		s.Waiting = m.ID // no YIELD: it comes to a corner, by a way that its ID has opened
	}
}

// compete plays the corner. One that hears of a smaller one has lost and sends YIELD to the smaller one of its two
// neighbours. One that has heard of two larger ones and of one YIELD is smaller than the fourth corner too: the one who
// yields compared them. It leads.
func compete(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	switch m.Kind {
	case Corner:
		s.Heard[port&1] = m.ID
		a, b := s.Heard[0], s.Heard[1]
		if a == caucus.None || b == caucus.None {
			return
		}
		if smaller := min(a, b); smaller < l.ID { // lost
			to := 0
			if smaller == b {
				to = 1
			}
			out.Send(to, Msg{Kind: Yield})
			return
		}
	case Yield:
		s.Yielded = true
	}
	if s.Yielded && min(s.Heard[0], s.Heard[1]) > l.ID {
		s.Leader = l.ID // (3)
		out.SendAll(l.Degree, -1, Msg{Kind: Notify, ID: l.ID})
	}
}
