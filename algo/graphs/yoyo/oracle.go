package yoyo

import (
	"math/bits"

	"caucus.example/caucus"
)

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is 2m(ceil(log2 n) + 3) - n + 1, exactly, without pruning.
func (a Algorithm) Messages(n *caucus.Network, _ int) int {
	if a.Prune {
		return 0
	}
	return len(n.Nbr)*(bits.Len(uint(n.Len()-1))+3) - n.Len() + 1
}
