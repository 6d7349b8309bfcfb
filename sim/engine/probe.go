package engine

import (
	"math"
	"math/bits"

	"caucus.example/caucus"
	"caucus.example/caucus/sim"
)

// window is the number of rounds over which instability is measured.
const window = 10

// Observe begins to follow outcomes, from the present ones. A run that does not
// need that is faster without.
func (e *RoundRun) Observe() {
	if e.probe != nil {
		return
	}
	e.probe = &probe{
		seen:    sights{make([]caucus.ID, e.n), make([]uint8, e.n)},
		tallies: make([]tally, e.cfg.Workers), settled: e.periods,
	}
	if e.cfg.Every > 0 {
		e.probe.history, e.probe.restless = make([]uint16, e.n), newBitset(e.n)
		e.probe.crowd = newCrowd(e.n, e.cfg.IDs)
	}
	e.rest.lost = true // all are looked at
	e.crew.run(e.probeJob)
	for _, t := range e.probe.tallies {
		e.probe.sum.leaders += t.leaders
		e.probe.sum.live += t.live
	}
}

// runs is the bit of a mark that says that the node runs.
const runs = 1 << 7

func (s *sights) of(p int) seen {
	return seen{s.leader[p], caucus.Role(s.mark[p] &^ runs), s.mark[p]&runs != 0}
}

func (s *sights) put(p int, is seen) {
	s.leader[p], s.mark[p] = is.leader, uint8(is.role)
	if is.live {
		s.mark[p] |= runs
	}
}

// count adds a node that has become another.
func (t *tally) count(was, now seen) {
	for k, s := range [2]seen{was, now} {
		if s.live {
			t.live += 2*k - 1
		}
		if s.role == caucus.Leader {
			t.leaders += 2*k - 1
		}
	}
}

// outcome reads the node at position p, which must have booted.
func (e *RoundRun) outcome(l *caucus.Local, p int) caucus.Outcome {
	e.fill(l, p, e.roundOf(p), float64(e.periods))
	return e.tape.Outcome(l, p)
}

func (e *RoundRun) roundOf(p int) uint64 {
	if e.ran == nil {
		return uint64(e.periods)
	}
	return uint64(e.ran[p] + uint32(e.rest.behind))
}

func (e *RoundRun) see(l *caucus.Local, p int) seen {
	if e.status[p] != running {
		return seen{}
	}
	o := e.outcome(l, p)
	return seen{o.Leader, o.Role, true}
}

// observe follows one round.
func (e *RoundRun) observe() {
	e.crew.run(e.probeJob)
	pr, now := e.probe, tally{}
	for _, t := range pr.tallies {
		now.changed += t.changed
		now.leaderChanges += t.leaderChanges
		now.hash += t.hash
		pr.sum.leaders += t.leaders
		pr.sum.live += t.live
		pr.sum.recent += t.recent
	}
	if now.changed > 0 {
		pr.settled = e.periods
		pr.hash = caucus.Mix(pr.hash ^ caucus.Mix(now.hash+uint64(e.periods)))
	}
	if e.cfg.Every > 0 && e.periods%e.cfg.Every == 0 {
		s := sim.Sample{Round: e.periods, Leaders: pr.sum.leaders, Regions: pr.crowd.count(), Live: pr.sum.live,
			Changes: now.leaderChanges}
		if s.Live > 0 {
			s.Instability = float64(pr.sum.recent) / float64(window*s.Live)
		}
		s.Messages, s.Bytes = e.sums()
		pr.samples = append(pr.samples, s)
	}
}

// watch compares the outcomes at positions a to b-1 with the last ones, where they may have changed.
func (e *RoundRun) watch(w, a, b int) {
	pr, l := e.probe, &e.hands[w].local
	var t tally
	if e.rest.lost || !e.rest.knows {
		for p := a; p < b; p++ {
			e.lookAt(p, e.see(l, p), &t)
		}
		pr.tallies[w] = t
		return
	}
	for k := a / 64; k*64 < b; k++ {
		changed := e.rest.changed.word(k)
		word := changed
		if pr.restless != nil {
			word |= pr.restless.word(k)
		}
		for ; word != 0; word &= word - 1 {
			p := k*64 + bits.TrailingZeros64(word)
			if p < a || p >= b {
				continue
			}
			now := pr.seen.of(p)
			if changed>>(p%64)&1 != 0 {
				now = e.see(l, p)
			}
			e.lookAt(p, now, &t)
		}
	}
	pr.tallies[w] = t
}

