// Package stages is (Electoral) Stages on a ring of two directions (Franklin, CACM 1982; Santoro, Design and Analysis
// of Distributed Algorithms, section 3.3.4): in each stage a candidate sends its ID both ways, reads
// one ID from each side and goes on if its own is smaller than both. Of two neighbours one at
// least is defeated. The candidate whose ID comes home has won.
//
// Assumes a ring, reliable links and distinct IDs; any non-empty set of initiators, since
// everybody who wakes is a candidate. No labels. Messages carry the number of their stage and are read in that order, so the
// links need not keep it. Elects the least ID; every node terminates and knows it. Not self-stabilising.
//
// Messages: 2n a stage, the last lap and the announcement: at worst 2n log n + 3n, attained for n a
// power of two. Ideal time O(n).
package stages

import (
	"caucus.example/caucus"
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

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "stages",
	Title:     "Stages",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Franklin, CACM 1982; Santoro, section 3.3.4",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "2n log n + 3n messages at worst, attained for n a power of two; time O(n)",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Connected: true, DistinctIDs: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{IDs: 1, Counters: 1}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

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

// Receive reads an ID or passes it on.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	onward := ring.Other(port)
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		if s.Hear(l, m.ID) {
			out.Send(onward, m)
		}
	case s.Role == caucus.Defeated:
		out.Send(onward, m)
	case m.ID == l.ID:
		s.Hear(l, l.ID)
		out.Send(onward, Msg{Kind: ring.Notify, ID: l.ID})
	case m.Stage == s.Stage || m.Stage == s.Stage+1:
		s.Read[port&1][m.Stage-s.Stage] = m.ID
		judge(l, s, out)
	}
}

// judge compares as long as a stage has been read from both sides.
func judge(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	for s.Read[0][0] != caucus.None && s.Read[1][0] != caucus.None {
		if l.ID < min(s.Read[0][0], s.Read[1][0]) {
			next(l, s, out)
			continue
		}
		s.Role = caucus.Defeated
		for p := range s.Read {
			if id := s.Read[p][1]; id != caucus.None {
				out.Send(ring.Other(p), Msg{Kind: ring.Elect, ID: id, Stage: s.Stage + 1})
			}
		}
		return
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

// Elected is the part of Outcome that may change at every event.
func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the two messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids, counts := ring.IDs(w), w.Counter+1
	n := len(ids)
	radix := []int{counts, n, n, n, n, ring.Roles, n}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [7]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Stage: uint16(d[0]), Read: [2][2]caucus.ID{{ids[d[1]], ids[d[2]]}, {ids[d[3]], ids[d[4]]}},
			End: ring.End{Role: caucus.Role(d[5]), Leader: ids[d[6]]}}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(n, counts, 2), At: func(k uint64) Msg {
		var buf [3]int
		d := caucus.Digits(k, buf[:], n, counts, 2)
		return Msg{Kind: uint8(d[2]), ID: ids[d[0]], Stage: uint16(d[1])}
	}}
	return states, msgs
}
