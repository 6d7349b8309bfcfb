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

	// Weight runs parallel to Nbr; nil when the source gives no weight to any edge. An edge
	// that lacks one while others have it holds NaN.
	Weight []float64

	// X and Y are coordinates by node; nil when the source gives none. A node without holds
	// NaN. Geographic means that X is the longitude and Y the latitude in degrees.
	X, Y       []float64
	Geographic bool

	// Names are the source's node names; nil means "1" to "n".
	Names []string

	// Attrs are further node attributes of the source, by name, "" where a node lacks it.
	Attrs map[string][]string

	// Labels runs parallel to Nbr: the direction of each port; nil when unlabelled.
	Labels []caucus.Label
}

// Len is the number of nodes.
func (g *Graph) Len() int { return len(g.Off) - 1 }

// Edges is the number of undirected edges.
func (g *Graph) Edges() int { return len(g.Nbr) / 2 }

// Degree is the number of neighbours of node i.
func (g *Graph) Degree(i int) int { return g.Off[i+1] - g.Off[i] }

// Neighbours lists the neighbours of node i in rising order; read only.
func (g *Graph) Neighbours(i int) []int32 { return g.Nbr[g.Off[i]:g.Off[i+1]] }

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
	off := make([]int, n+1)
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
	}
	for i := range n {
		off[i+1] += off[i]
	}
	nbr, rec, weighted := fillRows(off, records)
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

// fillRows places each record at both its ends and remembers which record it was.
func fillRows(off []int, records []Edge) (nbr, rec []int32, weighted bool) {
	n := len(off) - 1
	next := make([]int, n)
	copy(next, off[:n])
	nbr = make([]int32, off[n])
	rec = make([]int32, off[n])
	place := func(a, b int32, k int) {
		nbr[next[a]], rec[next[a]] = b, int32(k)
		next[a]++
	}
	for k, r := range records {
		if r.A == r.B {
			continue
		}
		place(r.A, r.B, k)
		place(r.B, r.A, k)
		weighted = weighted || !math.IsNaN(r.W)
	}
	return nbr, rec, weighted
}
