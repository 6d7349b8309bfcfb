package flood

import "caucus.example/caucus"

var params = []caucus.Param{{
	Name: "prefer", Kind: caucus.KindChoice, Default: "min", Choices: []string{"min", "max"},
	Doc: "which ID leads, the least or the greatest",
}}

// Spec describes flooding in rounds. With a bound that is too small several nodes lead and no node notices.
var Spec = caucus.Spec{
	Name: "flood", Title: "Flooding with known diameter", Family: "classic", Shape: caucus.ShapeEvents,
	Source: "Lynch, section 4.1 (FloodMax)", Elects: "the node of least ID (prefer=max: of greatest)",
	LeastID: true,
	Guarantee: "terminates with one leader that every node knows if the bound D on the diameter is right " +
		"(proved); not self-stabilising",
	Cost:    "2mD messages; ideal time D with all initiators, else at most 2D",
	Needs:   caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true},
	Params:  params,
	Carries: []caucus.Content{{IDs: 1, Bits: 1}},
}

// ChangesSpec describes flooding of changes.
var ChangesSpec = caucus.Spec{
	Name:   "flood-changes",
	Title:  "Flooding of changes with known diameter and delay",
	Family: "classic",
	Shape:  caucus.ShapeEvents,
	Source: "Lynch, section 4.1.4 (OptFloodMax); end by time: this project",
	Elects: "the node of least ID (prefer=max: of greatest)", LeastID: true,
	Guarantee: "terminates with one leader that every node knows if the bounds on diameter and delay are right " +
		"(proved); " +
		"not self-stabilising",
	Cost:    "O(nm) messages at worst, 2m - n + 1 at best; ideal time 2D + 1/2",
	Needs:   caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true, Delay: true},
	Params:  params,
	Carries: []caucus.Content{{IDs: 1}},
}

// FromArgs makes flood, ChangesFromArgs flood-changes.
var (
	FromArgs        = caucus.Fill(Algorithm{})
	ChangesFromArgs = caucus.Fill(Algorithm{Changes: true})
)

// Outcome is open until the last round has ended.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	if s.Final {
		return caucus.Decided(l, s.Best, false)
	}
	return caucus.Decided(l, caucus.None, false)
}

// Domain is every message over the world's IDs, and every state of the first rounds at a node of up to two ports.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	states := caucus.Every(w, func(p *caucus.Pick) State {
		s := State{Best: p.AnyID(), Round: int32(p.Below(max(1, p.Counter) + 1))}
		s.Heard = [2]int32{int32(p.Below(3)), int32(p.Below(3))}
		s.Final = p.Bool()
		return s
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg { return Msg{Best: p.AnyID(), Odd: p.Bool()} })
}

// Expect is the least ID for all, or the greatest.
func (a Algorithm) Expect(n *caucus.Network) []caucus.Outcome {
	if !a.Max {
		return n.FollowLeastID()
	}
	turned := *n
	turned.IDs = make([]caucus.ID, n.Len())
	for i, id := range n.IDs {
		turned.IDs[i] = ^id
	}
	out := turned.FollowLeastID()
	for i := range out {
		out[i].Leader = ^out[i].Leader
	}
	return out
}

// Messages is 2mD of the rounds; what changes cost has no exact bound.
func (a Algorithm) Messages(n *caucus.Network, _ int) int {
	if a.Changes {
		return 0
	}
	return len(n.Nbr) * n.Known.Diameter
}
