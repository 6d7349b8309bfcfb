package check

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

// walk makes one execution at a time. A configuration is a row: what every node holds, then what each says, then in the
// message model what has come over every direction of an edge; all by number. It is no key, so that neither the number
// of nodes nor that of their values is bounded. Processes are the nodes, and in the message model these directions.
type walk struct {
	y         *system
	daemon    Daemon
	n         int
	links     int
	processes int
	full      uint64
	clean     bool // starts are as nodes boot
	of        float64
	rand      *rand.Rand
	right     func(states []uint32) bool
	states    caucus.Values[uint32] // of the domain
	messages  caucus.Values[uint32]
	beside    []uint64 // neighbours by node
	reads     []uint64 // by process: who reads what it changes

	row     []uint32
	msgs    []uint32
	next    []pair // what nodes step to
	enabled uint64
	stale   uint64 // whose next step is not known

	rows   rowSet
	visits []visited // by number of the row
	steps  []uint64  // who has acted
	acted  []int     // by process: after which step it has last acted, or had nothing to do
	wrong  int       // after which step the result was wrong last
	hashes []uint64  // of the rows
	hashS  []uint64  // of states and messages, by number
	hashM  []uint64
}

// visited is when a walk has been somewhere.
type visited struct{ first, last, phase int }

// schedule says who acts in step k; if it has a period, the same as in step k + period.
type schedule struct {
	at     func(k int) uint64
	period int
}

// lasso is an execution that comes back to where it was after some of its steps, or stands still at the end.
type lasso struct {
	start []uint32
	steps []uint64
	loop  int
}

// cost is how much there is to tell.
func (w *walk) cost(l lasso) int {
	cost := len(l.steps)
	for i := range w.n {
		if l.start != nil && w.corrupt(l, i) {
			cost++
		}
	}
	return cost
}

// corrupt reports whether a node begins otherwise than it boots.
func (w *walk) corrupt(l lasso, i int) bool {
	return l.start[i] != w.y.nodes[i].boot[0] || l.start[w.n+i] != w.y.nodes[i].boot[1]
}

// maxProcesses is what the sets of a walk hold.
const maxProcesses = 64

// newWalk makes executions that begin as nodes boot, or with values of the domain in a world.
func newWalk(y *system, d Daemon, clean, messages bool, in *caucus.World) (*walk, error) {
	n := len(y.nodes)
	w := &walk{y: y, daemon: d, n: n, processes: n, clean: clean, beside: make([]uint64, n)}
	if messages {
		w.links = len(y.net.Nbr)
		w.processes += w.links
	}
	if w.processes > maxProcesses {
		return nil, errTooLarge{fmt.Sprintf("%d nodes and directions of edges, and walks know %d", w.processes,
			maxProcesses)}
	}
	w.full = ^uint64(0) >> (64 - w.processes)
	w.states, w.messages = y.algo.Domain(in)
	if !clean {
		w.of = power(slices.Concat(slices.Repeat([]uint64{w.states.Len, w.messages.Len}, n),
			slices.Repeat([]uint64{w.messages.Len}, w.links)))
	}
	w.right = y.rightOf(func(_ int, state uint32) pair { return pair{state: state} })
	w.row, w.next = make([]uint32, 2*n+w.links), make([]pair, n)
	w.rows.width = len(w.row)
	w.reads, w.acted = make([]uint64, w.processes), make([]int, w.processes)
	for i := range n {
		w.reads[i] |= 1 << i
		for k, j := range y.nodes[i].nbr {
			w.beside[i] |= 1 << j
			w.beside[j] |= 1 << i
			if link := n + y.net.Off[i] + k; w.links > 0 {
				w.reads[j] |= 1 << link
				w.reads[link] = 1<<link | 1<<i
			} else {
				w.reads[j] |= 1 << i
			}
		}
		w.msgs = append(w.msgs, 0)
	}
	return w, nil
}

// start draws where an execution begins: every other time as all nodes boot, unless some are corrupt.
func (w *walk) start() []uint32 {
	row := make([]uint32, len(w.row))
	for i := range w.n {
		row[i], row[w.n+i] = w.y.nodes[i].boot[0], w.y.nodes[i].boot[1]
	}
	var struck []int
	if !w.clean && w.rand.IntN(2) == 0 {
		struck = w.rand.Perm(w.n)[:1+w.rand.IntN(w.n)]
	}
	for _, i := range struck {
		p := &w.y.nodes[i]
		state := w.states.At(w.rand.Uint64N(w.states.Len))
		if row[i] = p.states.number(state); w.y.algo.alike && w.rand.IntN(2) == 0 {
			row[w.n+i] = p.messages.number(w.y.algo.said(state))
		} else {
			row[w.n+i] = p.messages.number(w.messages.At(w.rand.Uint64N(w.messages.Len)))
		}
	}
	for k := range w.links {
		row[2*w.n+k] = row[w.n+int(w.y.net.Nbr[k])]
		if to := receiver(w.y.net, k); slices.Contains(struck, to) {
			p := &w.y.nodes[w.y.net.Nbr[k]]
			row[2*w.n+k] = p.messages.number(w.messages.At(w.rand.Uint64N(w.messages.Len)))
		}
	}
	return row
}

