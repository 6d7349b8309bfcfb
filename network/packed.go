package network

import (
	"fmt"
	"math"
	"slices"

	"caucus.example/caucus"
)

// Rows are the neighbours of all nodes, in as little memory as they can be read from at once. What runs parallel to
// them is by slot: row i has the slots of its Span. Where numbers of neighbours are near, as along a curve that fills
// the plane, a slot takes 16 bits.
type Rows struct {
	off  []uint32 // row i begins at off[i] and ends before off[i+1]
	ends []int32  // by slot: the neighbour; nil if there are steps

	// By slot: from beyond on how much greater the neighbour's number is than the node's, and middle; else the place
	// of the neighbour among the far ones of its block.
	steps []uint16
	far   []int32
	first []uint32 // by block of slots: where its far neighbours begin
}

const (
	blockBits = 10
	beyond    = 1 << blockBits // so many far neighbours may a block have
	middle    = (beyond + 1<<16) / 2

	rarely = 8 // steps are worth it while at most one neighbour in so many is far
)

// newRows has the lengths of rows, and no neighbours so far.
func newRows(n int, degree func(i int) int) (*Rows, error) {
	r := &Rows{off: make([]uint32, n+1)}
	sum := uint64(0)
	for i := range n {
		if sum += uint64(degree(i)); sum > math.MaxUint32 {
			return nil, caucus.Wrong("edges", "more", fmt.Sprintf("at most %d", math.MaxUint32/2))
		}
		r.off[i+1] = uint32(sum)
	}
	return r, nil
}

// walk writes rows, each of which a function appends to a list, as steps; false if those are not worth it.
func (r *Rows) walk(row func(i int, to []int32) []int32) bool {
	steps, far := make([]uint16, 0, r.Slots()), []int32(nil)
	first := make([]uint32, 0, r.Slots()>>blockBits+1)
	var buf []int32
	for i := range r.Len() {
		buf = row(i, buf[:0])
		for _, j := range buf {
			if len(steps)%beyond == 0 {
				first = append(first, uint32(len(far)))
			}
			step := int(j) - i + middle
			if step < beyond || step > math.MaxUint16 {
				step = len(far) - int(first[len(first)-1])
				if far = append(far, j); len(far) > r.Slots()/rarely {
					return false
				}
			}
			steps = append(steps, uint16(step))
		}
	}
	r.steps, r.far, r.first = steps, slices.Clone(far), first
	return true
}

// Len is the number of nodes, Slots that of ends of edges.
func (r *Rows) Len() int { return len(r.off) - 1 }

// Slots is described with Len.
func (r *Rows) Slots() int { return int(r.off[len(r.off)-1]) }

// Degree is the number of neighbours of node i.
func (r *Rows) Degree(i int) int { return int(r.off[i+1] - r.off[i]) }

// Span is the slots of node i: from the first one to before the second.
func (r *Rows) Span(i int) (first, end int) { return int(r.off[i]), int(r.off[i+1]) }

// Row lists the neighbours of node i in their order: in the given memory, which has room for them, or in the rows
// themselves; read only.
func (r *Rows) Row(i int, to []int32) []int32 {
	a, b := r.off[i], r.off[i+1]
	if r.steps == nil {
		return r.ends[a:b]
	}
	steps, base := r.steps[a:b], int32(i)-middle
	to = to[:len(steps)]
	for k, step := range steps {
		if step >= beyond {
			to[k] = base + int32(step)
		} else {
			to[k] = r.far[r.first[(int(a)+k)>>blockBits]+uint32(step)]
		}
	}
	return to
}

// End is the neighbour of node i in one of its slots.
func (r *Rows) End(i, slot int) int {
	if r.steps == nil {
		return int(r.ends[slot])
	}
	step := r.steps[slot]
	if step >= beyond {
		return i - middle + int(step)
	}
	return int(r.far[r.first[slot>>blockBits]+uint32(step)])
}

// All goes through all slots and the neighbours in them.
func (r *Rows) All(yield func(slot, j int) bool) {
	for i := range r.Len() {
		for s, end := r.Span(i); s < end; s++ {
			if !yield(s, r.End(i, s)) {
				return
			}
		}
	}
}

// In gives the rows with node order[p] as node p. The neighbours of a node keep their order.
func (r *Rows) In(order []int32) *Rows {
	in, place := &Rows{off: make([]uint32, r.Len()+1)}, make([]int32, r.Len())
	for p, i := range order {
		in.off[p+1] = in.off[p] + r.off[i+1] - r.off[i]
		place[i] = int32(p)
	}
	row := func(p int, to []int32) []int32 {
		i := int(order[p])
		for s, end := r.Span(i); s < end; s++ {
			to = append(to, place[r.End(i, s)])
		}
		return to
	}
	if !in.walk(row) {
		in.ends = make([]int32, 0, r.Slots())
		for p := range order {
			in.ends = row(p, in.ends)
		}
	}
	return in
}

// Degrees is the same rows, of which nothing but the length is known.
func (r *Rows) Degrees() *Rows { return &Rows{off: r.off} }
