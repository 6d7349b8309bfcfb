// Package stagesfbk is Stages with Feedback on a ring of two directions (Korach, Rotem, Santoro, 1984; Santoro,
// Design and Analysis of Distributed Algorithms, section 3.3.5): in each stage a candidate sends its ID both ways and
// reads one from each side. It sends its vote to the one neighbour that has the least of the three IDs, if it has not
// itself. Who gets the votes of both neighbours goes on: at most a third.
package stagesfbk

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
	"caucus.example/caucus/algo/kit/ring"
)

// Vote is the kind of message by which the ID that it carries is voted for.
const Vote = ring.Notify + 1

// State is what a node remembers.
type State struct {
	Awake bool
	Read  [2]caucus.ID // by port: the ID of this stage
	Voted [2]bool      // by port: that neighbour's vote is here
	Next  [2]caucus.ID // by port: the ID of the next stage, come early
	ring.End
}

// Algorithm implements caucus.Events[State, ring.Msg].
type Algorithm struct{ plain.Events[State, ring.Msg] }

// Wake makes the node a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[ring.Msg]) {
	s.Awake = true
	out.SendAll(2, -1, ring.Msg{Kind: ring.Elect, ID: l.ID})
}

// Receive reads an ID or a vote, or passes it on (section 3.3.5).
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m ring.Msg, out *caucus.Outbox[ring.Msg]) {
	// 1  a candidate sends its ID both ways and reads one from each side, a and b
	// 2  its own ID comes back: won, it notifies
	// 3  min(a, b) is less than its own: it votes YES(min) to that side (both if a = b), and is defeated
	// 4  YES from both sides: the next stage
	// 5  an ID of the next stage from a side that has not said YES: defeated; from one that has, it waits
	// 6  who is defeated passes on all that comes, but drops a YES for itself
	onward, p := ring.Other(port), port&1
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		if s.Hear(l, m.ID) {
			out.Send(onward, m)
		}
	case s.Role == caucus.Defeated: // 6
		if m.Kind != Vote || m.ID != l.ID { // a vote for this node has come too late to help
			out.Send(onward, m)
		}
	case m.Kind == Vote: // 4
		s.Voted[p] = true
		count(l, s, out)
	case m.ID == l.ID: // 2
		s.Hear(l, l.ID)
		out.Send(onward, ring.Msg{Kind: ring.Notify, ID: l.ID})
	case s.Read[p] == caucus.None: // 1
		s.Read[p] = m.ID
		count(l, s, out)
	default: // 5
		s.Next[p] = m.ID
		count(l, s, out)
	}
}

// count sees how far the node has come in its stage.
func count(l *caucus.Local, s *State, out *caucus.Outbox[ring.Msg]) {
	for s.Read[0] != caucus.None && s.Read[1] != caucus.None {
		switch best := min(s.Read[0], s.Read[1]); {
		case best < l.ID: // 3
			for p, id := range s.Read {
				if id == best {
					out.Send(p, ring.Msg{Kind: Vote, ID: best})
				}
			}
			lose(s, out)
			return
		case !s.Voted[0] && s.Next[0] != caucus.None, !s.Voted[1] && s.Next[1] != caucus.None: // 5
			lose(s, out)
			return
		case !s.Voted[0] || !s.Voted[1]:
			return
		}
		s.Read, s.Next, s.Voted = s.Next, [2]caucus.ID{}, [2]bool{} // 4
		out.SendAll(2, -1, ring.Msg{Kind: ring.Elect, ID: l.ID})
	}
}

// lose makes the node a relay, of what it has not read to begin with.
func lose(s *State, out *caucus.Outbox[ring.Msg]) {
	s.Role = caucus.Defeated // 6
	for p, id := range s.Next {
		if id != caucus.None {
			out.Send(ring.Other(p), ring.Msg{Kind: ring.Elect, ID: id})
		}
	}
}
