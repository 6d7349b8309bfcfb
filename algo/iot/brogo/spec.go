package brogo

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Spec describes the algorithm: 2m - n + 1 messages for the flood of one root, n - 1 up, n - 1 down. One-shot: a node
// that dies on the way, the root above all, stops it.
var Spec = caucus.Spec{
	Name: "brogo", Title: "BROGO", Family: "iot", Shape: caucus.ShapeEvents, ByStrength: true,
	Source: "Bounceur et al., 2017, with values combined on the way up",
	Elects: "the node of least rank (largest strength), smaller ID on equal rank",
	Guarantee: "terminates with one leader that every node knows (proved, reliable links and live nodes); the " +
		"root is a single point of failure; not self-stabilising",
	Cost: "2m + n - 1 messages; ideal time at most 3D + 1 from the flood on, which starts at once with a " +
		"known root, else after (D+1)·δ·(least ID)",
	Needs: caucus.Needs{Connected: true, DistinctIDs: true, Diameter: true, Delay: true, Together: true},
	Params: []caucus.Param{
		{Name: "root", Kind: caucus.KindInt, Default: "0", Max: 1 << 53,
			Doc: "ID of the root, which must be an initiator; 0 for the initiator of least ID, found by waiting " +
				"(the revised version)"},
	},
	Kinds: []string{"flood", "up", "down"},
}

// FromArgs makes the algorithm from resolved parameters.
var FromArgs = caucus.Fill(Algorithm{})

// Outcome is open until the root has spoken.
func (Algorithm) Outcome(l *caucus.Local, s *State) caucus.Outcome {
	if !s.Final {
		return caucus.Outcome{Distance: -1}
	}
	o := rank.Outcome(l, s.Best, true)
	o.Parent = s.Parent
	if o.Role == caucus.Leader {
		o.Parent = 0
	}
	return o
}

// Kind tells the messages apart.
func (Algorithm) Kind(m *Msg) int { return int(min(m.Kind, Down)) }

// Domain is every message of the world's IDs, and every state of a node of up to two ports.
func (Algorithm) Domain(w *caucus.World) (caucus.Values[State], caucus.Values[Msg]) {
	states := caucus.Every(w, func(p *caucus.Pick) State {
		s := State{Root: p.AnyID(), Parent: int32(p.Below(3)), Ports: []Port{Port(p.Below(3)), Port(p.Below(3))}}
		s.Best, s.Final = rank.PickPair(p), p.Bool()
		return s
	})
	return states, caucus.Every(w, func(p *caucus.Pick) Msg {
		return Msg{Kind: uint8(p.Below(3)), Root: p.AnyID(), Best: rank.PickPair(p)}
	})
}

// Expect is the best node of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }

// Messages is 2m - n + 1 for the flood, n - 1 up and n - 1 down.
func (Algorithm) Messages(n *caucus.Network, _ int) int { return len(n.Nbr) + n.Len() - 1 }
