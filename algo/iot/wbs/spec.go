package wbs

import "caucus.example/caucus"

// Spec describes the algorithm. IDs ought to be small: large ones wait long. A unit that is too short for the news of
// the first to be everywhere makes several nodes lead.
var Spec = caucus.Spec{
	Name: "wbs", Title: "Wait-Before-Starting", Family: "iot", Shape: caucus.ShapeEvents,
	Source: "Bounceur et al., 2017", Elects: "the initiator of least ID",
	Guarantee: "one leader that every node knows, if all start together and messages cross the network within the " +
		"unit of waiting (proved); otherwise several lead, " +
		"for ever without repair; not self-stabilising",
	Cost:  "2m messages; time (D+1)·δ·(least ID) + Dδ",
	Needs: caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true, Delay: true, Together: true},
	// Without repair, a node knows at once.
	Silent: true,
	Params: []caucus.Param{
		{Name: "unit", Kind: caucus.KindNumber, Default: "0", Max: 1e9,
			Doc: "time that a node waits for each one in its ID, in bounds on the delay; 0 for D + 1, D the bound " +
				"on the diameter"},
		{Name: "repair", Kind: caucus.KindSwitch, Default: "on",
			Doc: "listen on after the decision and follow the least ID, so that too short a unit costs messages " +
				"and not agreement"},
	},
	Faithful: map[string]map[string]string{"paper": {"repair": "off"}},
}

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome is final without repair.
func (a Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	o := caucus.Following(l, s.Leader)
	o.Final = !a.Repair && s.Leader != caucus.None
	return o
}

// Domain is every ID of the world.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	return caucus.Every(w, func(p *caucus.Pick) State { return State{p.AnyID()} }),
		caucus.Every(w, func(p *caucus.Pick) Msg { return Msg{Leader: p.AnyID()} })
}

// Expect is the least ID of the initiators of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome {
	started := *n
	started.IDs = make([]caucus.ID, n.Len())
	for i, id := range n.IDs {
		if started.IDs[i] = id; !n.Starts(i) {
			started.IDs[i] = ^id // after all that start
		}
	}
	return started.FollowLeastID()
}

// Messages is 2m: every node tells all its neighbours once, if the unit is long enough.
func (a Algorithm) Messages(n *caucus.Network, _ int) int {
	if a.Unit != 0 && a.Unit < float64(n.Known.Diameter+1) {
		return 0
	}
	return len(n.Nbr)
}
