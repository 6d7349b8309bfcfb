package check

import (
	"math/bits"
	"runtime"
	"slices"
)

// draw charts all configurations that can be reached.
func (x *walker) draw() {
	for k := uint64(0); k < x.startKeys() && !x.ended(); {
		x.batch.to = x.batch.to[:0]
		for ; k < x.startKeys() && len(x.batch.to) < batchSize; k++ {
			x.batch.to = append(x.batch.to, x.m.normal(x.startKey(k), x.spare))
		}
		x.meet(x.batch.to)
	}
	x.chart.first = x.found()
	x.cursor.Store(0)
	x.together(func(w *walker, recruit func()) {
		for !w.ended() {
			w.active.Add(1)
			first, count := w.portion()
			if count > 0 {
				if count == batchSize { // perhaps there is more
					recruit()
				}
				w.batch.of(w, first, count)
			}
			if w.active.Add(-1) == 0 && count == 0 {
				return
			}
			if count == 0 {
				runtime.Gosched()
			}
		}
	})
}

// portion takes the next configurations that nobody has charted.
func (s *space) portion() (first, count uint64) {
	for {
		first = s.cursor.Load()
		count = min(batchSize, min(s.found(), s.chart.most)-first)
		if count == 0 || s.cursor.CompareAndSwap(first, first+count) {
			return first, count
		}
	}
}

// of charts the configurations from one on.
func (b *batch) of(x *walker, first, count uint64) {
	m := x.m
	b.keys = b.keys[:0]
	for v := first; v < first+count; v++ {
		b.keys = append(b.keys, x.ids.key(uint32(v)))
	}
	b.next = slices.Grow(b.next[:0], m.n*batchSize)[:m.n*batchSize]
	for i := range m.n {
		m.asked(i, b.keys, b.next[i*batchSize:])
	}
	b.to = b.to[:0]
	for k, key := range b.keys {
		x.chart.rows.run((first+uint64(k))<<x.chart.shift, 1)[0] = b.leave(x, k, key)
	}
	ids := x.meet(b.to)
	for v := first; v < first+count; v++ {
		row := x.chart.rows.run(v<<x.chart.shift, 1<<x.chart.shift)
		ids = ids[copy(row[1:], ids[:bits.OnesCount16(uint16(row[0]))]):]
		x.pace()
	}
}

// leave lists the keys to which configuration k of the batch leads, and gives what its row begins with.
func (b *batch) leave(x *walker, k int, key uint64) (what uint32) {
	m := x.m
	m.letters(key, x.letters)
	for i, letter := range x.letters {
		if next := b.next[i*batchSize+k]; next != letter {
			what |= 1 << i
			b.to = append(b.to, m.normal(key+(uint64(next)-uint64(letter))*m.stride[i], x.spare))
		}
	}
	if what |= charted; !m.right(x.letters) {
		what |= astray
	}
	return what
}

// meet numbers the keys of steps, and gives the numbers.
func (x *walker) meet(keys []uint64) []uint32 {
	b := &x.batch
	b.ids, b.places = slices.Grow(b.ids[:0], len(keys))[:len(keys)], slices.Grow(b.places[:0], len(keys))[:len(keys)]
	warmth, ok := x.ids.numbers(keys, b.ids, b.places)
	if !ok {
		x.over.Store(true)
	}
	x.warmth += warmth
	return b.ids
}

// read gives the steps of a row.
func (x *walker) read(row []uint32, out []edge) []edge {
	set := uint16(row[0])
	x.set = set
	idle := x.full &^ set
	for row = row[1:]; set != 0; set &= set - 1 {
		out = append(out, edge{row[0], set&-set | idle, 1})
		row = row[1:]
	}
	return out
}

// starts is how many initial configurations are numbered, some perhaps twice where they are not charted.
func (x *walker) starts() uint64 {
	if x.chart.rows != nil {
		return x.chart.first
	}
	return x.startKeys()
}

// start is the number of an initial configuration.
func (x *walker) start(k uint64) uint32 {
	if x.chart.rows != nil {
		return uint32(k)
	}
	return x.id(x.startKey(k))
}
