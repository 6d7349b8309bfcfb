package mo

import (
	"math"

	"caucus.example/caucus"
)

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:   "mo",
	Title:  "Election without knowledge of the network (Mo et al.)",
	Family: "aggregate",
	Shape:  caucus.ShapeRounds,
	Source: "Mo, Audrito, Dasgupta, Beal, IFAC 2020, equations (2) to (11)",
	Elects: "the smallest ID of each connected network; with max-reach one leader for each stretch of that " +
		"many hops, smaller IDs first",
	Stabilising: caucus.Proved,
	Guarantee: "self-stabilising: proved by its authors for mabf-cmp lt and synchronous rounds (their bound on " +
		"the rounds, the end of fake IDs and the bound on " +
		"distance estimates are tested here on random networks, from clean and fake states); mabf-cmp le is " +
		"tested, not proved. " +
		"A fake ID lives for as many rounds as its reach says: bound a corrupted reach by max-reach",
	Cost: "one message of at most 45 bytes per node and round; from a clean start x hops agree after T_x = T_g + " +
		"g + x + 1 rounds, g = ceil((x-1)/k): " +
		"x(x+1) with k = 1, about 3x with k = 2; a lost leader is followed for at most k*depth+1 more rounds",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true},
	Params: []caucus.Param{
		{Name: "k", Kind: caucus.KindInt, Default: "2", Min: 1, Max: 1000,
			Doc: "hops of reach that a leader adds for each hop of depth of its tree: more converge faster and " +
				"forget a lost leader more slowly"},
		{Name: "mabf-cmp", Kind: caucus.KindChoice, Default: "lt", Choices: []string{"lt", "le"},
			Doc: "take a bid while its distance is < its reach (lt, the equation and the proof) or <= (le, which " +
				"fits the published figures)"},
		{Name: "tie", Kind: caucus.KindChoice, Default: "R", Choices: []string{"R", "D"},
			Doc: "of equally near bids for one leader take that with the largest reach (R, the text) or the " +
				"largest depth (D, the equation; parents may then alternate for ever)"},
		{Name: "max-reach", Kind: caucus.KindInt, Default: "0", Max: Limit,
			Doc: "greatest reach in hops, so that a large network gets several leaders; 0 for none"},
	},
	Faithful: map[string]map[string]string{
		"paper":    {"mabf-cmp": "lt", "tie": "D", "max-reach": "0"},
		"artefact": {"mabf-cmp": "le", "tie": "R", "max-reach": "0"},
	},
}

// Limit is the greatest reach without max-reach: larger ones count as this one.
const Limit = math.MaxInt32

// Config holds the options; see Spec for what each means.
type Config struct {
	K        int  `param:"k"`
	LessEq   bool `param:"mabf-cmp=le"`
	TieDepth bool `param:"tie=D"`
	MaxReach int  `param:"max-reach"`
}

// New checks the options.
func New(c Config) (*Election, error) {
	e := &Election{k: uint64(c.K), limit: Limit, tieDepth: c.TieDepth}
	if c.MaxReach > 0 {
		e.limit = uint64(c.MaxReach)
	}
	if c.LessEq {
		e.slack = 1
	}
	return e, Spec.Check(c)
}

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Outcome reads the leader off the bid. Its hops are no distance in the run's metric.
func (e *Election) Outcome(l *caucus.Local, s *Bid) caucus.Outcome {
	return caucus.Following(l, s.Lead) // None only before the first round after a corruption
}

// Domain is every bid with the world's IDs and counts below its bound; a reach starts from 1, since with 0 nobody hears
// the bid.
func (e *Election) Domain(w *caucus.World) (caucus.Values[Bid], caucus.Values[Bid]) {
	v := caucus.Every(w, func(p *caucus.Pick) Bid {
		hops := func() uint32 { return uint32(p.Below(p.Counter)) }
		return Bid{From: p.ID(), Lead: p.ID(), Parent: p.ID(), Dist: hops(), Reach: hops() + 1, Depth: hops()}
	})
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (e *Election) Backs(m *Bid) (caucus.ID, uint64) { return m.Lead, 0 }

// Expect is the smallest ID for all; with max-reach there are more leaders and no theorem.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if e.limit != Limit {
		return nil
	}
	return n.FollowLeastID()
}

// Bound is Theorem 1 after the end of the fakes: those are gone 1 + max(R - d) rounds later, and all nodes within x
// hops of the best follow it T_x rounds after that; T_0 = 0, T_x = T_g + g + x + 1, g = ceil((x-1)/k).
func (e *Election) Bound(n *caucus.Network, w *caucus.World) int {
	if e.limit != Limit || e.slack != 0 {
		return 0
	}
	t := make([]int, n.Len()+1)
	for x := 1; x <= n.Len(); x++ {
		g := (x - 1 + int(e.k) - 1) / int(e.k)
		t[x] = t[g] + g + x + 1
	}
	return 1 + w.Counter + t[n.Len()-1]
}
