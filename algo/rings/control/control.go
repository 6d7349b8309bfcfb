// Package control is Controlled Distance on a ring of two directions (Hirschberg, Sinclair, CACM 1980;
// Santoro, Design and Analysis of Distributed Algorithms, section 3.3.3): in each stage a candidate sends its ID
// a limited distance both ways and waits for both to be sent back. Whoever sees a smaller ID
// is defeated. The distance grows from stage to stage by a factor; the one whose ID comes home has won.
//
// Assumes a ring, reliable links and distinct IDs; any non-empty set of initiators. A node that is woken by a
// smaller ID is no candidate. Neither labels nor the order of messages matter. Elects the
// least ID; every node terminates and knows it. Not self-stabilising.
//
// Messages below 7 n log n + O(n) if the distance doubles, 6.31 n log n + O(n) if it triples;
// much less on average. Ideal time O(n).
package control

import (
	"math"

	"caucus.example/caucus"
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

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "control",
	Title:     "Controlled Distance",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Hirschberg, Sinclair, CACM 1980; Santoro, section 3.3.3",
	Elects:    "the node of least ID",
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "at most 7 n log n + O(n) messages if the distance doubles, 6.31 n log n + O(n) if it triples; time O(n)",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Connected: true, DistinctIDs: true,
	},
	Params: []caucus.Param{
		{Name: "growth", Kind: caucus.KindChoice, Default: "2", Choices: []string{"2", "3"},
			Doc: "factor by which the distance grows from stage to stage, beginning at 1"},
	},
	Kinds:   []string{"forth", "notify", "back"},
	Carries: []caucus.Content{{IDs: 1, Counters: 1}, {IDs: 1}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	Growth uint64 // at least 2
}

// FromArgs makes the algorithm.
func FromArgs(a caucus.Args) (Algorithm, error) { return Algorithm{uint64(a.Int("growth"))}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

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

// Receive handles what concerns the node itself and passes on the rest.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	switch {
	case s.Over():
	case m.Kind == Notify:
		if s.Hear(l, m.ID) {
			out.Send(ring.Other(port), m)
		}
	case m.Kind == Back && m.ID == l.ID:
		if s.Home++; s.Role == caucus.Undecided && s.Home >= 2 {
			a.stage(l, s, out)
		}
	case m.Kind == Back:
		out.Send(ring.Other(port), m)
	case s.Role == caucus.Defeated:
		relay(port, m, out)
	case m.ID < l.ID:
		s.Awake, s.Role = true, caucus.Defeated
		relay(port, m, out)
	case !s.Awake:
		a.stage(l, s, out)
	case m.ID == l.ID:
		s.Hear(l, l.ID)
		out.Send(ring.Other(port), Msg{Kind: Notify, ID: l.ID})
	}
}

// relay sends an ID on, or home if it has travelled as far as it may. It must not
// compare: an ID beaten beyond its reach may have done its part on this side.
func relay(port int, m Msg, out *caucus.Outbox[Msg]) {
	if m.Left <= 1 {
		out.Send(port, Msg{Kind: Back, ID: m.ID})
		return
	}
	m.Left--
	out.Send(ring.Other(port), m)
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader once it is known.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

// Elected is the part of Outcome that may change at every event.
func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the three messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 3) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids, counts := ring.IDs(w), w.Counter+1
	radix := []int{2, counts, 2, ring.Roles, len(ids)}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [5]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Awake: d[0] == 1, Reach: uint64(d[1]), Home: uint8(d[2]), End: ring.End{Role: caucus.Role(d[3]), Leader: ids[d[4]]}}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(len(ids), counts, 3), At: func(k uint64) Msg {
		var buf [3]int
		d := caucus.Digits(k, buf[:], len(ids), counts, 3)
		return Msg{Kind: uint8(d[2]), ID: ids[d[0]], Left: uint64(d[1])}
	}}
	return states, msgs
}
