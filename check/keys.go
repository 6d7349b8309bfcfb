package check

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// keyTable numbers 64-bit keys in the order in which it meets them. Workers share it: looking up takes no lock, adding
// does. A key takes 8 bytes and between 4.7 and 7.1 more for its slot.
type keyTable struct {
	keys  *table[uint64]
	slots atomic.Pointer[[]uint32] // number + 1, and above it some bits of the key's hash; 0 is free
	count atomic.Uint64
	most  uint64

	mu   sync.Mutex
	full int // keys at which there are more slots
}

func newKeyTable(s *store, most uint64) *keyTable {
	t := &keyTable{keys: newTable[uint64](s, most), most: most}
	t.resize(64)
	return t
}

func (t *keyTable) key(id uint32) uint64 { return t.keys.peek(uint64(id) >> pageBits)[id%pageSize] }

// numberBits are what a number takes of a slot. The bits above say of most other keys that they are others, without a
// look at them.
const (
	numberBits = 29
	numberMask = 1<<numberBits - 1
)

// place spreads keys over any number of slots, and gives what stands above a key's number there.
func place(key uint64, slots int) (at int, above uint32) {
	high, low := bits.Mul64(mix(key)*0x9e3779b97f4a7c15, uint64(slots))
	return int(high), uint32(low>>32) &^ numberMask
}

// look finds a key, or the free slot where it would be, and what stands above its number there.
func (t *keyTable) look(slots []uint32, key uint64) (at int, above, id uint32, ok bool) {
	for at, above = place(key, len(slots)); ; {
		k := atomic.LoadUint32(&slots[at])
		if k == 0 {
			return at, above, 0, false
		}
		if id = k&numberMask - 1; k&^numberMask == above && t.key(id) == key {
			return at, above, id, true
		}
		if at++; at == len(slots) {
			at = 0
		}
	}
}

// warm reads the slots where keys may be, and means nothing by what it gives.
func (t *keyTable) warm(keys []uint64) (sum uint32) {
	slots := *t.slots.Load()
	for _, key := range keys {
		at, _ := place(key, len(slots))
		sum += atomic.LoadUint32(&slots[at])
	}
	return sum
}

// number gives the number of a key; false when it is new and there are too many.
func (t *keyTable) number(key uint64) (uint32, bool) {
	if _, _, id, ok := t.look(*t.slots.Load(), key); ok {
		return id, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	slots := *t.slots.Load()
	at, above, id, ok := t.look(slots, key) // somebody else may have been faster
	if ok {
		return id, true
	}
	n := t.count.Load()
	if n >= t.most {
		return 0, false
	}
	*t.keys.at(n) = key
	atomic.StoreUint32(&slots[at], above|uint32(n)+1)
	t.count.Store(n + 1)
	if int(n)+1 >= t.full {
		t.resize(len(slots) + len(slots)/2)
	}
	return uint32(n), true
}

// resize moves to as many slots. Who still looks into the old ones finds what was there, and for anything else comes
// to number, which waits.
func (t *keyTable) resize(count int) {
	slots := t.keys.store.slots(count)
	for id := range t.count.Load() {
		at, above := place(*t.keys.at(id), count)
		for slots[at] != 0 {
			if at++; at == count {
				at = 0
			}
		}
		slots[at] = above | uint32(id) + 1
	}
	t.full = count / 20 * 17
	t.slots.Store(&slots)
}

// slots gives count zeros.
func (s *store) slots(count int) []uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.take(4 * int64(count)); p != nil {
		return unsafe.Slice((*uint32)(p), count)
	}
	return make([]uint32, count)
}
