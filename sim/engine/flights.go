package engine

import (
	"math"

	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
)

// stretch is how many nodes act in one: enough that two workers do not mostly wait for each other.
var stretch = 2048

// pairs tells whether two workers share a period of a network that moves.
func (e *RoundRun) pairs() bool {
	return e.air != nil && e.cfg.Timing == sim.Asynchronous && e.cfg.Workers > 1 && e.n >= 4*stretch &&
		e.held == nil && mobility.Underlying(e.air.net) == e.air.net
}

// stepFlights is stepByPhase for two workers.
func (e *RoundRun) stepFlights(now float64) {
	s, order, end := &e.air.flights, e.phased(), math.Nextafter(now+1, 0)
	for s.at = 0; s.at < len(order) || len(s.before.acts) > 0; {
		if len(s.before.acts) == 0 && !e.onlyActs(order[s.at]) {
			e.stepOne(now, end, order[s.at])
			s.at++
			continue
		}
		e.crew.run(e.flightJob)
		s.next, s.before = s.before, s.next
	}
	e.applyFaults(end)
}

// onlyActs advances to an activation of a node and tells whether nothing else happens up to then than that nodes act.
func (e *RoundRun) onlyActs(d due) bool {
	at := float64(e.periods) + d.at
	if e.held != nil || e.faults.dueBefore(math.Nextafter(at, math.Inf(1))) {
		return false
	}
	e.advance(at)
	return e.status[d.p] != waiting && e.air.net.Present(int(d.p)) != e.air.away[d.p]
}

// flyAhead is the share of a worker: the first fills the next stretch, the second runs the one before.
func (e *RoundRun) flyAhead(worker int) {
	switch s := &e.air.flights; worker {
	case 0:
		s.next.clear()
		for ; s.at < len(e.byPhase) && len(s.next.acts) < stretch && e.onlyActs(e.byPhase[s.at]); s.at++ {
			if p := int(e.byPhase[s.at].p); e.status[p] == running {
				e.board(&s.next, p, float64(e.periods)+e.byPhase[s.at].at)
			}
		}
	case 1:
		for k := range s.before.acts {
			act := s.before.act(k)
			e.flyOn(&e.hands[1], &act)
		}
	}
}

// board notes what the node at position p reads, and that it speaks.
func (e *RoundRun) board(f *flight, p int, now float64) {
	h := &e.hands[0]
	c := flown{p: p, now: now}
	e.catch(h, &c)
	e.air.tick++
	f.acts = append(f.acts, flown{p: p, now: now, tick: e.air.tick, links: c.links})
	f.from, f.dist = append(f.from, c.from...), append(f.dist, c.dist...)
	f.missed, f.ends = append(f.missed, c.missed...), append(f.ends, len(f.from))
	e.send(p, true, now)
}

func (f *flight) clear() {
	f.acts, f.ends, f.from, f.dist, f.missed = f.acts[:0], f.ends[:0], f.from[:0], f.dist[:0], f.missed[:0]
}

// act is the activation of node k of the stretch.
func (f *flight) act(k int) flown {
	a, b := 0, f.ends[k]
	if k > 0 {
		a = f.ends[k-1]
	}
	act := f.acts[k]
	if act.caught = (caught{f.from[a:b], f.dist[a:b], nil}); len(f.missed) > 0 {
		act.missed = f.missed[a:b]
	}
	return act
}
