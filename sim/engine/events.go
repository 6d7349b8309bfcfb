package engine

import (
	"context"
	"math"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/exact"
	"caucus.example/caucus/sim"
)

// Events runs an algorithm of the event shape, one event after the other in order of time;
// of two at the same time the one that was caused first. Messages of one link and
// direction never overtake each other, unless Config.NoFIFO lets them. Handlers take no time.
type Events[S, M any] struct{ *eventRun }

const (
	maxEvents  = 1_000_000_000
	maxPending = 5_000_000 // messages on their way, besides
	maxOnLink  = 16        // for each direction of a link
)

// NewEvents checks the configuration and prepares a run; errors as NewRounds. Timing,
// Workers and Every have no meaning here; of the faults there are all but expiry.
func NewEvents[S, M any](algo caucus.Events[S, M], spec *caucus.Spec, cfg sim.Config) (*Events[S, M], error) {
	e, err := newEventRun(columns.OfEvents(algo), spec, cfg)
	if err != nil {
		return nil, err
	}
	return &Events[S, M]{e}, nil
}

// State gives a copy of what node i holds.
func (e *Events[S, M]) State(i int) S { return *e.algo.State(i).(*S) }

// newEventRun is NewEvents of an algorithm whose types are forgotten.
func newEventRun(algo columns.Events, spec *caucus.Spec, cfg sim.Config) (*eventRun, error) {
	if err := cfg.CheckEvents(spec); err != nil {
		return nil, err
	}
	fillDefaults(&cfg)
	if cfg.MaxEvents == 0 {
		cfg.MaxEvents = maxEvents
	}
	n := cfg.Graph.Len()
	e := &eventRun{
		algo: algo.New(n), cfg: cfg, n: n, nodes: make([]place, n), times: make([]times, n),
		draws: caucus.NewRand(cfg.Seed, "node"), lengths: lengths(&cfg), labels: cfg.Graph.Labels,
		ends: otherEnds(cfg.Graph.Off, cfg.Graph.Nbr), limit: float64(cfg.MaxRounds),
		delays: caucus.NewRand(cfg.Seed, "delay"),
		mode: map[sim.Delays]mode{sim.UnitDelay: unit, sim.UniformDelay: uniform,
			sim.ExponentialDelay: exponential}[cfg.Delays],
	}
	if cfg.StrengthBy != nil {
		e.ownStrengths()
	}
	e.out, e.local.Known, e.timeless = e.algo.Out(), cfg.Known, e.algo.Timeless()
	e.rich = !e.timeless || e.cfg.Strengths != nil || e.lengths != nil || cfg.Watch != nil
	e.restAt = never
	if spec != nil && spec.Endless && cfg.StableFor > 0 {
		e.rest = float64(cfg.StableFor)
		if cfg.Channel > 0 && spec.Needs.Delay {
			e.rest *= max(1, float64(cfg.Known.Delay)/float64(cfg.Period))
		}
		e.restAt = e.rest
	}
	if spec != nil && len(spec.Kinds) > 1 {
		e.out.Count = make([]int64, len(spec.Kinds))
	}
	switch {
	case cfg.Scheduler != "" || cfg.Replay != nil:
		e.mode, e.chosen = scheduled, newChooser(&e.cfg, len(cfg.Graph.Nbr))
	default:
		if e.mode == unit && (cfg.Channel > 0 || slices.ContainsFunc(cfg.Faults, holdsBack)) {
			e.mode = later
		}
		if e.mode != unit && !cfg.NoFIFO {
			e.last = make([]float64, len(cfg.Graph.Nbr))
		}
	}
	if cfg.Watch != nil {
		e.watch = &watcher{cfg: &e.cfg, algo: e.algo,
			outcome: func(i int) caucus.Outcome { return e.algo.Outcome(i, e.look(i, &e.nodes[i])) }}
	}
	e.calm = e.chosen == nil && cfg.Channel == 0 && cfg.Watch == nil && cfg.SizeOf == nil
	e.plain = e.calm && e.mode == unit
	for i := range n {
		e.boot(i)
	}
	if cfg.Channel > 0 {
		e.startChannels()
	}
	e.startFaults()
	e.initiate()
	return e, nil
}

