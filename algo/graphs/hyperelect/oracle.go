package hyperelect

import (
	"math/bits"

	"caucus.example/caucus"
)

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is 7n - d² - 3d - 7 with d = log2 n.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	d := bits.Len(uint(n.Len())) - 1
	return max(0, 7*n.Len()-d*d-3*d-7)
}
