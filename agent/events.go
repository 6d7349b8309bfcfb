package agent

import (
	"fmt"
	"math"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/channel"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/wire"
)

// maxMessage is the longest message of an event algorithm, in bytes: it fits a datagram together with what a channel
// adds.
const maxMessage = wire.MaxBody - channel.Head - channel.Each

// events hosts an algorithm of the event shape. Its ports are the configured peers, in their order there. A message
// goes out at once if its peer is live, and again with the datagram of every period until the peer has acknowledged it.
type events struct {
	algo   *handled
	frames *wire.Codec[channel.Frame]
	ports  []port
	asleep bool    // until the first message comes
	alarms []alarm // the next first
	random caucus.Rand
	calls  uint64
	count  MessageCounters
	failed error // the last message that could not be sent
}

// port is one end of the link to a peer.
type port struct {
	channel channel.Channel
	peer    wire.Instance // that the channel is with
}

// alarm is a timer, at a time of the algorithm's clock.
type alarm struct {
	at    time.Duration
	timer int
}

// MessageCounters count the messages of an event algorithm; how many datagrams carry them is another matter. All are 0
// for algorithms of rounds.
type MessageCounters struct {
	Sent     uint64 `json:"sent"`     // by the algorithm
	Received uint64 `json:"received"` // by the algorithm
	Lost     uint64 `json:"lost"`     // for a peer that has begun anew before it had them, or with too many waiting
}

// Add adds the counts of another node.
func (c *MessageCounters) Add(x MessageCounters) {
	c.Sent += x.Sent
	c.Received += x.Received
	c.Lost += x.Lost
}

// eraseEvents makes the host of an algorithm for a node with that configuration, which is resolved.
func eraseEvents(algo columns.Events, cfg *Config) (*events, error) {
	node, err := newHandled(algo)
	if err != nil {
		return nil, err
	}
	frames, err := wire.NewCodec[channel.Frame]()
	if err != nil {
		return nil, err
	}
	return &events{algo: node, frames: frames, ports: make([]port, len(cfg.Peers)), asleep: cfg.Asleep}, nil
}

// boot starts the algorithm, as an initiator unless the configuration lets it sleep.
func (e *events) boot(l *caucus.Local) {
	e.random = l.Rand
	for k := range e.ports {
		e.ports[k].channel = channel.New(uint32(l.Nonce))
	}
	l.Degree = len(e.ports)
	e.algo.algo.Boot(0, l)
	if !e.asleep {
		e.call(l, func() { e.algo.algo.Wake(0, l, true) })
	}
}

// call lets the algorithm handle one event and takes over what it wants.
func (e *events) call(l *caucus.Local, handle func()) {
	l.Rand = e.random.At(e.calls)
	e.calls++
	handle()
	letters, alarms, err := e.algo.take()
	if err != nil {
		e.failed = err
	}
	for _, m := range letters {
		e.post(m)
	}
	for _, t := range alarms {
		e.set(l.Now, t)
	}
}

// post hands a message to the channel of its port. Ports that there are not are ignored.
func (e *events) post(m letter) {
	if m.port < 0 || m.port >= len(e.ports) {
		return
	}
	e.count.Sent++
	if len(m.message) > maxMessage {
		e.failed = fmt.Errorf("message of %d bytes, at most %d are allowed", len(m.message), maxMessage)
		return
	}
	if !e.ports[m.port].channel.Send(m.message) {
		e.count.Lost++
	}
}

// set keeps a timer, behind those that go off at the same time.
func (e *events) set(now time.Duration, t caucus.Alarm) {
	at := time.Duration(math.MaxInt64)
	if after := max(0, t.After); after < at-now {
		at = now + after
	}
	k, _ := slices.BinarySearchFunc(e.alarms, at, func(a alarm, at time.Duration) int {
		if a.at <= at {
			return -1
		}
		return 1
	})
	e.alarms = slices.Insert(e.alarms, k, alarm{at, t.Timer})
}

// next tells when the next timer goes off, if one is set.
func (e *events) next() (at time.Duration, ok bool) {
	if len(e.alarms) == 0 {
		return 0, false
	}
	return e.alarms[0].at, true
}

// ring lets the timers go off whose time has come. Those that are set meanwhile wait for the next call.
func (e *events) ring(l *caucus.Local) {
	due := 0
	for due < len(e.alarms) && e.alarms[due].at <= l.Now {
		due++
	}
	ringing := slices.Clone(e.alarms[:due])
	e.alarms = slices.Delete(e.alarms, 0, due)
	for _, t := range ringing {
		e.call(l, func() { e.algo.algo.Timer(0, l, t.timer) })
	}
}

// receive takes in a frame of a peer: all of it, or, with an error, nothing.
func (e *events) receive(l *caucus.Local, slot int, sender wire.Instance, body []byte) error {
	f, err := e.frames.Decode(body)
	if err != nil {
		return err
	}
	if err := e.algo.read(f.Msgs); err != nil {
		return err
	}
	p := &e.ports[slot]
	if p.peer != sender {
		if p.peer.ID != caucus.None {
			e.count.Lost += uint64(p.channel.Renew())
		}
		p.peer = sender
	}
	for place := len(f.Msgs) - len(p.channel.Receive(&f)); place < len(f.Msgs); place++ {
		e.count.Received++
		if e.asleep {
			e.asleep = false
			e.call(l, func() { e.algo.algo.Wake(0, l, false) })
		}
		e.call(l, func() { e.algo.receive(l, slot, place) })
	}
	return nil
}

// frame encodes the next frame for a peer. To one that is silent nothing is sent but what it takes to be heard.
func (e *events) frame(slot int, live, further bool) ([]byte, error) {
	c := &e.ports[slot].channel
	var f channel.Frame
	switch {
	case !live:
		f = c.Frame(channel.Head)
	case further:
		f = c.Further(wire.MaxBody)
	default:
		f = c.Frame(wire.MaxBody)
	}
	return e.frames.Encode(&f)
}

// fresh tells whether there are messages for a peer that have never been sent.
func (e *events) fresh(slot int) bool { return e.ports[slot].channel.Fresh() }

func (e *events) outcome(l *caucus.Local) caucus.Outcome { return e.algo.algo.Outcome(0, l) }

// backs is for algorithms of rounds: whom a node follows here is an item of the envelope.
func (e *events) backs(int) (wire.Instance, bool) { return wire.Instance{}, false }