// boot makes node i a new instance that sleeps.
func (e *eventRun) boot(i int) {
	g, p := e.cfg.Graph, &e.nodes[i]
	p.id, p.first, p.degree = e.cfg.ID(i), int32(g.Off[i]), int32(g.Degree(i))
	nonce := caucus.NewRand(e.cfg.Seed, "nonce").At(uint64(i))
	if p.life > 0 {
		nonce = nonce.At(uint64(p.life))
	}
	if p.nonce = nonce.Uint64(); e.cfg.NoNonces {
		p.nonce = 0
	}
	l := e.look(i, p)
	was := l.Rand // of handlers, for failure
	l.Rand = e.stream(i, p)
	e.algo.Boot(i, l)
	l.Rand = was
	p.awake, p.down = false, false
	p.see(e.see(i, p))
	if e.channels != nil {
		e.newChannels(i)
	}
}

// initiate lists the initiators, who wake at time 0 in the order of their indices.
func (e *eventRun) initiate() {
	if e.cfg.Initiators == nil {
		for i := range e.n {
			e.starts = append(e.starts, int32(i))
		}
	}
	for _, i := range e.cfg.Initiators {
		e.starts = append(e.starts, int32(i))
	}
	slices.Sort(e.starts)
	e.starts = slices.Compact(e.starts)
	e.caused += uint64(len(e.starts))
}

// Step handles the next event; false when there is none within the time limit.
func (e *eventRun) Step() bool { return e.Steps(1) == 1 }

// Steps handles so many events and tells how many there were: fewer if no more come within the time limit, or whoever
// watches has seen enough.
func (e *eventRun) Steps(most int) (done int) {
	for done < most && !e.watch.stopped() {
		if n := e.stretch(most - done); n > 0 {
			done += n
			continue
		}
		if !e.step() {
			break
		}
		done++
	}
	return done
}

// stretch delivers messages as long as nothing else can come first, and tells how many.
func (e *eventRun) stretch(most int) int {
	if !e.calm || len(e.starts) > 0 || len(e.alarms.byTime) > 0 {
		return 0
	}
	until := min(e.limit, math.Nextafter(e.faults.next, 0))
	if e.faults.over() {
		until = min(until, e.restAt)
	}
	return e.flow(most, until)
}

// flow delivers messages up to some time, and tells how many. It ends early when somebody sets a timer.
func (e *eventRun) flow(most int, until float64) int {
	e.left, e.until = most, until
	for before := most + 1; 0 < e.left && e.left < before; { // a message to a node that has stopped ends a row
		before = e.left
		e.algo.Flow(e, &e.local)
	}
	return most - e.left
}

// Next carries out what node i has asked for and prepares the next message: a negative slot if flow is to end. What is
// rare is left to functions after which there is nothing to do: so a compiler keeps everything in registers.
func (e *eventRun) Next(i int, now columns.Elected) (node, port int, slot int32) {
	if i >= 0 {
		p, sends := &e.nodes[i], e.out.Sends
		if e.plain && len(e.faults.links) == 0 && len(e.out.Alarms) == 0 && e.line.room() >= len(sends) && p.says(now) {
			p.sent += int64(len(sends))
			e.result.Messages += int64(len(sends))
			for k := range sends {
				e.queue(int(p.first)+int(sends[k].Port), sends[k].Slot)
			}
		} else {
			e.carryOut(i, p, now)
		}
	}
	if e.left == 0 {
		return 0, 0, -1
	}
	var v parcel
	if e.line.len() > 0 {
		if v = *e.line.first(); v.at > e.until {
			return 0, 0, -1
		}
		e.line.head++
	} else {
		first := e.later.first()
		if first == nil || first.at > e.until {
			return 0, 0, -1
		}
		v = *first
		e.later.drop()
	}
	e.left--
	e.setNow(v.at)
	p := &e.nodes[v.to.node]
	if p.down || !p.awake || e.rich {
		return e.meet(p, v)
	}
	p.received++
	e.known(p)
	return int(v.to.node), int(v.to.port), v.slot
}

// step is Step whatever comes next.
func (e *eventRun) step() bool {
	if len(e.starts) > 0 {
		i := int(e.starts[0])
		e.starts = e.starts[1:]
		e.dueFaults(0)
		if p := &e.nodes[i]; !p.awake && !p.down {
			e.wake(i, p, true)
		}
		return true
	}
	if e.chosen != nil {
		return e.stepChosen()
	}
	at, isAlarm := e.next()
	for at >= e.faults.next && e.faults.next <= e.limit { // may bring something that comes earlier
		e.dueFaults(e.faults.next)
		at, isAlarm = e.next()
	}
	if at > e.limit { // infinite: nothing is left
		return false
	}
	if at > e.restAt && e.faults.over() {
		e.stable = true
		return false
	}
	e.setNow(at)
	switch {
	case isAlarm:
		e.ring()
	case e.channels != nil:
		e.carry()
	default:
		e.flow(1, at)
	}
	return true
}