// run makes an execution of so many steps, and gives one that goes wrong for ever as soon as it has.
func (w *walk) run(start []uint32, who schedule, most int) (lasso, bool) {
	copy(w.row, start)
	w.rows.clear()
	w.visits, w.steps = w.visits[:0], w.steps[:0]
	w.hashes, w.wrong, w.stale, w.enabled = w.hashes[:0], -1, w.full, 0
	for p := range w.acted {
		w.acted[p] = -1
	}
	w.rebase()
	for k := 0; ; k++ {
		w.look()
		if w.y.err != nil {
			return lasso{}, false
		}
		if loop, over := w.judge(k, who.period); over {
			return lasso{start, slices.Clone(w.steps), loop}, loop >= 0
		}
		set := uint64(0)
		for tries := 0; set == 0; k, tries = k+1, tries+1 {
			if len(w.steps) == most || tries > most {
				return lasso{}, false
			}
			if set = who.at(k); !w.daemon.inRounds() {
				set &= w.enabled // that others act along makes no difference
			}
		}
		k--
		w.act(set)
	}
}

// judge looks at where the execution has come to: whether that is where it ends, and after which step it was there
// before if it goes wrong for ever; -1 if it does not.
func (w *walk) judge(k, period int) (loop int, over bool) {
	now := len(w.steps)
	if !w.right(w.row[:w.n]) {
		w.wrong = now
	}
	for idle := w.full &^ w.enabled; idle != 0; idle &= idle - 1 {
		w.acted[bits.TrailingZeros64(idle)] = now
	}
	if w.daemon.inRounds() && now%w.processes != 0 {
		return -1, false
	}
	phase := 0
	if period > 0 {
		phase = k % period
	}
	id := int(w.rows.number(w.row))
	switch {
	case id == len(w.visits):
		w.visits = append(w.visits, visited{now, now, phase})
		w.hashes = append(w.hashes, w.hash())
	case w.astray(w.visits[id].last):
		return w.visits[id].last, true
	case w.astray(w.visits[id].first):
		return w.visits[id].first, true
	case period > 0 && phase == w.visits[id].phase:
		return -1, true // what comes is what has been
	default:
		w.visits[id].last = now
	}
	if w.enabled == 0 && !w.daemon.inRounds() {
		if w.wrong == now {
			return now, true
		}
		return -1, true
	}
	return -1, false
}

// astray reports whether the way round from an earlier visit is wrong somewhere, every process having acted.
func (w *walk) astray(before int) bool {
	return w.wrong > before && !slices.ContainsFunc(w.acted, func(k int) bool { return k <= before })
}

// look finds out whose steps change something.
func (w *walk) look() {
	for ; w.stale != 0; w.stale &= w.stale - 1 {
		p := bits.TrailingZeros64(w.stale)
		w.enabled &^= 1 << p
		moves := false
		if p < w.n {
			w.next[p] = w.answer(p)
			moves = w.next[p] != pair{w.row[p], w.row[w.n+p]}
		} else {
			moves = w.row[w.n+p] != w.row[w.n+int(w.y.net.Nbr[p-w.n])]
		}
		if moves {
			w.enabled |= 1 << p
		}
	}
}

// answer is what a node steps to.
func (w *walk) answer(i int) pair {
	p := &w.y.nodes[i]
	msgs := w.msgs[:len(p.nbr)]
	if w.links > 0 {
		msgs = w.row[2*w.n+w.y.net.Off[i]:][:len(p.nbr)]
	} else {
		for k, j := range p.nbr {
			msgs[k] = w.row[w.n+int(j)]
		}
	}
	state, says := w.y.round(i, w.row[i], msgs)
	return pair{state, says}
}

// act lets processes act at the same time.
func (w *walk) act(set uint64) {
	w.steps = append(w.steps, set)
	for s := set; s != 0; s &= s - 1 {
		p := bits.TrailingZeros64(s)
		w.acted[p] = len(w.steps)
		if w.stale |= w.reads[p]; p < w.n {
			w.row[p], w.row[w.n+p] = w.next[p].state, w.next[p].message
		} else {
			w.row[w.n+p] = w.row[w.n+int(w.y.net.Nbr[p-w.n])]
		}
	}
	w.rebase()
}

