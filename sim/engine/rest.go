package engine

import (
	"slices"

	"caucus.example/caucus/sim"
)

// wholeRounds is for tests and benchmarks: no node of any run rests.
var wholeRounds = false

// prepareRest finds out whether nodes can rest.
func (e *RoundRun) prepareRest() {
	timing := e.cfg.Timing
	e.timeless, e.drifts = e.tape.Timeless(), e.tape.Drifts()
	if e.air != nil {
		e.prepareStanding()
		return
	}
	if !e.timeless || wholeRounds || e.cfg.Words > 0 || timing != sim.Synchronous && timing != sim.Asynchronous {
		return
	}
	e.rest = rest{on: true, knows: true, all: true, lost: true, due: newBitset(e.n), changed: newBitset(e.n)}
	e.rest.next = e.rest.due
	if timing == sim.Synchronous {
		e.rest.next = newBitset(e.n)
	}
	if e.cfg.Traffic {
		e.rest.hold = steadyTraffic
	}
}

// steadyTraffic is after how many whole rounds without a fault every node receives in each round what it received in
// the one before: the first may bring what was sent before the fault.
const steadyTraffic = 2

// stir makes a node that has changed and its neighbours due, and has the node looked at.
func (e *RoundRun) stir(p int) {
	e.rest.changed.add(p)
	e.spread(p)
}

// spread is stir of a node that has changed in nothing that one looks at.
func (e *RoundRun) spread(p int) {
	e.rest.next.add(p)
	for s, end := e.rows.Span(p); s < end; s++ {
		q := e.rows.End(p, s)
		e.rest.next.add(int(q))
	}
}

// disturb is stir for what happens between two rounds.
func (e *RoundRun) disturb(p int) {
	r := &e.rest
	if e.air != nil {
		e.turnedUp(p, e.air.tick)
	}
	if !r.on {
		return
	}
	r.changed.add(p)
	r.due.add(p)
	e.rouse(p)
	if e.status[p] != running && e.faults.sent != nil && e.faults.sent[p] >= 0 {
		r.fading = append(r.fading, int32(p))
	}
}

// rouse makes the neighbours of a node due.
func (e *RoundRun) rouse(p int) {
	for s, end := e.rows.Span(p); s < end; s++ {
		q := e.rows.End(p, s)
		e.rest.due.add(int(q))
	}
}

// resting decides whether the next round is not whole.
func (e *RoundRun) resting(now float64) bool {
	r, f := &e.rest, &e.faults
	async := e.cfg.Timing == sim.Asynchronous
	if !r.on || r.all || f.open && (!f.mute || e.cfg.TwoWay) || async && (f.expiry != 0 || f.dueBefore(now+1)) {
		return false
	}
	if r.hold > 0 {
		r.hold--
		return false
	}
	e.fade(now)
	return true
}

// fade makes due who may hear the last message of a node that runs no longer: it gets older, and then is gone.
func (e *RoundRun) fade(now float64) {
	f, life := &e.faults, e.faults.life()
	e.rest.fading = slices.DeleteFunc(e.rest.fading, func(p int32) bool {
		e.rouse(int(p))
		return e.status[p] == running || now > f.sent[p]+life+1
	})
}

// fadeAnew finds those whose last message may be read, after for how long that is has changed.
func (e *RoundRun) fadeAnew() {
	r := &e.rest
	r.all, r.fading = true, r.fading[:0]
	for p, sent := range e.faults.sent {
		if r.on && e.status[p] != running && sent >= 0 {
			r.fading = append(r.fading, int32(p))
		}
	}
}

// stepDue runs the nodes that are due.
func (e *RoundRun) stepDue() {
	r := &e.rest
	if !r.flows {
		e.measureFlow()
	}
	e.hands[0].messages += r.flow
	r.partial = true
	switch few := r.due.count() < minShare; {
	case e.cfg.Timing == sim.Synchronous && few:
		e.sweepDue(&e.hands[0], 0, e.n)
		e.take(0, e.n)
	case e.cfg.Timing == sim.Synchronous:
		e.crew.run(e.dueJob)
		e.crew.run(e.takeJob)
	case few:
		e.sweepDue(&e.hands[0], 0, e.n)
	default:
		e.crew.run(e.dueJob)
		levels := e.plan.levels
		e.sweepDue(&e.hands[0], levels[0], levels[len(levels)-1])
	}
	if e.cfg.Timing == sim.Synchronous {
		clear(r.due)
		r.due, r.next = r.next, r.due
	}
	r.behind++
	r.late, r.partial = true, false
	e.addBytes()
}

// begun and ended stand around a whole round.
func (e *RoundRun) begun() {
	e.catchUp()
	if !e.calm {
		e.catchUpTimes()
	}
	clear(e.rest.due)
}

func (e *RoundRun) ended() {
	r := &e.rest
	if r.late = e.calm; !r.on {
		return
	}
	r.all = e.faults.open && !e.faults.mute
	r.flows = r.flows && r.sizes == nil
	if e.cfg.Timing == sim.Synchronous {
		r.due, r.next = r.next, r.due
		clear(r.next)
	}
}

// catchUp brings the values of running nodes and what is counted up to date.
func (e *RoundRun) catchUp() {
	r := &e.rest
	if r.behind == 0 {
		return
	}
	for p, s := range e.status {
		if s == running {
			e.bring(p)
		}
	}
	if e.traffic != nil {
		e.addTraffic(int64(r.behind))
	}
	r.behind = 0
}

