// Package torus elects in a torus whose ports are labelled north, east, south, west, by marking the borders
// of growing squares (the idea of Peterson, TR 1985; Santoro, Design and Analysis of Distributed Algorithms,
// section 3.4.2; what happens where borders meet is this project's own).
//
// In stage i a candidate sends a token round a square of d = 2^(i-1) steps a side: east, south, west and north
// home again. The token marks the nodes on its way with stage and ID, and the candidate enters the next stage when it is back. Of two
// pairs (stage, ID) that of the later stage is stronger, of one stage that of the smaller ID. A token that comes to a node with the mark of
//
//   - a stronger pair ends there, and its candidate will hear no more of it;
//   - an earlier stage replaces it;
//   - a weaker pair of the same stage goes to the home of that rival, whose way back every mark knows, to ask. If the rival is in a
//     later stage by now, the token ends there. Else the rival is out, and the token goes back to the mark, replaces
//     it and goes on.
//
// A stronger pair than all never ends, so there is always a candidate left. Two squares of one stage that have a node
// in common have one on both borders, and of two tokens that come there one ends before its stage is over: who ends a stage has (d+1)²
// nodes for itself. Where the torus is no wider than d, a token going east comes home instead of to a corner, and goes on south
// from there; where it is no higher, a token going south comes back to where it turned, and goes straight home. Then any two that share a row
// (a column) meet. A token that has closed both is the last: its candidate leads and notifies along its row and from there along
// all columns.
//
// Assumes a labelled torus, reliable links and distinct IDs; any non-empty set of initiators, which are the candidates; no
// order of messages. Elects an initiator, whichever ID it has. Every node terminates and knows it. Not self-stabilising.
//
// Messages: O(n) on a square torus (4d a token and stage, at most n/(d+1)² tokens after a stage, and a bounded number of
// questions to each), n and a row of them to notify. On a torus of few long rows it is a ring, with O(n log n).
package torus

import "caucus.example/caucus"

// Kinds of messages.
const (
	Token uint8 = iota
	Ask
	Answer
	Notify
)

// Legs of a token's way.
const (
	East uint8 = iota
	South
	West
	North
)

// Msg is a token, on its way along its border, to the home of a rival (ASK) or back (ANSWER); or the leader's
// announcement, of which only Leg (East or South) and ID count.
type Msg struct {
	_              struct{} `cbor:",toarray"`
	Kind           uint8
	Stage          uint8
	Leg            uint8
	Round          bool      // came home going east: the torus is no wider than the square
	ID             caucus.ID // candidate
	X, Y           int32     // steps east and south of the candidate's home, at the token's place on the border
	Rival          caucus.ID // that has been asked
	RivalX, RivalY int32     // steps east and south of the rival's home, at that place
	GoX, GoY       int32     // ASK, ANSWER: steps that are still to go, west and north or east and south
}

// Mark is the strongest pair that has passed, and the way back to its home.
type Mark struct {
	Stage uint8 // 0 for no mark
	ID    caucus.ID
	X, Y  int32 // steps east and south of the home
}

