package agent

import (
	"reflect"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/over"
	"caucus.example/caucus/algo/kit/region"
	"caucus.example/caucus/internal/columns"
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
	// attempt is an early round that is taken back unless it changes whom the node supports.
	attempt(l *caucus.Local, slots []int, dist []float64, missed []uint8) (changed bool)
	// news tells whether the message in a slot brings news of the leader from nearer to it; prompt whether messages of
	// this algorithm tell, and a round may come early, see caucus.Prompt.
	news(slot int) bool
	prompt() bool
	// service gives place and report of the service above the election; false where there is none.
	service() (over.Place, *region.Report, bool)
	// export encodes the message to broadcast.
	export() ([]byte, error)
}

// own is the slot of the node's export.
const own = columns.Own

// erased is an algorithm of rounds at one node.
type erased struct {
	columns.Rounds
	codec *wire.Any
	spare reflect.Value // points to the message that is being read
}

func erase(algo columns.Rounds) (protocol, error) {
	_, message := algo.Types()
	codec, err := wire.CodecOf(message)
	if err != nil {
		return nil, err
	}
	return &erased{algo.New(), codec, reflect.New(message)}, nil
}

func (e *erased) boot(l *caucus.Local) { e.Boot(l) }

func (e *erased) receive(_ *caucus.Local, slot int, _ wire.Instance, body []byte) error {
	e.spare.Elem().SetZero() // a message that cannot be read to its end leaves the slot as it was
	if err := e.codec.Decode(body, e.spare.Interface()); err != nil {
		return err
	}
	reflect.ValueOf(e.Message(slot)).Elem().Set(e.spare.Elem())
	return nil
}

func (e *erased) round(l *caucus.Local, slots []int, dist []float64, missed []uint8) {
	e.Round(l, slots, dist, missed)
}

func (e *erased) news(slot int) bool { return e.News(slot) }

func (e *erased) prompt() bool { return e.Prompt() }

func (e *erased) service() (over.Place, *region.Report, bool) {
	s, ok := e.State().(interface {
		Service() (over.Place, *region.Report)
	})
	if !ok {
		return over.Place{}, nil, false
	}
	at, report := s.Service()
	return at, report, true
}

func (e *erased) export() ([]byte, error) { return e.codec.Encode(e.Export()) }

func (e *erased) outcome(l *caucus.Local) caucus.Outcome { return e.Outcome(l) }

func (e *erased) backs(slot int) (wire.Instance, bool) {
	id, nonce, ok := e.Backs(slot)
	return wire.Instance{ID: id, Nonce: uint32(nonce)}, ok
}

func (e *erased) attempt(l *caucus.Local, slots []int, dist []float64, missed []uint8) (changed bool) {
	state, export, round := kept(e.State()), kept(e.Export()), l.Round
	was, tells := e.backs(own)
	l.Round++
	l.Early = true
	e.Round(l, slots, dist, missed)
	l.Early = false
	if is, _ := e.backs(own); tells && is != was {
		return true
	}
	reflect.ValueOf(e.State()).Elem().Set(state)
	reflect.ValueOf(e.Export()).Elem().Set(export)
	l.Round = round
	return false
}

// kept copies what a pointer points to. States and messages of rounds are plain values.
func kept(pointer any) reflect.Value {
	value := reflect.ValueOf(pointer).Elem()
	saved := reflect.New(value.Type()).Elem()
	saved.Set(value)
	return saved
}
