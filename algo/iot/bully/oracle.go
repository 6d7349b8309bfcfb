package bully

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Expect is the best node of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }
