package format

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestIndex: an index is a map, whatever ids look like.
func TestIndex(t *testing.T) {
	odd := []string{"", "n", "n0", "n00", "n01", "0", "7", "07", "n7", "m7", "n-7", "n7 ", "n٣"}
	ids := rapid.OneOf(rapid.SampledFrom(odd),
		rapid.Map(rapid.IntRange(0, 100_000), func(k int) string { return "n" + strconv.Itoa(k) }),
		rapid.Map(rapid.Uint64(), func(k uint64) string { return strconv.FormatUint(k, 10) }), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		var x index
		right := map[string]int32{}
		for node, id := range rapid.SliceOf(ids).Draw(t, "ids") {
			want, known := right[id]
			if got, ok := x.find(id); ok != known || got != want {
				t.Fatalf("%q: found %d, %v; right is %d, %v", id, got, ok, want, known)
			}
			if !known {
				right[id] = int32(node)
				x.put(id, int32(node))
			}
		}
		for id, want := range right {
			if got, ok := x.find(id); !ok || got != want {
				t.Fatalf("%q: found %d, %v; right is %d", id, got, ok, want)
			}
		}
	})
}
