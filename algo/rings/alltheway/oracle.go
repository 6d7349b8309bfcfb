package alltheway

import "caucus.example/caucus"

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is n².
func (Algorithm) Messages(n *caucus.Network, _ int) int { return n.Len() * n.Len() }
