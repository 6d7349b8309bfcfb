package network

import (
	"context"
	"math"
)

// DiameterBudget is how often the search for the diameter may look at an edge where somebody waits for it: 10 to 30
// seconds. It counts looks and not seconds so that the answer is the same on every machine. Lines, rings, grids and
// trees of any size cost far less, and so do meshes of a million nodes; tori and random graphs of some ten thousand
// nodes need much of it, random graphs of a million all. Where an int has 32 bits it is a quarter of that.
const DiameterBudget = min(4_000_000_000, math.MaxInt/2)

// Diameter is the greatest distance in hops between two nodes of a component. Unless it is Exact, Hops is a lower
// bound and Most an upper one.
type Diameter struct {
	Hops, Most int
	Exact      bool
}

// Diameter finds the diameter of the largest component, or bounds on it once the budget is used up or ctx ends.
//
// Two nodes far apart come from a double sweep, which is exact for trees. The search then takes the eccentricities of
// all nodes, outermost from a centre first, and stops when those left are so near the centre that no two of them can be
// farther apart than two nodes already found (iFUB: Crescenzi et al., "On computing the
// diameter of real-world undirected graphs", 2013). On meshes that leaves a few corners. A ring is known by its
// degrees.
func (c Components) Diameter(ctx context.Context, g *Graph, budget int) Diameter {
	if len(c.Size) == 0 {
		return Diameter{Exact: true}
	}
	s := newSearch(g.Len())
	s.run(g, c.busiest(g))
	far := int(s.dist[s.farthest()])
	d := Diameter{Hops: far, Most: 2 * far}
	s.run(g, s.farthest())
	size, ends, ring := len(s.queue), 0, true
	for _, i := range s.queue {
		ends += g.Degree(int(i))
		ring = ring && g.Degree(int(i)) == 2
	}
	d.Hops = int(s.dist[s.farthest()])
	if ring || ends == 2*(size-1) {
		d.Most, d.Exact = d.Hops, true
		return d
	}
	if s.toCentre(ctx, g, &d); ctx.Err() != nil {
		d.Exact = d.Most == d.Hops
		return d
	}
	b := newBroad(g.Len())
	left := size
	for ; left > 0 && d.Hops < 2*int(s.dist[s.queue[left-1]]) && b.looks+ends <= budget; left -= min(left, 64) {
		// Neighbours in breadth-first order make the 64 searches overlap most.
		hops, whole := b.run(ctx, g, s.queue[max(0, left-64):left])
		if d.Hops = max(d.Hops, hops); !whole {
			break
		}
	}
	d.Most = d.Hops
	if left > 0 {
		d.Most = max(d.Hops, 2*int(s.dist[s.queue[left-1]]))
	}
	d.Exact = d.Most == d.Hops
	return d
}

// busiest is the node of the largest component with most neighbours, the first of them.
func (c Components) busiest(g *Graph) int {
	best := -1
	for i := range g.Len() {
		if int(c.Label[i]) == c.Largest && (best < 0 || g.Degree(i) > g.Degree(best)) {
			best = i
		}
	}
	return best
}

// toCentre ends with a search from a node that is near all others, and brings the bounds as near to each other as what
// it sees on the way allows. From the node farthest from where it was it goes to the one least far from all such nodes
// so far, until none is farther than they are, or ctx ends.
func (s *search) toCentre(ctx context.Context, g *Graph, d *Diameter) {
	far := make([]int32, g.Len()) // the greatest distance to the nodes that were farthest
	centre, least := s.queue[0], int32(g.Len())
	for range 8 {
		if s.run(g, s.farthest()); ctx.Err() != nil {
			return
		}
		next := s.queue[0]
		for _, i := range s.queue {
			if far[i] = max(far[i], s.dist[i]); far[i] < far[next] {
				next = i
			}
		}
		d.Hops = max(d.Hops, int(s.dist[s.farthest()]))
		s.run(g, int(next))
		e := s.dist[s.farthest()]
		d.Hops, d.Most = max(d.Hops, int(e)), min(d.Most, 2*int(e))
		if e < least {
			centre, least = next, e
		}
		if e <= far[next] || ctx.Err() != nil {
			break
		}
	}
	if ctx.Err() == nil {
		s.run(g, int(centre))
	}
}
