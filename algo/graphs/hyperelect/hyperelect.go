// Package hyperelect is HyperElect (Santoro, Design and Analysis of Distributed Algorithms, section 3.5.1): an
// election in a hypercube of n = 2^d nodes whose ports are labelled by dimension. In stage i, from 1 to d, the
// duelists of two neighbouring subcubes of dimension i-1 fight: each sends MATCH(ID, stage) across the i-th
// dimension, and it goes on from the node that it meets to the one that beat that node, and so on, until it meets the
// duelist of this subcube. The larger ID has lost and keeps the way to the smaller one: the set of dimensions that
// are crossed an odd number of times.
package hyperelect

import (
	"math/bits"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/plain"
)

// Kinds of messages.
const (
	Match uint8 = iota
	Notify
)

// Msg is a challenge on its way, or the winner's announcement. Ways are sets of dimensions.
type Msg struct {
	_     struct{} `cbor:",toarray"`
	Kind  uint8
	Stage uint8 // of MATCH, from 1
	ID    caucus.ID
	From  uint32 // way from the challenger to the receiver
	To    uint32 // way from the receiver to where MATCH goes; empty on arrival
}

// Challenge is a MATCH that waits for its stage.
type Challenge struct {
	ID   caucus.ID // None for none
	From uint32
}

// State is what a node remembers. Waiting is by stage - 1; it is copied before it is changed, so
// that states can be copied as values.
type State struct {
	Stage   uint8 // that the node fights in, or has lost in; 0 while asleep
	Lost    bool
	Victor  uint32 // way to the node that beat it
	Waiting []Challenge
	Leader  caucus.ID // None until the node terminates
}

// Algorithm implements caucus.Events[State, Msg].
type Algorithm struct{ plain.Events[State, Msg] }

// Wake enters the first stage.
func (Algorithm) Wake(l *caucus.Local, s *State, _ bool, out *caucus.Outbox[Msg]) {
	s.Waiting = make([]Challenge, l.Degree)
	advance(l, s, out)
}

// advance enters the next stage, or leads after the last.
func advance(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	s.Stage++
	if int(s.Stage) > l.Degree { // 6
		s.Leader = l.ID
		notify(l, l.Degree, l.ID, out)
		return
	}
	across(l, int(s.Stage)-1, Msg{Kind: Match, Stage: s.Stage, ID: l.ID}, out) // 1
}

// across sends a message over the edge of a dimension.
func across(l *caucus.Local, dimension int, m Msg, out *caucus.Outbox[Msg]) {
	m.From ^= 1 << dimension
	m.To &^= 1 << dimension
	out.Send(l.PortTo(caucus.Dimension(dimension)), m)
}

// pass sends a MATCH after the victor.
func pass(l *caucus.Local, s *State, m Msg, out *caucus.Outbox[Msg]) {
	m.To = s.Victor
	across(l, bits.TrailingZeros32(m.To), m, out)
}

// notify tells the subcube of the dimensions below the given one.
func notify(l *caucus.Local, below int, leader caucus.ID, out *caucus.Outbox[Msg]) {
	for d := range below {
		out.Send(l.PortTo(caucus.Dimension(d)), Msg{Kind: Notify, ID: leader})
	}
}

// Receive sends a MATCH further along its way, and takes one that has arrived (section 3.5.1).
func (Algorithm) Receive(l *caucus.Local, s *State, port int, m Msg, out *caucus.Outbox[Msg]) {
	// 1  stage i, from 1 to d: a duelist sends MATCH(ID, i) across the i-th dimension
	// 2  who has lost sends a MATCH on to the node that beat it, along the way that it has stored
	// 3  a MATCH of a later stage waits
	// 4  the larger ID loses, and stores the way to the smaller; what has waited with it goes there, too
	// 5  the smaller ID fights in the next stage
	// 6  the duelist of the last stage leads, and tells all down the dimensions
	switch {
	case m.Kind == Notify: // 6
		if s.Leader == caucus.None && port < len(l.Labels) {
			s.Leader = m.ID
			d, _ := l.Labels[port].Dimension()
			notify(l, d, m.ID, out)
		}
	case m.To != 0: // 2
		across(l, bits.TrailingZeros32(m.To), m, out)
	case s.Lost: // 2
		pass(l, s, m, out)
	case m.Stage >= 1 && int(m.Stage) <= len(s.Waiting): // 3
		s.Waiting = slices.Clone(s.Waiting)
		s.Waiting[m.Stage-1] = Challenge{m.ID, m.From}
		fight(l, s, out)
	}
}

// fight meets the challenges whose stages have come. A node that loses one sends those that wait
// for later stages after the victor.
func fight(l *caucus.Local, s *State, out *caucus.Outbox[Msg]) {
	for s.Stage >= 1 && int(s.Stage) <= len(s.Waiting) {
		c := s.Waiting[s.Stage-1]
		if c.ID == caucus.None {
			return
		}
		s.Waiting[s.Stage-1] = Challenge{}
		if c.ID > l.ID { // 5
			advance(l, s, out)
			continue
		}
		s.Lost, s.Victor = true, c.From // 4
		for k, later := range s.Waiting {
			if later.ID != caucus.None {
				pass(l, s, Msg{Kind: Match, Stage: uint8(k + 1), ID: later.ID, From: later.From}, out)
			}
		}
		s.Waiting = nil
		return
	}
}
