package seal

// windowSize is how far counts may overtake each other. A node counts what it sends to all of its peers together, so
// this covers 16 datagrams to each of 64.
const windowSize = 1024

// Window tells counts that have been seen from those that have not.
type Window struct {
	top  uint64 // greatest count seen
	seen [windowSize / 64]uint64
}

// Start takes a count as the first: all before it count as seen.
func (w *Window) Start(count uint64) {
	w.top = count
	for i := range w.seen {
		w.seen[i] = ^uint64(0)
	}
}

// Take tells whether a count is new, and remembers it. Those too far behind count as seen.
func (w *Window) Take(count uint64) bool {
	switch {
	case count > w.top:
		if ahead := count - w.top; ahead >= windowSize {
			w.seen = [len(w.seen)]uint64{}
		} else {
			for c := w.top + 1; c < count; c++ {
				w.seen[c/64%uint64(len(w.seen))] &^= 1 << (c % 64)
			}
		}
		w.top = count
	case w.top-count >= windowSize || w.seen[count/64%uint64(len(w.seen))]>>(count%64)&1 == 1:
		return false
	}
	w.set(count)
	return true
}

func (w *Window) set(count uint64) { w.seen[count/64%uint64(len(w.seen))] |= 1 << (count % 64) }