// bring does that for the node at position p, which runs.
func (e *RoundRun) bring(p int) {
	if e.ran != nil {
		e.ran[p] += uint32(e.rest.behind)
	}
	e.shift(0, p, -uint64(e.rest.behind))
}

// catchUpOne does all of that for the node at position p, which is about to stop.
func (e *RoundRun) catchUpOne(p int) {
	if r := &e.rest; r.on && e.status[p] == running {
		if r.behind > 0 {
			e.bring(p)
		}
		if r.late {
			e.faults.sent[p] = e.lastRan(p)
		}
	}
}

// catchUpTimes does that for the times of last messages.
func (e *RoundRun) catchUpTimes() {
	for p := range e.faults.sent {
		if e.rest.late && e.status[p] == running {
			e.faults.sent[p] = e.lastRan(p)
		}
	}
	e.rest.late = false
}

// lastRan is when the node at position p has run last, if that was in the last period.
func (e *RoundRun) lastRan(p int) float64 {
	if e.cfg.Timing == sim.Synchronous {
		return float64(e.periods)
	}
	return float64(e.periods-1) + e.phase(e.node(p))
}

// links counts those to which the node at position p sends, and of them those who run.
func (e *RoundRun) links(p int) (links, run int) {
	for s, end := e.rows.Span(p); s < end; s++ {
		q := e.rows.End(p, s)
		if st := e.status[q]; st != absent && !e.cut(p, int(q)) {
			links++
			if st == running {
				run++
			}
		}
	}
	return links, run
}

func (e *RoundRun) addTraffic(rounds int64) {
	t := e.traffic
	for p, s := range e.status {
		if s == running {
			links, run := e.links(p)
			t.sent[p] += rounds * int64(links)
			t.received[p] += rounds * int64(run)
			t.rounds[p] += rounds
		}
	}
}

// measureFlow counts what all nodes send in a round.
func (e *RoundRun) measureFlow() {
	r := &e.rest
	plain := e.faults.sides == nil && !slices.Contains(e.status, absent)
	if e.cfg.SizeOf != nil && r.sizes == nil {
		r.sizes = make([]int32, e.n)
	}
	r.flow, r.load, r.flows = 0, 0, true
	for p, s := range e.status {
		if s == crashed || s == absent {
			continue
		}
		links := e.rows.Degree(p)
		if !plain {
			links, _ = e.links(p)
		}
		r.flow += int64(links)
		if r.sizes != nil {
			r.sizes[p] = e.size(p, r.behind)
			r.load += int64(links) * int64(r.sizes[p])
		}
	}
}

// loseFlow takes away what the node at position p sends, before it stops.
func (e *RoundRun) loseFlow(p int) {
	r := &e.rest
	if r.flows = r.flows && r.sizes == nil; r.flows && e.sends(p) {
		links, _ := e.links(p)
		r.flow -= int64(links)
	}
}

// turnFlow takes away what the node at position p sends to that at q, once it is cut off, or adds it when it is back.
func (e *RoundRun) turnFlow(p, q int, cut bool) {
	r := &e.rest
	if r.flows = r.flows && r.sizes == nil; !r.flows || !e.sends(p) || e.status[q] == absent {
		return
	}
	if cut {
		r.flow--
	} else {
		r.flow++
	}
}

// sends tells whether a node sends in the rounds to come: who waits runs in the next.
func (e *RoundRun) sends(p int) bool { return e.status[p] == running || e.status[p] == waiting }

// size is that of what the node at position p says, with so much more in its counters.
func (e *RoundRun) size(p, ahead int) int32 { return int32(e.cfg.SizeOf(e.tape.Ahead(p, ahead))) }

// addBytes counts the bytes of a round that was not whole. Where counters move, so may sizes.
func (e *RoundRun) addBytes() {
	r := &e.rest
	if r.sizes == nil {
		return
	}
	for p := r.changed.next(0, e.n); p < e.n && !e.drifts; p = r.changed.next(p+1, e.n) {
		if size := e.size(p, 0); size != r.sizes[p] && e.status[p] == running {
			links, _ := e.links(p)
			r.load += int64(links) * int64(size-r.sizes[p])
			r.sizes[p] = size
		}
	}
	if e.drifts {
		e.measureFlow()
	}
	e.hands[0].bytes += r.load
}

// lookedAt is called once the outcomes that have changed have been looked at.
func (e *RoundRun) lookedAt() {
	e.rest.lost = !e.rest.knows
	clear(e.rest.changed)
}

// becalm finds out again whether all is in order, after what may have changed it.
func (e *RoundRun) becalm(now float64) {
	for w := range e.hands {
		if e.hands[w].booted {
			e.hands[w].booted, e.unsure, e.rest.flows = false, true, false
		}
	}
	if e.unsure {
		e.unsure, e.inOrder = false, e.becalmed()
	}
	e.calm = e.inOrder && (e.cfg.Timing == sim.Synchronous || !e.faults.dueBefore(now+1))
}

// becalmed reports whether every node runs and every link works.
func (e *RoundRun) becalmed() bool {
	f := &e.faults
	if e.agenda != nil || e.aligned != nil || e.air != nil || f.open || f.expiry != 0 || f.sides != nil {
		return false
	}
	for _, s := range e.status {
		if s != running {
			return false
		}
	}
	return true
}
