package torus

import "caucus.example/caucus"

// Spec describes the algorithm. A stronger pair than all never ends, so there is always a candidate left. Two squares
// of one stage that have a node in common have one on both borders, and of two tokens that come there one ends before
// its stage is over: who ends a stage has (d+1)² nodes for itself. Where the torus is no wider or no higher than the
// square, see step, any two that share a row (a column) meet. Messages: 4d a token and stage, at most n/(d+1)² tokens
// after a stage, and a bounded number of questions to each; n and a row of them to notify. On a torus of few long rows
// it is a ring, with O(n log n).
var Spec = caucus.Spec{
	Name: "torus", Title: "Election in a torus by marking squares", Family: "classic", Shape: caucus.ShapeEvents,
	Source:    "after Peterson 1985; Santoro, section 3.4.2; meeting borders: this project",
	Elects:    "an initiator, which one depends on the delays",
	Guarantee: "terminates with one leader that every node knows (argued and tested); not self-stabilising",
	Cost:      "O(n) messages on a square torus, 2n to 7n measured; ideal time O(sqrt n)",
	Needs:     caucus.Needs{Topology: caucus.Torus, Labels: true, Connected: true, DistinctIDs: true},
	Kinds:     []string{"token", "ask", "answer", "notify"},
	// Of stage, leg and round 8 bits; a token needs neither rival nor ways to go.
	Carries: []caucus.Content{
		{IDs: 1, Counters: 2, Bits: 8}, {IDs: 2, Counters: 6, Bits: 8}, {IDs: 2, Counters: 6, Bits: 8},
		{IDs: 1, Bits: 1},
	},
}

// FromArgs makes the algorithm; it has no parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome names the leader once it is known.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	return caucus.Decided(l, s.Leader, s.Out)
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Notify)) }

// Domain is every state over the world's IDs and, one step from home at most, every message.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	stage := func(p *caucus.Pick) uint8 { return uint8(p.Below(max(1, p.Counter) + 1)) }
	near := func(p *caucus.Pick) int32 { return int32(p.Below(2)) }
	states := caucus.Every(w, func(p *caucus.Pick) State {
		s := State{Stage: stage(p), Out: p.Bool(), Mark: Mark{Stage: stage(p), ID: p.AnyID(), X: near(p), Y: near(p)}}
		s.Leader = p.AnyID()
		return s
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		m := Msg{Kind: uint8(p.Below(int(Notify) + 1)), Stage: stage(p), Leg: uint8(p.Below(4)), Round: p.Bool()}
		m.ID, m.X, m.Y = p.AnyID(), near(p), near(p)
		m.Rival, m.RivalX, m.RivalY, m.GoX, m.GoY = p.AnyID(), near(p), near(p), near(p), near(p)
		return m
	})
}
