// Package itairodeh elects on an anonymous one-way ring of known size (Itai, Rodeh, Information and Computation 1990;
// the form with hop counts after Fokkink, Pang, 2006). No deterministic algorithm can (Angluin, STOC 1980), so the
// nodes draw lots: in each round an active node draws a number from 1 to n and sends it round. Larger (round, number)
// stops smaller. A number that comes home after n links has won if on its way it met no other node of the same round
// and number; the nodes that drew it draw again in the next round.
package itairodeh

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
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

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ plain.Events[State, Msg] }

// Timeless is false: it draws lots.
func (Algorithm) Timeless() bool { return false }

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
	s.Round++ // 1
	s.Lot = 1 + uint32(l.Rand.IntN(max(1, l.Known.Nodes)))
	out.Send(right, Msg{Kind: ring.Elect, Round: s.Round, Lot: s.Lot, Hops: 1})
}

// Receive judges a lot that comes by or comes home.
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  begin: an active node draws a number from 1 to n, and sends it round with hop count 1
	// 2  who is passive passes on all that comes, one more hop
	// 3  (round, number) less than its own: stopped
	// 4  greater: passive, and it goes on
	// 5  equal before n hops: somebody else's, which goes on marked as a twin
	// 6  equal after n hops, marked: the next round, a new number
	// 7  equal after n hops, not marked: leader, and it notifies
	right, home := ring.Other(port), int(m.Hops) == l.Known.Nodes
	hops := m.Hops
	m.Hops++
	switch {
	case s.Over():
	case m.Kind == ring.Notify:
		s.Role, s.Leader, s.Away = caucus.Follower, m.ID, hops
		s.Round, s.Lot = 0, 0
		out.Send(right, m)
	case s.Role == caucus.Defeated: // 2
		out.Send(right, m)
	case m.Round < s.Round || m.Round == s.Round && m.Lot < s.Lot: // 3
	case m.Round > s.Round || m.Lot > s.Lot: // 4
		s.Role, s.Round, s.Lot = caucus.Defeated, 0, 0
		out.Send(right, m)
	case !home: // 5
		m.Twin = true
		out.Send(right, m)
	case m.Twin: // 6
		draw(l, s, right, out)
	default: // 7
		s.Role, s.Leader, s.Round, s.Lot = caucus.Leader, l.ID, 0, 0
		out.Send(right, Msg{Kind: ring.Notify, ID: l.ID, Hops: 1})
	}
}
