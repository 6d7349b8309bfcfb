package waves

import "caucus"

// Expect is the smallest ID for all.
func (Waves) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }
