package stages

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm. Messages carry the number of their stage and are read in that order, so the links
// need not keep it.
var Spec = ring.Spec(caucus.Spec{
	Name: "stages", Title: "Stages",
	Source: "Franklin, CACM 1982; Santoro, section 3.3.4",
	Cost:   "2n log n + 3n messages at worst, attained for n a power of two; time O(n)",
	Kinds:  []string{"elect", "notify"}, Carries: []caucus.Content{{IDs: 1, Counters: 1}, {IDs: 1}},
})

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
			s := State{Stage: uint16(p.Below(p.Counter + 1))}
			s.Read = [2][2]caucus.ID{{p.AnyID(), p.AnyID()}, {p.AnyID(), p.AnyID()}}
			s.End = ring.PickEnd(p)
			return s
		}), caucus.Every(w, func(p *caucus.Pick) Msg {
			return Msg{ID: p.AnyID(), Stage: uint16(p.Below(p.Counter + 1)), Kind: uint8(p.Below(2))}
		})
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is n(2 log n + 3).
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	nodes := float64(n.Len())
	return int(nodes * (2*math.Log2(nodes) + 3))
}
