package network

// ExactDiameterLimit is a size of component up to which the exact diameter is worth its
// time: at worst (tori, random graphs) that grows with nodes × edges and is 10 to
// 20 seconds at the limit; meshes and backbones take well under a second.
const ExactDiameterLimit = 50_000

// Measures are the figures that describe a graph.
type Measures struct {
	Nodes, Edges int
	Components   int
	Largest      int // nodes of the largest component
	Isolated     int // nodes without neighbour
	MaxDegree    int
	MeanDegree   float64
	Diameter     Diameter // of the largest component
}

// Diameter is the greatest distance in hops between two nodes of a component; only
// a lower bound unless Exact.
type Diameter struct {
	Hops  int
	Exact bool
}

// Measure describes a graph. The diameter is exact if the largest component has at
// most exactUpTo nodes; see ExactDiameterLimit. A graph without nodes measures 0.
func Measure(g *Graph, exactUpTo int) Measures {
	c := FindComponents(g)
	m := Measures{Nodes: g.Len(), Edges: g.Edges(), Components: len(c.Size)}
	m.Diameter = c.Diameter(g, exactUpTo)
	if m.Nodes == 0 {
		return m
	}
	m.Largest = c.Size[c.Largest]
	m.MeanDegree = float64(len(g.Nbr)) / float64(m.Nodes)
	for i := range m.Nodes {
		m.MaxDegree = max(m.MaxDegree, g.Degree(i))
		if g.Degree(i) == 0 {
			m.Isolated++
		}
	}
	return m
}

// DegreeHistogram counts the nodes of each degree from 0 to the greatest.
func DegreeHistogram(g *Graph) []int {
	var count []int
	for i := range g.Len() {
		for len(count) <= g.Degree(i) {
			count = append(count, 0)
		}
		count[g.Degree(i)]++
	}
	return count
}

// Diameter finds the diameter of the largest component: exactly if it has at most
// exactUpTo nodes, else a lower bound from a double sweep (the eccentricity of the
// node farthest from the first one).
//
// The exact search takes the eccentricities of all nodes, outermost from a centre
// first, and stops when those left are so near the centre that no two of them can be
// farther apart than two nodes already found (Crescenzi et al., "On computing the
// diameter of real-world undirected graphs", 2013). On meshes that leaves a few
// corners, on rings and tori about half of the nodes.
func (c Components) Diameter(g *Graph, exactUpTo int) Diameter {
	if len(c.Size) == 0 {
		return Diameter{Exact: true}
	}
	first := 0
	for int(c.Label[first]) != c.Largest {
		first++
	}
	s := newSearch(g.Len())
	s.run(g, first)
	s.run(g, s.farthest())
	bound := Diameter{Hops: int(s.dist[s.farthest()])}
	if len(s.queue) > exactUpTo {
		return bound
	}
	s.run(g, s.centre(g))
	b := newBroad(g.Len())
	for left := len(s.queue); left > 0 && bound.Hops < 2*int(s.dist[s.queue[left-1]]); {
		// Neighbours in breadth-first order make the 64 searches overlap most.
		batch := s.queue[max(0, left-64):left]
		bound.Hops = max(bound.Hops, b.run(g, batch))
		left -= len(batch)
	}
	bound.Exact = true
	return bound
}

// centre finds a node in the middle between the start of the last run and the node
// farthest from it.
func (s *search) centre(g *Graph) int {
	other := newSearch(g.Len())
	other.run(g, s.farthest())
	best := s.queue[0]
	for _, i := range s.queue {
		if max(s.dist[i], other.dist[i]) < max(s.dist[best], other.dist[best]) {
			best = i
		}
	}
	return int(best)
}

// broad runs up to 64 breadth-first searches at once, one for each bit of a word: an
// edge is looked at once for all searches that cross it in the same step.
type broad struct {
	seen, now, next []uint64 // by node: the searches that have reached it, … in this step, … for the next
	front, ahead    []int32  // the nodes with a bit in now, … in next
}

func newBroad(n int) *broad {
	return &broad{seen: make([]uint64, n), now: make([]uint64, n), next: make([]uint64, n),
		front: make([]int32, 0, n), ahead: make([]int32, 0, n)}
}

// run gives the greatest eccentricity of the starting nodes.
func (b *broad) run(g *Graph, from []int32) int {
	clear(b.seen)
	b.front = append(b.front[:0], from...)
	for bit, i := range from {
		b.seen[i] = 1 << bit
		b.now[i] = 1 << bit
	}
	for hops := 0; ; hops++ {
		b.ahead = b.ahead[:0]
		for _, i := range b.front {
			here := b.now[i]
			b.now[i] = 0
			for _, j := range g.Neighbours(int(i)) {
				fresh := here &^ b.seen[j]
				if fresh == 0 {
					continue
				}
				if b.next[j] == 0 {
					b.ahead = append(b.ahead, j)
				}
				b.next[j] |= fresh
			}
		}
		if len(b.ahead) == 0 {
			return hops
		}
		for _, j := range b.ahead {
			b.seen[j] |= b.next[j]
		}
		b.now, b.next = b.next, b.now
		b.front, b.ahead = b.ahead, b.front
	}
}
