package engine

// parcel is a message on its way: of the engine the slot of one in its column.
type parcel[M any] struct {
	at     float64 // when it arrives
	number uint32  // messages put on their way before it, modulo 2³²
	node   int32   // the receiver
	port   int32   // of the receiver
	next   int32   // slot of the next one in the same bucket of a calendar
	msg    M
}

// line holds messages that arrive in the order in which they were sent: those of unit delays.
// A ring buffer; number is what has left it.
type line struct {
	buf        []inLine // a power of two long
	head, tail uint64
}

type inLine struct {
	at         float64
	node, port int32
	slot       int32 // of the message
}

func (l *line) len() int { return int(l.tail - l.head) }

// next gives the place at the end of the line, to be filled by the caller.
func (l *line) next() *inLine {
	if l.tail-l.head == uint64(len(l.buf)) {
		l.grow()
	}
	v := &l.buf[l.tail&uint64(len(l.buf)-1)]
	l.tail++
	return v
}

func (l *line) grow() {
	old := l.buf
	l.buf = make([]inLine, max(64, 2*len(old)))
	for k := l.head; k < l.tail; k++ {
		l.buf[k&uint64(len(l.buf)-1)] = old[k&uint64(len(old)-1)]
	}
}

func (l *line) first() *inLine { return &l.buf[l.head&uint64(len(l.buf)-1)] }

// slab keeps messages at fixed slots, so that what orders them need not move them.
type slab[M any] struct {
	parcels []parcel[M]
	free    []int32
}

func (s *slab[M]) put(p parcel[M]) int32 {
	if k := len(s.free) - 1; k >= 0 {
		slot := s.free[k]
		s.free = s.free[:k]
		s.parcels[slot] = p
		return slot
	}
	s.parcels = append(s.parcels, p)
	return int32(len(s.parcels) - 1)
}

func (s *slab[M]) release(slot int32) { s.free = append(s.free, slot) }

// dueAt is a message in a heap: when it arrives and where it is kept. A quarter of a cache line.
type dueAt struct {
	at   float64
	slot int32
}

// byTime orders messages by time, then by number. Every entry has four children: half the depth of a
// binary heap, and the four stand next to each other.
type byTime[M any] struct {
	slab[M]
	due []dueAt
}

func (h *byTime[M]) before(a, b dueAt) bool {
	return a.at < b.at || a.at == b.at && earlier(h.parcels[a.slot].number, h.parcels[b.slot].number)
}

func (h *byTime[M]) push(at float64, p parcel[M]) { h.insert(dueAt{at, h.put(p)}) }

func (h *byTime[M]) insert(v dueAt) {
	h.due = append(h.due, v)
	d := h.due
	i := len(d) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !h.before(v, d[up]) {
			break
		}
		d[i] = d[up]
		i = up
	}
	d[i] = v
}

// drop takes the first message out; its slot is still to be released.
func (h *byTime[M]) drop() {
	d := h.due
	end := len(d) - 1
	v := d[end]
	d = d[:end]
	h.due = d
	if end == 0 {
		return
	}
	// The hole goes down to the bottom along the earliest children, and what was last rises from
	// there: it mostly belongs near the bottom.
	i := 0
	for {
		c := 4*i + 1
		if c >= end {
			break
		}
		best, at := c, d[c].at
		for k := c + 1; k < min(c+4, end); k++ {
			if d[k].at < at || d[k].at == at && h.before(d[k], d[best]) {
				best, at = k, d[k].at
			}
		}
		d[i] = d[best]
		i = best
	}
	for i > 0 {
		up := (i - 1) / 4
		if !h.before(v, d[up]) {
			break
		}
		d[i] = d[up]
		i = up
	}
	d[i] = v
}

// earlier compares numbers that may have gone round: no two of those that are on their way are 2³¹ apart.
func earlier(a, b uint32) bool { return int32(a-b) < 0 }

// alarm is a timer that a node has set; alarms stand in a heap of their own.
type alarm struct {
	// messages put on their way before it was set: of what comes at the same time, the one caused first comes first
	sent  uint32
	life  uint32 // of the node; a timer does not outlive it
	timer int
}
