package itairodeh

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm. IDs decide nothing: the announcement names the winner's, with the distance, by which
// a node of an anonymous ring can point at its leader. Rounds are numbered, so links need not keep the order of
// messages.
var Spec = caucus.Spec{
	Name: "itai-rodeh", Title: "Itai–Rodeh (anonymous ring)", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Itai, Rodeh, Information and Computation 1990", Elects: "a random initiator; IDs may be equal",
	Guarantee: "terminates with probability 1 and then with one leader that every node knows (proved); not " +
		"self-stabilising",
	Cost:  "O(n log n) messages expected",
	Needs: caucus.Needs{Topology: caucus.Ring, Labels: true, Connected: true, Nodes: true},
	Kinds: []string{"elect", "notify"}, Carries: []caucus.Content{{Counters: 3, Bits: 1}, {IDs: 1, Counters: 1}},
}

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known; Elected is the part of it that may change at every event.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State {
			count := func() uint32 { return uint32(p.Below(p.Counter + 1)) }
			return State{Round: count(), Lot: count(), Away: count(), End: ring.PickEnd(p)}
		}), caucus.Every(w, func(p *caucus.Pick) Msg {
			kind, count := uint8(p.Below(2)), func() uint32 { return uint32(p.Below(p.Counter + 1)) }
			return Msg{Kind: kind, Round: count(), Lot: count(), Hops: count(), Twin: p.Bool(), ID: p.AnyID()}
		})
}

// Origin is how many rounds are behind every node that takes part and every lot. Only the differences of rounds matter.
func (Algorithm) Origin(s *State, m *Msg) uint64 {
	switch {
	case s != nil && s.Round > 0:
		return uint64(s.Round - 1)
	case m != nil && m.Kind == ring.Elect && m.Round > 0:
		return uint64(m.Round - 1)
	}
	return math.MaxUint64
}

// Rebase numbers the rounds from a later one on.
func (Algorithm) Rebase(s *State, m *Msg, origin uint64) {
	if s != nil && s.Round > 0 {
		s.Round -= uint32(origin)
	}
	if m != nil && m.Kind == ring.Elect && m.Round > 0 {
		m.Round -= uint32(origin)
	}
}
