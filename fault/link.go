package fault

import (
	"time"

	"caucus.example/caucus"
)

// Backlog is how many datagrams may wait for their turn on a link with a rate; what comes on top is
// lost, as in the queue of a router.
const Backlog = 64

// headers of IPv4 and UDP, which a rate counts as well.
const headers = 28

// Link is one direction of a link. Its methods must not run at the same time.
type Link struct {
	Conditions
	Counts
	random caucus.Rand
	leaves []time.Time // when the datagrams that wait will have left, in order; only with a rate
}

// Counts of datagrams on a link.
type Counts struct {
	Sent       uint64 `json:"sent"`       // by the agent
	Lost       uint64 `json:"lost"`       // by chance
	Overflowed uint64 `json:"overflowed"` // lost because too many waited
	Doubled    uint64 `json:"doubled"`
	HeldBack   uint64 `json:"held_back"` // to be overtaken
}

// Add adds the counts of another link.
func (c *Counts) Add(x Counts) {
	c.Sent += x.Sent
	c.Lost += x.Lost
	c.Overflowed += x.Overflowed
	c.Doubled += x.Doubled
	c.HeldBack += x.HeldBack
}

// New gives the link between two ends that are told apart by any numbers.
func New(c Conditions, from, to uint64) *Link {
	return &Link{Conditions: c, random: caucus.NewRand(c.Seed, "link", from, to)}
}

// Send sends a datagram of so many bytes and tells when it arrives: never, once or twice. Times of
// sending must not go back.
func (l *Link) Send(now time.Time, bytes int) (arrives [2]time.Time, copies int) {
	// Every datagram has the same draws in the same order, whatever the conditions: one that
	// is lost with 10 % is lost with 20 % as well.
	r := l.random.At(l.Sent)
	lost, doubled, held := r.Float64() < l.Loss, r.Float64() < l.Duplicate, r.Float64() < l.Reorder
	vary, hold, later := r.Float64(), r.Float64(), r.Float64()
	l.Sent++
	left, ok := l.leave(now, bytes)
	if !ok {
		l.Overflowed++
		return arrives, 0
	}
	if lost {
		l.Lost++
		return arrives, 0
	}
	at := left.Add(l.Delay + part(2*vary-1, l.Jitter))
	if held {
		l.HeldBack++
		at = at.Add(part(hold, l.Within))
	}
	if !doubled {
		return [2]time.Time{at}, 1
	}
	l.Doubled++
	return [2]time.Time{at, at.Add(part(later, l.Within))}, 2
}

// leave waits for the datagrams before it and then takes as long as its bits need.
func (l *Link) leave(now time.Time, bytes int) (time.Time, bool) {
	if l.Rate == 0 {
		return now, true
	}
	gone := 0
	for gone < len(l.leaves) && !l.leaves[gone].After(now) {
		gone++
	}
	l.leaves = append(l.leaves[:0], l.leaves[gone:]...)
	if len(l.leaves) == Backlog {
		return now, false
	}
	start := now
	if n := len(l.leaves); n > 0 {
		start = l.leaves[n-1]
	}
	end := start.Add(time.Duration(float64(8*(bytes+headers)) / l.Rate * float64(time.Second)))
	l.leaves = append(l.leaves, end)
	return end, true
}

func part(x float64, of time.Duration) time.Duration { return time.Duration(x * float64(of)) }