// State is what a node remembers: a plain value.
type State struct {
	Stage  uint8 // of a candidate, from 1; where it ended for one that is out; 0 for none
	Out    bool  // asked by a stronger one
	Mark   Mark
	Leader caucus.ID // None until the node terminates
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "torus",
	Title:     "Election in a torus by marking squares",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "after Peterson 1985; Santoro, section 3.4.2; meeting borders: this project",
	Elects:    "an initiator, which one depends on the delays",
	Guarantee: "terminates with one leader that every node knows (argued and tested); not self-stabilising",
	Cost:      "O(n) messages on a square torus, 2n to 7n measured; ideal time O(sqrt n)",
	Needs:     caucus.Needs{Topology: caucus.Torus, Labels: true, Connected: true, DistinctIDs: true},
	Kinds:     []string{"token", "ask", "answer", "notify"},
	// Of stage, leg and round 8 bits; a token needs neither rival nor ways to go.
	Carries: []caucus.Content{{IDs: 1, Counters: 2, Bits: 8}, {IDs: 2, Counters: 6, Bits: 8}, {IDs: 2, Counters: 6, Bits: 8}, {IDs: 1, Bits: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake makes an initiator a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		promote(l, s, out)
	}
}

// promote enters the next stage.
func promote(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Stage++
	arrive(l, s, Msg{Kind: Token, Stage: s.Stage, ID: l.ID}, out)
}

// side is the length of a square's side.
func side(stage uint8) int32 { return 1 << (min(stage, 31) - 1) }

// Receive takes one message.
func (Algorithm) Receive(l *caucus.Local, s *State, _ int, m Msg, out *caucus.Outbox[Msg]) {
	switch m.Kind {
	case Notify:
		if s.Leader == caucus.None {
			s.Leader = m.ID
			announce(l, m, out)
		}
	case Ask:
		if m.GoX > 0 || m.GoY > 0 {
			back(l, m, out)
		} else {
			defend(l, s, m, out)
		}
	case Answer:
		if m.GoX > 0 || m.GoY > 0 {
			forth(l, m, out)
		} else {
			m.Kind = Token
			arrive(l, s, m, out)
		}
	default:
		step(l, s, m, out)
	}
}

// step counts the step that a token has made. On its ways out it meets its own mark where the torus closes.
func step(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	if m.Stage == 0 {
		return
	}
	closed := s.Mark.Stage == m.Stage && s.Mark.ID == m.ID
	m.Rival = caucus.None
	switch m.Leg {
	case East:
		m.X++
		if closed {
			m.X, m.Round = 0, true
		}
		if closed || m.X >= side(m.Stage) {
			m.Leg = South
		}
	case South:
		m.Y++
		switch {
		case closed && m.Round:
			lead(l, s, out)
			return
		case closed:
			m.Y, m.Leg = 0, West
		case m.Y >= side(m.Stage) && m.Round:
			m.Leg = North
		case m.Y >= side(m.Stage):
			m.Leg = West
		}
	case West:
		m.X--
		if m.X <= 0 {
			m.Leg = North
		}
	default:
		m.Y--
	}
	arrive(l, s, m, out)
}

// arrive compares a token with the mark of the place where it is, and sends it on if it may.
func arrive(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	mark := &s.Mark
	rival := mark.Stage == m.Stage && mark.ID != m.ID
	switch {
	case s.Leader != caucus.None || mark.Stage > m.Stage || rival && mark.ID < m.ID:
		return // stronger
	case rival && mark.ID != m.Rival:
		m.Kind, m.Rival, m.RivalX, m.RivalY = Ask, mark.ID, mark.X, mark.Y
		m.GoX, m.GoY = mark.X, mark.Y
		if m.GoX == 0 && m.GoY == 0 {
			defend(l, s, m, out) // the place is the rival's home
		} else {
			back(l, m, out)
		}
		return
	}
	*mark = Mark{m.Stage, m.ID, m.X, m.Y}
	if m.Leg == North && m.Y <= 0 { // home
		if m.ID == l.ID && !s.Out && s.Stage == m.Stage {
			promote(l, s, out)
		}
		return
	}
	send(l, [...]caucus.Label{caucus.East, caucus.South, caucus.West, caucus.North}[m.Leg&3], m, out)
}

// defend answers, at the home of a rival, the token that has come to ask.
func defend(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	if s.Stage > m.Stage || s.Stage == m.Stage && l.ID < m.ID {
		return
	}
	s.Out = true
	m.Kind, m.GoX, m.GoY = Answer, m.RivalX, m.RivalY
	if m.GoX == 0 && m.GoY == 0 {
		m.Kind = Token
		arrive(l, s, m, out)
	} else {
		forth(l, m, out)
	}
}

// back takes one of the steps west and north to the home of the rival.
func back(l *caucus.Local, m Msg, out *caucus.Outbox[Msg]) {
	if m.GoX > 0 {
		m.GoX--
		send(l, caucus.West, m, out)
	} else {
		m.GoY--
		send(l, caucus.North, m, out)
	}
}

// forth takes one of the steps from there to the place of the mark.
func forth(l *caucus.Local, m Msg, out *caucus.Outbox[Msg]) {
	if m.GoX > 0 {
		m.GoX--
		send(l, caucus.East, m, out)
	} else {
		m.GoY--
		send(l, caucus.South, m, out)
	}
}

// lead ends the election at the candidate, whose stage is over: whoever asks from now on is too late.
func lead(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	if s.Out || s.Leader != caucus.None {
		return
	}
	s.Stage++
	s.Leader = l.ID
	announce(l, Msg{Kind: Notify, Leg: East, ID: l.ID}, out)
}

// announce goes along the leader's row, and from every node of it along the column, until it meets a
// node that knows.
func announce(l *caucus.Local, m Msg, out *caucus.Outbox[Msg]) {
	if m.Leg == East {
		send(l, caucus.East, m, out)
	}
	m.Leg = South
	send(l, caucus.South, m, out)
}

func send(l *caucus.Local, to caucus.Label, m Msg, out *caucus.Outbox[Msg]) {
	out.Send(l.PortTo(to), m)
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, s.Out)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every state over the world's IDs and, one step from home at most, every message.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids := append([]caucus.ID{caucus.None}, w.IDs...)
	n, stages := len(ids), max(1, w.Counter)+1
	states := caucus.Values[State]{Len: caucus.Size(stages, 2, stages, n, 2, 2, n), At: func(k uint64) State {
		var buf [7]int
		d := caucus.Digits(k, buf[:], stages, 2, stages, n, 2, 2, n)
		return State{
			Stage: uint8(d[0]), Out: d[1] == 1, Leader: ids[d[6]],
			Mark: Mark{Stage: uint8(d[2]), ID: ids[d[3]], X: int32(d[4]), Y: int32(d[5])},
		}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(int(Notify)+1, stages, 4, 2, n, 2, 2, n, 2, 2, 2, 2), At: func(k uint64) Msg {
		var buf [12]int
		d := caucus.Digits(k, buf[:], int(Notify)+1, stages, 4, 2, n, 2, 2, n, 2, 2, 2, 2)
		return Msg{
			Kind: uint8(d[0]), Stage: uint8(d[1]), Leg: uint8(d[2]), Round: d[3] == 1, ID: ids[d[4]], X: int32(d[5]), Y: int32(d[6]),
			Rival: ids[d[7]], RivalX: int32(d[8]), RivalY: int32(d[9]), GoX: int32(d[10]), GoY: int32(d[11]),
		}
	}}
	return states, msgs
}
