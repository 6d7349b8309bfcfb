package stages

import (
	"math"

	"caucus.example/caucus"
)

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is n(2 log n + 3).
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	nodes := float64(n.Len())
	return int(nodes * (2*math.Log2(nodes) + 3))
}
