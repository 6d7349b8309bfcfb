package layout

import (
	"testing"

	"caucus.example/caucus/network"
)

// Of a torus of three rows and four columns one link of each row and column leaves the picture, to the right at its
// right end and to the left at its left one; of a grid none does.
func TestWraps(t *testing.T) {
	g, err := network.Generate("torus:3x4", 1)
	if err != nil {
		t.Fatal(err)
	}
	ways, count := Wraps(g), map[Way]int{}
	for i := range g.Len() {
		for s := g.Off[i]; s < g.Off[i+1]; s++ {
			w := ways[s]
			count[w]++
			if w.X > 0 && g.X[i] != 3 || w.X < 0 && g.X[i] != 0 || w.Y > 0 && g.Y[i] != 2 || w.Y < 0 && g.Y[i] != 0 {
				t.Errorf("node %d at %v, %v has a link that leaves to %v", i+1, g.X[i], g.Y[i], w)
			}
		}
	}
	if count[Way{1, 0}] != 3 || count[Way{-1, 0}] != 3 || count[Way{0, 1}] != 4 || count[Way{0, -1}] != 4 ||
		count[Way{}] != len(g.Nbr)-14 {
		t.Errorf("directions %v", count)
	}
	for _, other := range []string{"grid:3x4", "ring:5", "hypercube:3", "clique:4"} {
		if g, err = network.Generate(other, 1); err != nil || Wraps(g) != nil {
			t.Errorf("%s: %v %v", other, Wraps(g), err)
		}
	}
}
