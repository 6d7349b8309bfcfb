package check

import "math/bits"

// tally says how many rounds may end from a configuration on before the result is right for good: a number, if nobody
// has acted in the present round yet, and behind it a bit for every set of nodes, whether it is one more if these have.
// It is never less nor more than one more: of two that go the same way, whoever began with more ends each round no
// later than the other, and the one after it no earlier than the other ends this. When all have acted the round is over
// and nobody has acted in the next: one more.
type tally []uint32

// tallyWords is how many words a tally on n nodes takes, so that none crosses the end of a page: more than half of them
// are used.
func tallyWords(n int) uint64 { return max(2, uint64(1)<<n>>4) }

func (t tally) more(set uint16) bool { return t[1+set>>5]>>(set&31)&1 != 0 }

// holders are the sets below 32 that have each of the first five nodes.
var holders = [5]uint32{0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000}

// widen makes bits say of every set what they said of it and some nodes together.
func widen(words []uint32, nodes uint16) {
	for ; nodes != 0; nodes &= nodes - 1 {
		k := bits.TrailingZeros16(nodes)
		if k < len(holders) {
			for i, w := range words {
				w &= holders[k]
				words[i] = w | w>>(1<<k)
			}
			continue
		}
		for i := range words {
			words[i] = words[i|1<<(k-len(holders))]
		}
	}
}

// raise makes t the most that a step comes to at which some nodes act, if that is more; for those that are idle before
// it, ends sees to the sets. now has room for a tally.
func (t tally) raise(after, now tally, acts, idle uint16) {
	most := after[0]
	if after.more(acts) {
		most++
	}
	if most < t[0] {
		return
	}
	if most > t[0] {
		clear(t)
		t[0] = most
	}
	if most == after[0] {
		copy(now, after)
		widen(now[1:], acts&^idle)
		for k, w := range now[1:] {
			t[1+k] |= w
		}
	}
}
