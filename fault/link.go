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
	rules  []Rule
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
	return &Link{Conditions: c, rules: c.rules(), random: caucus.NewRand(c.Seed, "link", from, to)}
}

// rules are what the conditions do.
func (c *Conditions) rules() (list []Rule) {
	for _, r := range []Rule{
		{Kind: Loss, Rate: c.Loss}, {Kind: Latency, Rate: 1, Time: float64(c.Delay), Spread: float64(c.Jitter)},
		{Kind: Reordering, Rate: c.Reorder, Time: float64(c.Within)},
		{Kind: Duplication, Rate: c.Duplicate, Time: float64(c.Within)},
	} {
		if r.Rate > 0 {
			list = append(list, r)
		}
	}
	return list
}

// streams number what is drawn for each rule.
var streams = map[Kind]uint64{Latency: 1, Reordering: 2, Duplication: 3}

// Send sends a datagram of so many bytes and tells when it arrives: never, once or twice. Times of
// sending must not go back.
func (l *Link) Send(now time.Time, bytes int) (arrives [2]time.Time, copies int) {
	// Every rule has a stream of its own for each datagram, whatever the others do, and that of losses is the
	// datagram's: one that is lost with 10 % is lost with 20 % as well.
	stream := l.random.At(l.Sent)
	l.Sent++
	left, ok := l.leave(now, bytes)
	if !ok {
		l.Overflowed++
		return arrives, 0
	}
	var fate Fate
	var held, doubled uint64
	for k := range l.rules {
		r, draw := &l.rules[k], stream
		if r.Kind != Loss {
			draw = stream.At(streams[r.Kind])
		}
		switch happens := r.Meet(&fate, draw); {
		case fate.Lost:
			l.Lost++
			return arrives, 0
		case happens && r.Kind == Reordering:
			held = 1
		case happens && r.Kind == Duplication:
			doubled = 1
		}
	}
	l.HeldBack += held
	l.Doubled += doubled
	at := left.Add(time.Duration(fate.Late))
	return [2]time.Time{at, at.Add(time.Duration(fate.Again))}, 1 + int(doubled)
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
