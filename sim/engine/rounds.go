package engine

import (
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/exact"
	"caucus.example/caucus/sim"
)

// Rounds runs an algorithm of the round shape. Its columns are in an order of its
// own; all that goes in or out is by the caller's node index.
//
// A Rounds is not safe for concurrent use; it runs its workers itself.
type Rounds[S, M any] struct {
	*RoundRun
	tape *columns.Table[S, M]
}

// NewRounds checks the configuration and prepares a run. The error names the
// field, node or edge, or the violated assumption of the algorithm. spec may be nil: no
// assumption is checked. Call Close when done.
func NewRounds[S, M any](algo caucus.Rounds[S, M], spec *caucus.Spec, cfg sim.Config) (*Rounds[S, M], error) {
	e, err := NewRoundRun(columns.OfNodes(algo), spec, cfg)
	if err != nil {
		return nil, err
	}
	return &Rounds[S, M]{e, e.tape.(*columns.Table[S, M])}, nil
}

// NewRoundRun is NewRounds of an algorithm whose types are forgotten.
func NewRoundRun(algo columns.Nodes, spec *caucus.Spec, cfg sim.Config) (*RoundRun, error) {
	if err := cfg.CheckRounds(spec); err != nil {
		return nil, err
	}
	rows, err := cfg.Graph.Rows()
	if err != nil {
		return nil, err
	}
	fillDefaults(&cfg)
	e := &RoundRun{
		cfg: cfg, n: cfg.Graph.Len(), rows: rows,
		phases: caucus.NewRand(cfg.Seed, "phase"), nonces: caucus.NewRand(cfg.Seed, "nonce"),
		draws: caucus.NewRand(cfg.Seed, "node"),
	}
	if cfg.Timing == sim.Asynchronous && cfg.Moving == nil {
		e.plan = planPeriod(rows, e.allPhases(), cfg.Workers)
	}
	giveBack(e.n) // what the network was made of
	e.place(algo)
	e.hire()
	if err := e.takeOff(); err != nil {
		e.Close()
		return nil, err
	}
	e.prepareRest()
	e.startFaults()
	e.unsure = true
	switch cfg.Timing {
	case sim.Synchronous:
		e.bootAll()
	case sim.Jittered, sim.Exponential:
		e.startAgenda()
	case sim.Aligned:
		e.startAligned()
	}
	if cfg.StableFor > 0 || cfg.Every > 0 {
		e.Observe()
	}
	return e, nil
}

func fillDefaults(cfg *sim.Config) {
	if cfg.Timing == "" {
		cfg.Timing = sim.Synchronous
	}
	if cfg.Period == 0 {
		cfg.Period = time.Second
	}
	if cfg.MaxRounds == 0 {
		cfg.MaxRounds = 1_000_000
	}
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	// Below this the workers would only wait for each other.
	cfg.Workers = max(1, min(cfg.Workers, cfg.Graph.Len()/minShare))
}

// giveBack returns the memory of what is no longer needed before more is asked for, where there are so many nodes that
// it is worth the milliseconds. The runtime alone would wait until there is twice as much.
func giveBack(nodes int) {
	const many = 1 << 19
	if nodes >= many {
		debug.FreeOSMemory()
	}
}

// minShare is the least number of nodes worth a worker of its own.
const minShare = 256

func (e *RoundRun) allPhases() []float64 {
	phase := make([]float64, e.cfg.Graph.Len())
	for i := range phase {
		phase[i] = e.phase(i)
	}
	return phase
}

// phase is the phase of the caller's node i.
func (e *RoundRun) phase(i int) float64 { return phaseOf(&e.cfg, e.phases, i) }

// phaseOf is the phase of a node: the configuration's, or one that is drawn.
func phaseOf(cfg *sim.Config, drawn caucus.Rand, i int) float64 {
	if cfg.Phases != nil {
		return cfg.Phases[i]
	}
	r := drawn.At(uint64(i))
	return r.Float64()
}

// place lays out the columns.
func (e *RoundRun) place(algo columns.Nodes) {
	g, n := e.cfg.Graph, e.n
	if e.plan.order == nil {
		e.length, e.labels = e.cfg.Lengths, g.Labels
		if e.cfg.Positions {
			e.x, e.y = g.X, g.Y
		}
	} else {
		e.relabel()
	}
	most := 0
	for i := range n {
		most = max(most, g.Degree(i))
	}
	if e.length == nil && !e.cfg.Positions {
		e.ones = slices.Repeat([]float64{1}, most)
	}
	e.hands = make([]hand, e.cfg.Workers)
	for w := range e.hands {
		e.hands[w].number = w
		e.hands[w].from = make([]int32, most)
		e.hands[w].dist = make([]float64, most)
		e.hands[w].missed = make([]uint8, most)
		e.hands[w].local.Known = e.cfg.Known
	}
	e.status = make([]status, n)
	e.tape = algo.New(n, e.cfg.Workers, most, e.cfg.Timing == sim.Synchronous)
}

