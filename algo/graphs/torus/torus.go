// Package torus elects in a torus whose ports are labelled north, east, south, west, by marking the borders of growing
// squares (the idea of Peterson, TR 1985; Santoro, Design and Analysis of Distributed Algorithms, section 3.4.2; what
// happens where borders meet is this project's own). In stage i a candidate sends a token round a square of
// d = 2^(i-1) steps a side: east, south, west and north home again. The token marks the nodes on its way with stage and
// ID, and the candidate enters the next stage when it is back. Of two pairs (stage, ID) that of the later stage is
// stronger, of one stage that of the smaller ID.
package torus

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

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

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ plain.Events[State, Msg] }

// Wake makes an initiator a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		promote(l, s, out)
	}
}

// promote enters the next stage.
func promote(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Stage++ // 1
	arrive(l, s, Msg{Kind: Token, Stage: s.Stage, ID: l.ID}, out)
}

// side is the length of a square's side.
func side(stage uint8) int32 { return 1 << (min(stage, 31) - 1) }

// Receive takes one message.
func (Algorithm) Receive(l *caucus.Local, s *State, _ int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  stage i: a candidate sends a token d = 2^(i-1) steps east, south, west, north, home again
	// 2  the token marks the nodes on its way with (stage, ID)
	// 3  it meets a stronger mark: it ends
	// 4  it meets a weaker one of its own stage: it asks at the rival's home, and goes on unless the rival is further
	// 5  it is home, and its candidate not out: stage i+1
	// 6  it has met its own mark going east and going south, so the torus is no larger than the square: leader
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

// step counts the step that a token has made. On its ways out it meets its own mark where the torus closes: no wider
// than the square, it comes home going east instead of to a corner, and goes on south from there; no higher, it comes
// back going south to where it turned, and goes straight home. A token that has closed both is the last.
func step(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	if m.Stage == 0 {
		return
	}
	closed := s.Mark.Stage == m.Stage && s.Mark.ID == m.ID
	m.Rival = caucus.None
	switch m.Leg { // 1
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
		case closed && m.Round: // 6
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

// arrive compares a token with the mark of the place where it is, and sends it on if it may. A stronger mark ends it,
// and its candidate will hear no more of it; a mark of an earlier stage it replaces; with a weaker one of its own
// stage it goes to the home of that rival, whose way back every mark knows, to ask.
func arrive(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	mark := &s.Mark
	rival := mark.Stage == m.Stage && mark.ID != m.ID
	switch {
	case s.Leader != caucus.None || mark.Stage > m.Stage || rival && mark.ID < m.ID:
		return // 3
	case rival && mark.ID != m.Rival: // 4
		m.Kind, m.Rival, m.RivalX, m.RivalY = Ask, mark.ID, mark.X, mark.Y
		m.GoX, m.GoY = mark.X, mark.Y
		if m.GoX == 0 && m.GoY == 0 {
			defend(l, s, m, out) // the place is the rival's home
		} else {
			back(l, m, out)
		}
		return
	}
	*mark = Mark{m.Stage, m.ID, m.X, m.Y} // 2
	if m.Leg == North && m.Y <= 0 {       // 5
		if m.ID == l.ID && !s.Out && s.Stage == m.Stage {
			promote(l, s, out)
		}
		return
	}
	send(l, [...]caucus.Label{caucus.East, caucus.South, caucus.West, caucus.North}[m.Leg&3], m, out)
}

// defend answers, at the home of a rival, the token that has come to ask. If the rival is in a later stage by now the
// token ends here. Else the rival is out, and the token goes back to the mark, replaces it and goes on.
func defend(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	if s.Stage > m.Stage || s.Stage == m.Stage && l.ID < m.ID {
		return // 4: the rival is further
	}
	s.Out = true // 4: the token goes on
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
