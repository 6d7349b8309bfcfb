package engine

import (
	"math/bits"
	"sync/atomic"
)

// bitset is a set of positions, which workers change at the same time.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) word(k int) uint64 { return atomic.LoadUint64(&b[k]) }

func (b bitset) has(p int) bool { return b.word(p/64)>>(p%64)&1 != 0 }

func (b bitset) add(p int) {
	if !b.has(p) {
		atomic.OrUint64(&b[p/64], 1<<(p%64))
	}
}

func (b bitset) remove(p int) { atomic.AndUint64(&b[p/64], ^(uint64(1) << (p % 64))) }

// next gives the least member from p on, end if none is below that.
func (b bitset) next(p, end int) int {
	if p >= end {
		return end
	}
	k := p / 64
	word := b.word(k) &^ (1<<(p%64) - 1)
	for word == 0 {
		if k++; k*64 >= end {
			return end
		}
		word = b.word(k)
	}
	return min(end, k*64+bits.TrailingZeros64(word))
}

func (b bitset) count() (n int) {
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}
