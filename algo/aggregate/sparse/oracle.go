package sparse

import (
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

// Right is what the choice promises: leaders lie at least half a grain apart by the shortest path, every node has
// one within a grain, and with output broadcast follows the nearest.
func (c *Choice) Right(n *caucus.Network, outcomes []caucus.Outcome) bool {
	leads := func(i int) bool { return outcomes[i].Role == caucus.Leader }
	for i, want := range block.Nearest(n, math.Inf(1), leads) {
		if o := outcomes[i]; !leads(i) && !c.c.Raw && (o.Leader != want.Leader || o.Distance != want.Distance) {
			return false
		}
		if !(want.Distance <= c.c.Grain) || want.Leader == caucus.None {
			return false
		}
		if leads(i) {
			others := block.Nearest(n, math.Inf(1), func(j int) bool { return j != i && leads(j) })
			if others[i].Leader != caucus.None && others[i].Distance < c.c.Grain/2 {
				return false
			}
		}
	}
	return true
}