// next gives the time of what comes next, infinite for nothing, and whether it is a timer.
func (e *eventRun) next() (at float64, isAlarm bool) {
	at, number := never, uint32(0)
	if e.mode == unit {
		if e.line.len() > 0 {
			at, number = e.line.first().at, e.line.first().number
		}
	} else if v := e.later.first(); v != nil {
		at, number = v.at, v.number
	}
	if len(e.alarms.byTime) > 0 {
		a := &e.alarms.byTime[0]
		if a.at < at || a.at == at && earlier(number, e.alarms.kept[a.slot].sent) == 0 {
			return a.at, true
		}
	}
	return at, false
}

func (e *eventRun) setNow(at float64) {
	if at == e.now {
		return
	}
	e.now, e.local.Now = at, time.Duration(at*float64(e.cfg.Period))
	if at > e.result.Time {
		e.result.Time = at
	}
}

// deliver lets a node receive at once what is on no line.
func (e *eventRun) deliver(v parcel) {
	if e.line.room() == 0 {
		e.line.grow()
	}
	v.at = e.now
	*e.line.next() = v
	e.flow(1, e.now)
}

// meet is the rest of Next where somebody watches, or the node sleeps and is woken, or has stopped and the message is
// lost.
func (e *eventRun) meet(p *place, v parcel) (node, port int, slot int32) {
	i, port := int(v.to.node), int(v.to.port)
	if p.down {
		if e.watch != nil {
			e.watch.lost(i, port, v.number, v.slot, e.now)
		}
		e.out.Slots.Release(v.slot)
		return 0, 0, -1
	}
	if !p.awake {
		e.rouse(i, p, false)
	}
	if e.watch != nil {
		e.watch.message(i, port, v.number, v.slot)
	}
	p.received++
	e.ready(i, p)
	return i, port, v.slot
}

// ring fires the next timer.
func (e *eventRun) ring() {
	due := e.alarms.byTime[0]
	e.alarms.drop()
	e.fire(due)
}

func (e *eventRun) fire(due parcel) {
	v := e.alarms.kept[due.slot]
	e.alarms.release(due.slot)
	i := int(due.to.node)
	p := &e.nodes[i]
	if v.life != p.life {
		return
	}
	if p.down {
		e.faults.missed = append(e.faults.missed, missed{due, v})
		return
	}
	if e.watch != nil {
		e.watch.timer(i, v.timer)
	}
	e.carryOut(i, p, e.algo.Timer(i, e.ready(i, p), v.timer))
}

func (e *eventRun) wake(i int, p *place, initiator bool) {
	p.awake = true
	if e.watch != nil {
		e.watch.wake(i, initiator)
	}
	e.carryOut(i, p, e.algo.Wake(i, e.ready(i, p), initiator))
}

// ready prepares a call of a handler.
func (e *eventRun) ready(i int, p *place) *caucus.Local {
	p.calls++
	return e.look(i, p)
}

// look gives what node i knows.
func (e *eventRun) look(i int, p *place) *caucus.Local {
	l := e.known(p)
	if e.rich {
		e.enrich(i, p, l)
	}
	return l
}

// known gives what every node knows; small enough to be inlined where every message passes.
func (e *eventRun) known(p *place) *caucus.Local {
	l := &e.local
	l.ID, l.Nonce, l.Degree = p.id, p.nonce, int(p.degree)
	if e.labels != nil {
		first, end := uint32(p.first), uint32(p.first+p.degree)
		l.Labels = e.labels[first:end:end]
	}
	return l
}

// enrich adds what there is besides.
func (e *eventRun) enrich(i int, p *place, l *caucus.Local) {
	if !e.timeless { // else nobody reads it
		if l.Rand = e.stream(i, p); e.drawn != nil {
			l.Rand = *e.drawn
		}
	}
	if e.cfg.Strengths != nil {
		l.Strength = e.cfg.Strengths[i]
	}
	if e.lengths != nil {
		first, end := uint32(p.first), uint32(p.first+p.degree)
		l.Lengths = e.lengths[first:end:end]
	}
}

// stream is that of a call of a handler of node i.
func (e *eventRun) stream(i int, p *place) caucus.Rand { return e.draws.At(uint64(i)).At(p.calls) }

