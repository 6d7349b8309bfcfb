// Package network holds networks: simple undirected graphs as flat arrays, their
// generators, importers, exporters, orderings and measures.
package network

import (
	"fmt"
	"math"

	"caucus.example/caucus"
)

// Graph is a simple undirected graph in compressed sparse rows: the neighbours of
// node i are Nbr[Off[i]:Off[i+1]], in rising order. Every edge stands twice, once
// at each end. Arrays that run parallel to Nbr have an entry for each of the two.
type Graph struct {
	Name string
	Off  []int   // len = nodes + 1
	Nbr  []int32 // len = 2 × edges
	// the same in less memory; Off and Nbr are nil then
	Packed *Rows

	// Weight runs parallel to Nbr; nil when the source gives no weight to any edge. An edge
	// that lacks one while others have it holds NaN.
	Weight []float64

	// X and Y are coordinates by node; nil when the source gives none. A node without holds
	// NaN. Geographic means that X is the longitude and Y the latitude in degrees.
	X, Y       []float64
	Geographic bool

	// Range and Box say that nodes of a box from (0, 0) to these widths are joined where they are at most so far from
	// each other; Range 0: links do not follow from places.
	Range float64
	Box   [2]float64

	// Names are the source's node names; nil means "1" to "n".
	Names []string

	// Attrs are further node attributes of the source, by name, "" where a node lacks it.
	Attrs map[string][]string

	// Labels runs parallel to Nbr: the direction of each port; nil when unlabelled.
	Labels []caucus.Label
}

// Len is the number of nodes.
func (g *Graph) Len() int {
	if g.Packed != nil {
		return g.Packed.Len()
	}
	return len(g.Off) - 1
}

// Edges is the number of undirected edges.
func (g *Graph) Edges() int { return g.Ends() / 2 }

// Ends is the number of ends of edges: two of each, but one of an edge that carries one way only, where it is heard.
func (g *Graph) Ends() int {
	if g.Packed != nil {
		return g.Packed.Slots()
	}
	return len(g.Nbr)
}

// Degree is the number of neighbours of node i.
func (g *Graph) Degree(i int) int {
	a, b := g.span(i)
	return b - a
}

// span is where the row of node i begins and ends.
func (g *Graph) span(i int) (first, end int) {
	if g.Packed != nil {
		return g.Packed.Span(i)
	}
	return g.Off[i], g.Off[i+1]
}

// Neighbours lists the neighbours of node i in rising order; read only.
func (g *Graph) Neighbours(i int) []int32 {
	a, b := g.span(i)
	if g.Packed != nil {
		return g.Packed.Row(i, make([]int32, b-a))
	}
	return g.Nbr[a:b]
}

// Rows gives the neighbours of all nodes: those of the graph itself, which must not change any more.
func (g *Graph) Rows() (*Rows, error) {
	if g.Packed != nil {
		return g.Packed, nil
	}
	r, err := newRows(g.Len(), g.Degree)
	if err == nil {
		r.ends = g.Nbr
	}
	return r, err
}

// Pack lets go of Off and Nbr, which are nil from then on: methods tell the neighbours still. A graph of more edges
// than Rows can have stays as it is.
func (g *Graph) Pack() {
	r, err := g.Rows()
	if err != nil || g.Packed != nil {
		return
	}
	if r.walk(func(i int, to []int32) []int32 { return append(to, g.Neighbours(i)...) }) {
		r.ends = nil
	}
	g.Packed, g.Off, g.Nbr = r, nil, nil
}

// NodeName is the name of node i.
func (g *Graph) NodeName(i int) string {
	if g.Names == nil {
		return fmt.Sprint(i + 1)
	}
	return g.Names[i]
}

// Located reports whether node i has coordinates.
func (g *Graph) Located(i int) bool {
	return g.X != nil && !math.IsNaN(g.X[i]) && !math.IsNaN(g.Y[i])
}

