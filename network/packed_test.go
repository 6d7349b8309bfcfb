package network

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Rows say what the graph said: packed, in another order, packed in that, with neighbours near and far.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 100, 70_000, 200_000}).Draw(t, "n")
		far := rapid.SampledFrom([]int{0, 50, 7, 2}).Draw(t, "one far edge in")
		random := rapid.Uint64().Draw(t, "edges")
		draw := func(limit int) int {
			random = random*6364136223846793005 + 1442695040888963407
			return int(random >> 33 % uint64(limit))
		}
		ends := make([]int32, 0, 6*n)
		for range min(3*n, 30_000) {
			a := draw(n)
			b := (a + draw(9)) % n
			switch {
			case far > 0 && draw(far) == 0:
				b = draw(n)
			case draw(40) == 0: // as far as a step goes, and a little farther
				b = (a + 1<<15 - beyond/2 + draw(5) - 2) % n
			}
			ends = append(ends, int32(a), int32(b))
		}
		g, _ := BuildPairs(n, ends)
		packed := *g
		packed.Pack()
		plain, err := g.Rows()
		if err != nil || packed.Off != nil || packed.Nbr != nil {
			t.Fatal(err)
		}
		if near, steps := far == 0 || far == 50, packed.Packed.steps != nil; near && !steps && n > 2 {
			t.Fatalf("%d of %d ends are far, and no steps are taken", len(packed.Packed.far), plain.Slots())
		}
		same(t, g, plain)
		same(t, g, packed.Packed)
		order := make([]int32, n)
		for i := range order {
			order[i] = int32(i)
		}
		for range 2 {
			sameIn(t, plain, packed.Packed, order)
			for i := range order[1:] {
				j := draw(i + 2)
				order[i+1], order[j] = order[j], order[i+1]
			}
		}
		if packed.Len() != n || packed.Edges() != g.Edges() || packed.Degree(n/2) != g.Degree(n/2) ||
			!slices.Equal(packed.Neighbours(n/2), g.Neighbours(n/2)) {
			t.Fatal("a packed graph says something else")
		}
	})
}

// Slots are numbered by 32 bits.
func TestTooManyEnds(t *testing.T) {
	most := func(int) int { return math.MaxInt32 }
	if _, err := newRows(2, most); err != nil {
		t.Error(err)
	}
	if _, err := newRows(3, most); err == nil || err.Error() != `edges: found "more", allowed: at most 2147483647` {
		t.Error(err)
	}
}

// same compares rows with a graph's.
func same(t *rapid.T, g *Graph, r *Rows) {
	t.Helper()
	buf, slot := make([]int32, r.Slots()), 0
	for i := range g.Len() {
		want := g.Neighbours(i)
		if got := r.Row(i, buf); !slices.Equal(got, want) || r.Degree(i) != len(want) {
			t.Fatalf("node %d has the neighbours %v, want %v", i, got, want)
		}
		for s, end := r.Span(i); s < end; s++ {
			if got := r.End(i, s); s != slot || got != int(want[0]) {
				t.Fatalf("slot %d of node %d leads to %d; want slot %d, %d", s, i, got, slot, want[0])
			}
			want, slot = want[1:], slot+1
		}
	}
	for s, j := range r.All {
		if slot--; j != int(g.Nbr[s]) {
			t.Fatalf("slot %d leads to %d, want %d", s, j, g.Nbr[s])
		}
	}
	if slot != 0 || r.Len() != g.Len() || r.Degrees().Degree(0) != g.Degree(0) {
		t.Fatal("another number of slots or nodes")
	}
}

// sameIn puts two equal rows in an order.
func sameIn(t *rapid.T, r, packed *Rows, order []int32) {
	t.Helper()
	place := ranks(order, r.Len())
	buf := make([]int32, r.Slots())
	for _, in := range []*Rows{r.In(order), packed.In(order)} {
		for p, i := range order {
			row := in.Row(p, buf)
			for k, q := range row {
				if s, _ := r.Span(int(i)); q != place[r.End(int(i), s+k)] {
					t.Fatalf("node %d, once %d, has the neighbours %v", p, i, row)
				}
			}
			if len(row) != r.Degree(int(i)) {
				t.Fatalf("node %d, once %d, has the neighbours %v", p, i, row)
			}
		}
	}
}
