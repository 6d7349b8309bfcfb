// Package itairodeh elects on an anonymous one-way ring of known size (Itai, Rodeh, Information and
// Computation 1990; the form with hop counts after Fokkink, Pang, 2006). No deterministic algorithm can (Angluin, STOC
// 1980), so the nodes draw lots: in each round an active node draws a number from 1 to n and sends it
// round. Larger (round, number) stops smaller. A number that comes home after n links has won if on its way it met no other node
// of the same round and number; the nodes that drew it draw again in the next round.
//
// Assumes a ring with consistent left/right labels, reliable links, and that nodes know n; any
// non-empty set of initiators, and only they take part in the draw. IDs may be equal: they decide nothing. The announcement
// names the winner's, with the distance, by which a node of an anonymous ring can point at its leader. Rounds
// are numbered, so links need not keep the order of messages. Every node terminates, with probability 1, and knows
// the leader. Not self-stabilising.
//
// Messages: O(n log n) expected, the announcement included; no bound in the worst case.
package itairodeh

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Msg is a lot under way, or the announcement.
type Msg struct {
	_     struct{} `cbor:",toarray"`
	Kind  uint8    // ring.Elect or ring.Notify
	Round uint32   // from 1; of ring.Elect
	Lot   uint32   // from 1 to n; of ring.Elect
	Hops  uint32   // links travelled, this one included
	Twin  bool     // of ring.Elect: another node has drawn the same in this round
	ID    caucus.ID
}

// State is what a node remembers.
type State struct {
	Round uint32 // from 1; 0 if it takes no part, or no more
	Lot   uint32
	Away  uint32 // links from the leader to this node, to the right; once the leader is known
	ring.End
}

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name:      "itai-rodeh",
	Title:     "Itai–Rodeh (anonymous ring)",
	Family:    "classic",
	Shape:     caucus.ShapeEvents,
	Source:    "Itai, Rodeh, Information and Computation 1990",
	Elects:    "a random initiator; IDs may be equal",
	Guarantee: "terminates with probability 1 and then with one leader that every node knows (proved); not self-stabilising",
	Cost:      "O(n log n) messages expected",
	Needs: caucus.Needs{
		Topology: caucus.Ring, Labels: true, Connected: true, Nodes: true,
	},
	Kinds:   []string{"elect", "notify"},
	Carries: []caucus.Content{{Counters: 3, Bits: 1}, {IDs: 1, Counters: 1}},
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{}

// FromArgs makes the algorithm; it has no parameters.
func FromArgs(caucus.Args) (Algorithm, error) { return Algorithm{}, nil }

// Boot gives a sleeping node.
func (Algorithm) Boot(*caucus.Local) State { return State{} }

// Wake makes an initiator draw; the others only pass on.
func (Algorithm) Wake(l *caucus.Local, s *State, initiator bool, out *caucus.Outbox[Msg]) {
	if !initiator {
		s.Role = caucus.Defeated
		return
	}
	draw(l, s, ring.Port(l, caucus.Right), out)
}

// draw begins a round.
func draw(l *caucus.Local, s *State, right int, out *caucus.Outbox[Msg]) {
	s.Round++
	s.Lot = 1 + uint32(l.Rand.IntN(max(1, l.Known.Nodes)))
	out.Send(right, Msg{Kind: ring.Elect, Round: s.Round, Lot: s.Lot, Hops: 1})
}

// Receive judges a lot that comes by or comes home.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	right, home := ring.Other(port), int(m.Hops) == l.Known.Nodes
	hops := m.Hops
	m.Hops++
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		s.Role, s.Leader, s.Away = caucus.Follower, m.ID, hops
		s.Round, s.Lot = 0, 0
		out.Send(right, m)
	case s.Role == caucus.Defeated:
		out.Send(right, m)
	case m.Round < s.Round || m.Round == s.Round && m.Lot < s.Lot:
		// stopped
	case m.Round > s.Round || m.Lot > s.Lot:
		s.Role, s.Round, s.Lot = caucus.Defeated, 0, 0
		out.Send(right, m)
	case !home:
		m.Twin = true
		out.Send(right, m)
	case m.Twin:
		draw(l, s, right, out)
	default:
		s.Role, s.Leader, s.Round, s.Lot = caucus.Leader, l.ID, 0, 0
		out.Send(right, Msg{Kind: ring.Notify, ID: l.ID, Hops: 1})
	}
}

// Timer is never set.
func (Algorithm) Timer(*caucus.Local, *State, int, *caucus.Outbox[Msg]) {}

// Outcome names the leader by its ID, which others may have as well.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

// Elected is the part of Outcome that may change at every event.
func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the two messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	ids, counts := ring.IDs(w), w.Counter+1
	radix := []int{counts, counts, counts, ring.Roles, len(ids)}
	states := caucus.Values[State]{Len: caucus.Size(radix...), At: func(k uint64) State {
		var buf [5]int
		d := caucus.Digits(k, buf[:], radix...)
		return State{Round: uint32(d[0]), Lot: uint32(d[1]), Away: uint32(d[2]), End: ring.End{Role: caucus.Role(d[3]), Leader: ids[d[4]]}}
	}}
	mradix := []int{2, counts, counts, counts, 2, len(ids)}
	msgs := caucus.Values[Msg]{Len: caucus.Size(mradix...), At: func(k uint64) Msg {
		var buf [6]int
		d := caucus.Digits(k, buf[:], mradix...)
		return Msg{Kind: uint8(d[0]), Round: uint32(d[1]), Lot: uint32(d[2]), Hops: uint32(d[3]), Twin: d[4] == 1, ID: ids[d[5]]}
	}}
	return states, msgs
}
