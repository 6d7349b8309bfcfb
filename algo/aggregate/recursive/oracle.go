package recursive

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Expect is the peeling, node by node: what Bounded Election gives with the order (strength, id, distance).
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	p := block.Peel{
		LargeID: e.c.LargeID,
		Length:  func(edge float64) float64 { return edge },
		Within:  func(d float64) bool { return d <= e.c.Radius },
	}
	return p.Regions(n)
}
