package mo

import "caucus.example/caucus"

// Expect is the smallest ID for all; with max-reach there are more leaders and no theorem.
func (e *Election) Expect(n *caucus.Network) []caucus.Outcome {
	if e.limit != Limit {
		return nil
	}
	return n.FollowLeastID()
}

// Bound is Theorem 1 after the end of the fakes: those are gone 1 + max(R - d) rounds later, and all nodes within x hops of
// the best follow it T_x rounds after that; T_0 = 0, T_x = T_g + g + x + 1, g = ceil((x-1)/k).
func (e *Election) Bound(n *caucus.Network, w *caucus.World) int {
	if e.limit != Limit || e.slack != 0 {
		return 0
	}
	t := make([]int, n.Len()+1)
	for x := 1; x <= n.Len(); x++ {
		g := (x - 1 + int(e.k) - 1) / int(e.k)
		t[x] = t[g] + g + x + 1
	}
	return 1 + w.Counter + t[n.Len()-1]
}
