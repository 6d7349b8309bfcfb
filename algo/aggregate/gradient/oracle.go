package gradient

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Expect is the nearest source by shortest paths.
func (g *Gradient) Expect(n *caucus.Network) []caucus.Outcome {
	return block.Nearest(n, g.MaxDistance, func(i int) bool {
		return n.Strengths[i] >= g.MinStrength && block.LocallyStrongest(n, i)
	})
}
