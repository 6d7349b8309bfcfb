package study

import (
	"math"

	"caucus.example/caucus"
)

// Bound is Theorem 1 put to the test: after T_x rounds all nodes within x hops of the best follow it, for good.
type Bound struct {
	Checked  int `json:"checked"`  // nodes
	Exceeded int `json:"exceeded"` // nodes that were later
	Slack    int `json:"slack"`    // least rounds between a node that is not the best itself and its bound
	Last     int `json:"last"`     // rounds between the last node to agree and the bound of the farthest
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
func (e *election[S]) bound(after int) Bound {
	if e.variant.k == 0 {
		return Bound{}
	}
	hops := e.net.hops[e.target]
	depth := 0
	for _, h := range hops {
		depth = max(depth, int(h))
	}
	by := latest(e.variant.k, depth)
	b := Bound{Slack: math.MaxInt, Last: after + by[depth] - e.out.Rounds}
	for i, at := range e.settled {
		slack := after + by[hops[i]] - at
		b.Checked++
		if slack < 0 {
			b.Exceeded++
		}
		if i != e.target {
			b.Slack = min(b.Slack, slack)
		}
	}
	return b
}

// Lemma counts how the lemmas of the paper fared: t rounds after a disturbance an estimate is at least min(t, d) at
// d hops from the leader that it is of, and fake IDs are gone after 1 + max(reach) - min(estimate) rounds.
type Lemma struct {
	Checked  int `json:"checked"`  // estimates
	Below    int `json:"below"`    // estimates that were too small
	FakeLife int `json:"fakeLife"` // rounds that a fake ID may live
	FakeLast int `json:"fakeLast"` // rounds that it did live

	begin int // rounds at the disturbance
}

// look checks the estimate of node i, which follows lead.
func (l *Lemma) look(w *moNetwork, i int, lead caucus.ID, dist, rounds int) {
	owner, real := w.node[lead]
	t := rounds - l.begin
	if !real {
		l.FakeLast = t + 1
		return
	}
	l.Checked++
	if dist < min(t, int(w.hops[owner][i])) {
		l.Below++
	}
}
