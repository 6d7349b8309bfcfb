package block_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/block"
)

type msg struct {
	d      float64
	v      string
	id     caucus.ID
	parent caucus.ID
}

func inbox(msgs ...msg) caucus.Inbox[msg] {
	in := caucus.Inbox[msg]{Msgs: msgs}
	for i := range msgs {
		in.Dist = append(in.Dist, float64(i+1))
	}
	return in
}

func TestGradient(t *testing.T) {
	read := func(m *msg) block.Field[string] { return block.Field[string]{Dist: m.d, Value: m.v} }
	less := func(a, b string) bool { return a < b }
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name  string
		msgs  []msg // the k-th edge has length k
		limit float64
		dist  float64
		value string
		from  int
	}{
		{"nobody", nil, inf, inf, "me", -1},
		{"no source", []msg{{d: inf, v: "a"}}, inf, inf, "me", -1},
		{"nearest along the edge", []msg{{d: 5, v: "a"}, {d: 1, v: "b"}}, inf, 3, "b", 1},
		{"a tie goes to the value", []msg{{d: 2, v: "b"}, {d: 1, v: "a"}}, inf, 3, "a", 1},
		{"at the limit", []msg{{d: 2, v: "a"}}, 3, 3, "a", 0},
		{"beyond the limit", []msg{{d: 2.5, v: "a"}}, 3, inf, "me", -1},
		{"no distances", []msg{{d: nan, v: "a"}, {d: -1, v: "b"}, {d: math.Inf(-1), v: "c"}}, inf, inf, "me", -1},
	} {
		f, from := block.Gradient(inbox(c.msgs...), c.limit, "me", read, less)
		if f.Dist != c.dist || f.Value != c.value || from != c.from {
			t.Errorf("%s: %+v from %d", c.name, f, from)
		}
	}
}

// The least of what Along gives is the distance of Gradient, whatever neighbours say.
func TestReach(t *testing.T) {
	says := []float64{0, 1, 2.5, 7, -1, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}
	draw := caucus.NewRand(1, "reach")
	read := func(m *msg) block.Field[string] { return block.Field[string]{Dist: m.d} }
	for range 2000 {
		var in caucus.Inbox[msg]
		near := block.Nowhere
		for range draw.IntN(6) {
			m, edge := msg{d: says[draw.IntN(len(says))]}, 1+draw.Float64()
			in.Msgs, in.Dist = append(in.Msgs, m), append(in.Dist, edge)
			near = min(near, block.Along(m.d, edge))
		}
		limit := []float64{2, 3, math.Inf(1)}[draw.IntN(3)]
		f, _ := block.Gradient(in, limit, "me", read, func(a, b string) bool { return false })
		if got := near.Within(limit); got != f.Dist {
			t.Fatalf("%+v within %g: %g, Gradient %g", in, limit, got, f.Dist)
		}
	}
}

func TestStrongest(t *testing.T) {
	read := func(m *msg) (float64, caucus.ID) { return m.d, m.id }
	l := caucus.Local{ID: 5, Strength: 2}
	for _, c := range []struct {
		msgs []msg
		want bool
	}{
		{nil, true},
		{[]msg{{d: 1, id: 1}, {d: 2, id: 6}}, true},
		{[]msg{{d: 2, id: 4}}, false},
		{[]msg{{d: 3, id: 9}}, false},
	} {
		if got := block.Strongest(&l, inbox(c.msgs...), read); got != c.want {
			t.Errorf("%+v: %v", c.msgs, got)
		}
	}
}

// Only children count, each once.
func TestCollect(t *testing.T) {
	in := inbox(msg{d: 10, parent: 5}, msg{d: 100, parent: 4}, msg{d: 1000, parent: 5})
	got := block.Collect(in, 5, 1.0, func(m *msg) (caucus.ID, float64) { return m.parent, m.d },
		func(a, b float64) float64 { return a + b })
	if got != 1011 {
		t.Errorf("sum %g, want 1011", got)
	}
}

func TestDecay(t *testing.T) {
	step := func(x int) int { return x - 2 }
	for left, want := range map[int]int{100: 10, 10: 8, 3: 1, 1: 0, 0: 0, -7: 0} {
		if got := block.Decay(left, 10, 0, step); got != want {
			t.Errorf("%d left: %d, want %d", left, got, want)
		}
	}
}
