package engine

import (
	"math"
	"math/bits"
)

// parcel is what is under way, or due: a message, a frame of a channel, a timer. What it holds is kept at its slot.
type parcel struct {
	at     float64 // when it arrives
	number uint32  // of two at the same time the lower one comes first; modulo 2³²
	to     end     // the receiver
	slot   int32
} // of four fields, which a compiler keeps in registers

// end is one end of a link: a node and its port there.
type end struct{ node, port int32 }

// before needs no branch, since nobody could foresee it: the bits of times, which are not negative, order as they do.
func (v *parcel) before(w *parcel) bool {
	_, before := bits.Sub64(math.Float64bits(v.at), math.Float64bits(w.at), earlier(v.number, w.number))
	return before > 0
}

// earlier is 1 where a comes before b, else 0. Numbers may have gone round: no two of those that are on their way are
// 2³¹ apart.
func earlier(a, b uint32) uint64 { return uint64((a - b) >> 31) }

// line holds messages that arrive in the order in which they were sent: those of unit delays. A ring buffer.
type line struct {
	buf        []parcel // a power of two long
	head, tail uint64
}

func (l *line) len() int { return int(l.tail - l.head) }

// next gives the place at the end of the line, to be filled by the caller. There has to be room for it.
func (l *line) next() *parcel {
	v := &l.buf[l.tail&uint64(len(l.buf)-1)]
	l.tail++
	return v
}

func (l *line) room() int { return len(l.buf) - l.len() }

// grow makes room, apart from next so that both are small enough to be inlined where every message passes.
func (l *line) grow() {
	old := l.buf
	l.buf = make([]parcel, max(64, 2*len(old)))
	for k := l.head; k < l.tail; k++ {
		l.buf[k&uint64(len(l.buf)-1)] = old[k&uint64(len(old)-1)]
	}
}

func (l *line) first() *parcel { return &l.buf[l.head&uint64(len(l.buf)-1)] }

// slab keeps values at fixed slots.
type slab[T any] struct {
	kept []T
	free []int32
}

func (s *slab[T]) put(v T) int32 {
	if k := len(s.free) - 1; k >= 0 {
		slot := s.free[k]
		s.free = s.free[:k]
		s.kept[slot] = v
		return slot
	}
	s.kept = append(s.kept, v)
	return int32(len(s.kept) - 1)
}

func (s *slab[T]) release(slot int32) { s.free = append(s.free, slot) }

// byTime is a heap: what comes first stands in front. Every entry has four children: half the depth of a binary heap,
// and the four stand next to each other.
type byTime []parcel

func (h *byTime) push(v parcel) {
	*h = append(*h, v)
	h.rise()
}

// rise moves the last one to where it belongs.
func (h *byTime) rise() { h.lift(len(*h)-1, (*h)[len(*h)-1]) }

// lift puts v where it belongs between the place i, which is free, and the front.
func (h *byTime) lift(i int, v parcel) {
	d := *h
	for i > 0 {
		up := (i - 1) / 4
		if !v.before(&d[up]) {
			break
		}
		d[i] = d[up]
		i = up
	}
	d[i] = v
}

// drop takes the first one out.
func (h *byTime) drop() {
	d := *h
	end := len(d) - 1
	v := d[end]
	d = d[:end]
	*h = d
	if end == 0 {
		return
	}
	// The hole goes down to the bottom along the earliest children, and what was last rises from
	// there: it mostly belongs near the bottom.
	i := 0
	for c := 1; c < end; c = 4*i + 1 {
		best := c
		for k := c + 1; k < min(c+4, end); k++ {
			if d[k].before(&d[best]) {
				best = k
			}
		}
		d[i] = d[best]
		i = best
	}
	h.lift(i, v)
}

// alarm is a timer that a node has set.
type alarm struct {
	// messages put on their way before it was set: of what comes at the same time, the one caused first comes first
	sent  uint32
	life  uint32 // of the node; a timer does not outlive it
	timer int
}

// alarms are those that are due.
type alarms struct {
	byTime
	slab[alarm]
}