// relabel moves the network into the order of the plan. Rows keep the caller's
// order of neighbours: an inbox must not depend on the plan.
func (e *RoundRun) relabel() {
	g, rows := e.cfg.Graph, e.rows
	e.user = e.plan.order
	e.rows = rows.In(e.user)
	for _, i := range e.user {
		a, b := rows.Span(int(i))
		if e.cfg.Lengths != nil {
			e.length = append(e.length, e.cfg.Lengths[a:b]...)
		}
		if g.Labels != nil {
			e.labels = append(e.labels, g.Labels[a:b]...)
		}
	}
	if e.cfg.Positions {
		e.x, e.y = permuted(g.X, e.user), permuted(g.Y, e.user)
	}
}

// permuted copies a column into the order of user; a nil order needs no copy.
func permuted[T any](column []T, user []int32) []T {
	if column == nil || user == nil {
		return column
	}
	out := make([]T, len(column))
	for p, i := range user {
		out[p] = column[i]
	}
	return out
}

func (e *RoundRun) hire() {
	e.crew = newCrew(e.cfg.Workers)
	e.shards = balance(e.n, e.cfg.Workers, e.rows.Degree)
	e.sweepJob = func(w int) {
		bounds := e.shards
		if e.plan.order != nil {
			bounds = e.plan.parts
		}
		e.sweep(&e.hands[w], bounds[w], bounds[w+1])
	}
	e.levelJob = func(w int) {
		a, b := e.plan.levels[e.level], e.plan.levels[e.level+1]
		e.sweep(&e.hands[w], a+(b-a)*w/e.cfg.Workers, a+(b-a)*(w+1)/e.cfg.Workers)
	}
	e.dueJob = func(w int) {
		bounds := e.shards
		if e.plan.order != nil {
			bounds = e.plan.parts
		}
		e.sweepDue(&e.hands[w], bounds[w], bounds[w+1])
	}
	e.flyJob = func(w int) { e.flyAll(&e.hands[w], e.shards[w], e.shards[w+1]) }
	e.flightJob = e.flyAhead
	e.takeJob = func(w int) { e.take(e.shards[w], e.shards[w+1]) }
	e.postJob = func(w int) { e.postAll(e.shards[w], e.shards[w+1]) }
	e.probeJob = func(w int) { e.watch(w, e.shards[w], e.shards[w+1]) }
}

// Close ends the workers. The results stay readable.
func (e *RoundRun) Close() {
	if e.crew != nil {
		e.crew.close()
		e.crew = nil
	}
}

// index is the position of the caller's node i, and node the reverse.
func (e *RoundRun) index(i int) int {
	if e.user == nil {
		return i
	}
	if e.pos == nil {
		e.pos = inverse(e.user)
	}
	return int(e.pos[i])
}

func inverse(order []int32) []int32 {
	pos := make([]int32, len(order))
	for p, i := range order {
		pos[i] = int32(p)
	}
	return pos
}

func (e *RoundRun) node(p int) int {
	if e.user == nil {
		return p
	}
	return int(e.user[p])
}

func (e *RoundRun) id(node int) caucus.ID {
	if e.cfg.IDs == nil {
		return caucus.ID(node + 1)
	}
	return e.cfg.IDs[node]
}

// Step runs one period: one round of every node that runs (with jittered and
// exponential periods, one on average).
func (e *RoundRun) Step() {
	now := float64(e.periods)
	e.applyFaults(now)
	e.closeBoxes()
	e.becalm(now)
	if e.resting(now) {
		e.stepDue()
	} else if !e.stepWhole(now) {
		return
	}
	e.periods++
	if e.probe != nil {
		e.observe()
	}
	if e.cfg.Watch == nil {
		e.lookedAt()
	}
}

// stepWhole runs every node; false if it was told to stop amid them.
func (e *RoundRun) stepWhole(now float64) bool {
	e.begun()
	switch {
	case e.air != nil && e.cfg.Timing == sim.Synchronous:
		e.sweepMoving(now)
		e.tape.Turn()
	case e.cfg.Timing == sim.Synchronous:
		e.crew.run(e.sweepJob)
		if !e.calm {
			e.crew.run(e.postJob)
		}
		e.tape.Turn()
	case e.aligned != nil:
		if !e.stepAligned(now) {
			return false
		}
	case e.agenda != nil:
		if !e.stepAgenda(now) {
			return false
		}
	case e.pairs():
		e.stepFlights(now)
	case e.air != nil || e.faults.dueBefore(now+1):
		e.stepByPhase(now)
	default:
		e.crew.run(e.sweepJob)
		e.runLevels()
	}
	e.ended()
	return true
}

