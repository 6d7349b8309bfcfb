package flood

import "caucus.example/caucus"

// Expect is the least ID for all, or the greatest.
func (a Algorithm) Expect(n *caucus.Network) []caucus.Outcome {
	if !a.Max {
		return n.FollowLeastID()
	}
	turned := *n
	turned.IDs = make([]caucus.ID, n.Len())
	for i, id := range n.IDs {
		turned.IDs[i] = ^id
	}
	out := turned.FollowLeastID()
	for i := range out {
		out[i].Leader = ^out[i].Leader
	}
	return out
}

// Messages is 2mD of the rounds; what changes cost has no exact bound.
func (a Algorithm) Messages(n *caucus.Network, _ int) int {
	if a.Changes {
		return 0
	}
	return len(n.Nbr) * n.Known.Diameter
}
