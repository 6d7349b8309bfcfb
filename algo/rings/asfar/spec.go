package asfar

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
)

// Spec describes the algorithm on a one-way ring. At best, with the IDs falling in the direction of travel, it takes
// 3n-1 messages; the worst rises.
var Spec = ring.Spec(caucus.Spec{
	Name: "as-far", Title: "As Far (as it can)",
	Source: "Chang, Roberts, CACM 1979; Santoro, section 3.3.2",
	Cost:   "n(n+1)/2 + n messages at worst, n·H_n + n on average, ideal time 2n",
	Needs:  caucus.Needs{Labels: true},
})

// Bidirectional describes it on a ring of two directions without labels.
var Bidirectional = unlabelled("as-far-bi", "As Far, two directions",
	"n(n+1)/2 + n messages at worst; less where the first ports do not all point the same way round")

// Probabilistic describes it with random directions: IDs that meet stop each other early.
var Probabilistic = unlabelled("prob-as-far", "ProbAsFar",
	"n(n+1)/2 + n messages at worst, about 0.707·n·H_n + O(n) on average in lock step")

func unlabelled(name, title, cost string) caucus.Spec {
	s := Spec
	s.Name, s.Title, s.Cost, s.Needs.Labels = name, title, cost, false
	return s
}

// FromArgs makes the algorithm for a one-way ring, the others for one without labels; no parameters.
var (
	FromArgs              = caucus.Fill(Algorithm{})
	BidirectionalFromArgs = caucus.Fill(Algorithm{Way: ByFirstPort})
	ProbabilisticFromArgs = caucus.Fill(Algorithm{Way: Random})
)

// Outcome names the leader once it is known; Elected is the part of it that may change at every event.
func (Algorithm) Outcome(_ *caucus.Local, s *State) caucus.Outcome { return s.End.Outcome() }

func (Algorithm) Elected(_ *caucus.Local, s *State) (caucus.ID, caucus.Role) { return s.Leader, s.Role }

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return ring.KindOf(m.Kind, 2) }

// Domain is every state and message over the world's IDs.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State {
		return State{Min: p.AnyID(), Met: [2]caucus.ID{p.AnyID(), p.AnyID()}, End: ring.PickEnd(p)}
	}), ring.Messages(w, 2)
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is n(n+1)/2, and the final lap.
func (Algorithm) Messages(n *caucus.Network, _ int) int { return n.Len()*(n.Len()+1)/2 + n.Len() }
