package region_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/region"
)

// A full roster of the longest lines takes 21 bytes each: 9 and 9 for 64-bit numbers, 3 for 16 bits.
// What is read is what was written, and nothing else is read without an error.
func FuzzRoster(f *testing.F) {
	var long region.Roster
	for i := range long {
		long[i] = region.Member{ID: math.MaxUint64 - caucus.ID(i), Strength: math.Float64frombits(math.MaxUint64),
			Hops: math.MaxUint16}
	}
	for _, r := range []region.Roster{{}, {{ID: 1, Strength: 2.5, Hops: 3}, {ID: 2}}, long} {
		b, err := r.MarshalBinary()
		if err != nil || len(b) > 21*region.Most {
			f.Fatalf("%d bytes, %v", len(b), err)
		}
		f.Add(b)
		f.Add(append(b, 1, 0, 0))
	}
	f.Add([]byte{1, 0, 0x80})
	f.Fuzz(func(t *testing.T, b []byte) {
		var r, again region.Roster
		if r.UnmarshalBinary(b) != nil {
			return
		}
		b, err := r.MarshalBinary()
		if err != nil || again.UnmarshalBinary(b) != nil || len(again.Members()) != len(r.Members()) {
			t.Fatalf("%v read again: %v", r, again)
		}
	})
}
