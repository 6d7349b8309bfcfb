package brogo

import (
	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/rank"
)

// Expect is the best node of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return rank.FollowBest(n) }

// Messages is 2m - n + 1 for the flood, n - 1 up and n - 1 down.
func (Algorithm) Messages(n *caucus.Network, _ int) int { return len(n.Nbr) + n.Len() - 1 }
