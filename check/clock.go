package check

import (
	"fmt"
	"time"
)

// Time, where delays have a bound, passes in ticks, of which all that is about to happen keeps
// the number that is left. A message may arrive in the tick in which it was sent and in each of the next delayTicks; in
// the last of them it does so before any timer fires, for the bound is a little less than so many ticks. Timers fire in
// their tick exactly, rounded up to whole ticks: what an algorithm adds to a bound for what arrives at the last moment
// is just what the bound lacks. Within a tick everything happens in every order.
const (
	delayTicks = 2
	tick       = (DelayBound + DelayBound/64) / delayTicks
)

// DelayBound is what nodes are told of the bound, if they have to know it.
const DelayBound = 64 * time.Millisecond

// An item of a list is a message or a timer, by number, and above it the ticks that are left.
const (
	leftBits  = 12
	valueBits = 32 - leftBits
)

func item(value uint32, left int) uint32 { return uint32(left)<<valueBits | value }

func valueOf(item uint32) uint32 { return item & (1<<valueBits - 1) }
func leftOf(item uint32) int     { return int(item >> valueBits) }

// even reports whether a time is a number of whole ticks of the bound, or a little more than that: a timer that is
// rounded up further would be late enough where it is too early.
func even(d time.Duration) bool {
	return d <= 0 || time.Duration(ticksOf(d))*DelayBound/delayTicks <= d
}

// ticksOf rounds a time up.
func ticksOf(d time.Duration) int64 { return int64((max(0, d) + tick - 1) / tick) }

var errTooLong = errTooLarge{fmt.Sprintf("a timer of %d ticks or more", 1<<leftBits)}

// aged gives the lists with one tick less for each item.
type aged struct {
	lists *sequences
	known []uint32 // by list: number + 1
	items []uint32
}

func (a *aged) of(list uint32) uint32 {
	for int(list) >= len(a.known) {
		a.known = append(a.known, 0)
	}
	if a.known[list] == 0 {
		a.items = a.items[:0]
		for _, it := range a.lists.values[list] {
			a.items = append(a.items, item(valueOf(it), leftOf(it)-1))
		}
		a.known[list] = a.lists.of(a.items) + 1
	}
	return a.known[list] - 1
}
