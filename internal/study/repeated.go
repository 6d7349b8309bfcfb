package study

import (
	"time"

	"caucus.example/caucus"
)

// repeated is an event algorithm on the links that agents make of bad ones: a message that is lost is sent again after
// a period, until it arrives. It is for one simulated run.
type repeated[S, M any] struct {
	caucus.Events[S, M]
	rate   float64 // of loss
	period time.Duration
	random caucus.Rand
	lost   []caucus.Send[M] // all that ever were
}

// again is the timer of the first lost message; those of the others are below it.
const again = -2

func (a *repeated[S, M]) Wake(l *caucus.Local, s *S, initiator bool, out *caucus.Outbox[M]) {
	a.Events.Wake(l, s, initiator, out)
	a.lose(out)
}

func (a *repeated[S, M]) Receive(l *caucus.Local, s *S, port int, m M, out *caucus.Outbox[M]) {
	a.Events.Receive(l, s, port, m, out)
	a.lose(out)
}

func (a *repeated[S, M]) Timer(l *caucus.Local, s *S, timer int, out *caucus.Outbox[M]) {
	if timer <= again {
		m := a.lost[again-timer]
		out.Send(m.Port, m.Msg)
	} else {
		a.Events.Timer(l, s, timer, out)
	}
	a.lose(out)
}

// lose takes away what is lost and sets a timer for it.
func (a *repeated[S, M]) lose(out *caucus.Outbox[M]) {
	arrive := out.Sends[:0]
	for _, m := range out.Sends {
		if a.random.Float64() >= a.rate {
			arrive = append(arrive, m)
			continue
		}
		out.After(a.period, again-len(a.lost))
		a.lost = append(a.lost, m)
	}
	out.Sends = arrive
}
