package asfar

import "caucus.example/caucus"

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is n(n+1)/2, and the final lap.
func (Algorithm) Messages(n *caucus.Network, _ int) int { return n.Len()*(n.Len()+1)/2 + n.Len() }
