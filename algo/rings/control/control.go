// Package control is Controlled Distance on a ring of two directions (Hirschberg, Sinclair, CACM 1980; Santoro,
// Design and Analysis of Distributed Algorithms, section 3.3.3): in each stage a candidate sends its ID a limited
// distance both ways and waits for both to be sent back. Whoever sees a smaller ID is defeated. The distance grows
// from stage to stage; the one whose ID comes home has won.
package control

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/ring"
)

// Kinds of messages.
const (
	Forth  uint8 = iota // an ID on its way out
	Notify              // the announcement
	Back                // an ID that has met nothing smaller, on its way home
)

// Msg is an ID under way.
type Msg struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	ID   caucus.ID
	Left uint64 // of Forth: links it may still travel, the one it is on included
}

// State is what a node remembers.
type State struct {
	Awake bool
	Reach uint64 // distance of this stage, in links
	Home  uint8  // how many messages of this stage have come home: 0 or 1
	ring.End
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	Growth uint64 `param:"growth"` // at least 2
}

// Wake makes an initiator a candidate; else it depends on the message.
func (a Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if initiator {
		a.stage(l, s, out)
	}
}

// stage begins the first or the next stage.
func (a Algorithm) stage(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	switch {
	case !s.Awake || s.Reach == 0:
		s.Reach = 1
	case s.Reach <= math.MaxUint64/a.Growth:
		s.Reach *= a.Growth
	}
	s.Awake, s.Home = true, 0
	out.SendAll(2, -1, Msg{Kind: Forth, ID: l.ID, Left: s.Reach})
}

// Receive handles what concerns the node itself and passes on the rest (section 3.3.3).
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  BACK with my own ID, as a candidate: at the second, the next stage; with another, it goes on
	// 2  FORTH with a smaller ID: I am defeated, and relay it
	// 3  FORTH with a larger ID: nothing, it stops here, and wakes me as a candidate if I sleep
	// 4  FORTH with my own ID: I have won, and notify
	// 5  a relay sends FORTH on with one hop less, and as BACK to where it came from when none is left
	switch {
	case s.Over():
	case m.Kind == Notify:
		if s.Hear(l, m.ID) {
			out.Send(ring.Other(port), m)
		}
	case m.Kind == Back && m.ID == l.ID: // 1
		if s.Home++; s.Role == caucus.Undecided && s.Home >= 2 {
			a.stage(l, s, out)
		}
	case m.Kind == Back:
		out.Send(ring.Other(port), m)
	case s.Role == caucus.Defeated:
		relay(port, m, out)
	case m.ID < l.ID: // 2
		s.Awake, s.Role = true, caucus.Defeated
		relay(port, m, out)
	case !s.Awake: // 3
		a.stage(l, s, out)
	case m.ID == l.ID: // 4
		s.Hear(l, l.ID)
		out.Send(ring.Other(port), Msg{Kind: Notify, ID: l.ID})
	}
}

// relay sends an ID on, or home if it has travelled as far as it may. It must not
// compare: an ID beaten beyond its reach may have done its part on this side.
func relay(port int, m Msg, out *caucus.Outbox[Msg]) {
	if m.Left <= 1 { // 5
		out.Send(port, Msg{Kind: Back, ID: m.ID})
		return
	}
	m.Left--
	out.Send(ring.Other(port), m)
}
