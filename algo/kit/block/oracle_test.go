package block_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// A row 5-3-8-2 with edges 1, 2 and 1: node 5 and node 2 are sources. Node 3 is 1 from 5; node 8 is 1 from 2 and 3 from
// 5. Within 0.5 both stay alone; with equal distances the smaller ID wins.
func TestNearest(t *testing.T) {
	n := &caucus.Network{IDs: []caucus.ID{5, 3, 8, 2}, Strengths: []float64{9, 1, 1, 9}, Off: []int{0, 1, 3, 5, 6},
		Nbr: []int32{1, 0, 2, 1, 3, 2}, Dist: []float64{1, 1, 2, 2, 1, 1}}
	source := func(i int) bool { return block.LocallyStrongest(n, i) }
	for _, c := range []struct {
		limit float64
		lead  []caucus.ID
		dist  []float64
	}{
		{math.Inf(1), []caucus.ID{5, 5, 2, 2}, []float64{0, 1, 1, 0}},
		{0.5, []caucus.ID{5, 0, 0, 2}, []float64{0, -1, -1, 0}},
	} {
		for i, o := range block.Nearest(n, c.limit, source) {
			if o.Leader != c.lead[i] || o.Distance != c.dist[i] {
				t.Errorf("limit %g, node %d: %+v", c.limit, n.IDs[i], o)
			}
		}
	}
	n.Dist = []float64{3, 3, 2, 2, 1, 1} // node 3 is 3 from 5 and 3 from 2
	if o := block.Nearest(n, math.Inf(1), source)[1]; o.Leader != 2 || o.Distance != 3 {
		t.Errorf("equal distances: %+v", o)
	}
}
