package sim

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"caucus.example/caucus"
)

// Events runs an algorithm of the event shape, one event after the other in order of time;
// of two at the same time the one that was caused first. Messages of one link and
// direction never overtake each other, unless Config.NoFIFO lets them. Handlers take no time.
type Events[S, M any] struct {
	algo    caucus.Events[S, M]
	elector caucus.Elector[S] // the algorithm, if it is one
	cfg     Config
	n       int
	nodes   []place[S]
	out     caucus.Outbox[M]
	back    []int32   // by port: the port of the same link at its other end
	last    []float64 // by port of the sender: when its last message arrives; nil where none can overtake

	starts []int32 // nodes that are still to wake at time 0
	line   line[M]
	later  calendar[M]
	chosen *chooser[M] // the messages on their way when a scheduler orders them, else nil
	alarms byTime[alarm]
	posted uint64 // messages put on their way
	caused uint64 // events so far, for the random streams

	mode   mode
	now    float64 // of the present event
	clock  time.Duration
	restAt float64 // an endless run is stable then, unless something changes
	stable bool
	faults eventFaults
	watch  *watcher[M]  // nil: nobody watches
	drawn  *caucus.Rand // of all nodes, see Draw; nil: each has its own

	result        Result
	delays, draws caucus.Rand
}

// place is a node: what a handler gets, what it holds and what is counted of it, side by side in
// memory because one event touches all of it.
type place[S any] struct {
	local          caucus.Local
	draws          caucus.Rand // the node's stream; every call of a handler has its own within it
	calls          uint64
	state          S
	seen           seen
	awake, down    bool
	life           uint32 // how often it has started again
	sent, received int64
	up, since      float64 // periods that it ran before the last crash, and when it started after that
	clock          float64 // with a scheduler: length of the longest chain of messages that led here
}

// mode is how messages are ordered.
type mode uint8

const (
	unit mode = iota
	uniform
	exponential
	scheduled
)

const maxEvents = 1_000_000_000

// NewEvents checks the configuration and prepares a run; errors as NewRounds. Timing,
// Workers and Every have no meaning here; of the faults there are crash, restart and
// loss.
func NewEvents[S, M any](algo caucus.Events[S, M], spec *caucus.Spec, cfg Config) (*Events[S, M], error) {
	if err := check(&cfg, spec); err != nil {
		return nil, err
	}
	if err := checkEvents(&cfg, spec); err != nil {
		return nil, err
	}
	fillDefaults(&cfg)
	if cfg.MaxEvents == 0 {
		cfg.MaxEvents = maxEvents
	}
	n := cfg.Graph.Len()
	e := &Events[S, M]{
		algo: algo, cfg: cfg, n: n, nodes: make([]place[S], n),
		back:  backPorts(cfg.Graph.Off, cfg.Graph.Nbr),
		draws: caucus.NewRand(cfg.Seed, "node"), delays: caucus.NewRand(cfg.Seed, "delay"),
		mode: map[Delays]mode{UnitDelay: unit, UniformDelay: uniform, ExponentialDelay: exponential}[cfg.Delays],
	}
	e.elector, _ = algo.(caucus.Elector[S])
	e.restAt = never
	if spec != nil && spec.Endless && cfg.StableFor > 0 {
		e.restAt = float64(cfg.StableFor)
	}
	kinds := 1
	if spec != nil {
		kinds = max(1, len(spec.Kinds))
	}
	e.result.Kinds = make([]int64, kinds)
	e.result.Changes = make([]int, n)
	switch {
	case cfg.Scheduler != "" || cfg.Replay != nil:
		e.mode, e.chosen = scheduled, newChooser[M](&e.cfg, len(cfg.Graph.Nbr))
	case e.mode != unit && !cfg.NoFIFO:
		e.last = make([]float64, len(cfg.Graph.Nbr))
	}
	if cfg.Watch != nil {
		e.watch = newWatcher(&e.cfg, algo.Kind)
	}
	for i := range n {
		e.boot(i)
	}
	e.startFaults()
	e.initiate()
	return e, nil
}

func checkEvents(cfg *Config, spec *caucus.Spec) error {
	switch cfg.Delays {
	case "":
		cfg.Delays = UnitDelay
	case UnitDelay, UniformDelay, ExponentialDelay:
	default:
		return &caucus.FieldError{Field: "delays", Found: string(cfg.Delays), Allowed: "unit, uniform, exp"}
	}
	if cfg.Moving != nil {
		return &caucus.FieldError{Field: "network", Found: "one that moves", Allowed: "one that stands still, for an event algorithm"}
	}
	if err := checkScheduler(cfg, spec); err != nil {
		return err
	}
	if err := checkEventFaults(cfg); err != nil {
		return err
	}
	for _, i := range cfg.Initiators {
		if i < 0 || i >= cfg.Graph.Len() {
			return &caucus.FieldError{Field: "initiators", Found: strconv.Itoa(i), Allowed: "node indices from 0 to " + strconv.Itoa(cfg.Graph.Len()-1)}
		}
	}
	return nil
}

