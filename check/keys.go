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
	slots atomic.Pointer[[]uint32] // number + 1; 0 is free
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

// place spreads keys over any number of slots.
func place(key uint64, slots int) int {
	at, _ := bits.Mul64(mix(key)*0x9e3779b97f4a7c15, uint64(slots))
	return int(at)
}

// look finds a key, or the free slot where it would be.
func (t *keyTable) look(slots []uint32, key uint64) (at int, id uint32, ok bool) {
	for at = place(key, len(slots)); ; {
		k := atomic.LoadUint32(&slots[at])
		if k == 0 {
			return at, 0, false
		}
		if t.key(k-1) == key {
			return at, k - 1, true
		}
		if at++; at == len(slots) {
			at = 0
		}
	}
}

// number gives the number of a key; false when it is new and there are too many.
func (t *keyTable) number(key uint64) (uint32, bool) {
	if _, id, ok := t.look(*t.slots.Load(), key); ok {
		return id, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	slots := *t.slots.Load()
	at, id, ok := t.look(slots, key) // somebody else may have been faster
	if ok {
		return id, true
	}
	n := t.count.Load()
	if n >= t.most {
		return 0, false
	}
	*t.keys.at(n) = key
	atomic.StoreUint32(&slots[at], uint32(n)+1)
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
		at, _, _ := t.look(slots, *t.keys.at(id))
		slots[at] = uint32(id) + 1
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
