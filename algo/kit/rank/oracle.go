package rank

import "caucus.example/caucus"

// FollowBest gives the outcomes in which every node follows the node of its connected component that has the least pair of rank and
// ID, without distances.
func FollowBest(n *caucus.Network) []caucus.Outcome {
	best := make([]Pair, n.Len())
	for i := range best {
		best[i] = Pair{Rank: -n.Strengths[i], ID: n.IDs[i]}
	}
	best = caucus.LeastOf(n, best, Pair.Less)
	out := make([]caucus.Outcome, n.Len())
	for i := range out {
		out[i] = Outcome(&caucus.Local{ID: n.IDs[i]}, best[i], false)
	}
	return out
}
