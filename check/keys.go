package check

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// keyTable numbers 64-bit keys in the order in which it meets them. Workers share it: looking up takes no lock, adding
// does. A key takes 8 bytes and, for its slot, between 6 and 12 more, of as many as there may be 6.
type keyTable struct {
	keys  *table[uint64]
	slots atomic.Pointer[[]uint32] // number + 1, and above it some bits of the key's hash; 0 is free
	count atomic.Uint64
	most  uint64
	mask  uint32 // of the bits that a number takes of a slot

	mu     sync.Mutex
	full   int // keys at which there are more slots
	warmth uint32
}

func newKeyTable(s *store, most uint64) *keyTable {
	t := &keyTable{keys: newTable[uint64](s, most), most: most, mask: 1<<bits.Len64(most+1) - 1}
	t.resize(64)
	return t
}

func (t *keyTable) key(id uint32) uint64 { return t.keys.peek(uint64(id) >> pageBits)[id%pageSize] }

// place spreads keys over any number of slots, and gives what stands above a key's number there. These bits say of most
// other keys that they are others, without a look at them.
func (t *keyTable) place(key uint64, slots int) (at int, above uint32) {
	high, low := bits.Mul64(mix(key)*0x9e3779b97f4a7c15, uint64(slots))
	return int(high), uint32(low>>32) &^ t.mask
}

// look finds a key, or the free slot where it would be, from a place on before which it is not.
func (t *keyTable) look(slots []uint32, key uint64, at int, above uint32) (then int, id uint32, ok bool) {
	for {
		k := atomic.LoadUint32(&slots[at])
		if k == 0 {
			return at, 0, false
		}
		if id = k&t.mask - 1; k&^t.mask == above && t.key(id) == key {
			return at, id, true
		}
		if at++; at == len(slots) {
			at = 0
		}
	}
}

// warm reads the slots where keys may be, and means nothing by it; it leaves these places, and what stands above
// numbers there. Nothing but reading is in the loop that reads, so that a processor has most of it under way at a time.
func (t *keyTable) warm(slots []uint32, keys []uint64, places, above []uint32) (sum uint32) {
	for k, key := range keys {
		at, bits := t.place(key, len(slots))
		places[k], above[k] = uint32(at), bits
	}
	for _, at := range places[:len(keys)] {
		sum += atomic.LoadUint32(&slots[at])
	}
	return sum
}

// warmKeys likewise reads the keys of numbers.
func (t *keyTable) warmKeys(ids []uint32) (sum uint64) {
	if n := uint32(t.count.Load()); n > 0 {
		for _, id := range ids {
			sum += t.key(min(id, n-1))
		}
	}
	return sum
}

// number gives the number of a key; false when it is new and there are too many.
func (t *keyTable) number(key uint64) (uint32, bool) {
	slots := *t.slots.Load()
	at, above := t.place(key, len(slots))
	if _, id, ok := t.look(slots, key, at, above); ok {
		return id, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	slots = *t.slots.Load()
	at, above = t.place(key, len(slots))
	return t.add(slots, key, at, above)
}

// add is number for who holds the lock, from a place on before which the key is not.
func (t *keyTable) add(slots []uint32, key uint64, at int, above uint32) (uint32, bool) {
	at, id, ok := t.look(slots, key, at, above) // somebody else may have been faster
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
		t.resize(min(2*len(slots), int(t.most)*20/13+64))
	}
	return uint32(n), true
}

// numbers is number for many keys; false when there are too many. Slots are read for all of them, then the keys that
// these may mean, and only then does anything depend on what is there: the memory of one is not waited for alone.
// places has room for as many numbers as ids.
func (t *keyTable) numbers(keys []uint64, ids, places []uint32) (warmth uint32, ok bool) {
	slots := *t.slots.Load()
	warmth = t.warm(slots, keys, places, ids)
	for k, above := range ids {
		at := int(places[k])
		s := atomic.LoadUint32(&slots[at])
		for ; s != 0 && s&^t.mask != above; s = atomic.LoadUint32(&slots[at]) {
			if at++; at == len(slots) {
				at = 0
			}
		}
		places[k], ids[k] = uint32(at), s&t.mask-1 // unmet where the slot is free
	}
	warmth += uint32(t.warmKeys(ids))
	fresh := places[:0]
	for k, key := range keys {
		at := places[k]
		if ids[k] != unmet {
			if t.key(ids[k]) == key {
				continue
			}
			_, above := t.place(key, len(slots))
			then, id, ok := t.look(slots, key, int(at), above)
			if ok {
				ids[k] = id
				continue
			}
			at = uint32(then)
		}
		ids[k] = at
		fresh = append(fresh, uint32(k))
	}
	return warmth, len(fresh) == 0 || t.adds(slots, keys, ids, fresh)
}

// unmet is the number of no key.
const unmet = 1<<32 - 1

// batchSize is how many keys or configurations are looked at together: a cache has room for all they need.
const batchSize = 1 << 9

// adds numbers the keys that are fresh, of which ids has the slots where they are not yet; false when there are too
// many.
func (t *keyTable) adds(slots []uint32, keys []uint64, ids, fresh []uint32) (ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ok = true
	for _, k := range fresh {
		now := *t.slots.Load()
		at, above := t.place(keys[k], len(now))
		if len(now) == len(slots) {
			at = int(ids[k])
		}
		id, added := t.add(now, keys[k], at, above)
		ids[k], ok = id, ok && added
	}
	return ok
}

// resize moves to as many slots. Who still looks into the old ones finds what was there, and for anything else comes
// to number, which waits.
func (t *keyTable) resize(count int) {
	slots := t.keys.store.slots(count)
	places, above := make([]uint32, batchSize), make([]uint32, batchSize)
	for id, n := uint64(0), t.count.Load(); id < n; {
		keys := t.keys.run(id, min(n-id, batchSize))
		t.warmth += t.warm(slots, keys, places, above)
		for k := range keys {
			at := int(places[k])
			for slots[at] != 0 {
				if at++; at == count {
					at = 0
				}
			}
			id++
			slots[at] = above[k] | uint32(id)
		}
	}
	t.full = count / 20 * 13
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
