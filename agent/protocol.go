package agent

import (
	"fmt"

	"caucus"
	"caucus/wire"
)

// protocol is an algorithm with its types forgotten: the seam between the agent,
// which is one type for all algorithms, and them. Messages stay on the far side, in
// slots that the agent numbers.
type protocol interface {
	boot(l *caucus.Local)
	// receive keeps a neighbour's message in its slot, or leaves the slot as it was.
	receive(slot int, body []byte) error
	// round runs one round on the messages of the given slots.
	round(l *caucus.Local, slots []int, dist []float64, missed []uint8)
	// export encodes the message to broadcast.
	export() ([]byte, error)
	outcome(l *caucus.Local) caucus.Outcome
	// backs tells whom the message in a slot supports, or own for the node's export;
	// false if this algorithm's messages do not tell.
	backs(slot int) (wire.Instance, bool)
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

func (e *erased[S, M]) receive(slot int, body []byte) error {
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

// deployable refuses algorithms that assume what a network of agents does not give.
func deployable(s *caucus.Spec) error {
	refuse := func(what string) error {
		return fmt.Errorf("algorithm %s needs %s, which agents cannot provide", s.Name, what)
	}
	switch n := s.Needs; {
	case s.Shape != caucus.ShapeRounds:
		return refuse("reliable links (it is no algorithm of rounds)")
	case n.Topology != "" && n.Topology != caucus.AnyTopology:
		return refuse("a " + string(n.Topology))
	case n.Labels:
		return refuse("labelled ports")
	case n.FIFO:
		return refuse("FIFO links")
	case n.Nodes:
		return refuse("the number of nodes")
	case n.Diameter:
		return refuse("the diameter of the network")
	case n.Delay:
		return refuse("a bound on how long a message travels")
	}
	return nil
}
