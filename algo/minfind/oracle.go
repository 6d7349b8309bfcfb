package minfind

import (
	"caucus"
	"caucus/algo/rank"
)

// Expect is the best node of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }
