package sparse

import "caucus.example/caucus"

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:   "sparse",
	Title:  "Sparse choice (block S) with broadcast",
	Family: "aggregate",
	Shape:  caucus.ShapeRounds,
	Source: "block S of aggregate computing (Beal, Viroli) as the baseline \"classic\" of Pianini, Casadei, Viroli, ACSOS 2022",
	Elects: "leaders at least half a grain apart, one within a grain of every node; the others follow the nearest",
	Guarantee: "not self-stabilising: from a corrupted state a uid that nobody has and that is less than the others may live for ever (two nodes in lock-step suffice; a test shows it), " +
		"since nodes take back what they have just told a neighbour; from a clean start it always settled (tested on static random networks)",
	Cost:  "one message of at most 46 bytes per node and round; three gradients in a row of grain/(edge length) rounds each",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "grain", Kind: caucus.KindLength, Default: "10", Open: true,
			Doc: "greatest distance to the nearest leader, in the unit of the metric; leaders are at least half of it apart; finite"},
		{Name: "s-uid", Kind: caucus.KindChoice, Default: "strength", Choices: []string{"strength", "random", "negated"},
			Doc: "the least uid wins: (strength, id), so the weakest (strength, the published comparison), a random number per instance (random, the library), or (-strength, id), so the strongest (negated)"},
		{Name: "output", Kind: caucus.KindChoice, Default: "broadcast", Choices: []string{"raw", "broadcast"},
			Doc: "follow the nearest leader (broadcast) or whom the choice itself names, which is nobody from half a grain on (raw)"},
	},
	Faithful: map[string]map[string]string{
		"artefact": {"s-uid": "strength", "output": "broadcast"},
		"library":  {"s-uid": "random", "output": "raw"},
	},
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Choice, error) {
	return New(Config{Grain: a.Number("grain"), Uids: Uids(a.Text("s-uid")), Raw: a.Text("output") == "raw"})
}
