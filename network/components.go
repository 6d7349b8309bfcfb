package network

// The searches below run on the compressed rows themselves. gonum's traverse and topo
// packages give the same answers (the tests compare them), but ask for an iterator
// object and a map entry for every node visited, which costs too much at a million
// nodes.

// Components is how a graph falls apart.
type Components struct {
	Label   []int32 // by node: its component; components are numbered in the order of their first nodes
	Size    []int   // by component: its nodes
	Largest int     // the component with most nodes; of equals the first
}

// FindComponents finds the connected components.
func FindComponents(g *Graph) Components {
	c := Components{Label: make([]int32, g.Len())}
	for i := range c.Label {
		c.Label[i] = -1
	}
	queue := make([]int32, 0, g.Len())
	for i := range c.Label {
		if c.Label[i] >= 0 {
			continue
		}
		label := int32(len(c.Size))
		c.Label[i] = label
		queue = append(queue[:0], int32(i))
		for head := 0; head < len(queue); head++ {
			for _, j := range g.Neighbours(int(queue[head])) {
				if c.Label[j] < 0 {
					c.Label[j] = label
					queue = append(queue, j)
				}
			}
		}
		c.Size = append(c.Size, len(queue))
		if len(queue) > c.Size[c.Largest] {
			c.Largest = int(label)
		}
	}
	return c
}

// search is a breadth-first search that keeps its memory for the next one.
type search struct {
	dist  []int32 // by node: hops from the start; -1 where not reached
	queue []int32 // the nodes reached, nearest first
}

func newSearch(n int) *search {
	s := &search{dist: make([]int32, n), queue: make([]int32, 0, n)}
	for i := range s.dist {
		s.dist[i] = -1
	}
	return s
}

// run searches from a node; what the last run reached is forgotten first.
func (s *search) run(g *Graph, from int) {
	for _, i := range s.queue {
		s.dist[i] = -1
	}
	s.dist[from] = 0
	s.queue = append(s.queue[:0], int32(from))
	for head := 0; head < len(s.queue); head++ {
		i := s.queue[head]
		for _, j := range g.Neighbours(int(i)) {
			if s.dist[j] < 0 {
				s.dist[j] = s.dist[i] + 1
				s.queue = append(s.queue, j)
			}
		}
	}
}

// farthest is the node that the last run reached last.
func (s *search) farthest() int { return int(s.queue[len(s.queue)-1]) }

// Hops gives every node's distance in hops from a node, -1 where there is no path.
func Hops(g *Graph, from int) []int32 {
	s := newSearch(g.Len())
	s.run(g, from)
	return s.dist
}

// Eccentricity is the distance in hops from a node to the farthest that it reaches.
func Eccentricity(g *Graph, i int) int {
	s := newSearch(g.Len())
	s.run(g, i)
	return int(s.dist[s.farthest()])
}
