package sparse

import (
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name: "sparse", Title: "Sparse choice (block S) with broadcast", Family: "aggregate", Shape: caucus.ShapeRounds,
	ByStrength: true,
	Source: "block S of aggregate computing (Beal, Viroli) as the baseline \"classic\" of Pianini, Casadei, " +
		"Viroli, ACSOS 2022",
	Elects: "leaders at least half a grain apart, one within a grain of every node; the others follow the nearest",
	Guarantee: "not self-stabilising: from a corrupted state a uid that nobody has and that is less than the " +
		"others may live for ever (two nodes in lock-step suffice; a test shows it), " +
		"since nodes take back what they have just told a neighbour; from a clean start it always settled (tested " +
		"on static random networks)",
	Cost: "one message of at most 46 bytes per node and round; three gradients in a row of grain/(edge length) " +
		"rounds each",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "grain", Kind: caucus.KindLength, Default: "10", Open: true,
			Doc: "greatest distance to the nearest leader, in the unit of the metric; leaders are at least half " +
				"of it apart; finite"},
		{Name: "s-uid", Kind: caucus.KindChoice, Default: "strength",
			Choices: []string{"strength", "random", "negated"},
			Doc: "the least uid wins: (strength, id), so the weakest (strength, the published comparison), a " +
				"random number per instance (random, the library), or (-strength, id), so the strongest (negated)"},
		{Name: "output", Kind: caucus.KindChoice, Default: "broadcast", Choices: []string{"raw", "broadcast"},
			Doc: "follow the nearest leader (broadcast) or whom the choice itself names, which is nobody from " +
				"half a grain on (raw)"},
	},
	Faithful: map[string]map[string]string{
		"artefact": {"s-uid": "strength", "output": "broadcast"},
		"library":  {"s-uid": "random", "output": "raw"},
	},
}

// New checks the options.
func New(c Config) (*Choice, error) {
	if math.IsInf(c.Grain, 1) {
		return nil, caucus.Wrong("grain", "inf",
			"a finite length > 0, since nothing else would ever replace a dead leader")
	}
	return &Choice{c: c}, Spec.Check(c)
}

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Outcome reads the leader off the broadcast, or off the choice itself with output raw.
func (c *Choice) Outcome(l *caucus.Local, s *Vote) caucus.Outcome {
	o := caucus.Outcome{Role: caucus.Follower, Leader: s.Near, Distance: s.NearDist}
	if c.c.Raw {
		o.Leader, o.Distance = s.Lead.ID, -1 // s.Dist is to the nearest nominee, not to this one
	}
	switch o.Leader {
	case caucus.None:
		return caucus.Outcome{Distance: -1}
	case l.ID:
		o.Role, o.Distance = caucus.Leader, min(o.Distance, 0)
	}
	return o
}

// Domain is every vote with the world's IDs and distances; keys are its strengths with the sign that s-uid gives them.
func (c *Choice) Domain(w *caucus.World) (caucus.Values[Vote], caucus.Values[Vote]) {
	sign := 1.0
	if c.c.Uids == Negated {
		sign = -1
	}
	v := caucus.Every(w, func(p *caucus.Pick) Vote {
		lead := caucus.PickFrom(p, append(slices.Clone(p.IDs), caucus.None))
		key := sign * p.Strength()
		v := Vote{Dist: p.Dist(), Near: p.ID(), NearDist: p.Dist()}
		if lead != caucus.None {
			v.Lead = UID{Key: key, ID: lead}
		}
		return v
	})
	return v, v
}

// Right is what the choice promises: leaders lie at least half a grain apart by the shortest path, every node has
// one within a grain, and with output broadcast follows the nearest.
func (c *Choice) Right(n *caucus.Network, outcomes []caucus.Outcome) bool {
	leads := func(i int) bool { return outcomes[i].Role == caucus.Leader }
	for i, want := range block.Nearest(n, math.Inf(1), leads) {
		if o := outcomes[i]; !leads(i) && !c.c.Raw && (o.Leader != want.Leader || o.Distance != want.Distance) {
			return false
		}
		if !(want.Distance <= c.c.Grain) || want.Leader == caucus.None {
			return false
		}
		if leads(i) {
			others := block.Nearest(n, math.Inf(1), func(j int) bool { return j != i && leads(j) })
			if others[i].Leader != caucus.None && others[i].Distance < c.c.Grain/2 {
				return false
			}
		}
	}
	return true
}
