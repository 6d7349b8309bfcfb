package bounded

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Spec describes the algorithm and its parameters. Paper, proof and published code differ in five points: whether the
// radius itself is within reach (radius-cmp); whether the length added is that of the edge to the sender, as it has
// to be, or the distance to the leader, as Algorithm 1 says by mistake; what comes first among equal strengths
// (order; the paper has the distance first, so that all of them may lead); that edges must be longer than 0 for the
// proof (clamp); and that the recursive baseline prefers other IDs than this one (its own tie).
var Spec = caucus.Spec{
	Name: "bounded", Title: "Bounded Election", Family: "aggregate", Shape: caucus.ShapeRounds, ByStrength: true,
	Source: "Pianini, Casadei, Viroli, ACSOS 2022, Algorithm 1",
	Elects: "one leader per region: the strongest node within the radius along a path of its own supporters; " +
		"smaller ID on equal strength",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising for edge lengths > 0 (proved in the paper; here the fixpoint is tested against a " +
		"centralised computation, " +
		"from clean and corrupted states, synchronous and asynchronous)",
	Cost: "one message of at most 32 bytes per node and round; a region settles in as many rounds as it is deep, " +
		"a dead leader is noticed after `heartbeat` rounds",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "radius", Kind: caucus.KindLength, Default: "inf", Open: true,
			Doc: "greatest distance between a leader and its followers, in the unit of the metric; inf elects one " +
				"leader per connected network"},
		{Name: "radius-cmp", Kind: caucus.KindChoice, Default: "le", Choices: []string{"le", "lt"},
			Doc: "keep a candidacy at distance <= radius (le, the paper) or < radius (lt, its published code)"},
		{Name: "order", Kind: caucus.KindChoice, Default: "sid", Choices: []string{"sid", "sdi"},
			Doc: "compare (strength, id, distance) or (strength, distance, id); with sdi (the paper) nodes of " +
				"equal strength that no stronger one covers all lead themselves"},
		{Name: "clamp", Kind: caucus.KindSwitch, Default: "on",
			Doc: "count an edge as at least radius/64 long, so that a candidacy without support dies within 65 rounds"},
		{Name: "hop-limit", Kind: caucus.KindInt, Default: "0", Max: 255,
			Doc: "greatest number of hops between a leader and its followers; 0 for none"},
		{Name: "heartbeat", Kind: caucus.KindInt, Default: "3", Max: 15, Unfit: "1",
			Doc: "rounds without a new beat of the leader until its neighbours give it up, and with them those " +
				"who depend on them; 0 for never (a dead leader is then followed until its candidacy is longer than " +
				"the radius); agents refuse 1, since real rounds are not that even"},
		{Name: "nonce", Kind: caucus.KindSwitch, Default: "on",
			Doc: "tell two instances of one ID apart; the one with the larger nonce gives up its candidacy"},
	},
	Faithful: map[string]map[string]string{
		"paper": {"radius-cmp": "le", "order": "sdi", "clamp": "off", "hop-limit": "0", "heartbeat": "0",
			"nonce": "off"},
		"artefact": {"radius-cmp": "lt", "order": "sdi", "clamp": "off", "hop-limit": "0", "heartbeat": "0",
			"nonce": "off"},
	},
}

// Outcome reads leader and distance off the supported candidacy.
func (e *Election) Outcome(l *caucus.Local, s *Candidacy) caucus.Outcome {
	o := caucus.Outcome{Role: caucus.Follower, Leader: s.Lead, Distance: s.Dist}
	if s.Lead == l.ID {
		if e.nonce && s.Nonce != uint32(l.Nonce) {
			o.Twin = uint64(s.Nonce)
		} else {
			o.Role = caucus.Leader
		}
	}
	return o
}

// Domain is every candidacy with the world's IDs, strengths and distances.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Candidacy], caucus.Values[Candidacy]) {
	seqs, ages := 1, 1
	if e.stale != 0 {
		seqs, ages = w.Counter, min(w.Counter, e.stale/beat)
	}
	v := caucus.Every(w, func(p *caucus.Pick) Candidacy {
		c := Candidacy{Val: -p.Strength(), Dist: p.Dist(), Lead: p.ID()}
		c.Seq, c.Age = uint16(p.Below(seqs)), uint8(p.Below(ages)*beat)
		return c
	})
	return v, v
}

// Backs names the instance that a message supports.
func (e *Election) Backs(m *Candidacy) (caucus.ID, uint64) { return m.Lead, uint64(m.Nonce) }

// Expect is the fixpoint by peeling. A hop limit has none of its own: which path of equal length a
// candidacy came by decides how far it goes on.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if e.hopLimit != math.MaxInt {
		return nil
	}
	p := block.Peel{Together: e.distFirst, Length: e.Length, Within: func(d float64) bool { return d <= e.radius }}
	return p.Regions(n)
}

// Bound is (levels of strength) × (radius/shortest edge + 1 + nodes): a candidacy without support is out of reach
// after the first part, and then the class fills its regions, which takes fewer rounds than there are nodes. The
// heartbeat only makes it quicker where it keeps time, which is no theorem.
func (e *Election) Bound(n *caucus.Network, w *caucus.World) int {
	if e.stale != 0 || e.hopLimit != math.MaxInt || math.IsInf(e.radius, 1) {
		return 0
	}
	shortest := math.Inf(1)
	for _, d := range n.Dist {
		shortest = min(shortest, e.Length(d))
	}
	switch {
	case shortest == 0:
		return 0
	case len(n.Dist) == 0:
		return 1
	}
	return len(w.Strengths) * (int(e.radius/shortest) + 1 + n.Len())
}

// Origin is the heartbeat: beats are compared with each other only, modulo 2^16. Without one all are 0, always.
func (e *Election) Origin(s *Candidacy) uint64 {
	if !e.counts {
		return 0
	}
	return uint64(s.Seq)
}

// Rebase shifts the heartbeats.
func (e *Election) Rebase(s, m *Candidacy, origin uint64) {
	if e.counts {
		s.Seq -= uint16(origin)
		m.Seq -= uint16(origin)
	}
}
