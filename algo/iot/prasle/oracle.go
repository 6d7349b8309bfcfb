package prasle

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Expect is the best node of each component for all.
func (*Reliable) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }

// Expect is the same for the variants that tell in every round. The hardened one promises nothing of networks that its claims do not
// cross.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if !e.unreliable && e.k > 0 && e.k < n.Len()-1 {
		return nil
	}
	return rank.FollowBest(n)
}
