package megamerger

import (
	"math"

	"caucus.example/caucus"
)

// Spec describes the algorithm. The leader is an end of the last link over which two cities merged, whichever ID it
// has; every node knows its link of the tree towards it. Without the neighbours' IDs links of one length could not be
// told apart; to learn them also wakes everybody.
var Spec = caucus.Spec{
	Name: "mega-merger", Title: "Mega-Merger", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Gallager, Humblet, Spira, TOPLAS 1983; Santoro, section 3.8.1",
	Elects: "an end of the last link over which two cities merge; builds the minimum spanning tree",
	Guarantee: "terminates with one leader that every node knows, rooted in a minimum spanning tree (proved); not " +
		"self-stabilising",
	Cost:  "at most 4m + 5n log2 n + n + 1 messages, 2m of them for the neighbours' IDs; ideal time O(n log n)",
	Needs: caucus.Needs{Connected: true, DistinctIDs: true, FIFO: true},
	Kinds: []string{"hello", "connect", "inform", "test", "accept", "reject", "report", "merge", "notify"},
	// A level has 5 bits, a length 64.
	Carries: []caucus.Content{
		{IDs: 1}, {Bits: 5}, {IDs: 1, Bits: 6}, {IDs: 1, Bits: 5}, {}, {}, {IDs: 2, Bits: 64}, {}, {IDs: 1},
	},
}

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known, and the tree link towards it.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	if s.Phase != Done {
		return caucus.Decided(l, caucus.None, false)
	}
	o := caucus.Decided(l, s.Name, false)
	o.Parent = s.Parent + 1
	return o
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every message over the world's IDs and lengths, and every state of a node of one port.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	lengths := append([]float64{1}, w.Dists...)
	level := func(p *caucus.Pick) uint8 { return uint8(p.Below(max(1, p.Counter) + 1)) }
	states := caucus.Every(w, func(p *caucus.Pick) State {
		s := State{Neighbours: []caucus.ID{p.AnyID()}, Links: []LinkKind{LinkKind(p.Below(3))}, Order: []int32{0}}
		s.Phase, s.Level, s.Name = Phase(p.Below(int(Done)+1)), level(p), p.AnyID()
		s.Parent, s.Testing, s.Missing = int32(p.Below(2)-1), int32(p.Below(2)-1), int32(p.Below(2))
		s.Best, s.BestPort = none, nobody
		return s
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		m := Msg{Kind: uint8(p.Below(int(Notify) + 1)), Level: level(p), Search: p.Bool(), A: p.AnyID(), B: p.AnyID()}
		m.Length = caucus.PickFrom(p, lengths)
		return m
	})
}

// Messages is 4m + 5n log2 n + n + 1.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	nodes := float64(n.Len())
	return int(float64(2*len(n.Nbr)) + 5*nodes*math.Log2(nodes) + nodes + 1)
}
