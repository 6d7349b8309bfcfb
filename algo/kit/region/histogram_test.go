package region

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Ranges end with powers of two, which belong to them.
func TestHistogramRanges(t *testing.T) {
	h := Histogram{Top: noTop}
	for _, x := range []float64{8, 7, 4, 3, 1, 0, -1, 1e-9, math.NaN()} {
		h.add(one(x))
	}
	want := Histogram{Top: 3, Counts: [Buckets]uint32{2, 2, 0, 1, 0, 0, 0, 4}}
	if h != want || h.Upper(0) != 8 || h.Upper(3) != 1 {
		t.Errorf("%+v, want %+v", h, want)
	}
	h.add(one(math.Inf(1)))
	if want := (Histogram{Top: 1024, Counts: [Buckets]uint32{1, 0, 0, 0, 0, 0, 0, 9}}); h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
	none := Histogram{Top: noTop}
	if none.add(one(0)); none.Upper(Buckets-1) != 0 || none.Counts[Buckets-1] != 1 {
		t.Errorf("of one without strength: %+v", none)
	}
}

// Every strength is counted once, in the range that it is in, whatever the order and the tree along which counts are
// added; and what is read is what was written.
func TestHistogramCountsEverybodyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 40).Draw(t, "strengths")
		cut := rapid.IntRange(0, len(list)).Draw(t, "cut")
		of := func(list []float64) Histogram {
			h := Histogram{Top: noTop}
			for _, x := range list {
				h.add(one(x))
			}
			return h
		}
		whole, left := of(list), of(list[cut:])
		if left.add(of(list[:cut])); left != whole {
			t.Fatalf("%v: %+v, in two parts %+v", list, whole, left)
		}
		for k := range Buckets {
			n := uint32(0)
			for _, x := range list {
				if x <= whole.Upper(k) && (k == Buckets-1 || x > whole.Upper(k+1)) {
					n++
				}
			}
			if whole.Counts[k] != n {
				t.Fatalf("%v: %d up to %g, want %d", list, whole.Counts[k], whole.Upper(k), n)
			}
		}
		b, _ := whole.MarshalBinary()
		var again Histogram
		if err := again.UnmarshalBinary(b); err != nil || again != whole {
			t.Fatalf("%+v read again: %+v, %v", whole, again, err)
		}
	})
}
