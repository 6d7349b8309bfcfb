package check

import (
	"sync"
	"sync/atomic"
	"time"
)

// space is what the walkers of one search share: what is known of every configuration.
//
// Most configurations are decided from their successors: whether a wrong result can still come, and how far it is
// at most to where it cannot. Each walker goes depth first; a configuration that depends on one that another walker has
// not decided yet, or that it has itself not decided because it comes from there, waits on the list of that one and is
// looked at again when it is. What is decided this way does not depend on who is first. What waits for ever lies on a
// cycle or leads to one, or is a dead end with a wrong result: see suspects and remainder. A chart that is complete is
// all remainder: one search goes over it once, and faster than walkers who share it.
type space struct {
	daemon Daemon
	orders [][]int // of the phased daemon
	full   uint16
	limit  uint64
	size   uint64    // places for marks
	ids    *keyTable // nil: the number of a configuration is its key
	chart  chart

	marks  *table[uint32]
	next   *table[uint32] // the next in the same list
	rounds *table[uint32] // tallies of what is bad; nil: not counted
	words  uint64         // of a tally

	crew   *crew
	stop   func() bool
	quit   atomic.Bool // stopped
	over   atomic.Bool // more configurations than the limit
	active atomic.Int32
	cursor atomic.Uint64
	busy   bool // things go on changing among right results
	left   *remainder
}

// A mark that is not done yet: the first in the list of those that wait, plus 1, whether a walker has begun with it,
// and whether it is known that it has to be decided.
const (
	waiting = 1<<29 - 1
	claimed = 1 << 29
	wanted  = 1 << 30
)

// maxVertices is what marks can number.
const maxVertices = waiting - 1

// crew are workers that have nothing of their own to do.
type crew struct{ idle atomic.Int32 }

func (c *crew) give() { c.idle.Add(1) }

func (c *crew) take() bool {
	if c.idle.Add(-1) >= 0 {
		return true
	}
	c.idle.Add(1)
	return false
}

// path is where a walker stands.
type path struct {
	frames []station
	edges  []edge   // of all frames
	ready  []uint32 // claimed, and what they waited for is decided
	set    uint16   // enabled where the walker has looked last
	steps  uint32
}

// station is a configuration on the way of a walker.
type station struct {
	v          uint32
	acc        uint32 // bad and the length so far
	begin, pos int    // in edges
	waits      uint32 // for this one, plus 1
	idle       uint16
	dead       bool
}

func (s *space) walker(m *machine) *walker {
	return &walker{space: s, m: m, letters: make([]uint32, m.n), spare: make([]uint32, m.n),
		tally: make(tally, s.words/2+1), now: make(tally, s.words/2+1)}
}

// together lets the walker work, and others do the same as long as workers are free.
func (x *walker) together(work func(w *walker, recruit func())) {
	var wait sync.WaitGroup
	recruit := func() {
		for x.crew.take() {
			wait.Go(func() {
				work(x.walker(x.m.fork(*x.m)), func() {})
				x.crew.give()
			})
		}
	}
	work(x, recruit)
	wait.Wait()
}

// portions calls visit for the numbers below size, in portions, the highest first: what a configuration leads to has
// mostly been found after it.
func (x *walker) portions(size uint64, visit func(w *walker, k uint64)) {
	x.cursor.Store(0)
	x.together(func(w *walker, recruit func()) {
		for !w.ended() {
			first := w.cursor.Add(portion) - portion
			if first >= size {
				return
			}
			if first+portion < size {
				recruit()
			}
			for k := first; k < min(size, first+portion) && !w.ended(); k++ {
				visit(w, size-1-k)
			}
		}
	})
}

const portion = 1 << 10

func (s *space) ended() bool { return s.quit.Load() || s.over.Load() }

// found is how many configurations have numbers.
func (s *space) found() uint64 {
	if s.ids != nil {
		return s.ids.count.Load()
	}
	return s.size
}

// drawn reports whether all configurations are charted.
func (s *space) drawn() bool { return s.chart.rows != nil && s.found() <= s.chart.most }

// mark is what is known of a configuration at the moment.
func (s *space) mark(v uint32) uint32 {
	if p := s.marks.peek(uint64(v) >> pageBits); p != nil {
		return atomic.LoadUint32(&p[v%pageSize])
	}
	return 0
}

