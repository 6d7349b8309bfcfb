package block

import (
	"cmp"
	"slices"

	"caucus.example/caucus"
)

// Peel computes, with the whole network in view, the regions of an election by strength within a radius: class
// after class of equal strength, strongest first, the nodes that nobody has taken lead
// themselves and take, by shortest paths through nodes not yet taken, all within reach, nearest first, smaller ID
// on equal distance. With together false, a class is one node: of equal strengths the smaller ID (larger with
// largeID) goes first. within says whether a path of that length is short enough; length is that of an edge.
type Peel struct {
	Together bool
	LargeID  bool
	Length   func(edge float64) float64
	Within   func(path float64) bool
}

// Regions gives leader and distance of every node.
func (p *Peel) Regions(n *caucus.Network) []caucus.Outcome {
	out := make([]caucus.Outcome, n.Len())
	rest := make([]int, n.Len())
	for i := range rest {
		rest[i] = i
	}
	slices.SortFunc(rest, func(a, b int) int {
		ids := cmp.Compare(n.IDs[a], n.IDs[b])
		if p.LargeID {
			ids = -ids
		}
		return cmp.Or(cmp.Compare(n.Strengths[b], n.Strengths[a]), ids)
	})
	for len(rest) > 0 {
		size := 1
		for p.Together && size < len(rest) && n.Strengths[rest[size]] == n.Strengths[rest[0]] {
			size++
		}
		p.take(n, rest[:size], out)
		rest = rest[size:]
	}
	return out
}

// take lets the free nodes of a class take their regions.
func (p *Peel) take(n *caucus.Network, class []int, out []caucus.Outcome) {
	type reach struct {
		node int
		lead caucus.ID
		dist float64
	}
	var open []reach
	for _, i := range class {
		if out[i].Leader == caucus.None {
			open = append(open, reach{i, n.IDs[i], 0})
		}
	}
	for len(open) > 0 {
		next := 0
		for k, r := range open {
			if o := open[next]; r.dist < o.dist || r.dist == o.dist && r.lead < o.lead {
				next = k
			}
		}
		r := open[next]
		open = slices.Delete(open, next, next+1)
		if out[r.node].Leader != caucus.None {
			continue
		}
		out[r.node] = caucus.Outcome{Role: caucus.Follower, Leader: r.lead, Distance: r.dist}
		if r.lead == n.IDs[r.node] {
			out[r.node].Role = caucus.Leader
		}
		for k := n.Off[r.node]; k < n.Off[r.node+1]; k++ {
			if d := r.dist + p.Length(n.Dist[k]); p.Within(d) {
				open = append(open, reach{int(n.Nbr[k]), r.lead, d})
			}
		}
	}
}
