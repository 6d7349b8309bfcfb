package study

import (
	"math"

	"caucus.example/caucus"
)

// bound is Theorem 1 put to the test: after T_x rounds all nodes within x hops of the best follow it, for good.
type bound struct {
	checked  int // nodes
	exceeded int // nodes that were later
	slack    int // least rounds between a node that is not the best itself and its bound
	last     int // rounds between the last node to agree and the bound of the farthest
}

// latest is T_0 … T_most of Theorem 1: T_0 = 0, T_x = T_g + g + x + 1 with g = ceil((x-1)/K).
func latest(k, most int) []int {
	t := make([]int, most+1)
	for x := 1; x <= most; x++ {
		g := (x - 1 + k - 1) / k
		t[x] = t[g] + g + x + 1
	}
	return t
}

// bound compares an election whose fake IDs were gone after some rounds with the theorem.
func (e *election[S]) bound(after int) bound {
	if e.variant.k == 0 {
		return bound{}
	}
	hops := e.net.hops[e.target]
	depth := 0
	for _, h := range hops {
		depth = max(depth, int(h))
	}
	by := latest(e.variant.k, depth)
	b := bound{slack: math.MaxInt, last: after + by[depth] - e.out.rounds}
	for i, at := range e.settled {
		slack := after + by[hops[i]] - at
		b.checked++
		if slack < 0 {
			b.exceeded++
		}
		if i != e.target {
			b.slack = min(b.slack, slack)
		}
	}
	return b
}

// lemma counts how the lemmas of the paper fared: t rounds after a disturbance an estimate is at least min(t, d) at
// d hops from the leader that it is of, and fake IDs are gone after 1 + max(reach) - min(estimate) rounds.
type lemma struct {
	checked  int // estimates
	below    int // estimates that were too small
	fakeLife int // rounds that a fake ID may live
	fakeLast int // rounds that it did live

	begin int // rounds at the disturbance
}

// look checks the estimate of node i, which follows lead.
func (l *lemma) look(w *moNetwork, i int, lead caucus.ID, dist, rounds int) {
	owner, real := w.node[lead]
	t := rounds - l.begin
	if !real {
		l.fakeLast = t + 1
		return
	}
	l.checked++
	if dist < min(t, int(w.hops[owner][i])) {
		l.below++
	}
}
