package waves

import "caucus.example/caucus"

// Expect is the smallest ID for all.
func (Waves) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }
