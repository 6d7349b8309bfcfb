package columns

import (
	"reflect"
	"unsafe"

	"caucus.example/caucus"
)

// Events is an algorithm of the event shape with the states of some nodes, and with messages.
type Events interface {
	// New gives the same algorithm with columns of its own: n states.
	New(n int) Events
	// Algorithm is the algorithm itself, for optional interfaces that name no type.
	Algorithm() any
	// Types are those of a state and a message.
	Types() (state, message reflect.Type)

	// The calls of the algorithm, on the state at place i. What a handler sends and sets is in Out until the next one,
	// or until Elected.

	Boot(i int, l *caucus.Local)
	Wake(i int, l *caucus.Local, initiator bool) Elected
	// Receive releases the slot.
	Receive(i int, l *caucus.Local, port int, slot int32) Elected
	Timer(i int, l *caucus.Local, timer int) Elected
	Elected(i int, l *caucus.Local) Elected
	// Flow calls Receive for message after message, as long as d has more.
	Flow(d Driver, l *caucus.Local)
	Outcome(i int, l *caucus.Local) caucus.Outcome
	Out() *Outbox

	// State and Message point to what is at a place and in a slot; Empty gives a slot that holds the zero message,
	// Again one that holds the same message.

	State(i int) any
	Message(slot int32) any
	Empty() int32
	Again(slot int32) int32
	Kind(slot int32) int
	Domain(w *caucus.World) (states, messages Values)
	// Timeless tells whether the algorithm is caucus.Timeless.
	Timeless() bool
	// Relative is false unless the algorithm is caucus.RelativeEvents.
	Relative() (Relative, bool)
}

// Driver has messages in a row. It is asked for one after the other, so that a single call stands between two of them.
type Driver interface {
	// Next takes over what the node at place i has sent and says now (i is negative for the first message), fills in
	// what the next one knows, and gives the message for it; a negative slot ends the row.
	Next(i int, now Elected) (node, port int, slot int32)
}

// Elected is what a node says of the election; without the rest of its outcome it fits into registers.
type Elected struct {
	Leader caucus.ID
	Role   caucus.Role
}

// Relative is caucus.RelativeEvents with the addresses of a state and a message, either of them nil.
type Relative struct {
	Origin func(state, message unsafe.Pointer) uint64
	Rebase func(state, message unsafe.Pointer, origin uint64)
}

// Outbox is what a handler has sent, to ports that there are, and the timers that it has set.
type Outbox struct {
	Sends  []Send
	Alarms []caucus.Alarm
	Count  []int64 // of all that has been sent, by kind; nil: not wanted
	Slots  Slots
}

// Send is a message in a slot, which belongs to the driver from then on.
type Send struct{ Port, Slot int32 }

type events[S, M any] struct {
	algo    caucus.Events[S, M]
	elector caucus.Elector[S] // the algorithm, if it is one
	states  []S
	pool    []M
	in      caucus.Outbox[M]
	out     Outbox
}

// OfEvents forgets the types of an algorithm. The result has one state.
func OfEvents[S, M any](algo caucus.Events[S, M]) Events { return newEvents(algo, 1) }

func newEvents[S, M any](algo caucus.Events[S, M], n int) *events[S, M] {
	e := &events[S, M]{algo: algo, states: make([]S, n)}
	e.elector, _ = algo.(caucus.Elector[S])
	return e
}

func (e *events[S, M]) New(n int) Events { return newEvents(e.algo, n) }

func (e *events[S, M]) Algorithm() any { return e.algo }

func (e *events[S, M]) Types() (state, message reflect.Type) {
	return reflect.TypeFor[S](), reflect.TypeFor[M]()
}

func (e *events[S, M]) Boot(i int, l *caucus.Local) { e.states[i] = e.algo.Boot(l) }

// In place of a slot: what a node is called for without a message.
const (
	wakes int32 = -1 - iota
	initiates
	rings
	asked // whom it follows
)

func (e *events[S, M]) Wake(i int, l *caucus.Local, initiator bool) Elected {
	if initiator {
		return e.Receive(i, l, 0, initiates)
	}
	return e.Receive(i, l, 0, wakes)
}

func (e *events[S, M]) Timer(i int, l *caucus.Local, timer int) Elected {
	return e.Receive(i, l, timer, rings)
}

