package decay

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

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
