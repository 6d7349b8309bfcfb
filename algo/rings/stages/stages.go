// Package stages is (Electoral) Stages on a ring of two directions (Franklin, CACM 1982; Santoro, Design and Analysis
// of Distributed Algorithms, section 3.3.4): in each stage a candidate sends its ID both ways, reads one ID from each
// side and goes on if its own is smaller than both. Of two neighbours one at least is defeated. The candidate whose
// ID comes home has won.
package stages

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/ring"
)

// Msg is an ID in a stage, or the announcement.
type Msg struct {
	_     struct{} `cbor:",toarray"`
	Kind  uint8    // ring.Elect or ring.Notify
	ID    caucus.ID
	Stage uint16 // from 1; of ring.Elect
}

// State is what a node remembers.
type State struct {
	Stage uint16 // from 1; 0 while asleep
	// Read holds, for each port, the ID of this stage and that of the next. A neighbour cannot be two
	// stages ahead: it needs this node's message of the stage between.
	Read [2][2]caucus.ID
	ring.End
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ plain.Events[State, Msg] }

// Wake makes the node a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) { next(l, s, out) }

// next begins a stage with what has been read of it already.
func next(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Stage++
	for p := range s.Read {
		s.Read[p] = [2]caucus.ID{s.Read[p][1]}
	}
	out.SendAll(2, -1, Msg{Kind: ring.Elect, ID: l.ID, Stage: s.Stage})
}

// Receive reads an ID or passes it on (section 3.3.4).
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  a candidate whose own ID comes has won, and notifies
	// 2  it reads one ID from each side
	// 3  if its own is less than both, it goes on to the next stage
	// 4  else it is defeated, and passes on all that comes, what it has read of the next stage first
	onward := ring.Other(port)
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		if s.Hear(l, m.ID) {
			out.Send(onward, m)
		}
	case s.Role == caucus.Defeated: // 4
		out.Send(onward, m)
	case m.ID == l.ID: // 1
		s.Hear(l, l.ID)
		out.Send(onward, Msg{Kind: ring.Notify, ID: l.ID})
	case m.Stage == s.Stage || m.Stage == s.Stage+1: // 2
		s.Read[port&1][m.Stage-s.Stage] = m.ID
		judge(l, s, out)
	}
}

// judge compares as long as a stage has been read from both sides.
func judge(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	for s.Read[0][0] != caucus.None && s.Read[1][0] != caucus.None {
		if l.ID < min(s.Read[0][0], s.Read[1][0]) { // 3
			next(l, s, out)
			continue
		}
		s.Role = caucus.Defeated // 4
		for p := range s.Read {
			if id := s.Read[p][1]; id != caucus.None {
				out.Send(ring.Other(p), Msg{Kind: ring.Elect, ID: id, Stage: s.Stage + 1})
			}
		}
		return
	}
}
