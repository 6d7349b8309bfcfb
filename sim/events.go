package sim

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"caucus"
)

// Events runs an algorithm of the event shape, one event after the other in order of time;
// of two at the same time the one that was caused first. Messages of one link and
// direction never overtake each other. Handlers take no time.
type Events[S, M any] struct {
	algo   caucus.Events[S, M]
	cfg    Config
	n      int
	local  caucus.Local
	out    caucus.Outbox[M]
	state  []S
	awake  []bool
	calls  []uint32      // handler calls by node: each has its own random stream
	back   []int32       // by port: the port of the same link at its other end
	last   []float64     // by port of the sender: when its last message arrives; nil with unit delays
	seen   []seen        // by node
	queue  eventQueue[M] // what is to come
	caused uint64        // events so far, for order and for the random streams

	result                Result
	nonces, draws, delays caucus.Rand
}

// event is a wake-up, a message or a timer.
type event[M any] struct {
	at    float64
	order uint64
	node  int32
	port  int32 // of a message; else wakeUp or timer
	timer int
	msg   M
}

const (
	wakeUp = -1
	timer  = -2
)

const maxEvents = 1_000_000_000

// NewEvents checks the configuration and prepares a run; errors as NewRounds. Timing,
// Workers, StableFor and Every have no meaning here; faults are refused.
func NewEvents[S, M any](algo caucus.Events[S, M], spec *caucus.Spec, cfg Config) (*Events[S, M], error) {
	if err := check(&cfg, spec); err != nil {
		return nil, err
	}
	if err := checkEvents(&cfg); err != nil {
		return nil, err
	}
	fillDefaults(&cfg)
	if cfg.MaxEvents == 0 {
		cfg.MaxEvents = maxEvents
	}
	n := cfg.Graph.Len()
	e := &Events[S, M]{
		algo: algo, cfg: cfg, n: n,
		state: make([]S, n), awake: make([]bool, n), calls: make([]uint32, n), seen: make([]seen, n),
		back:   backPorts(cfg.Graph.Off, cfg.Graph.Nbr),
		nonces: caucus.NewRand(cfg.Seed, "nonce"), draws: caucus.NewRand(cfg.Seed, "node"), delays: caucus.NewRand(cfg.Seed, "delay"),
	}
	e.local.Known = cfg.Known
	e.result.Changes = make([]int, n)
	kinds := 1
	if spec != nil {
		kinds = max(1, len(spec.Kinds))
	}
	e.result.Kinds = make([]int64, kinds)
	if cfg.Delays != UnitDelay {
		e.last = make([]float64, len(cfg.Graph.Nbr))
	}
	for i := range n {
		e.fill(i, 0)
		e.state[i] = algo.Boot(&e.local)
		e.seen[i] = e.see(i)
	}
	e.initiate()
	return e, nil
}

func checkEvents(cfg *Config) error {
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
	if len(cfg.Faults) > 0 {
		return &caucus.FieldError{Field: "faults", Found: strconv.Itoa(len(cfg.Faults)), Allowed: "none: the events engine runs without faults"}
	}
	for _, i := range cfg.Initiators {
		if i < 0 || i >= cfg.Graph.Len() {
			return &caucus.FieldError{Field: "initiators", Found: strconv.Itoa(i), Allowed: "node indices from 0 to " + strconv.Itoa(cfg.Graph.Len()-1)}
		}
	}
	return nil
}

// initiate wakes the initiators at time 0, in the order of their indices.
func (e *Events[S, M]) initiate() {
	who := slices.Clone(e.cfg.Initiators)
	if who == nil {
		for i := range e.n {
			who = append(who, i)
		}
	}
	slices.Sort(who)
	for _, i := range slices.Compact(who) {
		e.schedule(event[M]{node: int32(i), port: wakeUp})
	}
}

func (e *Events[S, M]) schedule(v event[M]) {
	v.order = e.caused
	e.caused++
	e.queue.push(v)
}

// Step handles the next event; false when there is none within the time limit.
func (e *Events[S, M]) Step() bool {
	if len(e.queue) == 0 || e.queue[0].at > float64(e.cfg.MaxRounds) {
		return false
	}
	v := e.queue.pop()
	i := int(v.node)
	e.result.Time = v.at
	if !e.awake[i] {
		e.awake[i] = true
		e.ready(i, v.at)
		e.algo.Wake(&e.local, &e.state[i], v.port == wakeUp, &e.out)
		e.carryOut(i, v.at)
	}
	if v.port == wakeUp {
		return true
	}
	e.ready(i, v.at)
	if v.port == timer {
		e.algo.Timer(&e.local, &e.state[i], v.timer, &e.out)
	} else {
		e.algo.Receive(&e.local, &e.state[i], int(v.port), v.msg, &e.out)
	}
	e.carryOut(i, v.at)
	return true
}

// ready prepares a call of a handler of node i.
func (e *Events[S, M]) ready(i int, now float64) {
	e.calls[i]++
	e.fill(i, now)
	e.out.Reset()
}

