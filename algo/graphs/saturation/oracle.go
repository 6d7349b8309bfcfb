package saturation

import "caucus.example/caucus"

// Expect is the least ID for Elect-Min; the root depends on the delays.
func (a Algorithm) Expect(n *caucus.Network) []caucus.Outcome {
	if a.Root {
		return nil
	}
	return n.FollowLeastID()
}

// Messages is 3n + k* - 4, and 2 more for Elect-Root; nothing on one node.
func (a Algorithm) Messages(n *caucus.Network, initiators int) int {
	switch {
	case n.Len() == 1:
		return 0
	case a.Root:
		return 3*n.Len() + initiators - 2
	}
	return 3*n.Len() + initiators - 4
}
