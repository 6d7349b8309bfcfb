// Package minmaxplus is MinMax+ on a one-way ring (Higham, Przytycka, Information Processing Letters 1993; Santoro,
// Design and Analysis of Distributed Algorithms, exercises of chapter 3). Values travel to the right in envelopes
// that bear their stage, and every node remembers the last one it sent. An envelope that meets a remembered value of
// its own stage goes on to the next stage if it beats that (is smaller in odd stages, larger in even ones), else it
// is destroyed. Stages of one sort promote early by distance (F_(g+2) links without such a meeting), the others by
// witness (a value of the stage before that it beats).
package minmaxplus

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/ring"
)

// Msg is an envelope, or the announcement.
type Msg struct {
	_     struct{} `cbor:",toarray"`
	Kind  uint8    // ring.Elect or ring.Notify
	ID    caucus.ID
	Stage uint8  // from 1
	Left  uint64 // links it may still travel in this stage, the one it is on included; 0: no limit
}

// State is what a node remembers.
type State struct {
	Last  caucus.ID // the value it sent last; None while asleep
	Stage uint8     // of that
	ring.End
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	plain.Events[State, Msg]
	DistanceEven bool `param:"distance=even"` // even stages promote by distance and odd ones by witness
}

// Wake sends an envelope with the node's own ID.
func (a Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	a.host(ring.Port(l, caucus.Right), s, l.ID, 1, out)
}

// host sends a value into a stage.
func (a Algorithm) host(right int, s *State, id caucus.ID, stage uint8, out *caucus.Outbox[Msg]) {
	m := Msg{Kind: ring.Elect, ID: id, Stage: stage}
	if a.byDistance(stage) {
		m.Left = fibonacci(int(stage) + 2)
	}
	s.send(right, m, out)
}

func (s *State) send(right int, m Msg, out *caucus.Outbox[Msg]) {
	s.Last, s.Stage = m.ID, m.Stage
	out.Send(right, m)
}

func (a Algorithm) byDistance(stage uint8) bool { return stage%2 == 0 == a.DistanceEven }

// Receive decides what becomes of an envelope (v, stage g), given the last one sent (lv, lg).
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  (v, g) = (lv, lg): won, and the winner notifies
	// 2  g = lg and v does not beat lv by the rule of g: destroyed
	// 3  g = lg and v beats lv: v goes on in stage g+1
	// 4  witness stage, g = lg+1 and v beats lv: v goes on in stage g+1
	// 5  distance stage and no link left: v goes on in stage g+1
	// 6  else the envelope goes on as it is
	right := ring.Other(port)
	beats := m.ID < s.Last
	if m.Stage%2 == 0 {
		beats = m.ID > s.Last
	}
	distance := a.byDistance(m.Stage)
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		if s.Hear(l, m.ID) {
			out.Send(right, m)
		}
	case m.Stage == s.Stage && m.ID == s.Last: // 1
		s.Hear(l, m.ID)
		out.Send(right, Msg{Kind: ring.Notify, ID: m.ID})
	case m.Stage == s.Stage && !beats: // 2
	case m.Stage == s.Stage, // 3
		!distance && m.Stage == s.Stage+1 && beats, // 4
		distance && m.Left <= 1:                    // 5
		a.host(right, s, m.ID, m.Stage+1, out)
	default: // 6
		if distance {
			m.Left--
		}
		s.send(right, m, out)
	}
}

// fibonacci gives F_k with F_1 = F_2 = 1, or the largest number there is.
func fibonacci(k int) uint64 {
	a, b := uint64(0), uint64(1)
	for ; k > 0; k-- {
		if b > math.MaxUint64-a {
			return math.MaxUint64
		}
		a, b = b, a+b
	}
	return a
}
