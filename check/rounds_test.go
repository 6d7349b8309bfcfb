package check

import (
	"testing"

	"pgregory.net/rapid"
)

// A tally says of every set of nodes that have acted what counting for each of them alone says.
func TestTallies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, maxNodes).Draw(t, "nodes")
		full := uint16(1)<<n - 1
		sets := rapid.Custom(func(t *rapid.T) uint16 { return rapid.Uint16().Draw(t, "set") & full })
		s := &space{full: full, words: tallyWords(n), marks: newTable[uint32](new(store), 16),
			rounds: newTable[uint32](new(store), 16*tallyWords(n))}
		x := s.walker(&machine{n: n})
		var counts [][]int // by configuration and set
		for v := range uint32(rapid.IntRange(1, 12).Draw(t, "configurations")) {
			enabled := sets.Draw(t, "enabled")
			idle := full &^ enabled
			var steps []edge
			for to := range v {
				if acts := sets.Draw(t, "acts"); acts&enabled != 0 && rapid.Bool().Draw(t, "step") {
					steps = append(steps, edge{to: to, acts: acts | idle})
				}
			}
			count := make([]int, full+1)
			from := func(acted uint16) (most int) {
				for _, e := range steps {
					then, over := acted|e.acts, 0
					if then == full {
						then, over = 0, 1
					}
					most = max(most, over+counts[e.to][then])
				}
				return most
			}
			for acted := range full + 1 {
				if acted|idle == full {
					count[acted] = 1 + from(idle)
				} else {
					count[acted] = from(acted | idle)
				}
			}
			counts = append(counts, count)
			*s.marks.at(uint64(v)) = done | bad
			x.ends(v, steps, enabled)
			for acted, want := range count {
				got, after := int(x.tallyOf(v)[0]), x.tallyOf(v)
				if after.more(uint16(acted)) {
					got++
				}
				if uint16(acted) != full && got != want {
					t.Fatalf("%d: %d rounds when %b have acted, want %d", v, got, acted, want)
				}
			}
		}
	})
}
