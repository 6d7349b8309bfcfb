package network

// DiameterBudget is how often the search for the diameter may look at an edge where somebody waits for it: 10 to 30
// seconds. It counts looks and not seconds so that the answer is the same on every machine. Lines, rings, grids and
// trees of any size cost far less, and so do meshes of a million nodes; tori and random graphs of some ten thousand
// nodes need much of it, random graphs of a million all.
const DiameterBudget = 4_000_000_000

// Diameter is the greatest distance in hops between two nodes of a component. Unless it is Exact, Hops is a lower
// bound and Most an upper one.
type Diameter struct {
	Hops, Most int
	Exact      bool
}

// Diameter finds the diameter of the largest component, or bounds on it once the budget is used up.
//
// Two nodes far apart come from a double sweep, which is exact for trees. The search then takes the eccentricities of
// all nodes, outermost from a centre first, and stops when those left are so near the centre that no two of them can be
// farther apart than two nodes already found (iFUB: Crescenzi et al., "On computing the
// diameter of real-world undirected graphs", 2013). On meshes that leaves a few corners. A ring is known by its
// degrees.
func (c Components) Diameter(g *Graph, budget int) Diameter {
	if len(c.Size) == 0 {
		return Diameter{Exact: true}
	}
	s := newSearch(g.Len())
	s.run(g, c.busiest(g))
	s.run(g, s.farthest())
	size, ends, ring := len(s.queue), 0, true
	for _, i := range s.queue {
		ends += g.Degree(int(i))
		ring = ring && g.Degree(int(i)) == 2
	}
	d := Diameter{Hops: int(s.dist[s.farthest()])}
	if ring || ends == 2*(size-1) {
		d.Most, d.Exact = d.Hops, true
		return d
	}
	d.Hops = max(d.Hops, s.toCentre(g))
	b := newBroad(g.Len())
	left := size
	for ; left > 0 && d.Hops < 2*int(s.dist[s.queue[left-1]]) && b.looks+ends <= budget; left -= min(left, 64) {
		// Neighbours in breadth-first order make the 64 searches overlap most.
		d.Hops = max(d.Hops, b.run(g, s.queue[max(0, left-64):left]))
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

// toCentre ends with a search from a node that is near all others, and gives the greatest distance seen on the way.
// From the node farthest from where it was it goes to the one least far from all such nodes so far, until none is
// farther than they are.
func (s *search) toCentre(g *Graph) (hops int) {
	far := make([]int32, g.Len()) // the greatest distance to the nodes that were farthest
	centre, least := s.queue[0], int32(g.Len())
	for range 8 {
		s.run(g, s.farthest())
		next := s.queue[0]
		for _, i := range s.queue {
			if far[i] = max(far[i], s.dist[i]); far[i] < far[next] {
				next = i
			}
		}
		hops = max(hops, int(s.dist[s.farthest()]))
		s.run(g, int(next))
		e := s.dist[s.farthest()]
		if hops = max(hops, int(e)); e < least {
			centre, least = next, e
		}
		if e <= far[next] {
			break
		}
	}
	s.run(g, int(centre))
	return hops
}
