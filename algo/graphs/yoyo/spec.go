package yoyo

import (
	"math/bits"

	"caucus.example/caucus"
)

// Spec describes Yo-Yo with pruning: 2m messages for the IDs, 2 for each link and iteration, 2m - n + 1 to notify.
var Spec = caucus.Spec{
	Name: "yo-yo", Title: "Yo-Yo", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Santoro, section 3.8.3", Elects: "the node of least ID",
	LeastID:   true,
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "O(m log n) messages",
	Needs:     caucus.Needs{Connected: true, DistinctIDs: true},
	Kinds:     []string{"hello", "yo", "vote", "notify"},
	Carries:   []caucus.Content{{IDs: 1}, {IDs: 1}, {Bits: 2}, {IDs: 1}},
}

// PlainSpec describes Yo-Yo without pruning. The last source learns nothing that tells it so; nodes know their number
// n and stop after ceil(log2 n) + 1 iterations, which are enough: call two sources rivals if a sink hears of both. A
// source survives if it is smaller than all its rivals, and two survivors at most three steps of rivalry apart, with
// no survivor in between, are rivals in the next iteration: so the longest distance between two sources at least
// halves, down to 1, when all are rivals of the least. (That the number of sources halves, as is often said, is
// wrong: a large source between many small ones is the only one to go. See TestSourcesDoNotHalve.)
var PlainSpec = caucus.Spec{
	Name: "yo-yo-plain", Title: "Yo-Yo without pruning", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Santoro, section 3.8.3; end after a number of iterations: this project", Elects: "the node of least ID",
	LeastID:   true,
	Guarantee: "terminates with one leader that every node knows (argued and tested); not self-stabilising",
	Cost:      "2m(ceil(log2 n) + 3) - n + 1 messages",
	Needs:     caucus.Needs{Connected: true, DistinctIDs: true, Nodes: true},
	Kinds:     []string{"hello", "yo", "vote", "notify"},
	Carries:   []caucus.Content{{IDs: 1}, {IDs: 1}, {Bits: 1}, {IDs: 1}},
}

// FromArgs makes Yo-Yo with pruning, PlainFromArgs without; no parameters.
var (
	FromArgs      = caucus.Fill(Algorithm{Prune: true})
	PlainFromArgs = caucus.Fill(Algorithm{})
)

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, false)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message over the world's IDs, and every state of a node of one port in the first iterations.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	states := caucus.Every(w, func(p *caucus.Pick) State {
		link := Link{Direction(p.Below(int(Dropped) + 1)), Answer(p.Below(int(NoDrop) + 1)), p.AnyID()}
		return State{
			Links:     []Link{link},
			Iteration: int32(p.Below(max(1, p.Counter) + 1)), Voting: p.Bool(), Least: p.AnyID(), Leader: p.AnyID(),
		}
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		return Msg{Kind: uint8(p.Below(int(Notify) + 1)), No: p.Bool(), Drop: p.Bool(), ID: p.AnyID()}
	})
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is 2m(ceil(log2 n) + 3) - n + 1, exactly, without pruning.
func (a Algorithm) Messages(n *caucus.Network, _ int) int {
	if a.Prune {
		return 0
	}
	return len(n.Nbr)*(bits.Len(uint(n.Len()-1))+3) - n.Len() + 1
}
