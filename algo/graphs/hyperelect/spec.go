package hyperelect

import (
	"math/bits"

	"caucus.example/caucus"
)

// Spec describes the algorithm. The bound on the messages, n - 1 of which notify, is attained for n = 2, 4 and 8.
var Spec = caucus.Spec{
	Name: "hyper-elect", Title: "HyperElect", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Santoro, section 3.5.1", Elects: "the node of least ID",
	LeastID:   true,
	Guarantee: "terminates with one leader that every node knows (proved); not self-stabilising",
	Cost:      "at most 7n - (log2 n)^2 - 3 log2 n - 7 messages, ideal time O(log^3 n)",
	Needs:     caucus.Needs{Topology: caucus.Hypercube, Labels: true, Connected: true, DistinctIDs: true},
	Kinds:     []string{"match", "notify"},
	Carries:   []caucus.Content{{IDs: 1, Counters: 2, Bits: 5}, {IDs: 1}}, // a way has log2 n bits, a stage 5
}

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, s.Lost)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message of short ways over the world's IDs, and every state of a node of two ports.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	states := caucus.Every(w, func(p *caucus.Pick) State {
		return State{
			Stage: uint8(p.Below(4)), Lost: p.Bool(), Victor: uint32(p.Below(4)),
			Waiting: []Challenge{{ID: p.AnyID(), From: 1}, {ID: p.AnyID(), From: 2}}, Leader: p.AnyID(),
		}
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		m := Msg{Kind: uint8(p.Below(int(Notify) + 1)), Stage: uint8(p.Below(3)), ID: p.AnyID()}
		m.From, m.To = uint32(p.Below(4)), uint32(p.Below(4))
		return m
	})
}

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is 7n - d² - 3d - 7 with d = log2 n.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	d := bits.Len(uint(n.Len())) - 1
	return max(0, 7*n.Len()-d*d-3*d-7)
}
