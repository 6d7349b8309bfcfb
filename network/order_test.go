package network

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"caucus.example/caucus"
)

// The first 16 cells of the curve, drawn by hand from its recursive definition: up,
// right, down through the quadrants, the first and the last of them turned.
func TestHilbertCurve(t *testing.T) {
	want := [4][4]uint32{ // by y, then x
		{0, 1, 14, 15},
		{3, 2, 13, 12},
		{4, 7, 8, 11},
		{5, 6, 9, 10},
	}
	for y := range uint32(4) {
		for x := range uint32(4) {
			// With an even number of bits the small curve is the corner of the large one.
			if got := hilbert(x, y); got != want[y][x] {
				t.Errorf("cell (%d,%d) has key %d, want %d", x, y, got, want[y][x])
			}
		}
	}
}

func TestHilbertStepsAreUnitSteps(t *testing.T) {
	const side = 64
	type cell struct{ x, y uint32 }
	at := make([]cell, side*side)
	for y := range uint32(side) {
		for x := range uint32(side) {
			at[hilbert(x, y)] = cell{x, y}
		}
	}
	for k := 1; k < len(at); k++ {
		dx, dy := int(at[k].x)-int(at[k-1].x), int(at[k].y)-int(at[k-1].y)
		if dx*dx+dy*dy != 1 {
			t.Fatalf("step %d leads from %v to %v", k, at[k-1], at[k])
		}
	}
}

func isPermutation(order []int32, n int) bool {
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	for i, v := range sorted {
		if int(v) != i {
			return false
		}
	}
	return len(order) == n
}

func TestSpatialOrder(t *testing.T) {
	g := generate(t, "rgg:n=5000,degree=8", 1)
	rand := caucus.NewRand(1, "test")
	shuffled := Relabel(g, shuffle(g.Len(), rand.IntN))
	order, err := SpatialOrder(shuffled)
	if err != nil || !isPermutation(order, g.Len()) {
		t.Fatalf("no permutation (%v)", err)
	}
	before, after := meanGap(shuffled), meanGap(Relabel(shuffled, order))
	if after > before/20 {
		t.Errorf("neighbours' numbers differ by %v in spatial order, %v in random order", after, before)
	}

	g.X[7], g.Y[9] = math.NaN(), math.NaN()
	order, err = SpatialOrder(g)
	if err != nil || !isPermutation(order, g.Len()) || !slices.Equal(order[g.Len()-2:], []int32{7, 9}) {
		t.Errorf("nodes without coordinates do not come last: …%v (%v)", order[g.Len()-2:], err)
	}
	if _, err := SpatialOrder(generate(t, "ba:n=5,m=1", 1)); err == nil {
		t.Error("a graph without coordinates got a spatial order")
	}
	if order, err := SpatialOrder(generate(t, "grid:1x1", 1)); err != nil || len(order) != 1 {
		t.Errorf("one node: %v, %v", order, err)
	}
}

func shuffle(n int, intN func(int) int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	for i := n - 1; i > 0; i-- {
		j := intN(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

func TestBFSOrderOfAShuffledLine(t *testing.T) {
	g := Relabel(generate(t, "line:100", 1), shuffle(100, func(n int) int { return (7 * n) / 11 }))
	if gap := meanGap(Relabel(g, BFSOrder(g))); gap != 1 {
		t.Errorf("neighbours on a line in breadth-first order are %v apart, want 1", gap)
	}
}

func TestBFSOrderIsAPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		if order := BFSOrder(g); !isPermutation(order, g.Len()) {
			t.Fatalf("%v is no permutation of %d nodes", order, g.Len())
		}
	})
}

func TestRelabelKeepsStructure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		n := g.Len()
		g.Names, g.Attrs = make([]string, n), map[string][]string{"kind": make([]string, n)}
		g.X, g.Y = make([]float64, n), make([]float64, n)
		for i := range n {
			g.Names[i] = string(rune('A' + i))
			g.Attrs["kind"][i] = "kind of " + g.Names[i]
			g.X[i], g.Y[i] = float64(i), float64(-i)
		}
		g.Labels = make([]caucus.Label, len(g.Nbr))
		for k := range g.Labels {
			g.Labels[k] = caucus.Label(k % 3)
		}
		order := rapid.Permutation(shuffle(n, func(int) int { return 0 })).Draw(t, "order")
		r := Relabel(g, order)
		checkSimple(t, r)
		if len(r.Nbr) != len(g.Nbr) || r.Len() != n {
			t.Fatalf("%d nodes, %d edges became %d, %d", n, g.Edges(), r.Len(), r.Edges())
		}
		for k := range n {
			old := int(order[k])
			if r.Names[k] != g.Names[old] || r.Attrs["kind"][k] != g.Attrs["kind"][old] || r.X[k] != g.X[old] ||
				r.Y[k] != g.Y[old] {
				t.Fatalf("node %d is not node %d of before in every array", k, old)
			}
			for l := range n {
				now, before := r.Port(k, l), g.Port(old, int(order[l]))
				if (now < 0) != (before < 0) {
					t.Fatalf("edge %d–%d: %d, was %d", k, l, now, before)
				}
				if now >= 0 && (r.Labels[now] != g.Labels[before] ||
					g.Weight != nil && r.Weight[now] != g.Weight[before]) {
					t.Fatalf("edge %d–%d lost its weight or label", k, l)
				}
			}
		}
	})
}

func TestRelabelRefusesAnythingElse(t *testing.T) {
	g := generate(t, "line:3", 1)
	for _, order := range [][]int32{{0, 1}, {0, 1, 1}, {0, 1, 3}, {0, -1, 2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("order %v was accepted", order)
				}
			}()
			Relabel(g, order)
		}()
	}
}
