package topology

// ExactDiameterLimit is the size of component up to which Measure finds the exact
// diameter. The time grows with nodes × edges; at the limit it is some ten seconds.
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
// most exactUpTo nodes; see ExactDiameterLimit.
func Measure(g *Graph, exactUpTo int) Measures {
	c := FindComponents(g)
	m := Measures{Nodes: g.Len(), Edges: g.Edges(), Components: len(c.Size)}
	if m.Nodes == 0 {
		m.Diameter.Exact = true
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
	m.Diameter = c.Diameter(g, exactUpTo)
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
func (c Components) Diameter(g *Graph, exactUpTo int) Diameter {
	first := 0
	for int(c.Label[first]) != c.Largest {
		first++
	}
	s := newSearch(g.Len())
	s.run(g, first)
	s.run(g, s.farthest())
	if len(s.queue) > exactUpTo {
		return Diameter{Hops: int(s.dist[s.farthest()])}
	}
	b := newBroad(g.Len())
	d := Diameter{Exact: true}
	for k := 0; k < len(s.queue); k += 64 {
		// Neighbours in breadth-first order make the 64 searches overlap most.
		d.Hops = max(d.Hops, b.run(g, s.queue[k:min(k+64, len(s.queue))]))
	}
	return d
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
