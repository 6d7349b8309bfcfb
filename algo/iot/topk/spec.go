package topk

import (
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Spec describes the algorithm.
var Spec = caucus.Spec{
	Name: "top-k", Title: "Ranking of the k best, with deputies", Family: "iot", Shape: caucus.ShapeRounds,
	ByStrength:  true,
	Source:      "after Sheshashayee, Basagni, 2019 (WiLE), in a specification of our own; ages: this project",
	Elects:      "the k nodes of least rank (largest strength) in order, smaller ID on equal rank; the first leads",
	Stabilising: caucus.Tested,
	Guarantee: "self-stabilising while the ages of true entries stay below patience·(hops+2) (tested from clean " +
		"and corrupted states, with crashes and loss); " +
		"a deputy leads in the round in which the loss of the leader is noticed",
	Cost: "one message of at most 58 + 16k bytes per node and round; the k best are known everywhere after as " +
		"many rounds as the network has hops",
	Needs: caucus.Needs{DistinctIDs: true, UsesDiameter: true},
	Params: []caucus.Param{
		{Name: "k", Kind: caucus.KindInt, Default: "3", Min: 1, Max: Most, Doc: "how many are ranked: the leader " +
			"and k - 1 deputies"},
		{Name: "hops", Kind: caucus.KindInt, Default: "0", Max: maxHops,
			Doc: "bound on the hops between two nodes; 0 for the bound on the diameter that the nodes know, or 16 " +
				"if they know none"},
		{Name: "patience", Kind: caucus.KindInt, Default: "3", Min: 1, Max: 16,
			Doc: "rounds that each hop may take: more tolerate more loss and notice a lost leader later"},
	},
}

// New checks the options.
func New(c Config) (*Election, error) { return &Election{Config: c}, Spec.Check(c) }

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Demands refuses a bound on the hops below the diameter.
func (e *Election) Demands(known caucus.Known) error {
	if e.Hops > 0 && e.Hops < known.Diameter {
		return caucus.Wrong("hops", e.Hops, fmt.Sprintf("at least the diameter, %d, or 0", known.Diameter))
	}
	return nil
}

// Rank is the place of a node among the k best, from 1; 0 if it is not among them.
func (v *View) Rank(id caucus.ID) int {
	for i, x := range v.Best {
		if x.Node.ID == id && id != caucus.None {
			return i + 1
		}
	}
	return 0
}

// Outcome follows the first.
func (e *Election) Outcome(l *caucus.Local, s *View) caucus.Outcome {
	return rank.Outcome(l, s.Best[0].Node, false)
}

// Domain is every view of up to two entries.
func (e *Election) Domain(w *caucus.World) (caucus.Values[View], caucus.Values[View]) {
	entry := func(p *caucus.Pick) Entry {
		return Entry{Node: rank.PickPair(p), Age: uint16(p.Below(max(1, p.Counter)))}
	}
	v := caucus.Every(w, func(p *caucus.Pick) (v View) {
		first, second := entry(p), entry(p)
		if v.Best[0] = first; e.K > 1 {
			v.Best[1] = second
		}
		return v
	})
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (e *Election) Backs(m *View) (caucus.ID, uint64) { return m.Best[0].Node.ID, 0 }

// Expect is the best node of each component for all; nothing is promised of networks that entries do not cross.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if e.Hops > 0 && e.Hops < n.Len()-1 {
		return nil
	}
	return rank.FollowBest(n)
}

// Patience is how long nodes keep one that has died in their view.
func (e *Election) Patience(known caucus.Known) int { return e.limit(known) + 1 }
