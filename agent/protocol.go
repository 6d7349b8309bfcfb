package agent

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// protocol is an algorithm of either shape with its types forgotten: the seam between the agent,
// which is one type for all algorithms, and them. Peers have slots, which the agent numbers.
type protocol interface {
	boot(l *caucus.Local)
	// receive takes in what a datagram of a peer brings, or leaves everything as it was.
	receive(l *caucus.Local, slot int, sender wire.Instance, body []byte) error
	outcome(l *caucus.Local) caucus.Outcome
	// backs tells whom the message in a slot supports, or own for the node's export;
	// false if this algorithm's messages do not tell.
	backs(slot int) (wire.Instance, bool)
}

// inRounds is a protocol of rounds. It keeps the last message of every peer.
type inRounds interface {
	protocol
	// round runs one round on the messages of the given slots.
	round(l *caucus.Local, slots []int, dist []float64, missed []uint8)
	// export encodes the message to broadcast.
	export() ([]byte, error)
}

// own is the slot of the node's export.
const own = -1

type erased[S, M any] struct {
	algo   caucus.Rounds[S, M]
	backer caucus.Backer[M] // nil if algo is none
	codec  *wire.Codec[M]
	state  S
	out    M
	slots  []M
	inbox  []M
}

func erase[S, M any](algo caucus.Rounds[S, M]) (protocol, error) {
	codec, err := wire.NewCodec[M]()
	if err != nil {
		return nil, err
	}
	backer, _ := algo.(caucus.Backer[M])
	return &erased[S, M]{algo: algo, backer: backer, codec: codec}, nil
}

func (e *erased[S, M]) boot(l *caucus.Local) { e.state, e.out = e.algo.Boot(l) }

func (e *erased[S, M]) receive(_ *caucus.Local, slot int, _ wire.Instance, body []byte) error {
	m, err := e.codec.Decode(body)
	if err != nil {
		return err
	}
	for slot >= len(e.slots) {
		var none M
		e.slots = append(e.slots, none)
	}
	e.slots[slot] = m
	return nil
}

func (e *erased[S, M]) round(l *caucus.Local, slots []int, dist []float64, missed []uint8) {
	e.inbox = e.inbox[:0]
	for _, slot := range slots {
		e.inbox = append(e.inbox, e.slots[slot])
	}
	e.out = e.algo.Round(l, &e.state, caucus.Inbox[M]{Msgs: e.inbox, Dist: dist, Missed: missed})
}

func (e *erased[S, M]) export() ([]byte, error) { return e.codec.Encode(&e.out) }

func (e *erased[S, M]) outcome(l *caucus.Local) caucus.Outcome { return e.algo.Outcome(l, &e.state) }

func (e *erased[S, M]) backs(slot int) (wire.Instance, bool) {
	if e.backer == nil {
		return wire.Instance{}, false
	}
	m := &e.out
	if slot != own {
		m = &e.slots[slot]
	}
	id, nonce := e.backer.Backs(m)
	return wire.Instance{ID: id, Nonce: uint32(nonce)}, true
}
