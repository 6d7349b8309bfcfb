// Package minmaxplus is MinMax+ on a one-way ring (Higham, Przytycka, Information Processing Letters
// 1993; Santoro, Design and Analysis of Distributed Algorithms, exercises of chapter 3). Values travel to the
// right in envelopes that bear their stage, and every node remembers the last one it sent. An
// envelope that meets a remembered value of its own stage goes on to the next stage if it
// beats that, and is destroyed if not: by being smaller in odd stages, larger in even ones. Two more rules promote early:
//
//   - distance: in a stage of this sort an envelope that has travelled F_(g+2) links without such a meeting goes on;
//   - witness: in a stage of this sort so does one that meets a value of the stage before which it beats.
//
// Assumes a ring with consistent left/right labels, reliable links that keep the order of
// messages, distinct IDs; any non-empty set of initiators, since everybody who wakes has an envelope.
// Elects one node, not in general that of least ID: the owner of the value whose envelope comes back to the
// node that sent it. Every node terminates and knows it. Not self-stabilising.
//
// Messages: 1.271 n log n + O(n) at worst, against 1.44 of MinMax; about the same on random rings.
package minmaxplus

import (
	"math"

	"caucus.example/caucus"
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

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "min-max-plus",
	Title:     "MinMax+",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Higham, Przytycka, IPL 1993; Santoro, exercises of chapter 3",
	Elects:    "some node",
	Guarantee: "terminates with one leader that every node knows (proved), not in general the least ID; not self-stabilising",
	Cost:      "1.271 n log n + O(n) messages at worst",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, FIFO: true, Connected: true, DistinctIDs: true,
	},
	Params: []caucus.Param{
		{Name: "distance", Kind: caucus.KindChoice, Default: "odd", Choices: []string{"odd", "even"},
			Doc: "stages that promote by distance; the others promote by witness. Odd as in the paper, even as in Santoro's exercises"},
	},
	Faithful: map[string]map[string]string{"santoro": {"distance": "even"}},
	Kinds:    []string{"elect", "notify"},
	Carries:  []caucus.Content{{IDs: 1, Counters: 2}, {IDs: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct {
	DistanceEven bool // even stages promote by distance and odd ones by witness
}

// FromArgs makes the algorithm.
func FromArgs(a caucus.Args) (Algorithm, error) {
	return Algorithm{DistanceEven: a.Text("distance") == "even"}, nil
}

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

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

// Receive decides what becomes of an envelope.
func (a Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
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
	case m.Stage == s.Stage && m.ID == s.Last:
		s.Hear(l, m.ID)
		out.Send(right, Msg{Kind: ring.Notify, ID: m.ID})
	case m.Stage == s.Stage && !beats:
		// destroyed
	case m.Stage == s.Stage,
		!distance && m.Stage == s.Stage+1 && beats,
		distance && m.Left <= 1:
		a.host(right, s, m.ID, m.Stage+1, out)
	default:
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
	radix := []int{len(ids), counts, ring.Roles, len(ids)}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [4]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Last: ids[d[0]], Stage: uint8(d[1]), End: ring.End{Role: caucus.Role(d[2]), Leader: ids[d[3]]}}
	}}
	msgs := caucus.Values[Msg]{Len: caucus.Size(len(ids), counts, counts, 2), At: func(k uint64) Msg {
		var buf [4]int
		d := caucus.Digits(k, buf[:], len(ids), counts, counts, 2)
		return Msg{Kind: uint8(d[3]), ID: ids[d[0]], Stage: uint8(d[1]), Left: uint64(d[2])}
	}}
	return states, msgs
}
