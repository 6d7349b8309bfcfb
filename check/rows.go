package check

import (
	"encoding/binary"
	"slices"
)

// sequences numbers lists of numbers; 0 is the empty one.
type sequences struct {
	values [][]uint32
	number map[string]uint32
	bytes  []byte
}

func (q *sequences) of(list []uint32) uint32 {
	q.bytes = q.bytes[:0]
	for _, v := range list {
		q.bytes = binary.LittleEndian.AppendUint32(q.bytes, v)
	}
	k, ok := q.number[string(q.bytes)]
	if !ok {
		k = uint32(len(q.values))
		q.number[string(q.bytes)] = k
		q.values = append(q.values, slices.Clone(list))
	}
	return k
}

func (q *sequences) without(list uint32, at int) uint32 {
	return q.of(slices.Delete(slices.Clone(q.values[list]), at, at+1))
}

// with appends, or keeps the list sorted where its order means nothing.
func (q *sequences) with(list, value uint32, ordered bool) uint32 {
	longer := append(slices.Clone(q.values[list]), value)
	if !ordered {
		slices.Sort(longer)
	}
	return q.of(longer)
}

// joined is one list behind another.
func (q *sequences) joined(a, b uint32) uint32 {
	if a == 0 || b == 0 {
		return a | b
	}
	return q.of(slices.Concat(q.values[a], q.values[b]))
}

// rowSet numbers rows of equal width in the order in which it meets them, in one slab.
type rowSet struct {
	width int
	slab  []uint32
	slots []uint32 // number + 1; 0 is free
	count int
}

func (r *rowSet) at(id uint32) []uint32 { return r.slab[int(id)*r.width : (int(id)+1)*r.width] }

// clear forgets all rows, and keeps the memory.
func (r *rowSet) clear() {
	clear(r.slots)
	r.slab, r.count = r.slab[:0], 0
}

func hashRow(row []uint32) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range row {
		h = (h ^ uint64(v)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

func (r *rowSet) number(row []uint32) uint32 {
	if 4*(r.count+1) > 3*len(r.slots) {
		r.slots = make([]uint32, max(64, 2*len(r.slots)))
		for id := range uint32(r.count) {
			r.slots[r.free(r.at(id))] = id + 1
		}
	}
	at := r.free(row)
	if r.slots[at] == 0 {
		r.slab = append(r.slab, row...)
		r.count++
		r.slots[at] = uint32(r.count)
	}
	return r.slots[at] - 1
}

// free finds the slot of a row, or the one where it belongs.
func (r *rowSet) free(row []uint32) uint64 {
	mask := uint64(len(r.slots) - 1)
	at := hashRow(row) & mask
	for ; r.slots[at] != 0 && !slices.Equal(r.at(r.slots[at]-1), row); at = (at + 1) & mask {
	}
	return at
}