// decide finds every mark; false if it was stopped or there are too many.
func (x *explorer) decide() bool {
	if x.drawn() {
		return x.remainder()
	}
	x.resolve(true)
	if !x.ended() && x.suspects() {
		x.resolve(false)
	}
	if x.ended() {
		return false
	}
	return x.remainder()
}

// resolve decides what can be, from the initial configurations on or, without, for what is marked as wanted.
func (x *walker) resolve(begin bool) {
	starts := uint64(0)
	if begin {
		starts = x.starts()
	}
	x.cursor.Store(0)
	x.together(func(w *walker, recruit func()) {
		for !w.ended() {
			w.active.Add(1)
			first := w.cursor.Add(portion) - portion
			recruit()
			for k := first; k < min(starts, first+portion) && !w.ended(); k++ {
				w.from(w.start(k))
			}
			w.active.Add(-1)
			if first >= starts {
				break
			}
		}
		for w.pending() {
			recruit()
		}
	})
}

// pending works on what others have come across and left; false when there is nothing more to do.
func (x *walker) pending() bool {
	alone := x.active.Load() == 0
	count := x.found()
	any := false
	x.marks.touched(func(v uint64, mark *uint32) bool {
		m := atomic.LoadUint32(mark)
		if v >= count || x.ended() {
			return false
		}
		if m&(done|claimed) == 0 && (m&wanted != 0 || x.ids != nil) {
			x.active.Add(1)
			x.from(uint32(v))
			x.active.Add(-1)
			any = true
		}
		return true
	})
	switch {
	case x.ended():
		return false
	case !any && !alone:
		time.Sleep(50 * time.Microsecond)
	}
	return any || !alone || x.found() > count
}

// maxDepth bounds a walker's way; what lies deeper is decided on its own.
const maxDepth = 1 << 10

// from decides v and what it depends on, as far as possible.
func (x *walker) from(v uint32) {
	if x.claim(v) {
		x.enter(v)
	}
	for !x.ended() {
		if len(x.frames) > 0 {
			x.advance()
			continue
		}
		if len(x.ready) == 0 {
			return
		}
		v := x.ready[len(x.ready)-1]
		x.ready = x.ready[:len(x.ready)-1]
		x.enter(v)
	}
}

// claim makes sure that one walker only works on v.
func (s *space) claim(v uint32) bool {
	mark := s.marks.at(uint64(v))
	for {
		m := atomic.LoadUint32(mark)
		if m&(done|claimed) != 0 {
			return false
		}
		if atomic.CompareAndSwapUint32(mark, m, m|claimed|wanted) {
			return true
		}
	}
}

// pace counts the configurations looked at, and now and then asks whether to go on.
func (x *walker) pace() {
	if x.steps++; x.steps%stopEvery == 0 && x.stop() {
		x.quit.Store(true)
	}
}

// enter puts a configuration that is claimed on the way.
func (x *walker) enter(v uint32) {
	x.pace()
	begin := len(x.edges)
	x.edges = x.successors(v, x.edges)
	f := station{v: v, begin: begin, pos: begin, idle: x.full &^ x.set}
	if x.wrong(v) {
		f.acc = bad
		f.dead = len(x.edges) == begin && !x.daemon.inRounds()
	}
	x.frames = append(x.frames, f)
}

// wrong reports whether the result is wrong where the walker has just found the steps.
func (x *walker) wrong(v uint32) bool {
	if row := x.chart.row(v); row != nil {
		return row[0]&astray != 0
	}
	return !x.m.right(x.letters)
}

// advance looks at the next successor of the last configuration on the way, or leaves it.
func (x *walker) advance() {
	f := &x.frames[len(x.frames)-1]
	for ; f.pos < len(x.edges); f.pos++ {
		e := &x.edges[f.pos]
		switch m := x.mark(e.to); {
		case m&done != 0:
			f.acc = longer(f.acc|m&bad, m&endless+uint32(e.gain))
		case m&claimed == 0 && len(x.frames) < maxDepth && x.claim(e.to):
			x.enter(e.to)
			return
		default:
			f.waits = e.to + 1
		}
	}
	if f.waits != 0 {
		if !f.dead && !x.wait(f.v, f.waits-1) { // it has been decided meanwhile: once more
			f.pos, f.waits, f.acc = f.begin, 0, f.acc&^endless
			return
		}
		x.drop()
		return
	}
	if f.dead {
		x.drop()
		return
	}
	x.finish(f)
}