// carryOut does what a handler of node i has asked for.
func (e *Events[S, M]) carryOut(i int, now float64) {
	for k := range e.out.Sends {
		e.send(i, e.out.Sends[k].Port, &e.out.Sends[k].Msg, now)
	}
	for _, a := range e.out.Alarms {
		e.schedule(event[M]{at: now + float64(max(0, a.After))/float64(e.cfg.Period), node: int32(i), port: timer, timer: a.Timer})
	}
	e.watch(i, now)
}

// send puts a message on a port; one that the node does not have is ignored.
func (e *Events[S, M]) send(i, port int, m *M, now float64) {
	g := e.cfg.Graph
	if port < 0 || port >= g.Degree(i) {
		return
	}
	k := g.Off[i] + port
	r := &e.result
	r.Messages++
	if kind := e.algo.Kind(m); kind >= 0 && kind < len(r.Kinds) {
		r.Kinds[kind]++
	}
	if e.cfg.SizeOf != nil {
		r.Bytes += int64(e.cfg.SizeOf(m))
	} else {
		r.Bytes += int64(unsafe.Sizeof(*m))
	}
	at := now + e.delay()
	if e.last != nil {
		at = max(at, e.last[k])
		e.last[k] = at
	}
	e.schedule(event[M]{at: at, node: g.Nbr[k], port: e.back[k], msg: *m})
}

func (e *Events[S, M]) delay() float64 {
	r := e.delays.At(e.caused)
	switch e.cfg.Delays {
	case UniformDelay:
		return r.Float64()
	case ExponentialDelay:
		return -math.Log(1 - r.Float64())
	}
	return 1
}

// watch follows the outcome of node i.
func (e *Events[S, M]) watch(i int, now float64) {
	is := e.see(i)
	if is == e.seen[i] {
		return
	}
	r := &e.result
	if is.leader != e.seen[i].leader {
		r.Changes[i]++
	}
	e.seen[i] = is
	r.SettledAt = int(math.Ceil(now))
	r.TraceHash = caucus.Mix(r.TraceHash ^ caucus.Mix(is.digest(i)+math.Float64bits(now)))
}

func (e *Events[S, M]) see(i int) seen {
	o := e.algo.Outcome(&e.local, &e.state[i])
	return seen{o.Leader, o.Role, true}
}

func (e *Events[S, M]) fill(i int, now float64) {
	g, l := e.cfg.Graph, &e.local
	l.ID = caucus.ID(i + 1)
	if e.cfg.IDs != nil {
		l.ID = e.cfg.IDs[i]
	}
	nonce := e.nonces.At(uint64(i))
	l.Nonce = nonce.Uint64()
	if e.cfg.Strengths != nil {
		l.Strength = e.cfg.Strengths[i]
	}
	l.Degree = g.Degree(i)
	l.Now = time.Duration(now * float64(e.cfg.Period))
	l.Rand = e.draws.At(uint64(i)).At(uint64(e.calls[i]))
	if g.Labels != nil {
		l.Labels = g.Labels[g.Off[i]:g.Off[i+1]]
	}
}

// State gives a copy of what node i holds.
func (e *Events[S, M]) State(i int) S { return e.state[i] }

// Result reports the run so far. It has converged when nothing is left to happen.
func (e *Events[S, M]) Result() *Result {
	r := e.result
	r.Converged = len(e.queue) == 0
	r.Rounds = int(math.Ceil(r.Time))
	r.Changes, r.Kinds = slices.Clone(r.Changes), slices.Clone(r.Kinds)
	r.Outcomes, r.Live = make([]caucus.Outcome, e.n), make([]bool, e.n)
	for i := range e.n {
		e.fill(i, r.Time)
		r.Outcomes[i] = e.algo.Outcome(&e.local, &e.state[i])
		r.Live[i] = true
	}
	return &r
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
	for k := int64(0); k < e.cfg.MaxEvents && e.Step(); k++ {
		if k%between == 0 {
			if ctx.Err() != nil {
				break
			}
			if cfg.Progress != nil {
				cfg.Progress(int(e.result.Time))
			}
		}
	}
	return e.Result(), ctx.Err()
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

// eventQueue is a heap by time, then by order of cause.
type eventQueue[M any] []event[M]

func (q eventQueue[M]) before(a, b int) bool {
	return q[a].at < q[b].at || q[a].at == q[b].at && q[a].order < q[b].order
}

func (q *eventQueue[M]) push(v event[M]) {
	h := append(*q, v)
	for i := len(h) - 1; i > 0 && h.before(i, (i-1)/2); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	*q = h
}

func (q *eventQueue[M]) pop() event[M] {
	h := *q
	top, end := h[0], len(h)-1
	h[0] = h[end]
	h = h[:end]
	for i := 0; ; {
		c := 2*i + 1
		if c >= end {
			break
		}
		if c+1 < end && h.before(c+1, c) {
			c++
		}
		if !h.before(c, i) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	*q = h
	return top
}
