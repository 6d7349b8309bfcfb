package algotest

import (
	"caucus.example/caucus/network"
	"pgregory.net/rapid"
)

// Network draws a network of n nodes, connected or not, with at most 2n edges. Lengths are 1 to longest times unit; 1
// if longest is 0. Weight is never nil.
func Network(t *rapid.T, n, longest int, unit float64) *network.Graph {
	var edges []network.Edge
	for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
		e := network.Edge{A: int32(rapid.IntRange(0, n-1).Draw(t, "a")), B: int32(rapid.IntRange(0, n-1).Draw(t, "b")),
			W: 1}
		if longest > 0 {
			e.W = float64(rapid.IntRange(1, longest).Draw(t, "length")) * unit
		}
		edges = append(edges, e)
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	if g.Weight == nil {
		g.Weight = []float64{}
	}
	return g
}
