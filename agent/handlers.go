package agent

import (
	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// handlers are an algorithm of the event shape with its types forgotten. What a call of a handler sends is kept until it is
// taken.
type handlers interface {
	boot(l *caucus.Local)
	wake(l *caucus.Local, initiator bool)
	// read decodes messages for receive; with an error none is kept.
	read(messages [][]byte) error
	// receive handles the message of that place among those read.
	receive(l *caucus.Local, port, place int)
	timer(l *caucus.Local, timer int)
	outcome(l *caucus.Local) caucus.Outcome
	// take gives what has been sent, encoded, and the timers that have been set since the last time. They are valid until the next
	// call. An error is that of a message that is too long, which is left out.
	take() ([]letter, []caucus.Alarm, error)
}

// letter is a message on its way to a port.
type letter struct {
	port    int
	message []byte
}

type handled[S, M any] struct {
	algo    caucus.Events[S, M]
	codec   *wire.Codec[M]
	state   S
	in      []M
	out     caucus.Outbox[M]
	letters []letter
}

func (h *handled[S, M]) boot(l *caucus.Local) { h.state = h.algo.Boot(l) }

func (h *handled[S, M]) wake(l *caucus.Local, initiator bool) {
	h.algo.Wake(l, &h.state, initiator, &h.out)
}

func (h *handled[S, M]) read(messages [][]byte) error {
	h.in = h.in[:0]
	for _, b := range messages {
		m, err := h.codec.Decode(b)
		if err != nil {
			return err
		}
		h.in = append(h.in, m)
	}
	return nil
}

func (h *handled[S, M]) receive(l *caucus.Local, port, place int) {
	h.algo.Receive(l, &h.state, port, h.in[place], &h.out)
}

func (h *handled[S, M]) timer(l *caucus.Local, timer int) {
	h.algo.Timer(l, &h.state, timer, &h.out)
}

func (h *handled[S, M]) outcome(l *caucus.Local) caucus.Outcome { return h.algo.Outcome(l, &h.state) }

func (h *handled[S, M]) take() (_ []letter, _ []caucus.Alarm, err error) {
	h.letters = h.letters[:0]
	for k := range h.out.Sends {
		b, e := h.codec.Encode(&h.out.Sends[k].Msg)
		if e != nil {
			err = e
			continue
		}
		h.letters = append(h.letters, letter{h.out.Sends[k].Port, b})
	}
	alarms := h.out.Alarms
	h.out.Reset()
	return h.letters, alarms, err
}
