// Package flood elects in any network whose diameter, or a bound D on it, the nodes know: after D rounds of telling
// each other the best ID, everybody knows the best of all (Lynch, Distributed Algorithms, section 4.1, FloodMax and
// OptFloodMax, for networks without a common clock). In flood every node tells its best in each of D rounds; in
// flood-changes it tells only what is news.
package flood

import (
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Msg is the best ID that the sender knows, with the parity of the sender's round (flood only).
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Odd  bool
	Best caucus.ID
}

// State is what a node remembers: a plain value.
type State struct {
	Best  caucus.ID // None while asleep
	Round int32     // flood: the round it is in, from 1; one more than D when done
	Heard [2]int32  // flood: messages of even and odd rounds that have come and that no round has used
	Final bool
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Max     bool `param:"prefer=max"` // the greatest ID leads
	Changes bool // flood-changes
}

// Wake begins: every node, initiator or not, has its ID to tell. What flood-changes wakes to
// is perhaps better than that; Receive looks at it first.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	s.Best = l.ID
	switch {
	case l.Degree == 0:
		s.Final = true
	case !a.Changes: // 1
		s.Round = 1
		out.SendAll(l.Degree, -1, Msg{Odd: true, Best: s.Best})
	default: // 4
		out.After(time.Duration(2*l.Known.Diameter)*l.Known.Delay+l.Known.Delay/2, 0)
		if initiator { // 3
			s.Round = 1 // has told its own
			out.SendAll(l.Degree, -1, Msg{Best: s.Best})
		}
	}
}

// Receive takes in what a neighbour knows.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// FloodMax      1  in each of D rounds, tell all neighbours the best ID
	//               2  a round is over when its message has come from all of them; after round D the best leads
	// OptFloodMax   3  tell it only in a round after it has changed
	//               4  after the time of D rounds the best leads
	if s.Final {
		return
	}
	better := a.better(m.Best, s.Best)
	if better {
		s.Best = m.Best
	}
	if a.Changes { // 3
		a.pass(l, s, port, better, out)
		return
	}
	s.Heard[parity(m.Odd)]++ // 2
	for !s.Final && int(s.Heard[s.Round&1]) >= l.Degree {
		s.Heard[s.Round&1] -= int32(l.Degree)
		s.Final = int(s.Round) >= l.Known.Diameter
		s.Round++
		if !s.Final { // 1
			out.SendAll(l.Degree, -1, Msg{Odd: s.Round&1 == 1, Best: s.Best})
		}
	}
}

// pass tells a better ID to all but the one who has told it, and the own ID, if nobody has told a
// better one before, to all.
func (a Algorithm) pass(l *caucus.Local, s *State, port int, better bool, out *caucus.Outbox[Msg]) {
	first := s.Round == 0
	s.Round = 1
	switch {
	case better:
		out.SendAll(l.Degree, port, Msg{Best: s.Best})
	case first:
		out.SendAll(l.Degree, -1, Msg{Best: s.Best})
	}
}

func (a Algorithm) better(x, y caucus.ID) bool {
	if a.Max {
		return x > y
	}
	return x != caucus.None && x < y
}

func parity(odd bool) int {
	if odd {
		return 1
	}
	return 0
}

// Timer ends flood-changes (4).
func (Algorithm) Timer(_ *caucus.Local, s *State, _ int, _ *caucus.Outbox[Msg]) { s.Final = true }
