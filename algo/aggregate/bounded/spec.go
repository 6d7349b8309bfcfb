package bounded

import "caucus.example/caucus"

// Spec describes the algorithm and its parameters (B1 to B5 are the points where
// the paper, its proof and its published code differ).
var Spec = caucus.Spec{
	Name:        "bounded",
	Title:       "Bounded Election",
	Family:      "aggregate",
	Shape:       caucus.ShapeRounds,
	Source:      "Pianini, Casadei, Viroli, ACSOS 2022, Algorithm 1",
	Elects:      "one leader per region: the strongest node within the radius along a path of its own supporters; smaller ID on equal strength",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising for edge lengths > 0 (proved in the paper; here the fixpoint is tested against a centralised computation, " +
		"from clean and corrupted states, synchronous and asynchronous)",
	Cost: "one message of at most 32 bytes per node and round; a region settles in as many rounds as it is deep, a dead leader is noticed after `heartbeat` rounds",
	Needs: caucus.Needs{
		Topology:    caucus.AnyTopology,
		DistinctIDs: true, PositiveLengths: true,
	},
	Params: []caucus.Param{
		{Name: "radius", Kind: caucus.KindLength, Default: "inf", Open: true,
			Doc: "greatest distance between a leader and its followers, in the unit of the metric; inf elects one leader per connected network"},
		{Name: "radius-cmp", Kind: caucus.KindChoice, Default: "le", Choices: []string{"le", "lt"},
			Doc: "keep a candidacy at distance <= radius (le, the paper) or < radius (lt, its published code)"},
		{Name: "order", Kind: caucus.KindChoice, Default: "sid", Choices: []string{"sid", "sdi"},
			Doc: "compare (strength, id, distance) or (strength, distance, id); with sdi (the paper) nodes of equal strength that no stronger one covers all lead themselves"},
		{Name: "clamp", Kind: caucus.KindSwitch, Default: "on",
			Doc: "count an edge as at least radius/64 long, so that a candidacy without support dies within 65 rounds"},
		{Name: "hop-limit", Kind: caucus.KindInt, Default: "0", Max: 255,
			Doc: "greatest number of hops between a leader and its followers; 0 for none"},
		{Name: "heartbeat", Kind: caucus.KindInt, Default: "3", Max: 15,
			Doc: "rounds without a new beat of the leader until its neighbours give it up, and with them those who depend on them; 0 for never (a dead leader is then followed until its candidacy is longer than the radius)"},
		{Name: "nonce", Kind: caucus.KindSwitch, Default: "on",
			Doc: "tell two instances of one ID apart; the one with the larger nonce gives up its candidacy"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"radius-cmp": "le", "order": "sdi", "clamp": "off", "hop-limit": "0", "heartbeat": "0", "nonce": "off"},
		"artefact": {"radius-cmp": "lt", "order": "sdi", "clamp": "off", "hop-limit": "0", "heartbeat": "0", "nonce": "off"},
	},
}

// FromArgs makes the algorithm from resolved parameters.
func FromArgs(a caucus.Args) (*Election, error) {
	return New(Config{
		Radius:     a.Number("radius"),
		RadiusLess: a.Text("radius-cmp") == "lt",
		DistFirst:  a.Text("order") == "sdi",
		Clamp:      a.On("clamp"),
		HopLimit:   a.Int("hop-limit"),
		Heartbeat:  a.Int("heartbeat"),
		Nonce:      a.On("nonce"),
	})
}
