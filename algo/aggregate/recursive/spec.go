package recursive

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name: "recursive", Title: "Recursive election", Family: "aggregate", Shape: caucus.ShapeRounds, ByStrength: true,
	Source: "Pianini, Casadei, Viroli, ACSOS 2022, the baseline \"recursive\"; restart and order of IDs as in its " +
		"published code",
	Elects: "one leader per region, as Bounded Election: the strongest node within the radius along nodes of its " +
		"own region",
	Guarantee: "not self-stabilising: gossip never forgets, so a best that is gone costs everybody one of the 24 " +
		"levels, until a restart; a node that no level takes is undecided. " +
		"From a clean start, and after a restart of all, with distinct strengths it reached the regions of " +
		"Bounded Election in every test; " +
		"very short edges slow it down, since the distance to what is no leader any more rises by one edge a round",
	Cost: "one message of 200 to 680 bytes per node and round; regions are found one after the other, each in " +
		"two crossings of the network",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true, PositiveLengths: true},
	Params: []caucus.Param{
		{Name: "radius", Kind: caucus.KindLength, Default: "10", Open: true,
			Doc: "greatest distance between a leader and its followers, in the unit of the metric; finite"},
		{Name: "restart", Kind: caucus.KindSwitch, Default: "on",
			Doc: "a node whose strength has changed forgets all gossip and leads itself for a round, as one does " +
				"in its first, as in the published code"},
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

// New checks the options.
func New(c Config) (*Election, error) {
	if math.IsInf(c.Radius, 1) {
		return nil, caucus.Wrong("radius", "inf",
			"a finite length > 0, since nothing else ends the distance to a leader that is gone")
	}
	return &Election{c: c}, Spec.Check(c)
}

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Wide is true: see hear.
func (e *Election) Wide() bool { return true }

// Outcome is the best of the last level, if within the radius.
func (e *Election) Outcome(l *caucus.Local, s *Memory) caucus.Outcome {
	if n := int(s.Claims.Count); n >= 1 && n <= MaxLevels {
		v := &s.Claims.Levels[n-1]
		switch {
		case v.Best == caucus.None || !(v.Dist <= e.c.Radius):
		case v.Best == l.ID:
			return caucus.Outcome{Role: caucus.Leader, Leader: l.ID}
		default:
			return caucus.Outcome{Role: caucus.Follower, Leader: v.Best, Distance: v.Dist}
		}
	}
	return caucus.Outcome{Distance: -1}
}

// Domain is every memory and every message with the world's IDs, strengths and distances in which all levels below the
// first are alike, of up to Counter levels.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Memory], caucus.Values[Claims]) {
	level := func(p *caucus.Pick) Level { return Level{Strength: p.Strength(), Best: p.ID(), Dist: p.Dist()} }
	claims := func(p *caucus.Pick) (c Claims) {
		first, rest := level(p), level(p)
		c.Count = uint8(p.Below(min(p.Counter, MaxLevels)) + 1)
		c.Levels[0] = first
		for i := 1; i < int(c.Count); i++ {
			c.Levels[i] = rest
		}
		return c
	}
	return caucus.Every(w, func(p *caucus.Pick) Memory { return Memory{Strength: p.Strength(), Claims: claims(p)} }),
		caucus.Every(w, claims)
}

// Expect is the peeling, node by node: what Bounded Election gives with the order (strength, id, distance).
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	p := block.Peel{
		LargeID: e.c.LargeID,
		Length:  func(edge float64) float64 { return edge },
		Within:  func(d float64) bool { return d <= e.c.Radius },
	}
	return p.Regions(n)
}