// boot makes node i a new instance that sleeps.
func (e *Events[S, M]) boot(i int) {
	g, p := e.cfg.Graph, &e.nodes[i]
	p.local = caucus.Local{ID: e.cfg.ID(i), Degree: g.Degree(i), Known: e.cfg.Known, Now: e.clock}
	nonce := caucus.NewRand(e.cfg.Seed, "nonce").At(uint64(i))
	if p.life > 0 {
		nonce = nonce.At(uint64(p.life))
	}
	if p.local.Nonce = nonce.Uint64(); e.cfg.NoNonces {
		p.local.Nonce = 0
	}
	if e.cfg.Strengths != nil {
		p.local.Strength = e.cfg.Strengths[i]
	}
	if g.Labels != nil {
		p.local.Labels = g.Labels[g.Off[i]:g.Off[i+1]]
	}
	p.local.Lengths = e.cfg.lengths(i)
	p.draws = e.draws.At(uint64(i))
	p.local.Rand = p.draws.At(p.calls)
	p.state = e.algo.Boot(&p.local)
	p.awake, p.down = false, false
	p.seen = e.see(p)
}

// initiate lists the initiators, who wake at time 0 in the order of their indices.
func (e *Events[S, M]) initiate() {
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
func (e *Events[S, M]) Step() bool {
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
	var at float64
	var isAlarm bool
	if e.mode == unit && len(e.alarms.due) == 0 && e.line.len() > 0 {
		at = e.line.first().at // next, for the case that is to be fast
	} else {
		at, isAlarm = e.next()
	}
	for at >= e.faults.next && e.faults.next <= float64(e.cfg.MaxRounds) { // may bring something that comes earlier
		e.dueFaults(e.faults.next)
		at, isAlarm = e.next()
	}
	if at > float64(e.cfg.MaxRounds) { // infinite: nothing is left
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
	case e.mode == unit:
		v := e.line.first()
		e.line.head++
		// Not the place in the buffer: handling v may make it grow.
		e.deliver(int(v.node), int(v.port), v.msg, uint32(e.line.head-1))
	default:
		slot := e.later.first().slot
		v := &e.later.parcels[slot]
		node, port, msg, number := int(v.node), int(v.port), v.msg, v.number
		e.later.drop()
		e.later.release(slot)
		e.deliver(node, port, msg, number)
	}
	return true
}

// next gives the time of what comes next, infinite for nothing, and whether it is a timer.
func (e *Events[S, M]) next() (at float64, isAlarm bool) {
	at, number := never, uint32(0)
	if e.mode == unit {
		if e.line.len() > 0 {
			at, number = e.line.first().at, uint32(e.line.head)
		}
	} else if d := e.later.first(); len(e.alarms.due) > 0 && d.at < never {
		at, number = d.at, e.later.parcels[d.slot].number
	} else {
		at = d.at
	}
	if len(e.alarms.due) > 0 {
		a := &e.alarms.due[0]
		if a.at < at || a.at == at && !earlier(number, e.alarms.parcels[a.slot].msg.sent) {
			return a.at, true
		}
	}
	return at, false
}

func (e *Events[S, M]) setNow(at float64) {
	if at != e.now {
		e.now = at
		e.clock = time.Duration(at * float64(e.cfg.Period))
	}
	if at > e.result.Time {
		e.result.Time = at
	}
}

// deliver lets node i receive a message, after waking it if it sleeps.
func (e *Events[S, M]) deliver(i, port int, m M, number uint32) {
	p := &e.nodes[i]
	if p.down {
		if e.watch != nil {
			e.watch.lost(i, port, number, m, e.now)
		}
		return
	}
	if !p.awake {
		e.wake(i, p, false)
	}
	p.received++
	if e.watch != nil {
		e.watch.message(i, port, number, m, &p.state)
	}
	e.ready(p)
	e.algo.Receive(&p.local, &p.state, port, m, &e.out)
	e.carryOut(i, p)
}

// ring fires the next timer.
func (e *Events[S, M]) ring() {
	slot := e.alarms.due[0].slot
	e.alarms.drop()
	e.fire(slot)
}

func (e *Events[S, M]) fire(slot int32) {
	v := e.alarms.parcels[slot]
	e.alarms.release(slot)
	i := int(v.node)
	p := &e.nodes[i]
	if p.down || v.msg.life != p.life {
		return
	}
	if e.watch != nil {
		e.watch.timer(i, v.msg.timer, &p.state)
	}
	e.ready(p)
	e.algo.Timer(&p.local, &p.state, v.msg.timer, &e.out)
	e.carryOut(i, p)
}

func (e *Events[S, M]) wake(i int, p *place[S], initiator bool) {
	p.awake = true
	if e.watch != nil {
		e.watch.wake(i, initiator, &p.state)
	}
	e.ready(p)
	e.algo.Wake(&p.local, &p.state, initiator, &e.out)
	e.carryOut(i, p)
}

// ready prepares a call of a handler.
func (e *Events[S, M]) ready(p *place[S]) {
	p.calls++
	p.local.Now = e.clock
	p.local.Rand = p.draws.At(p.calls)
	if e.drawn != nil {
		p.local.Rand = *e.drawn
	}
	e.out.Reset()
}

// carryOut does what a handler of node i has asked for and follows its outcome.
func (e *Events[S, M]) carryOut(i int, p *place[S]) {
	if e.drawn != nil {
		*e.drawn = p.local.Rand
	}
	for k := range e.out.Sends {
		if port := e.out.Sends[k].Port; port >= 0 && port < p.local.Degree { // one that the node does not have is ignored
			e.send(i, p, port, &e.out.Sends[k].Msg)
		}
	}
	for _, a := range e.out.Alarms {
		at := e.now + float64(max(0, a.After))/float64(e.cfg.Period)
		e.alarms.push(at, parcel[alarm]{number: uint32(e.caused), node: int32(i), msg: alarm{uint32(e.posted), p.life, a.Timer}})
		e.caused++
	}
	if is := e.see(p); is != p.seen {
		e.changed(i, p, is)
	}
	if e.watch != nil {
		e.watch.done(e.now, &p.state, p.seen)
	}
}

// send puts a message on a port of node i.
func (e *Events[S, M]) send(i int, p *place[S], port int, m *M) {
	g := e.cfg.Graph
	k := g.Off[i] + port
	r := &e.result
	r.Messages++
	p.sent++
	kind := 0
	if len(r.Kinds) > 1 {
		kind = e.algo.Kind(m)
	}
	if uint(kind) < uint(len(r.Kinds)) {
		r.Kinds[kind]++
	}
	if e.cfg.SizeOf != nil {
		r.Bytes += int64(e.cfg.SizeOf(m))
	}
	if e.faults.losses != nil && e.loses(i, int(g.Nbr[k])) {
		if e.watch != nil {
			e.watch.send(port, int(g.Nbr[k]), kind, m, 0)
		}
		return
	}
	if e.watch != nil {
		e.watch.send(port, int(g.Nbr[k]), kind, m, e.posted+1)
	}
	if e.mode == unit {
		v := e.line.next()
		v.at, v.node, v.port, v.msg = e.now+e.cfg.Least+1, g.Nbr[k], e.back[k], *m
	} else if v := (parcel[M]{number: uint32(e.posted), node: g.Nbr[k], port: e.back[k], msg: *m}); e.mode == scheduled {
		e.chosen.put(v, g.Off[v.node]+int(v.port), e.now+1)
	} else {
		at := e.now + e.cfg.Least + e.delay()
		if e.last != nil {
			at = max(at, e.last[k])
			e.last[k] = at
		}
		e.later.push(at, v)
	}
	e.posted++
	e.caused++
}

// delay draws the time that the next message takes.
func (e *Events[S, M]) delay() float64 {
	r := e.delays.At(e.caused)
	x := r.Float64()
	if e.mode == exponential {
		return -math.Log(1 - x)
	}
	return x
}

// changed notes a new outcome of node i.
func (e *Events[S, M]) changed(i int, p *place[S], is seen) {
	r := &e.result
	if is.leader != p.seen.leader {
		r.Changes[i]++
	}
	p.seen = is
	e.postpone()
	r.SettledAt = int(math.Ceil(e.now))
	r.TraceHash = caucus.Mix(r.TraceHash ^ caucus.Mix(is.digest(i)+math.Float64bits(e.now)))
}

// postpone lets an endless run go on for as long as it takes to be stable.
func (e *Events[S, M]) postpone() {
	if e.restAt < never {
		e.restAt = e.now + float64(e.cfg.StableFor)
	}
}

func (e *Events[S, M]) see(p *place[S]) seen {
	if e.elector != nil {
		leader, role := e.elector.Elected(&p.local, &p.state)
		return seen{leader, role, true}
	}
	o := e.algo.Outcome(&p.local, &p.state)
	return seen{o.Leader, o.Role, true}
}

// State gives a copy of what node i holds.
func (e *Events[S, M]) State(i int) S { return e.nodes[i].state }

// Pending is the number of messages on their way.
func (e *Events[S, M]) Pending() int {
	if e.chosen != nil {
		return len(e.chosen.all)
	}
	return e.line.len() + e.later.len()
}

// Result reports the run so far. It has converged when nothing is left to happen.
func (e *Events[S, M]) Result() *Result {
	r := e.result
	r.Converged = e.stable || e.Pending() == 0 && len(e.alarms.due) == 0 && len(e.starts) == 0 && e.faults.over()
	r.Rounds = int(math.Ceil(r.Time))
	if e.cfg.SizeOf == nil {
		var m M
		r.Bytes = r.Messages * int64(unsafe.Sizeof(m))
	}
	r.Changes, r.Kinds = slices.Clone(r.Changes), slices.Clone(r.Kinds)
	r.Outcomes, r.Live = make([]caucus.Outcome, e.n), make([]bool, e.n)
	r.Sent, r.Received, r.Up = make([]int64, e.n), make([]int64, e.n), make([]float64, e.n)
	for i := range e.nodes {
		p := &e.nodes[i]
		r.Sent[i], r.Received[i], r.Up[i] = p.sent, p.received, p.up
		if r.Live[i] = !p.down; r.Live[i] {
			r.Up[i] += max(0, r.Time-p.since)
			r.Outcomes[i] = e.algo.Outcome(&p.local, &p.state)
		}
	}
	return &r
}

// Bits is what the messages of a run take when written as sparsely as the literature counts them: a
// header that tells the kinds apart, and for what a kind carries as many bits as the
// largest ID of the network and a counter up to its number of nodes need. 0 when the
// algorithm does not say what its kinds carry.
func (r *Result) Bits(spec *caucus.Spec, cfg *Config) int64 {
	if len(spec.Carries) == 0 || len(spec.Carries) != len(r.Kinds) {
		return 0
	}
	largest := uint64(0)
	for i := range cfg.Graph.Len() {
		largest = max(largest, uint64(cfg.ID(i)))
	}
	header, id, counter := bits.Len(uint(len(r.Kinds)-1)), bits.Len64(largest), bits.Len(uint(cfg.Graph.Len()))
	sum := int64(0)
	for k, c := range spec.Carries {
		sum += r.Kinds[k] * int64(header+c.IDs*id+c.Counters*counter+c.Bits)
	}
	return sum
}

// ID is the ID of node i.
func (cfg *Config) ID(i int) caucus.ID {
	if cfg.IDs != nil {
		return cfg.IDs[i]
	}
	return caucus.ID(i + 1)
}

// lengths gives those of the edges of node i; nil when all are 1.
func (cfg *Config) lengths(i int) []float64 {
	g := cfg.Graph
	if cfg.Lengths != nil {
		return cfg.Lengths[g.Off[i]:g.Off[i+1]]
	}
	if !cfg.Positions {
		return nil
	}
	list := make([]float64, 0, g.Degree(i))
	for _, j := range g.Neighbours(i) {
		list = append(list, math.Hypot(g.X[i]-g.X[j], g.Y[i]-g.Y[j]))
	}
	return list
}

// RunEvents runs an algorithm of the event shape until nothing is left to happen, or
// to its limits (Config.MaxRounds in periods, Config.MaxEvents). When ctx ends first the result is
// what there is so far, and the error ctx's.
func RunEvents[S, M any](ctx context.Context, algo caucus.Events[S, M], spec *caucus.Spec, cfg Config) (*Result, error) {
	e, err := NewEvents(algo, spec, cfg)
	if err != nil {
		return nil, err
	}
	const between = 1024 // events between two looks at ctx
	for goOn := true; goOn && e.result.Events < e.cfg.MaxEvents && ctx.Err() == nil; {
		for range min(between, e.cfg.MaxEvents-e.result.Events) {
			if goOn = e.Step(); !goOn {
				break
			}
			e.result.Events++
			if e.watch.stopped() {
				goOn = false
				break
			}
		}
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

// backPorts gives for every end of an edge the port number at the other end. Rows
// rise, so a walk over the nodes meets the entries of every row in turn.
func backPorts(off []int, nbr []int32) []int32 {
	back := make([]int32, len(nbr))
	next := make([]int32, len(off)-1)
	for i := range next {
		for k := off[i]; k < off[i+1]; k++ {
			back[k] = next[nbr[k]]
			next[nbr[k]]++
		}
	}
	return back
}
