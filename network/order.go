package network

import (
	"fmt"
	"math"
	"slices"
)

// An order lists all nodes: order[k] is the node that comes k-th. Numbering nodes so
// that neighbours have near numbers decides how fast large networks simulate.

// SpatialOrder orders the nodes along a Hilbert curve over their coordinates. Nodes
// without coordinates come last. It is an error if no node has any.
func SpatialOrder(g *Graph) ([]int32, error) {
	lowX, lowY, side := bounds(g)
	if side < 0 {
		return nil, fmt.Errorf("no spatial order: no node of %s has coordinates", g.describe())
	}
	scale := 0.0
	if side > 0 {
		scale = (1<<hilbertBits - 1) / side
	}
	keys := make([]uint64, g.Len())
	for i := range keys {
		keys[i] = 1<<(2*hilbertBits+31) | uint64(i) // behind every key of the curve
		if g.Located(i) {
			at := hilbert(uint32((g.X[i]-lowX)*scale), uint32((g.Y[i]-lowY)*scale))
			keys[i] = uint64(at)<<31 | uint64(i)
		}
	}
	slices.Sort(keys)
	order := make([]int32, len(keys))
	for k, key := range keys {
		order[k] = int32(key & math.MaxInt32)
	}
	return order, nil
}

// bounds gives the lower left corner of the located nodes and the longer side of the
// box around them, -1 if there are none.
func bounds(g *Graph) (lowX, lowY, side float64) {
	lowX, lowY = math.Inf(1), math.Inf(1)
	highX, highY := math.Inf(-1), math.Inf(-1)
	for i := range g.Len() {
		if g.Located(i) {
			lowX, highX = min(lowX, g.X[i]), max(highX, g.X[i])
			lowY, highY = min(lowY, g.Y[i]), max(highY, g.Y[i])
		}
	}
	if lowX > highX {
		return 0, 0, -1
	}
	return lowX, lowY, max(highX-lowX, highY-lowY)
}

// describe names a graph in messages.
func (g *Graph) describe() string {
	if g.Name == "" {
		return "the topology"
	}
	return fmt.Sprintf("topology %q", g.Name)
}

// BFSOrder orders the nodes of each component breadth first, from a node as far as
// possible from the component's first node: layers are then narrow, and neighbours
// near in the order. Components come in the order of their first nodes.
func BFSOrder(g *Graph) []int32 {
	order := make([]int32, 0, g.Len())
	done := make([]bool, g.Len())
	s := newSearch(g.Len())
	for i := range done {
		if done[i] {
			continue
		}
		s.run(g, i)
		s.run(g, s.farthest())
		order = append(order, s.queue...)
		for _, j := range s.queue {
			done[j] = true
		}
	}
	return order
}

// Relabel gives the same graph with node order[k] as its node k: every array by node
// and by edge is permuted. Names move with their nodes; in a graph without names the new
// numbers become the names, so whoever needs the old identity takes it from order.
// It panics unless order is a permutation of the nodes.
func Relabel(g *Graph, order []int32) *Graph {
	rank := ranks(order, g.Len())
	r := &Graph{Name: g.Name, Geographic: g.Geographic, Off: make([]int, g.Len()+1), Nbr: make([]int32, len(g.Nbr)),
		X: permuted(g.X, order), Y: permuted(g.Y, order), Names: permuted(g.Names, order)}
	if g.Weight != nil {
		r.Weight = make([]float64, len(g.Nbr))
	}
	if g.Labels != nil {
		r.Labels = slices.Clone(g.Labels)
	}
	if g.Attrs != nil {
		r.Attrs = make(map[string][]string, len(g.Attrs))
		for name, values := range g.Attrs {
			r.Attrs[name] = permuted(values, order)
		}
	}
	var row []uint64 // new neighbour and old place of each entry, as one sortable word
	for k, old := range order {
		row = row[:0]
		for at, j := range g.Neighbours(int(old)) {
			row = append(row, uint64(rank[j])<<32|uint64(at))
		}
		slices.Sort(row)
		from, to := g.Off[old], r.Off[k]
		for i, entry := range row {
			at := from + int(entry&math.MaxUint32)
			r.Nbr[to+i] = int32(entry >> 32)
			if g.Weight != nil {
				r.Weight[to+i] = g.Weight[at]
			}
			if g.Labels != nil {
				r.Labels[to+i] = g.Labels[at]
			}
		}
		r.Off[k+1] = to + len(row)
	}
	return r
}

// ranks inverts an order.
func ranks(order []int32, n int) []int32 {
	if len(order) != n {
		panic(fmt.Sprintf("topology: order of %d nodes for a graph of %d", len(order), n))
	}
	rank := make([]int32, n)
	for i := range rank {
		rank[i] = -1
	}
	for k, i := range order {
		if i < 0 || int(i) >= n || rank[i] >= 0 {
			panic(fmt.Sprintf("topology: node %d is out of range or twice in the order", i))
		}
		rank[i] = int32(k)
	}
	return rank
}

func permuted[T any](values []T, order []int32) []T {
	if values == nil {
		return nil
	}
	moved := make([]T, len(order))
	for k, i := range order {
		moved[k] = values[i]
	}
	return moved
}