// runLevels runs what the parts of the plan left, a level at a time. A small level is
// quicker without the crew.
func (e *RoundRun) runLevels() {
	levels := e.plan.levels
	for e.level = 0; e.level+1 < len(levels); e.level++ {
		a, b := levels[e.level], levels[e.level+1]
		if b-a < minShare {
			e.sweep(&e.hands[0], a, b)
		} else {
			e.crew.run(e.levelJob)
		}
	}
}

// activation is when the node at position p runs in this period.
func (e *RoundRun) activation(p int) float64 {
	if e.cfg.Timing == sim.Synchronous {
		return float64(e.periods)
	}
	return float64(e.periods) + e.phase(e.node(p))
}

// clockless tells whether no node reads at what time in its period it runs.
func (e *RoundRun) clockless() bool { return e.timeless && e.cfg.Words == 0 }

// begin counts a round of the node at position p.
func (e *RoundRun) begin(p int) uint64 {
	if e.ran == nil {
		return uint64(e.periods + 1)
	}
	e.ran[p]++
	return uint64(e.ran[p])
}

// distances gives the lengths of the edges of the node at position p, whose neighbours are given.
func (e *RoundRun) distances(h *hand, p int, row []int32) []float64 {
	if e.ones != nil {
		return e.ones[:len(row)]
	}
	return e.measured(h, p, row)
}

func (e *RoundRun) measured(h *hand, p int, row []int32) []float64 {
	if e.length != nil {
		a, b := e.rows.Span(p)
		return e.length[a:b]
	}
	dist, x, y := h.dist[:len(row)], e.x[p], e.y[p]
	for k, q := range row {
		dist[k] = exact.Hypot(x-e.x[q], y-e.y[q])
	}
	return dist
}

// distance gives the length of the edge at slot s of the node at position p.
func (e *RoundRun) distance(p, s int) float64 {
	switch {
	case e.length != nil:
		return e.length[s]
	case e.x == nil:
		return 1
	}
	q := e.rows.End(p, s)
	return exact.Hypot(e.x[p]-e.x[q], e.y[p]-e.y[q])
}

// bootAll starts those who are there from the beginning. Workers share them where nothing is sent.
func (e *RoundRun) bootAll() {
	some := func(h *hand, a, b int) {
		for p := a; p < b; p++ {
			if e.status[p] == waiting {
				e.boot(h, p, 0)
			}
		}
	}
	if e.air != nil || e.faults.sent != nil {
		some(&e.hands[0], 0, e.n)
		return
	}
	e.crew.run(func(w int) { some(&e.hands[w], e.shards[w], e.shards[w+1]) })
}

// boot starts the node at position p clean.
func (e *RoundRun) boot(h *hand, p int, now float64) {
	e.status[p], h.booted = running, true
	if e.ran != nil {
		e.ran[p] = 0
	}
	e.fill(&h.local, p, 0, now)
	e.tape.Boot(&h.local, p)
	if e.cfg.Timing == sim.Synchronous {
		e.send(p, false, now)
	}
}

// nonce is that of the present life of the node at position p.
func (e *RoundRun) nonce(p int) uint64 {
	if e.cfg.NoNonces {
		return 0
	}
	nonce := e.nonces.At(uint64(e.node(p)))
	if e.lives != nil && e.lives[p] > 0 {
		nonce = nonce.At(uint64(e.lives[p]))
	}
	return nonce.Uint64()
}

// strengthOf is the strength of a node, whose position is p: that of the start, unless one may have changed.
func (e *RoundRun) strengthOf(p, node int) float64 {
	if e.strength != nil {
		return e.strength[p]
	}
	return e.cfg.Strength(node)
}

// fill sets what the node at position p knows about itself.
func (e *RoundRun) fill(l *caucus.Local, p int, round uint64, now float64) {
	node := e.node(p)
	l.ID, l.Strength = e.id(node), e.strengthOf(p, node)
	if e.air != nil {
		l.Nonce = e.air.nonces[p]
	} else {
		l.Nonce = e.nonce(p)
	}
	if e.labels != nil {
		a, b := e.rows.Span(p)
		l.Labels = e.labels[a:b]
	}
	l.Degree = e.rows.Degree(p)
	l.Round = round
	l.Now = time.Duration(now * float64(e.cfg.Period))
	if e.cfg.Words > 0 {
		l.Word.Version = 1 + uint64(now)/uint64(e.cfg.Words)
	}
	if round == 0 || !e.timeless { // else nobody reads it
		l.Rand = e.draws.At(uint64(node)).At(round)
	}
}
