package engine

import (
	"math/bits"
	"slices"
)

// calendar orders the messages of random delays. Time is cut into days, in each of which about so many of them arrive
// as busy says; a message is written at the end of its day, and what is beyond the last one waits in a list of its
// own. When a day begins, its messages are sorted: first into hours, which are as many as there are messages, then
// the few that are not in order after that. What is put into a day that has begun waits in a heap, and few are. So
// memory is written and read in rows, and hardly any branch depends on chance. Days as in a calendar queue (Brown,
// CACM 1988), which are opened as in a ladder queue (Tang, Goh, Thng, TOMACS 2005).
type calendar struct {
	today  []parcel // the day that has begun, in order
	head   int      // the next one of it
	late   byTime   // what was put into it, or before it, since
	days   []day    // modulo their number, a power of two
	sheets []sheet  // of days
	next   []int32  // of the same day, or of those that are free
	free   int32    // the first one; -1: none
	far    []parcel
	n      int

	perDay   float64 // days in a unit of time
	cursor   int64   // the days before it have begun
	lap      int64   // far holds nothing that belongs before this day
	fewest   int     // and most: the numbers of messages for which there are about the right number of days
	most     int
	now      float64 // the first time of today
	unsorted []parcel
	hours    [hours]int32
}

// day is a list of sheets with n messages, of which all sheets but the last one are full.
type day struct{ first, last, n int32 }

type sheet [onSheet]parcel

const (
	onSheet   = 16
	busy      = 64
	hours     = 128
	leastSize = busy // of messages, below which there are as many days as for this many
)

func (c *calendar) len() int { return c.n }

// dayOf never falls as time rises, which is what the order of messages rests on.
func (c *calendar) dayOf(at float64) int64 {
	if x := at * c.perDay; x < 1<<62 {
		return int64(x)
	}
	return 1 << 62
}

func (c *calendar) push(v parcel) {
	c.put(v)
	if c.n++; c.n > c.most {
		c.resize()
	}
}

// put is push of what is in the calendar already.
func (c *calendar) put(v parcel) {
	d := c.dayOf(v.at)
	switch {
	case uint64(d-c.cursor) < uint64(len(c.days)):
		x := &c.days[d&int64(len(c.days)-1)]
		k := uint32(x.n) % onSheet
		if k == 0 {
			c.extend(x)
		}
		x.n++
		c.sheets[x.last][k] = v
	case d < c.cursor:
		c.late.push(v)
	default:
		c.far = append(c.far, v)
	}
}

// extend gives a day another sheet.
func (c *calendar) extend(x *day) {
	k := c.free
	if k >= 0 {
		c.free = c.next[k]
	} else {
		k = int32(len(c.sheets))
		if len(c.sheets) == cap(c.sheets) { // by a quarter, where append would double them
			c.sheets = append(make([]sheet, 0, k+k/4+8), c.sheets...)
		}
		c.sheets, c.next = append(c.sheets, sheet{}), append(c.next, -1)
	}
	if x.n == 0 {
		x.first = k
	} else {
		c.next[x.last] = k
	}
	x.last = k
}

// first gives the next message; nil when there is none.
func (c *calendar) first() *parcel {
	if c.head < len(c.today) && len(c.late) == 0 {
		return &c.today[c.head]
	}
	return c.search()
}

func (c *calendar) search() *parcel {
	for c.head == len(c.today) && len(c.late) == 0 {
		if c.n == 0 {
			return nil
		}
		c.advance()
	}
	if c.isLate() {
		return &c.late[0]
	}
	return &c.today[c.head]
}

func (c *calendar) isLate() bool {
	return len(c.late) > 0 && (c.head == len(c.today) || c.late[0].before(&c.today[c.head]))
}

// drop takes the first message out, which has been asked for.
func (c *calendar) drop() {
	if c.isLate() {
		c.late.drop()
	} else {
		c.head++
	}
	if c.n--; c.n < c.fewest {
		c.resize()
	}
}

