package engine

import "math/bits"

// calendar orders the messages of random delays. Those of the near future hang in buckets of
// equal width, about two in each; only what is due before the present bucket ends is kept in order, in the
// heap, which so stays small. What lies beyond the last bucket waits in a list of its own. Like a
// calendar queue (Brown, CACM 1988), with a heap for today.
type calendar[M any] struct {
	byTime[M]
	buckets  []int32 // first slots of lists, by bucket modulo their number, a power of two; -1: empty
	inBucket int
	far      []int32
	perWidth float64 // buckets per unit of time
	cursor   int64   // the heap holds what belongs to buckets before this one
	lap      int64   // far holds nothing that belongs before this bucket
	sizedFor int
	now      float64 // when the last message was taken
}

const leastBuckets = 64

func (c *calendar[M]) len() int { return len(c.due) + c.inBucket + len(c.far) }

// bucketOf never falls as time rises, which is what the order of messages rests on.
func (c *calendar[M]) bucketOf(at float64) int64 {
	if x := at * c.perWidth; x < 1<<62 {
		return int64(x)
	}
	return 1 << 62
}

func (c *calendar[M]) push(at float64, p parcel[M]) {
	p.at = at
	c.hang(c.put(p))
	if c.len() > 2*c.sizedFor {
		c.resize()
	}
}

// hang puts a message that has a slot where it belongs.
func (c *calendar[M]) hang(slot int32) {
	p := &c.parcels[slot]
	switch b := c.bucketOf(p.at); {
	case b < c.cursor:
		c.insert(dueAt{p.at, slot})
	case b-c.cursor < int64(len(c.buckets)):
		first := &c.buckets[b&int64(len(c.buckets)-1)]
		p.next, *first = *first, slot
		c.inBucket++
	default:
		c.far = append(c.far, slot)
	}
}

// first gives the next message; its time is infinite when there is none.
func (c *calendar[M]) first() dueAt {
	for len(c.due) == 0 {
		if c.inBucket == 0 && len(c.far) == 0 {
			return dueAt{at: never}
		}
		c.advance()
	}
	return c.due[0]
}

// advance opens the next bucket.
func (c *calendar[M]) advance() {
	if c.inBucket == 0 { // skip the empty ones
		earliest := never
		for _, slot := range c.far {
			earliest = min(earliest, c.parcels[slot].at)
		}
		c.cursor = max(c.cursor, c.bucketOf(earliest))
		c.lap = c.cursor
	}
	if c.cursor >= c.lap {
		c.turn()
	}
	first := &c.buckets[c.cursor&int64(len(c.buckets)-1)]
	c.cursor++
	for slot := *first; slot >= 0; slot = c.parcels[slot].next {
		c.insert(dueAt{c.parcels[slot].at, slot})
		c.inBucket--
	}
	*first = -1
}

// turn looks through what was far away.
func (c *calendar[M]) turn() {
	far := c.far
	c.far = c.far[:0]
	for _, slot := range far { // hang appends to the part already read
		c.hang(slot)
	}
	c.lap = c.cursor + int64(len(c.buckets))
}

// drop takes the first message out; its slot is still to be released.
func (c *calendar[M]) drop() {
	c.now = c.due[0].at
	c.byTime.drop()
	if n := c.len(); n < c.sizedFor/4 && c.sizedFor > leastBuckets {
		c.resize()
	}
}

// resize makes as many buckets as there are messages, and as wide as their times ask for.
func (c *calendar[M]) resize() {
	n := c.len()
	all := make([]int32, 0, n)
	for _, d := range c.due {
		all = append(all, d.slot)
	}
	for _, slot := range c.buckets {
		for ; slot >= 0; slot = c.parcels[slot].next {
			all = append(all, slot)
		}
	}
	all = append(all, c.far...)
	wait := 0.0
	for _, slot := range all {
		wait += c.parcels[slot].at - c.now
	}
	c.sizedFor = max(n, leastBuckets)
	size := 1 << bits.Len(uint(c.sizedFor-1))
	if cap(c.buckets) >= size {
		c.buckets = c.buckets[:size]
	} else {
		c.buckets = make([]int32, size)
	}
	for k := range c.buckets {
		c.buckets[k] = -1
	}
	if wait > 0 && n > 0 { // two in each of the next buckets, if the waits spread evenly from now to twice their mean
		c.perWidth = float64(n) * float64(n) / (4 * wait)
	}
	if !(c.perWidth > 0 && c.perWidth < 1e12) {
		c.perWidth = 1
	}
	c.cursor = c.bucketOf(c.now)
	c.lap = c.cursor + int64(size)
	c.due, c.far, c.inBucket = c.due[:0], c.far[:0], 0
	for _, slot := range all {
		c.hang(slot)
	}
}
