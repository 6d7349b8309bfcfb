// Package stagesfbk is Stages with Feedback on a ring of two directions (Santoro, Design and Analysis of
// Distributed Algorithms, section 3.3.5; Korach, Rotem, Santoro, 1984): in each stage a candidate sends its
// ID both ways and reads one from each side. It sends its vote to the one neighbour that has the least of the
// three IDs, if it has not itself. Who gets the votes of both neighbours goes on: at most a third.
//
// Assumes a ring, reliable links that keep the order of messages, and distinct IDs; any non-empty set
// of initiators, since everybody who wakes is a candidate. No labels. That a vote will not
// come is known by what comes in its place, hence the order. Elects the least ID; every node
// terminates and knows it. Not self-stabilising.
//
// Messages: 2n IDs and at most n votes a stage, since each vote crosses the links between two candidates once; at most 3n log3 n + O(n),
// which is 1.89 n log n + O(n). When two candidates are left each is both neighbours of the
// other: the loser votes both ways.
package stagesfbk

import (
	"caucus.example/caucus"
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

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "stages-fbk",
	Title:     "Stages with Feedback",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Korach, Rotem, Santoro, 1984; Santoro, section 3.3.5",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "at most 3n messages a stage and 3n log3 n + O(n) in all, which is 1.89 n log n + O(n)",
	Needs: caucus.Needs{
		Topology: caucus.Ring, FIFO: true, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify", "vote"},
	Carries: []caucus.Content{{IDs: 1}, {IDs: 1}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, ring.Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake makes the node a candidate.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[ring.Msg]) {
	s.Awake = true
	out.SendAll(2, -1, ring.Msg{Kind: ring.Elect, ID: l.ID})
}

// Receive reads an ID or a vote, or passes it on.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m ring.Msg, out *caucus.Outbox[ring.Msg]) {
	onward, p := ring.Other(port), port&1
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		if s.Hear(l, m.ID) {
			out.Send(onward, m)
		}
	case s.Role == caucus.Defeated:
		if m.Kind != Vote || m.ID != l.ID { // a vote for this node has come too late to help
			out.Send(onward, m)
		}
	case m.Kind == Vote:
		s.Voted[p] = true
		count(l, s, out)
	case m.ID == l.ID:
		s.Hear(l, l.ID)
		out.Send(onward, ring.Msg{Kind: ring.Notify, ID: l.ID})
	case s.Read[p] == caucus.None:
		s.Read[p] = m.ID
		count(l, s, out)
	default:
		s.Next[p] = m.ID
		count(l, s, out)
	}
}

// count sees how far the node has come in its stage.
func count(l *caucus.Local, s *State, out *caucus.Outbox[ring.Msg]) {
	for s.Read[0] != caucus.None && s.Read[1] != caucus.None {
		switch best := min(s.Read[0], s.Read[1]); {
		case best < l.ID:
			for p, id := range s.Read {
				if id == best {
					out.Send(p, ring.Msg{Kind: Vote, ID: best})
				}
			}
			lose(s, out)
			return
		case !s.Voted[0] && s.Next[0] != caucus.None, !s.Voted[1] && s.Next[1] != caucus.None:
			lose(s, out)
			return
		case !s.Voted[0] || !s.Voted[1]:
			return
		}
		s.Read, s.Next, s.Voted = s.Next, [2]caucus.ID{}, [2]bool{}
		out.SendAll(2, -1, ring.Msg{Kind: ring.Elect, ID: l.ID})
	}
}

// lose makes the node a relay, of what it has not read to begin with.
func lose(s *State, out *caucus.Outbox[ring.Msg]) {
	s.Role = caucus.Defeated
	for p, id := range s.Next {
		if id != caucus.None {
			out.Send(ring.Other(p), ring.Msg{Kind: ring.Elect, ID: id})
		}
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[ring.Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

// Elected is the part of Outcome that may change at every event.
func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the three messages apart.
func (Algorithm) Kind(m *ring.Msg) int { return ring.KindOf(m.Kind, 3) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[ring.Msg]) {
	ids := ring.IDs(w)
	n := len(ids)
	radix := []int{2, n, n, 2, 2, n, n, ring.Roles, n}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [9]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Awake: d[0] == 1, Read: [2]caucus.ID{ids[d[1]], ids[d[2]]}, Voted: [2]bool{d[3] == 1, d[4] == 1},
			Next: [2]caucus.ID{ids[d[5]], ids[d[6]]}, End: ring.End{Role: caucus.Role(d[7]), Leader: ids[d[8]]}}
	}}
	return states, ring.Messages(w, 3)
}
