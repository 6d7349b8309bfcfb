package agent

import "time"

// What is sent to peers that are silent: fewer and fewer datagrams, since hosts that are gone cost the kernel
// buffers that the living need. As soon as such a peer is heard it gets every datagram again.
const (
	maxGap     = 8               // periods between two datagrams for a silent peer,
	maxGapTime = 2 * time.Second // and no longer than this, unless the period is
	askRate    = 64              // datagrams a second for all silent peers together
	// askInBuffer may be sent at once. With those of three seconds, after which the kernel gives up, they fit
	// the socket's buffer.
	askInBuffer = 192
)

// asking says when a silent peer is to be sent to next.
type asking struct {
	gap  int // periods to the next time; 0: none yet
	next time.Time
}

// due tells whether it is time, and doubles the gap if it is.
func (a *asking) due(now time.Time, period time.Duration) bool {
	if a.gap > 0 && now.Before(a.next) {
		return false
	}
	most := int(max(1, min(maxGap, maxGapTime/period)))
	a.gap = min(max(1, 2*a.gap), most)
	// Rounds tremble: half a period early is on time.
	a.next = now.Add(time.Duration(a.gap)*period - period/2)
	return true
}

// allowance bounds what is done in a second, and at once.
type allowance struct {
	left float64
	at   time.Time
}

// take tells whether there may be one more, at so many a second.
func (b *allowance) take(now time.Time, rate float64) bool {
	if b.at.IsZero() {
		b.left = askInBuffer
	} else if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.left = min(askInBuffer, b.left+passed*rate)
	}
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
