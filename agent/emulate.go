package agent

import (
	"container/heap"
	"net/netip"
	"slices"
	"sync"
	"time"

	"caucus.example/caucus/fault"
)

// maxInFlight bounds the datagrams that an emulator has on the way; what comes on top is lost.
const maxInFlight = 8192

// linger is how long closing an emulator waits for what is on the way: a datagram that has left its
// sender arrives even if the sender ends.
const linger = time.Second

// Emulator is a transport whose links are as bad as wanted. Each end emulates what it sends, so that
// the two directions of a link may differ. It runs no goroutine of its own.
type Emulator struct {
	Transport
	linkTo func(to netip.AddrPort) *fault.Link

	mu     sync.Mutex
	flight flight
	order  uint64 // of sending, to keep datagrams that arrive at the same time apart
	timer  *time.Timer
	empty  chan struct{} // closed once nothing is on the way, if closing waits for that
	closed bool
	lost   uint64 // too many were on the way
}

// Emulate puts an emulator in front of a transport. For every datagram it asks for the link to its
// destination, from the goroutine that sends; nil is a perfect link.
func Emulate(t Transport, linkTo func(to netip.AddrPort) *fault.Link) *Emulator {
	return &Emulator{Transport: t, linkTo: linkTo}
}

// Send tells of errors only if the datagram is sent at once.
func (e *Emulator) Send(b []byte, to netip.AddrPort) error {
	l := e.linkTo(to)
	if l == nil {
		return e.Transport.Send(b, to)
	}
	now := time.Now()
	arrives, copies := l.Send(now, len(b))
	for _, at := range arrives[:copies] {
		if !at.After(now) {
			if err := e.Transport.Send(b, to); err != nil {
				return err
			}
			continue
		}
		e.carry(parcel{at: at, to: to, data: slices.Clone(b)})
	}
	return nil
}

// carry keeps a datagram until it arrives.
func (e *Emulator) carry(p parcel) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	if len(e.flight) == maxInFlight {
		e.lost++
		return
	}
	p.order = e.order
	e.order++
	heap.Push(&e.flight, p)
	if e.flight[0].order == p.order {
		e.wake(time.Until(p.at))
	}
}

func (e *Emulator) wake(in time.Duration) {
	if e.timer == nil {
		e.timer = time.AfterFunc(in, e.deliver)
	} else {
		e.timer.Reset(in)
	}
}

// deliver sends what is due.
func (e *Emulator) deliver() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for now := time.Now(); len(e.flight) > 0 && !e.flight[0].at.After(now); {
		p := heap.Pop(&e.flight).(parcel)
		_ = e.Transport.Send(p.data, p.to) // its sender has long been told that it left
	}
	switch {
	case len(e.flight) > 0:
		e.wake(time.Until(e.flight[0].at))
	case e.empty != nil:
		close(e.empty)
		e.empty = nil
	}
}

// Overflowed counts the datagrams that were lost because too many were on the way.
func (e *Emulator) Overflowed() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lost
}

// Close waits for what is on the way, at most a second, and closes the transport below.
func (e *Emulator) Close() error {
	e.mu.Lock()
	waits := len(e.flight) > 0 && !e.closed
	e.closed = true
	if waits {
		e.empty = make(chan struct{})
		empty := e.empty
		e.mu.Unlock()
		select {
		case <-empty:
		case <-time.After(linger):
		}
		e.mu.Lock()
	}
	e.flight, e.empty = nil, nil
	if e.timer != nil {
		e.timer.Stop()
	}
	e.mu.Unlock()
	return e.Transport.Close()
}

// parcel is a datagram on the way.
type parcel struct {
	at    time.Time
	order uint64
	to    netip.AddrPort
	data  []byte
}

// flight is a heap of parcels, the next to arrive first.
type flight []parcel

func (f flight) Len() int { return len(f) }
func (f flight) Less(i, j int) bool {
	if !f[i].at.Equal(f[j].at) {
		return f[i].at.Before(f[j].at)
	}
	return f[i].order < f[j].order
}
func (f flight) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *flight) Push(x any)   { *f = append(*f, x.(parcel)) }
func (f *flight) Pop() any {
	last := len(*f) - 1
	x := (*f)[last]
	(*f)[last] = parcel{}
	*f = (*f)[:last]
	return x
}
