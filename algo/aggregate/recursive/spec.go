package recursive

import "caucus.example/caucus"

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:   "recursive",
	Title:  "Recursive election",
	Family: "aggregate",
	Shape:  caucus.ShapeRounds,
	Source: "Pianini, Casadei, Viroli, ACSOS 2022, the baseline \"recursive\"; restart and order of IDs as in its published code",
	Elects: "one leader per region, as Bounded Election: the strongest node within the radius along nodes of its own region",
	Guarantee: "not self-stabilising: gossip never forgets, so a best that is gone costs everybody one of the 24 levels, until a restart; a node that no level takes is undecided. " +
		"From a clean start, and after a restart of all, with distinct strengths it reached the regions of Bounded Election in every test; " +
		"very short edges slow it down, since the distance to what is no leader any more rises by one edge a round",
	Cost:  "one message of 200 to 680 bytes per node and round; regions are found one after the other, each in two crossings of the network",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "radius", Kind: caucus.KindLength, Default: "10", Open: true,
			Doc: "greatest distance between a leader and its followers, in the unit of the metric; finite"},
		{Name: "restart", Kind: caucus.KindSwitch, Default: "on",
			Doc: "a node whose strength has changed forgets all gossip and leads itself for a round, as one does in its first, as in the published code"},
		{Name: "memory", Kind: caucus.KindSwitch, Default: "on",
			Doc: "a node gossips on what it has heard itself; off: only what its neighbours say (the published code)"},
		{Name: "tie", Kind: caucus.KindChoice, Default: "small", Choices: []string{"small", "large"},
			Doc: "of equal strengths the smaller or the larger ID wins (large: the published code)"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"restart": "off", "memory": "on", "tie": "small"},
		"artefact": {"restart": "on", "memory": "off", "tie": "large"},
	},
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Election, error) {
	return New(Config{Radius: a.Number("radius"), Restart: a.On("restart"), Memory: a.On("memory"), LargeID: a.Text("tie") == "large"})
}
