package engine

import (
	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
)

// sweep runs the nodes at positions a to b-1 at their times in this period.
func (e *RoundRun) sweep(h *hand, a, b int) {
	if e.calm {
		e.sweepCalm(h, a, b)
		return
	}
	for p := a; p < b; p++ {
		e.visit(h, p, e.activation(p))
	}
}

// sweepCalm is sweep while nothing is out of order. The speed of the simulator is the speed of this loop, and of the
// two calls in it.
func (e *RoundRun) sweepCalm(h *hand, a, b int) {
	l, rows, tape, w, messages := &h.local, e.rows, e.tape, h.number, 0
	now, asked := float64(e.periods), e.cfg.Timing != sim.Synchronous && !e.clockless()
	for p := a; p < b; p++ {
		row := rows.Row(p, h.from)
		messages += len(row)
		tape.Gather(w, row, e.distances(h, p, row), nil)
		if asked {
			now = e.activation(p)
		}
		e.fill(l, p, e.begin(p), now)
		e.round(h, p)
		if e.cfg.SizeOf != nil {
			h.bytes += int64(len(row)) * int64(e.cfg.SizeOf(tape.Made(p)))
		}
	}
	h.messages += int64(messages)
}

// round runs a node on what its worker has gathered. In a whole round of a run in which nodes can rest, a synchronous
// node that has changed is due in the next one, an asynchronous one perhaps again in this.
func (e *RoundRun) round(h *hand, p int) {
	if !e.rest.on {
		e.tape.Round(&h.local, h.number, p, columns.Unasked)
		return
	}
	if e.cfg.Timing != sim.Synchronous {
		e.rest.due.remove(p)
	}
	if !e.tape.Round(&h.local, h.number, p, columns.Grown) {
		e.stir(p)
	}
}

// visit runs the node at position p at the given time, whatever its status.
func (e *RoundRun) visit(h *hand, p int, now float64) {
	if e.air != nil {
		e.fly(h, p, now)
		return
	}
	switch e.status[p] {
	case waiting:
		e.boot(h, p, now)
		if e.rest.on {
			e.stir(p)
		}
	case crashed, absent:
		e.tape.Stay(p)
		e.miss(p)
		return
	}
	n, links := e.gather(h, p, now)
	e.fill(&h.local, p, e.begin(p), now)
	h.local.Degree = n
	e.round(h, p)
	e.spoken(h, p, links, now)
}

// spoken counts what a node has made in a round, and sends it unless the round is synchronous.
func (e *RoundRun) spoken(h *hand, p, links int, now float64) {
	h.messages += int64(links)
	if e.cfg.SizeOf != nil {
		h.bytes += int64(links) * int64(e.cfg.SizeOf(e.tape.Made(p)))
	}
	if e.cfg.Timing != sim.Synchronous {
		e.send(p, true, now)
	}
}

// gather collects the messages that the node at position p can read, and counts them and its links.
func (e *RoundRun) gather(h *hand, p int, now float64) (n, links int) {
	for s, end := e.rows.Span(p); s < end; s++ {
		q := e.rows.End(p, s)
		if e.status[q] == absent || e.cut(p, q) {
			continue
		}
		links++
		var b *box
		if e.boxes != nil {
			b = &e.boxes[s]
		}
		if from, lay, ok := e.lastMessage(b, s, q, now); fault.TwoWay(ok, e.hears(s, now)) {
			h.from[n], h.dist[n], h.missed[n] = from, e.distance(p, s), caucus.Missed(lay)
			if b != nil {
				h.missed[n] += b.missed
			}
			n++
		}
		if e.traffic != nil && !e.rest.partial {
			e.traffic.receive(p, &b.came)
		}
	}
	if e.aligned != nil {
		n = e.believe(h, p, n, now)
	}
	e.tape.Gather(h.number, h.from[:n], h.dist[:n], h.missed[:n])
	if e.traffic != nil && !e.rest.partial {
		e.traffic.send(p, links)
	}
	return n, links
}
