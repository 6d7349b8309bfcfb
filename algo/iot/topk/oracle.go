package topk

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Expect is the best node of each component for all; nothing is promised of networks that entries do not cross.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if e.Hops > 0 && e.Hops < n.Len()-1 {
		return nil
	}
	return rank.FollowBest(n)
}
