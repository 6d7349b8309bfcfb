package engine

import (
	"math"

	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
)

// sweepDue runs those that are due.
func (e *RoundRun) sweepDue(h *hand, a, b int) {
	due, later := e.rest.due, e.cfg.Timing != sim.Synchronous
	for p := due.next(a, b); p < b; p = due.next(p+1, b) {
		if later {
			due.remove(p)
		}
		if st := e.status[p]; st == running || st == waiting {
			e.rerun(h, p, e.activation(p))
		}
	}
}

// rerun is visit of a node that is due, in a round that is not whole.
func (e *RoundRun) rerun(h *hand, p int, now float64) {
	started := e.status[p] == waiting
	if started {
		e.boot(h, p, now)
		e.ran[p] = -uint32(e.rest.behind)
		e.shift(h.number, p, uint64(e.rest.behind))
	}
	from := e.rows.Row(p, h.from)
	if e.calm {
		e.tape.Gather(h.number, from, e.distances(h, p, from), nil)
	} else {
		n, _ := e.gather(h, p, now)
		from = h.from[:n]
	}
	e.align(h, p, from)
	e.fill(&h.local, p, e.roundOf(p)+1, now)
	h.local.Degree = len(from)
	same := e.tape.Round(&h.local, h.number, p, columns.Drawn)
	h.ran++
	switch {
	case !started && same:
	case !started && e.looksAs(h, p):
		e.spread(p)
	default:
		e.stir(p)
	}
}

// looksAs tells whether a node that has just run shows the probe what it did before. Its state is still at hand here.
func (e *RoundRun) looksAs(h *hand, p int) bool {
	if e.probe == nil || e.cfg.Watch != nil || e.cfg.SizeOf != nil {
		return false
	}
	leader, role := e.tape.Coming(&h.local, p)
	return e.probe.seen.of(p) == seen{leader, role, true}
}

// align makes the messages of others as far behind as the node at position p, which is about to run: who runs before
// it in an asynchronous period has run already, and who has stopped is not behind at all.
func (e *RoundRun) align(h *hand, p int, from []int32) {
	switch {
	case !e.drifts:
		return
	case e.calm:
		if e.cfg.Timing != sim.Synchronous {
			e.tape.AlignEarly(h.number, p, from)
		}
		return
	}
	for k, q := range from {
		switch {
		case e.status[q] != running:
			e.tape.Align(h.number, k, uint64(e.rest.behind))
		case int(q) < p && e.cfg.Timing != sim.Synchronous:
			e.tape.Align(h.number, k, math.MaxUint64)
		}
	}
}

// take lets those who were due say what they have computed in a synchronous round.
func (e *RoundRun) take(a, b int) {
	due := e.rest.due
	for p := due.next(a, b); p < b; p = due.next(p+1, b) {
		if e.status[p] == running {
			e.tape.Take(p)
		}
	}
}

// shift takes so much from the counters of a node, if it has any that grow.
func (e *RoundRun) shift(worker, p int, by uint64) {
	if e.drifts {
		e.tape.Shift(worker, p, by)
	}
}
