package network_test

import (
	"fmt"

	"caucus.example/caucus/network"
)

// A network of one's own: three sites, two of them linked.
func ExampleBuild() {
	g, merged, err := network.Build(3, []network.Edge{{A: 0, B: 1}, {A: 1, B: 0}})
	if err != nil {
		panic(err)
	}
	g.Names = []string{"north", "south", "island"}
	fmt.Println(g.Len(), "nodes,", g.Edges(), "edge,", merged.Repeats, "repeated")
	fmt.Println(network.CheckConnected(g))
	// Output:
	// 3 nodes, 1 edge, 1 repeated
	// not connected: no path from node "north" to node "island"
}

// Generators make the same network for the same seed.
func ExampleGenerate() {
	g, err := network.Generate("grid:20x50", 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(g.Len(), "nodes,", g.Edges(), "edges, farthest from the corner:", network.Eccentricity(g, 0))
	// Output: 1000 nodes, 1930 edges, farthest from the corner: 68
}