// carryOut does what a handler of node i has asked for and follows its outcome.
func (e *eventRun) carryOut(i int, p *place, now columns.Elected) {
	sends := e.out.Sends
	p.sent += int64(len(sends))
	e.sendAll(i, p, sends)
	for _, a := range e.out.Alarms {
		e.setAlarm(i, p, a)
	}
	if !p.says(now) {
		e.changed(i, p, seen{now.Leader, now.Role, true})
	}
	if e.calm {
		return
	}
	if e.drawn != nil {
		*e.drawn = e.local.Rand
	}
	if e.watch != nil {
		e.watch.done(e.now)
	}
	if e.channels != nil {
		e.channels.last = e.now
		e.flush()
	}
}

// setAlarm is for a timer that node i has set.
func (e *eventRun) setAlarm(i int, p *place, a caucus.Alarm) {
	at := e.now + float64(max(0, a.After))/float64(e.cfg.Period)
	slot := e.alarms.put(alarm{uint32(e.posted), p.life, a.Timer})
	e.alarms.push(parcel{at: at, number: uint32(e.caused), to: end{node: int32(i)}, slot: slot})
	e.caused++
	e.until = -1 // it may come before the next message
}

// sendAll puts messages of node i on their way.
func (e *eventRun) sendAll(i int, p *place, sends []columns.Send) {
	plain := e.calm && len(e.faults.links) == 0 // nothing happens to them and nobody watches
	for k := range sends {
		e.result.Messages++
		if link := int(p.first) + int(sends[k].Port); plain {
			e.put(link, sends[k].Slot, 0, false)
		} else {
			e.send(i, link, &sends[k])
		}
	}
}

// send puts a message of node i on its way over link k where something may happen to it, or somebody wants to know.
func (e *eventRun) send(i, k int, m *columns.Send) {
	if e.cfg.SizeOf != nil {
		e.result.Bytes += int64(e.cfg.SizeOf(e.algo.Message(m.Slot)))
	}
	if e.channels != nil {
		e.entrust(i, m)
		return
	}
	var fate linkFate
	if len(e.faults.links) > 0 {
		fate = e.fate(i, int(e.ends[k].node), uint64(e.result.Messages))
	}
	if fate.Lost {
		if e.watch != nil {
			e.watch.send(m, int(e.ends[k].node), 0)
		}
		e.out.Slots.Release(m.Slot)
		return
	}
	if e.watch != nil {
		e.watch.send(m, int(e.ends[k].node), e.posted+1)
	}
	e.put(k, m.Slot, fate.Late, fate.overtakes)
	if fate.Again > 0 {
		again := columns.Send{Port: m.Port, Slot: e.algo.Again(m.Slot)}
		if e.watch != nil {
			e.watch.send(&again, int(e.ends[k].node), e.posted+1)
		}
		e.put(k, again.Slot, fate.Late+fate.Again, true)
	}
}

// put puts a message on link k, to arrive so much later than it would; one that overtakes does not wait for those that
// were sent before it.
func (e *eventRun) put(k int, slot int32, late float64, overtakes bool) {
	switch e.mode {
	case unit:
		if e.line.room() == 0 {
			e.line.grow()
		}
		e.queue(k, slot)
		return
	case scheduled:
		v := parcel{number: uint32(e.posted), to: e.ends[k], slot: slot}
		e.chosen.put(v, int(e.nodes[v.to.node].first)+int(v.to.port), e.now+1)
	default:
		e.hang(k, slot, late, overtakes)
	}
	e.posted++
	e.caused++
}

// queue is put with unit delays, while there is room in the line.
func (e *eventRun) queue(k int, slot int32) {
	*e.line.next() = parcel{e.now + e.cfg.Least + 1, uint32(e.posted), e.ends[k], slot}
	e.posted++
	e.caused++
}

// hang puts what takes a time of its own on link k.
func (e *eventRun) hang(k int, slot int32, late float64, overtakes bool) {
	at := e.now + e.cfg.Least + e.delay() + late
	if e.last != nil && !overtakes {
		at = max(at, e.last[k]) // without a branch, which nobody could foresee
		e.last[k] = at
	}
	e.later.push(parcel{at, uint32(e.posted), e.ends[k], slot})
}

// delay draws the time that the next message takes.
func (e *eventRun) delay() float64 {
	if e.mode == later {
		return 1
	}
	r := e.delays.At(e.caused)
	x := r.Float64()
	if e.mode == exponential {
		return -exact.Log(1 - x)
	}
	return x
}

// changed notes a new outcome of node i.
func (e *eventRun) changed(i int, p *place, is seen) {
	r := &e.result
	p.see(is)
	e.postpone()
	r.SettledAt = int(math.Ceil(e.now))
	r.TraceHash = caucus.Mix(r.TraceHash ^ caucus.Mix(is.digest(i)+math.Float64bits(e.now)))
}

