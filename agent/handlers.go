package agent

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/wire"
)

// handled is an algorithm of the event shape at one node. What a call of a handler sends is kept until it is taken.
type handled struct {
	algo    columns.Events // with one state
	codec   *wire.Any
	in      []int32 // slots of the messages that have been read; received for those that have been
	letters []letter
}

// letter is a message on its way to a port.
type letter struct {
	port    int
	message []byte
}

// received marks a message that the algorithm has had.
const received = -1

func newHandled(algo columns.Events) (*handled, error) {
	_, message := algo.Types()
	codec, err := wire.CodecOf(message)
	return &handled{algo: algo.New(1), codec: codec}, err
}

// read decodes messages for receive; with an error none is kept.
func (h *handled) read(messages [][]byte) error {
	h.forget()
	for _, b := range messages {
		slot := h.algo.Empty()
		h.in = append(h.in, slot)
		if err := h.codec.Decode(b, h.algo.Message(slot)); err != nil {
			h.forget()
			return err
		}
	}
	return nil
}

// forget gives up what has been read.
func (h *handled) forget() {
	for _, slot := range h.in {
		if slot != received {
			h.algo.Out().Slots.Release(slot)
		}
	}
	h.in = h.in[:0]
}

// receive handles the message of that place among those read.
func (h *handled) receive(l *caucus.Local, port, place int) {
	slot := h.in[place]
	h.in[place] = received
	h.algo.Receive(0, l, port, slot)
}

// take gives what the last call of a handler has sent, encoded, and the timers that it has set. They are valid until
// the next call. An error is that of a message that is too long, which is left out.
func (h *handled) take() (_ []letter, _ []caucus.Alarm, err error) {
	h.letters = h.letters[:0]
	out := h.algo.Out()
	for _, s := range out.Sends {
		b, e := h.codec.Encode(h.algo.Message(s.Slot))
		out.Slots.Release(s.Slot)
		if e != nil {
			err = e
			continue
		}
		h.letters = append(h.letters, letter{int(s.Port), b})
	}
	return h.letters, out.Alarms, err
}