// lookAt compares what is seen of the node at position p with what was.
func (e *RoundRun) lookAt(p int, now seen, t *tally) {
	pr := e.probe
	was := pr.seen.of(p)
	var changed uint16
	if now != was {
		pr.seen.put(p, now)
		pr.crowd.move(was.leader, now.leader)
		t.changed++
		t.count(was, now)
		t.hash += now.digest(e.node(p))
		if now.live && was.live && now.leader != was.leader {
			changed = 1
			t.leaderChanges++
		}
	}
	if pr.history == nil {
		return
	}
	before := pr.history[p]
	h := (before<<1 | changed) & (1<<window - 1)
	if !now.live {
		h = 0
	}
	if h == before { // both are 0
		return
	}
	pr.history[p] = h
	t.recent += bits.OnesCount16(h) - bits.OnesCount16(before)
	if h == 0 {
		pr.restless.remove(p)
	} else {
		pr.restless.add(p)
	}
}

// digest is summed over nodes, so that their order does not matter.
func (s seen) digest(node int) uint64 {
	role := uint64(s.role)
	if s.live {
		role |= 1 << 8
	}
	return caucus.Mix(caucus.Mix(uint64(node)+1) ^ caucus.Mix(uint64(s.leader)+role<<40))
}

// sums is what was sent so far.
func (e *RoundRun) sums() (messages, bytes int64) {
	for w := range e.hands {
		messages += e.hands[w].messages
		bytes += e.hands[w].bytes
	}
	if e.cfg.SizeOf == nil {
		bytes = messages * int64(e.tape.MessageSize())
	}
	return messages, bytes
}

// Outcomes reads every node; the zero Outcome for those that do not run.
func (e *RoundRun) Outcomes() []caucus.Outcome {
	out := make([]caucus.Outcome, e.n)
	var l caucus.Local
	l.Known = e.cfg.Known
	for p := range e.n {
		if e.status[p] == running {
			out[e.node(p)] = e.outcome(&l, p)
		}
	}
	return out
}

// Live tells which nodes run.
func (e *RoundRun) Live() []bool {
	out := make([]bool, e.n)
	for p := range e.n {
		out[e.node(p)] = e.status[p] == running
	}
	return out
}

// Holds points to what node i holds, of the algorithm's type of states, until the next round.
func (e *RoundRun) Holds(i int) any {
	e.catchUp()
	return e.tape.State(e.index(i))
}

// State and Export give copies of what node i holds and what it last sent.
func (e *Rounds[S, M]) State(i int) S {
	e.catchUp()
	state, _ := e.tape.At(e.index(i))
	return *state
}

// Export is described with State.
func (e *Rounds[S, M]) Export(i int) M {
	e.catchUp()
	_, says := e.tape.At(e.index(i))
	return *says
}

// Inject overwrites the state of node i and the last message that its neighbours
// have from it, as a fault would. A node that has not started yet starts with these.
func (e *Rounds[S, M]) Inject(i int, state S, export M) {
	e.Alter(i, func(has, says any) { *has.(*S), *says.(*M) = state, export })
}

// Alter is Inject for an algorithm whose types are forgotten: change gets pointers to both.
func (e *RoundRun) Alter(i int, change func(state, export any)) {
	e.catchUp()
	e.catchUpTimes()
	p := e.index(i)
	e.tape.Part()
	change(e.tape.State(p), e.tape.Says(p))
	e.overwritten(p, float64(e.periods))
	e.disturb(p)
	e.unsure, e.rest.flows = true, false
}

// Periods is the number of periods done.
func (e *RoundRun) Periods() int { return e.periods }

// Result reports the run so far. What it says of changes needs Observe from the start.
func (e *RoundRun) Result() *sim.Result {
	e.catchUp()
	r := &sim.Result{Outcomes: e.Outcomes(), Live: e.Live(), Graph: e.surroundings(), Rounds: e.periods}
	r.Messages, r.Bytes = e.sums()
	if t := e.traffic; t != nil {
		r.Sent, r.Received, r.Up = e.byNode(t)
	}
	if pr := e.probe; pr != nil {
		r.SettledAt, r.Samples = pr.settled, pr.samples
		r.TraceHash = pr.hash
	}
	for i, o := range r.Outcomes {
		r.TraceHash = caucus.Mix(r.TraceHash ^ caucus.Mix(uint64(i)+1) ^ uint64(o.Leader) ^ math.Float64bits(
			o.Distance)<<1 ^ uint64(o.Role)<<60)
	}
	return r
}