// advance begins the next day.
func (c *calendar) advance() {
	if c.n == len(c.far) { // skip the empty ones
		earliest := never
		for k := range c.far {
			earliest = min(earliest, c.far[k].at)
		}
		c.cursor = max(c.cursor, c.dayOf(earliest))
		c.lap = c.cursor
	}
	if c.cursor >= c.lap {
		c.turn()
	}
	x := &c.days[c.cursor&int64(len(c.days)-1)]
	c.unsorted = c.tear(c.unsorted[:0], x)
	c.head, c.today = 0, slices.Grow(c.today[:0], len(c.unsorted))[:len(c.unsorted)]
	c.sort(c.today, c.unsorted)
	c.cursor++
	if len(c.today) > 0 {
		c.now = c.today[0].at
	}
}

// tear appends what is written on the sheets of a day, which are free after that.
func (c *calendar) tear(to []parcel, x *day) []parcel {
	if x.n == 0 {
		return to
	}
	k := x.first
	for ; x.n > onSheet; x.n -= onSheet {
		to = append(to, c.sheets[k][:]...)
		k = c.next[k]
	}
	to = append(to, c.sheets[k][:x.n]...)
	c.next[k], c.free, x.n = c.free, x.first, 0
	return to
}

// sort orders the messages of the day at the cursor.
func (c *calendar) sort(to, from []parcel) {
	count, days, begun := &c.hours, c.perDay, float64(c.cursor)
	hourOf := func(at float64) int64 { // never falls as time rises
		return int64((at*days-begun)*hours) & (hours - 1)
	}
	clear(count[:])
	for k := range from {
		count[hourOf(from[k].at)]++
	}
	before := int32(0)
	for h, n := range count {
		count[h] = before
		before += n
	}
	for k := range from {
		h := hourOf(from[k].at)
		to[count[h]] = from[k]
		count[h]++
	}
	moves := 0
	for k := 1; k < len(to); k++ {
		if !to[k].before(&to[k-1]) {
			continue
		}
		v, i := to[k], k
		for ; i > 0 && v.before(&to[i-1]); i-- {
			to[i] = to[i-1]
		}
		to[i] = v
		if moves += k - i; moves > 4*busy+4*len(to) { // nearly all in one hour
			slices.SortFunc(to, func(v, w parcel) int {
				if v.before(&w) {
					return -1
				}
				return 1
			})
			return
		}
	}
}

// turn looks through what was far away.
func (c *calendar) turn() {
	far := c.far
	c.far = c.far[:0]
	for _, v := range far { // put appends to the part already read
		c.put(v)
	}
	c.lap = c.cursor + int64(len(c.days))
}

// resize makes as many days as there are messages for, and as long as their times ask for.
func (c *calendar) resize() {
	all := append(make([]parcel, 0, c.n), c.today[c.head:]...)
	all = append(all, c.late...)
	for k := range c.days {
		all = c.tear(all, &c.days[k])
	}
	all = append(all, c.far...)
	wait := 0.0
	for k := range all {
		wait += all[k].at - c.now
	}
	about := max(c.n, leastSize)
	if c.fewest, c.most = about/4, 2*about; about == leastSize {
		c.fewest = 0
	}
	size := 1 << bits.Len(uint(2*about/busy))
	if cap(c.days) >= size {
		c.days = c.days[:size]
	} else {
		c.days = make([]day, size)
	}
	clear(c.days)
	if n := float64(c.n); wait > 0 && n > 0 { // if the waits spread evenly from now to twice their mean
		c.perDay = n * n / (2 * busy * wait)
	}
	if !(c.perDay > 0 && c.perDay < 1e12) {
		c.perDay = 1
	}
	c.cursor = c.dayOf(c.now)
	c.lap = c.cursor + int64(size)
	c.today, c.head, c.late, c.far = c.today[:0], 0, c.late[:0], c.far[:0]
	c.sheets, c.next, c.free = c.sheets[:0], c.next[:0], -1
	for k := range all {
		c.put(all[k])
	}
}
