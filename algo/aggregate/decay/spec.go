package decay

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Spec describes the algorithm and its parameters.
var Spec = caucus.Spec{
	Name:   "decay",
	Title:  "Candidacies that expire (building block T)",
	Family: "aggregate",
	Shape:  caucus.ShapeRounds, ByStrength: true,
	Source: "block T of aggregate computing (Beal, Viroli); the election on top is this project's own",
	Elects: "the strongest node within lifetime-1 hops along a path of its own supporters; smaller ID on " +
		"equal strength",
	Stabilising: caucus.Tested,
	Guarantee: "self-stabilising: a candidacy that its owner does not renew loses a round of life in every round " +
		"and hop, so none outlives lifetime rounds " +
		"(argued so; tested here against Bounded Election in hops, from corrupted states too)",
	Cost:  "one message of at most 22 bytes per node and round; a lost leader is followed for lifetime rounds at most",
	Needs: caucus.Needs{Topology: caucus.AnyTopology, DistinctIDs: true},
	Params: []caucus.Param{
		{Name: "lifetime", Kind: caucus.KindInt, Default: "64", Min: 1, Max: 65535,
			Doc: "rounds that a candidacy lives without renewal; each hop costs one, so followers are at most " +
				"lifetime-1 hops away"},
	},
}

// Config holds the options; see Spec for what each means.
type Config struct {
	Lifetime int `param:"lifetime"`
}

// New checks the options.
func New(c Config) (*Decay, error) { return &Decay{lifetime: uint16(c.Lifetime)}, Spec.Check(c) }

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Configure(New)

// Outcome reads the leader off the supported candidacy.
func (d *Decay) Outcome(l *caucus.Local, s *Claim) caucus.Outcome { return caucus.Following(l, s.Lead) }

// Domain is every candidacy with the world's IDs and strengths and up to Counter rounds left, within the lifetime.
func (d *Decay) Domain(w *caucus.World) (caucus.Values[Claim], caucus.Values[Claim]) {
	v := caucus.Every(w, func(p *caucus.Pick) Claim {
		c := Claim{Lead: p.ID(), Strength: p.Strength()}
		c.Left = d.lifetime - uint16(p.Below(min(p.Counter, int(d.lifetime))))
		return c
	})
	return v, v
}

// Backs names the leader that a message supports, whichever instance of it.
func (d *Decay) Backs(m *Claim) (caucus.ID, uint64) { return m.Lead, 0 }

// Expect is the peeling in hops, with lifetime-1 as the radius.
func (d *Decay) Expect(n *caucus.Network) []caucus.Outcome {
	p := block.Peel{
		Length: func(float64) float64 { return 1 },
		Within: func(hops float64) bool { return hops < float64(d.lifetime) },
	}
	out := p.Regions(n)
	for i := range out {
		out[i].Distance = -1
	}
	return out
}

// Patience is how long a candidacy lives without its owner.
func (d *Decay) Patience(caucus.Known) int { return int(d.lifetime) + 1 }
