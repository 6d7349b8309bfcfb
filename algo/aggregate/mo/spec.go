package mo

import "caucus.example/caucus"

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:        "mo",
	Title:       "Election without knowledge of the network (Mo et al.)",
	Family:      "aggregate",
	Shape:       caucus.ShapeRounds,
	Source:      "Mo, Audrito, Dasgupta, Beal, IFAC 2020, equations (2) to (11)",
	Elects:      "the smallest ID of each connected network; with max-reach one leader for each stretch of that many hops, smaller IDs first",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising: proved by its authors for mabf-cmp lt and synchronous rounds (their bound on the rounds, the end of fake IDs and the bound on " +
		"distance estimates are tested here on random networks, from clean and fake states); mabf-cmp le is tested, not proved. " +
		"A fake ID lives for as many rounds as its reach says: bound a corrupted reach by max-reach",
	Cost: "one message of at most 45 bytes per node and round; from a clean start x hops agree after T_x = T_g + g + x + 1 rounds, g = ceil((x-1)/k): " +
		"x(x+1) with k = 1, about 3x with k = 2; a lost leader is followed for at most k*depth+1 more rounds",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true},
	Params: []caucus.Param{
		{Name: "k", Kind: caucus.KindInt, Default: "2", Min: 1, Max: 1000,
			Doc: "hops of reach that a leader adds for each hop of depth of its tree: more converge faster and forget a lost leader more slowly"},
		{Name: "mabf-cmp", Kind: caucus.KindChoice, Default: "lt", Choices: []string{"lt", "le"},
			Doc: "take a bid while its distance is < its reach (lt, the equation and the proof) or <= (le, which fits the published figures)"},
		{Name: "tie", Kind: caucus.KindChoice, Default: "R", Choices: []string{"R", "D"},
			Doc: "of equally near bids for one leader take that with the largest reach (R, the text) or the largest depth (D, the equation; parents may then alternate for ever)"},
		{Name: "max-reach", Kind: caucus.KindInt, Default: "0", Max: Limit,
			Doc: "greatest reach in hops, so that a large network gets several leaders; 0 for none"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"mabf-cmp": "lt", "tie": "D", "max-reach": "0"},
		"artefact": {"mabf-cmp": "le", "tie": "R", "max-reach": "0"},
	},
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Election, error) {
	return New(Config{
		K:        a.Int("k"),
		LessEq:   a.Text("mabf-cmp") == "le",
		TieDepth: a.Text("tie") == "D",
		MaxReach: a.Int("max-reach"),
	})
}
