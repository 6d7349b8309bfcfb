package wbs

import "caucus.example/caucus"

// Expect is the least ID of the initiators of each component for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome {
	started := *n
	started.IDs = make([]caucus.ID, n.Len())
	for i, id := range n.IDs {
		if started.IDs[i] = id; !n.Starts(i) {
			started.IDs[i] = ^id // after all that start
		}
	}
	return started.FollowLeastID()
}

// Messages is 2m: every node tells all its neighbours once, if the unit is long enough.
func (a Algorithm) Messages(n *caucus.Network, _ int) int {
	if a.Unit != 0 && a.Unit < float64(n.Known.Diameter+1) {
		return 0
	}
	return len(n.Nbr)
}
