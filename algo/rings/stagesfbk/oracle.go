package stagesfbk

import "caucus.example/caucus"

// Expect is the least ID for all.
func (Algorithm) Expect(n *caucus.Network) []caucus.Outcome { return n.FollowLeastID() }

// Messages is 3n a stage, of which there are at most 2 more than log3 n, rounded down: the last two are for one candidate
// alone and for the announcement with the votes that are left.
func (Algorithm) Messages(n *caucus.Network, _ int) int {
	stages := 2
	for k := n.Len(); k >= 3; k /= 3 {
		stages++
	}
	return 3 * n.Len() * stages
}