// Edge is one edge record as a source writes it, before directions, repeats and
// self-loops are dealt with. W is NaN when the source gives no weight.
type Edge struct {
	A, B int32
	W    float64
}

// Merged counts what Build dropped to make the graph simple and undirected.
type Merged struct {
	Records   int // edge records read
	SelfLoops int // dropped
	Repeats   int // the same pair again, in either direction; the first record's weight stays
}

// Build makes a simple undirected graph of n nodes from edge records.
func Build(n int, records []Edge) (*Graph, Merged, error) {
	m := Merged{Records: len(records)}
	off, weighted := make([]int, n+1), false
	for k, r := range records {
		if r.A < 0 || int(r.A) >= n || r.B < 0 || int(r.B) >= n {
			return nil, m, fmt.Errorf("edge record %d joins %d and %d; nodes are 0 to %d", k+1, r.A, r.B, n-1)
		}
		if r.A == r.B {
			m.SelfLoops++
			continue
		}
		off[r.A+1]++
		off[r.B+1]++
		weighted = weighted || !math.IsNaN(r.W)
	}
	for i := range n {
		off[i+1] += off[i]
	}
	nbr, rec := fillRows(off, records, weighted)
	g := &Graph{Off: off, Nbr: nbr}
	g.sortRows(rec)
	m.Repeats = g.dropRepeats(rec)
	if weighted {
		g.Weight = make([]float64, len(g.Nbr))
		for k := range g.Nbr {
			g.Weight[k] = records[rec[k]].W
		}
	}
	return g, m, nil
}

// fillRows places each record at both its ends and remembers which record it was, if weights are to be found again.
func fillRows(off []int, records []Edge, weighted bool) (nbr, rec []int32) {
	n := len(off) - 1
	next := make([]int, n)
	copy(next, off[:n])
	nbr = make([]int32, off[n])
	if weighted {
		rec = make([]int32, off[n])
	}
	place := func(a, b int32, k int) {
		nbr[next[a]] = b
		if weighted {
			rec[next[a]] = int32(k)
		}
		next[a]++
	}
	for k, r := range records {
		if r.A == r.B {
			continue
		}
		place(r.A, r.B, k)
		place(r.B, r.A, k)
	}
	return nbr, rec
}

// BuildPairs does as Build for records without weights, of which the ends of record k are ends[2k] and ends[2k+1], each
// from 0 to n-1. It takes the array for its own.
func BuildPairs(n int, ends []int32) (*Graph, Merged) {
	m := Merged{Records: len(ends) / 2}
	w := 0
	for k := 0; k < len(ends); k += 2 {
		if ends[k] == ends[k+1] {
			m.SelfLoops++
			continue
		}
		ends[w], ends[w+1] = ends[k], ends[k+1]
		w += 2
	}
	g := fromPairs(n, ends[:w])
	m.Repeats = g.dropRepeats(nil)
	return g, m
}

// fromPairs makes a graph from edges written flat: the ends of edge k are
// pairs[2k] and pairs[2k+1]. It needs 4 bytes an end besides the result, where Build
// needs 24.
func fromPairs(n int, pairs []int32) *Graph {
	g := &Graph{Off: make([]int, n+1), Nbr: make([]int32, len(pairs))}
	for _, a := range pairs {
		g.Off[a+1]++
	}
	for i := range n {
		g.Off[i+1] += g.Off[i]
	}
	// While rows are filled, Off[i] is where row i goes on; in the end that is where
	// row i+1 starts, so everything moves up by one.
	for k := 0; k < len(pairs); k += 2 {
		a, b := pairs[k], pairs[k+1]
		g.Nbr[g.Off[a]] = b
		g.Off[a]++
		g.Nbr[g.Off[b]] = a
		g.Off[b]++
	}
	copy(g.Off[1:], g.Off[:n])
	g.Off[0] = 0
	g.sortRows(nil)
	return g
}
