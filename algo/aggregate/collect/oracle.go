package collect

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Expect is the nearest source by shortest paths.
func (c *Collect) Expect(n *caucus.Network) []caucus.Outcome {
	return block.Nearest(n, c.maxDistance, func(i int) bool { return block.LocallyStrongest(n, i) })
}