// postpone lets an endless run go on for as long as it takes to be stable.
func (e *eventRun) postpone() {
	if e.restAt < never {
		e.restAt = e.now + e.rest
	}
}

func (e *eventRun) see(i int, p *place) seen {
	now := e.algo.Elected(i, e.look(i, p))
	return seen{now.Leader, now.Role, true}
}

// Pending is the number of messages on their way.
func (e *eventRun) Pending() int {
	if e.chosen != nil {
		return len(e.chosen.all)
	}
	return e.line.len() + e.later.len()
}

// flooded tells whether messages multiply, as where all arrive twice and each leads to another: of a network in which
// they do not, no link has so many on their way.
func (e *eventRun) flooded() bool {
	e.result.Flooded = e.Pending() > maxPending+maxOnLink*len(e.ends)
	return e.result.Flooded
}

// Result reports the run so far. It has converged when nothing is left to happen.
func (e *eventRun) Result() *sim.Result {
	r := e.result
	r.Converged = e.stable || e.Pending() == 0 && len(e.alarms.byTime) == 0 && len(e.starts) == 0 && e.faults.over()
	if e.channels != nil {
		r.Frames, r.Time = int64(e.channels.frames), e.channels.last
	}
	r.Rounds = int(math.Ceil(r.Time))
	if e.cfg.SizeOf == nil {
		_, message := e.algo.Types()
		r.Bytes = r.Messages * int64(message.Size())
	}
	if r.Kinds = slices.Clone(e.out.Count); r.Kinds == nil {
		r.Kinds = []int64{r.Messages}
	}
	r.Outcomes, r.Live = make([]caucus.Outcome, e.n), make([]bool, e.n)
	r.Sent, r.Received, r.Up = make([]int64, e.n), make([]int64, e.n), make([]float64, e.n)
	for i := range e.nodes {
		p := &e.nodes[i]
		r.Sent[i], r.Received[i], r.Up[i] = p.sent, p.received, e.times[i].up
		if r.Live[i] = !p.down; r.Live[i] {
			r.Up[i] += max(0, r.Time-e.times[i].since)
			r.Outcomes[i] = e.algo.Outcome(i, e.look(i, p))
		}
	}
	return &r
}

// lengths gives those of all edges, by port; nil when all are 1.
func lengths(cfg *sim.Config) []float64 {
	if !cfg.Positions || cfg.Lengths != nil {
		return cfg.Lengths
	}
	g := cfg.Graph
	list := make([]float64, 0, len(g.Nbr))
	for i := range g.Len() {
		for _, j := range g.Neighbours(i) {
			list = append(list, exact.Hypot(g.X[i]-g.X[j], g.Y[i]-g.Y[j]))
		}
	}
	return list
}

// RunEvents runs an algorithm of the event shape until nothing is left to happen, or
// to its limits (Config.MaxRounds in periods, Config.MaxEvents). When ctx ends first the result is
// what there is so far, and the error ctx's.
func RunEvents[S, M any](ctx context.Context, algo caucus.Events[S, M], spec *caucus.Spec, cfg sim.Config) (*sim.Result,
	error) {
	return RunEventColumns(ctx, columns.OfEvents(algo), spec, cfg)
}

// RunEventColumns is RunEvents of an algorithm whose types are forgotten.
func RunEventColumns(ctx context.Context, algo columns.Events, spec *caucus.Spec, cfg sim.Config) (*sim.Result, error) {
	e, err := newEventRun(algo, spec, cfg)
	if err != nil {
		return nil, err
	}
	const between = 1024 // events between two looks at ctx
	for goOn := true; goOn && e.result.Events < e.cfg.MaxEvents && ctx.Err() == nil && !e.flooded(); {
		most := int(min(between, e.cfg.MaxEvents-e.result.Events))
		done := e.Steps(most)
		e.result.Events += int64(done)
		goOn = done == most && !e.watch.stopped()
		if cfg.Progress != nil {
			cfg.Progress(int(e.result.Time))
		}
	}
	if err := ctx.Err(); err != nil {
		return e.Result(), err
	}
	if err := e.failure(); err != nil {
		return nil, err
	}
	return e.Result(), nil
}

// otherEnds gives for every end of an edge the other one. Rows rise, so a walk over the nodes meets the entries of
// every row in turn.
func otherEnds(off []int, nbr []int32) []end {
	ends := make([]end, len(nbr))
	next := make([]int32, len(off)-1)
	for i := range next {
		for k := off[i]; k < off[i+1]; k++ {
			ends[k] = end{nbr[k], next[nbr[k]]}
			next[nbr[k]]++
		}
	}
	return ends
}
