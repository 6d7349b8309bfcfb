// Package wbs is Wait-Before-Starting (Bounceur et al., 2017): every node waits for as long as its ID says, and the
// first one whose time is over tells all the others, whose wait ends with that. A node that is dead at the start is
// skipped by itself. With repair on, nodes go on listening and follow the least ID that they hear of, as in minfind.
package wbs

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/wait"
)

// State is what a node remembers.
type State struct{ Leader caucus.ID } // None while it waits

// Msg is the news of a node that has started.
type Msg struct {
	_      struct{} `cbor:",toarray"`
	Leader caucus.ID
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Unit   float64 `param:"unit"`
	Repair bool    `param:"repair"`
}

// Wake lets an initiator wait. Who is woken by the news has nothing to wait for.
func (a Algorithm) Wake(l *caucus.Local, _ *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator { // wait
		out.After(wait.ByID(l, a.Unit), 0)
	}
}

// Timer starts, if nobody has yet.
func (a Algorithm) Timer(l *caucus.Local, s *State, _ int, out *caucus.Outbox[Msg]) {
	if s.Leader == caucus.None { // start: nothing received
		s.Leader = l.ID
		out.SendAll(l.Degree, -1, Msg{Leader: l.ID})
	}
}

// Receive follows the first that has started and passes the news on.
func (a Algorithm) Receive(l *caucus.Local, s *State, _ int, m Msg, out *caucus.Outbox[Msg]) {
	// first message: follow, and rebroadcast; the timer finds the leader set. Repair: any better one
	if m.Leader != caucus.None && (s.Leader == caucus.None || a.Repair && m.Leader < s.Leader) {
		s.Leader = m.Leader
		out.SendAll(l.Degree, -1, m)
	}
}
