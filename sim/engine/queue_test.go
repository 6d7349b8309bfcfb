package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Property: both queues give messages by time, and of those at one time the one that was put first,
// whatever comes in between, near or far, also when numbers go round.
func TestQueuesInOrder(t *testing.T) {
	type entry struct {
		at     float64
		number uint32
	}
	rapid.Check(t, func(t *rapid.T) {
		var c calendar
		var h byTime
		var want []entry
		now, number := 0.0, ^uint32(0)-uint32(rapid.IntRange(0, 300).Draw(t, "before the end"))
		scale := rapid.SampledFrom([]float64{1e-15, 1e-6, 1, 1e7, 1e302}).Draw(t, "scale")
		uneven := rapid.Bool().Draw(t, "all different")
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			for range rapid.SampledFrom([]int{0, 1, 3, 40, 700}).Draw(t, "puts") {
				// few different times, so that many are equal, and some far away, up to infinity
				delay := scale * float64(rapid.SampledFrom([]int{0, 1, 1, 2, 3, 10, 500, 1e6}).Draw(t, "delay"))
				if uneven {
					delay *= float64(number * 2654435761 % 1000)
				}
				e := entry{now + delay, number}
				number++
				want = append(want, e)
				v := parcel{at: e.at, number: e.number, slot: int32(e.number)}
				c.push(v)
				h.push(v)
			}
			slices.SortStableFunc(want, func(a, b entry) int {
				switch {
				case a.at < b.at:
					return -1
				case a.at > b.at:
					return 1
				}
				return int(int32(a.number - b.number))
			})
			for range min(len(want), rapid.SampledFrom([]int{0, 1, 50, 1000}).Draw(t, "takes")) {
				first := want[0]
				want = want[1:]
				now = first.at
				for name, got := range map[string]*parcel{"calendar": c.first(), "heap": &h[0]} {
					if got.at != first.at || got.slot != int32(first.number) {
						t.Fatalf("%s gives %d at %g, want %d at %g", name, got.number, got.at, first.number, first.at)
					}
				}
				c.drop()
				h.drop()
			}
			if c.len() != len(want) || len(h) != len(want) {
				t.Fatalf("%d and %d left, want %d", c.len(), len(h), len(want))
			}
		}
		if len(want) == 0 && c.first() != nil {
			t.Fatal("an empty calendar has a next message")
		}
	})
}

func TestLine(t *testing.T) {
	var l line
	next := 0
	for k := range 1000 { // three in, two out
		for j := range 3 {
			if l.room() == 0 {
				l.grow()
			}
			l.next().slot = int32(3*k + j)
		}
		for range 2 {
			if got := l.first().slot; got != int32(next) {
				t.Fatalf("%d, want %d", got, next)
			}
			l.head++
			next++
		}
	}
	if l.len() != 1000 {
		t.Errorf("%d left, want 1000", l.len())
	}
}