// drop leaves a configuration undecided.
func (x *walker) drop() {
	x.edges = x.edges[:x.frames[len(x.frames)-1].begin]
	x.frames = x.frames[:len(x.frames)-1]
}

// wait puts v on the list of u; false if u is decided.
func (s *space) wait(v, u uint32) bool {
	mark, next := s.marks.at(uint64(u)), s.next.at(uint64(v))
	for {
		m := atomic.LoadUint32(mark)
		if m&done != 0 {
			return false
		}
		*next = m & waiting
		if atomic.CompareAndSwapUint32(mark, m, m&^waiting|wanted|(v+1)) {
			return true
		}
	}
}

// finish decides the last configuration on the way, all of whose successors are, and wakes those that wait for it.
func (x *walker) finish(f *station) {
	final := uint32(done)
	if f.acc&bad != 0 {
		final |= f.acc
		if x.rounds != nil && x.roundsFit() {
			x.ends(f.v, x.edges[f.begin:], x.full&^f.idle)
		}
	}
	x.settle(f.v, final)
	x.drop()
}

func (x *walker) settle(v, final uint32) {
	list := atomic.SwapUint32(x.marks.at(uint64(v)), final) & waiting
	for list != 0 {
		u := list - 1
		list = *x.next.at(uint64(u))
		x.ready = append(x.ready, u)
	}
}

// ends finds the tally of a configuration from those of its successors that are known; whether it has grown.
func (x *walker) ends(v uint32, steps []edge, set uint16) bool {
	t, idle := x.tally, x.full&^set
	clear(t)
	for k := range steps {
		e := &steps[k]
		if m := x.mark(e.to); m&(done|bad) != done {
			t.raise(x.tallyOf(e.to), x.now, e.acts, idle)
		}
	}
	over := &t[1+x.full>>5]
	*over |= 1 << (x.full & 31)
	if t.more(idle) {
		most := t[0]
		clear(t)
		t[0] = most + 1
	}
	widen(t[1:], idle)
	*over |= 1 << (x.full & 31)
	known, grown := x.tallyOf(v), false
	for k, w := range t {
		grown = grown || known[k] != w
		known[k] = w
	}
	return grown
}

func (s *space) tallyOf(v uint32) tally { return s.rounds.run(uint64(v)*s.words, s.words/2+1) }

// roundsFit reports whether there is memory for counting rounds.
func (s *space) roundsFit() bool {
	return s.rounds.store.rounds == 0 || int64(s.found()*s.words*4) <= s.rounds.store.rounds
}

// suspects looks at what waits: of that, legitimate is what cannot come to a wrong result, and things go on changing
// there for ever. The others are wanted once more. False when nothing waits.
func (x *walker) suspects() bool {
	const suspect, guilty = claimed, claimed | 1
	var any, changed, legitimate atomic.Bool
	count := x.found()
	look := func(visit func(w *walker, v uint32, mark *uint32)) {
		x.portions(count, func(w *walker, v uint64) {
			if w.marks.peek(v>>pageBits) == nil {
				return
			}
			if mark := w.marks.at(v); atomic.LoadUint32(mark)&done == 0 && atomic.LoadUint32(mark) != 0 {
				visit(w, uint32(v), mark)
			}
		})
	}
	look(func(_ *walker, _ uint32, mark *uint32) {
		atomic.StoreUint32(mark, suspect)
		any.Store(true)
	})
	if !any.Load() {
		return false
	}
	for again := true; again && !x.ended(); again = changed.Swap(false) {
		look(func(w *walker, v uint32, mark *uint32) {
			if atomic.LoadUint32(mark) == suspect && w.leadsAstray(v, guilty) {
				atomic.StoreUint32(mark, guilty)
				changed.Store(true)
			}
		})
	}
	look(func(_ *walker, _ uint32, mark *uint32) {
		if atomic.LoadUint32(mark) == suspect {
			atomic.StoreUint32(mark, done)
			legitimate.Store(true)
		} else {
			atomic.StoreUint32(mark, wanted)
		}
	})
	x.busy = legitimate.Load()
	return true
}

// leadsAstray reports whether the result at v is wrong, or a successor is known to come to a wrong one.
func (x *walker) leadsAstray(v, guilty uint32) bool {
	x.pace()
	x.edges = x.successors(v, x.edges[:0])
	if x.wrong(v) {
		return true
	}
	for k := range x.edges {
		if m := x.mark(x.edges[k].to); m == guilty || m&done != 0 && m&bad != 0 {
			return true
		}
	}
	return false
}
