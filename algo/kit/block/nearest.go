package block

import (
	"math"

	"caucus.example/caucus"
)

// Nearest computes, with the whole network in view, what Gradient comes to rest at when the
// nodes that source names are the sources: for every node the nearest of them at most limit away, the smaller
// ID on equal distance.
func Nearest(n *caucus.Network, limit float64, source func(i int) bool) []caucus.Outcome {
	out := make([]caucus.Outcome, n.Len())
	for i := range out {
		out[i].Distance = math.Inf(1)
		if source(i) {
			out[i] = caucus.Outcome{Role: caucus.Leader, Leader: n.IDs[i]}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range out {
			for k := n.Off[i]; k < n.Off[i+1]; k++ {
				from := out[n.Nbr[k]]
				d := from.Distance + n.Dist[k]
				if out[i].Role == caucus.Leader || from.Leader == caucus.None || d > limit {
					continue
				}
				if d < out[i].Distance || d == out[i].Distance && from.Leader < out[i].Leader {
					out[i], changed = caucus.Outcome{Role: caucus.Follower, Leader: from.Leader, Distance: d}, true
				}
			}
		}
	}
	for i := range out {
		if out[i].Leader == caucus.None {
			out[i].Distance = -1
		}
	}
	return out
}

// LocallyStrongest reports whether node i is what Strongest calls a source.
func LocallyStrongest(n *caucus.Network, i int) bool {
	for _, j := range n.Nbr[n.Off[i]:n.Off[i+1]] {
		if n.Strengths[j] > n.Strengths[i] || n.Strengths[j] == n.Strengths[i] && n.IDs[j] < n.IDs[i] {
			return false
		}
	}
	return true
}