func (e *events[S, M]) Elected(i int, l *caucus.Local) Elected { return e.Receive(i, l, 0, asked) }

func (e *events[S, M]) call(l *caucus.Local, s *S, timer int, what int32) {
	switch what {
	case wakes, initiates:
		e.algo.Wake(l, s, what == initiates, &e.in)
	case rings:
		e.algo.Timer(l, s, timer, &e.in)
	}
}

func (e *events[S, M]) Receive(i int, l *caucus.Local, port int, slot int32) Elected {
	return e.run(nil, l, i, port, slot)
}

func (e *events[S, M]) Flow(d Driver, l *caucus.Local) {
	if i, port, slot := d.Next(-1, Elected{}); slot >= 0 {
		e.run(d, l, i, port, slot)
	}
}

// run calls a handler, and those for the messages after it unless d is nil. All that a run of events does goes through
// here, and in one function it is faster. What has been sent moves into slots, the first one into that of what has been
// received.
func (e *events[S, M]) run(d Driver, l *caucus.Local, i, port int, slot int32) (now Elected) {
	for {
		e.in.Reset()
		s := &e.states[i]
		if slot >= 0 {
			e.algo.Receive(l, s, port, e.pool[slot], &e.in)
		} else {
			e.call(l, s, port, slot)
		}
		o, sent := &e.out, e.in.Sends
		o.Sends = o.Sends[:0]
		for k := range sent {
			m := &sent[k]
			if uint(m.Port) >= uint(l.Degree) { // one that the node does not have is ignored
				continue
			}
			if o.Count != nil {
				if kind := e.algo.Kind(&m.Msg); uint(kind) < uint(len(o.Count)) {
					o.Count[kind]++
				}
			}
			to := slot
			if slot = -1; to < 0 {
				to = e.take()
			}
			e.pool[to] = m.Msg
			o.Sends = append(o.Sends, Send{int32(m.Port), to})
		}
		if len(e.in.Alarms)+len(o.Alarms) > 0 {
			o.Alarms = e.in.Alarms
		}
		if slot >= 0 {
			o.Slots.Release(slot)
		}
		if e.elector == nil {
			was := e.algo.Outcome(l, s)
			now = Elected{was.Leader, was.Role}
		} else {
			now.Leader, now.Role = e.elector.Elected(l, s)
		}
		if d == nil {
			return now
		}
		if i, port, slot = d.Next(i, now); slot < 0 {
			return Elected{} // d has had what there was
		}
	}
}

// take gives a slot that is not in use.
func (e *events[S, M]) take() int32 {
	slot := e.out.Slots.Take()
	if int(slot) == len(e.pool) {
		e.pool = append(e.pool, *new(M))
	}
	return slot
}

func (e *events[S, M]) Outcome(i int, l *caucus.Local) caucus.Outcome {
	return e.algo.Outcome(l, &e.states[i])
}

func (e *events[S, M]) Out() *Outbox { return &e.out }

func (e *events[S, M]) State(i int) any { return &e.states[i] }

func (e *events[S, M]) Message(slot int32) any { return &e.pool[slot] }

func (e *events[S, M]) Empty() int32 {
	slot := e.take()
	e.pool[slot] = *new(M)
	return slot
}

func (e *events[S, M]) Again(slot int32) int32 {
	again := e.Empty()
	e.pool[again] = e.pool[slot]
	return again
}

func (e *events[S, M]) Kind(slot int32) int { return e.algo.Kind(&e.pool[slot]) }

func (e *events[S, M]) Domain(w *caucus.World) (states, messages Values) {
	s, m := e.algo.Domain(w)
	states = Values{s.Len, func(k uint64, place int) { e.states[place] = s.At(k) }}
	return states, Values{m.Len, func(k uint64, slot int) { e.pool[slot] = m.At(k) }}
}

func (e *events[S, M]) Timeless() bool { return timeless(e.algo) }

func (e *events[S, M]) Relative() (r Relative, ok bool) {
	by, ok := e.algo.(caucus.RelativeEvents[S, M])
	if !ok {
		return Relative{}, false
	}
	return Relative{
		Origin: func(s, m unsafe.Pointer) uint64 { return by.Origin((*S)(s), (*M)(m)) },
		Rebase: func(s, m unsafe.Pointer, origin uint64) { by.Rebase((*S)(s), (*M)(m), origin) },
	}, true
}
