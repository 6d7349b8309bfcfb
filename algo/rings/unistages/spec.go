package unistages

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm. Another node than its owner holds the least ID and announces it at the end.
var Spec = ring.Spec(caucus.Spec{
	Name: "uni-stages", Title: "Stages, one way",
	Source: "Peterson, TOPLAS 1982; Dolev, Klawe, Rodeh, J. Algorithms 1982; Santoro, section 3.3.7",
	Cost:   "2n log n + 2n messages at worst, attained for n a power of two",
	Needs:  caucus.Needs{Labels: true, FIFO: true},
})

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known; Elected is the part of it that may change at every event.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the messages apart.
func (Algorithm) Kind(m *ring.Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[ring.Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State {
		return State{Value: p.AnyID(), First: p.AnyID(), End: ring.PickEnd(p)}
	}), ring.Messages(w, 2)
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is n(2 log n + 2).
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	nodes := float64(n.Len())
	return int(nodes * (2*math.Log2(nodes) + 2))
}