// rebase takes from all counters what the first node's has, if only their differences matter.
func (w *walk) rebase() {
	a, nodes := w.y.algo, w.y.nodes
	if !a.related {
		return
	}
	origin := a.origin(nodes[0].states.values[w.row[0]])
	if origin == 0 {
		return
	}
	w.stale = w.full
	for k := range w.links {
		p := &nodes[w.y.net.Nbr[k]]
		_, m := a.rebase(p.states.values[p.boot[0]], p.messages.values[w.row[2*w.n+k]], origin)
		w.row[2*w.n+k] = p.messages.number(m)
	}
	for i := range nodes {
		p := &nodes[i]
		s, m := a.rebase(p.states.values[w.row[i]], p.messages.values[w.row[w.n+i]], origin)
		w.row[i], w.row[w.n+i] = p.states.number(s), p.messages.number(m)
	}
}

// hash is that of the values themselves, whoever has numbered them.
func (w *walk) hash() uint64 {
	a, h := w.y.algo, uint64(0)
	add := func(l *lexicon, known *[]uint64, v uint32) {
		for int(v) >= len(*known) {
			*known = append(*known, l.hash(l.at(uint32(len(*known)))))
		}
		h = mix((h ^ (*known)[v]) * hashFactor)
	}
	for i := range w.y.nodes {
		p := &w.y.nodes[i]
		add(a.states, &w.hashS, p.states.values[w.row[i]])
		add(a.says, &w.hashM, p.messages.values[w.row[w.n+i]])
	}
	for k := range w.links {
		add(a.says, &w.hashM, w.y.nodes[w.y.net.Nbr[k]].messages.values[w.row[2*w.n+k]])
	}
	return h
}

// maxShortening bounds the steps that are made to find a shorter way to go wrong.
const maxShortening = 1 << 18

// shorten leaves out what a lasso does not need: steps, many at a time and then few, and corruptions of nodes.
func (w *walk) shorten(l lasso) lasso {
	unit, left := 1, maxShortening
	if w.daemon.inRounds() {
		unit = w.processes
	}
	better := func(c lasso) bool {
		lap := c.steps[c.loop:]
		if len(lap) == 0 {
			for p := range w.processes {
				lap = append(lap, 1<<p)
			}
		}
		way := slices.Concat(c.steps[:c.loop], lap)
		shorter, ok := w.run(c.start, schedule{at: func(k int) uint64 {
			if k >= len(way) {
				k = c.loop + (k-c.loop)%len(lap)
			}
			return way[k]
		}}, 2*len(l.steps)+len(way))
		left -= len(w.steps)
		if ok = ok && w.cost(shorter) < w.cost(l) && w.y.err == nil; ok {
			l = shorter
		}
		return ok
	}
	for again := true; again && left > 0; {
		again = false
		for size := len(l.steps) / unit / 2 * unit; size >= unit; size = size / unit / 2 * unit {
			for at := 0; at+size <= len(l.steps) && left > 0; {
				c := l
				c.steps = slices.Concat(l.steps[:at], l.steps[at+size:])
				c.loop -= min(size, max(0, l.loop-at))
				if better(c) {
					again = true
				} else {
					at += size
				}
			}
		}
		for i := range w.n {
			if !w.corrupt(l, i) {
				continue
			}
			c := l
			c.start = slices.Clone(l.start)
			c.start[i], c.start[w.n+i] = w.y.nodes[i].boot[0], w.y.nodes[i].boot[1]
			again = better(c) || again
		}
	}
	return l
}

// tell has a lasso carried out in the simulator.
func (w *walk) tell(many columns.Nodes, l lasso) (*story.Story, error) {
	y := w.y
	s := &story.Story{Network: Describe(y.net), Rounds: true, Messages: w.links > 0, Loop: -1}
	for i := range y.nodes {
		p := &y.nodes[i]
		if w.corrupt(l, i) {
			s.Steps = append(s.Steps, y.algo.holding(story.Begin, i, p.states.values[l.start[i]],
				p.messages.values[l.start[w.n+i]]))
		}
	}
	for k := range w.links {
		from := int(y.net.Nbr[k])
		if m := l.start[2*w.n+k]; m != l.start[w.n+from] {
			s.Steps = append(s.Steps, y.algo.hearing(receiver(y.net, k), from, y.nodes[from].messages.values[m]))
		}
	}
	for k, set := range l.steps {
		for ; set != 0; set &= set - 1 {
			x := story.Step{Time: float64(k + 1), What: story.Act, Node: bits.TrailingZeros64(set)}
			if link := x.Node - w.n; link >= 0 {
				x.What, x.Node, x.From = story.Message, receiver(y.net, link), int(y.net.Nbr[link])
			}
			s.Steps = append(s.Steps, x)
		}
	}
	if l.loop < len(l.steps) {
		s.Loop = l.loop
	}
	told, err := engine.ReplayRounds(many, simConfig(y.net), s)
	if err != nil {
		return nil, errors.Join(errAstray, err)
	}
	judgeRounds(y.algo.algo, y.net, told)
	if told.Wrong == "" {
		return nil, fmt.Errorf("%w: nothing is wrong: %s on %s", errAstray, told.Script(), told.Network)
	}
	return told, nil
}
