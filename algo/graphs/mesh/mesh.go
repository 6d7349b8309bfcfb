// Package mesh elects a corner of a mesh without sense of direction (after Santoro, Design and
// Analysis of Distributed Algorithms, section 3.4.1; the border election is this project's own).
//
//  1. Wake-up: every node tells its degree. Inner nodes (degree 4) leave out the neighbour
//     that woke them; border nodes tell all, so that two neighbours on the border always
//     hear of each other. The ports to the two that have degree < 4 lead along the border.
//  2. Border: every corner (degree 2) sends its ID both ways to the next corner. A corner that
//     hears of a smaller one has lost and sends YIELD to the smaller one of its two neighbours. A
//     corner that has heard of two larger ones and of one YIELD is smaller than the fourth
//     corner too: the one who yields compared them. It leads.
//  3. Notification: the leader floods its ID.
//
// Assumes a mesh of a × b nodes, a, b >= 3 (with a shorter side the border cannot be told by
// degrees), reliable links and distinct IDs; any non-empty set of initiators; no order of
// messages. Elects the corner of least ID; every node terminates and knows it. Not
// self-stabilising.
//
// Messages at most, with m = 2n - (a + b) edges and j of the (a-2)(b-2) inner nodes initiators:
// 2m - (a-2)(b-2) + j to wake up, 4(a+b-2) for the IDs, a + b + max(a, b) - 3 to yield and
// 2m - n + 1 to notify; in all at most 6n + k* + 3(a+b) + max(a, b) - 14 with k* initiators. Ideal time
// O(a + b).
package mesh

import "caucus.example/caucus"

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
	Sides   uint8        // how many of Border are known
	Border  [2]int8      // ports along the border
	Heard   [2]caucus.ID // at a corner: the next corner's ID, by port
	Waiting caucus.ID    // a corner's ID that came over Border[0] before Border[1] was known
	Leader  caucus.ID    // None until the node terminates
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "mesh",
	Title:     "Election among the corners of a mesh",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Santoro, section 3.4.1; border election: this project",
	Elects:    "the corner of least ID",
	Guarantee: "terminates with one leader that every node knows (argued and tested); not self-stabilising",
	Cost:      "at most 6n + k* + 3(a+b) + max(a,b) - 14 messages with k* initiators, ideal time O(a + b)",
	Needs:     caucus.Needs{Topology: caucus.Mesh, Connected: true, DistinctIDs: true},
	Kinds:     []string{"wake", "corner", "yield", "notify"},
	Carries:   []caucus.Content{{Bits: 2}, {IDs: 1}, {}, {IDs: 1}}, // the degree is 2, 3 or 4
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake starts an initiator. Any other node starts with its first message.
func (Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		activate(l, s, -1, out)
	}
}

func activate(l *caucus.Local, s *State, waker int, out *caucus.Outbox[Msg]) {
	s.Awake = true
	if l.Degree < 4 {
		waker = -1
	}
	out.SendAll(l.Degree, waker, Msg{Kind: Wake, Degree: uint8(min(l.Degree, 4))})
	if l.Degree == 2 {
		s.Border, s.Sides = [2]int8{0, 1}, 2
		out.SendAll(2, -1, Msg{Kind: Corner, ID: l.ID})
	}
}

// Receive takes one message, in any order. What a node has heard along the border tells it as
// much of the port as a WAKE.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if s.Leader != caucus.None {
		return
	}
	if m.Kind == Notify {
		s.Awake, s.Leader = true, m.ID
		out.SendAll(l.Degree, port, m)
		return
	}
	if !s.Awake {
		activate(l, s, port, out)
	}
	switch {
	case l.Degree == 2:
		compete(l, s, port, m, out)
	case l.Degree == 3 && (m.Kind != Wake || m.Degree < 4):
		relay(s, port, m, out)
	}
}

// relay passes on what comes along the border, as soon as it is known where the border leads.
func relay(s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	if s.Sides == 0 || s.Sides == 1 && int(s.Border[0]) != port {
		s.Border[s.Sides] = int8(port)
		s.Sides++
		if s.Sides == 2 && s.Waiting != caucus.None {
			out.Send(port, Msg{Kind: Corner, ID: s.Waiting})
			s.Waiting = caucus.None
		}
	}
	switch {
	case m.Kind == Wake:
	case s.Sides == 2:
		out.Send(int(s.Border[0]+s.Border[1])-port, m)
	default:
		s.Waiting = m.ID // no YIELD: it comes to a corner, by a way that its ID has opened
	}
}

// compete plays the corner.
func compete(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	switch m.Kind {
	case Corner:
		s.Heard[port&1] = m.ID
		a, b := s.Heard[0], s.Heard[1]
		if a == caucus.None || b == caucus.None {
			return
		}
		if smaller := min(a, b); smaller < l.ID {
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
		s.Leader = l.ID
		out.SendAll(l.Degree, -1, Msg{Kind: Notify, ID: l.ID})
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, false)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message over the world's IDs, and every state of a node of two ports.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	n := len(ids)
	states := caucus.Values[State]{Len: caucus.Size(4, 3, n, n, n, n), At: func(k uint64) State {
		var buf [6]int
		d := caucus.Digits(k, buf[:], 4, 3, n, n, n, n)
		return State{
			Awake: d[0]&1 == 1, Yielded: d[0]&2 == 2, Sides: uint8(d[1]), Border: [2]int8{0, 1},
			Heard: [2]caucus.ID{ids[d[2]], ids[d[3]]}, Waiting: ids[d[4]], Leader: ids[d[5]],
		}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(int(Notify)+1, 3, n), At: func(k uint64) Msg {
		var buf [3]int
		d := caucus.Digits(k, buf[:], int(Notify)+1, 3, n)
		return Msg{Kind: uint8(d[0]), Degree: uint8(2 + d[1]), ID: ids[d[2]]}
	}}
	return states, msgs
}
