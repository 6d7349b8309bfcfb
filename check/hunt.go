package check

import (
	"math/rand/v2"
	"slices"
)

// A hunt looks for a counterexample where there are too many configurations to decide: many short executions from a
// clean start, each step drawn from those of the daemon. In every other one the same nodes act again more often than
// not, since much goes wrong only if some are far faster than others. One that comes back to a configuration, with a
// wrong result on the way round and every node having acted, can go round for ever, and one that stands still with a
// wrong result does. What it finds is therefore a violation as good as any; that it finds nothing says nothing.
const (
	hunts     = 2000 // executions
	huntSteps = 60   // of each, for every node
)

// maxHunted bounds the configurations that a hunt meets.
const maxHunted = 1 << 20

// hunter makes one execution at a time.
type hunter struct {
	*explorer
	y    *system
	rand *rand.Rand
	at   map[uint64]int // the last visit of each configuration
	way  []hunted
	ends int      // the length of the shortest execution found
	best []uint64 // configurations on its way round, or where it stands still
}

// hunted is a configuration on the way of an execution.
type hunted struct {
	key   uint64
	acts  uint16 // who has acted in the step that led here, or had nothing to do
	wrong bool
}

// hunt is for a network that is too large under a daemon. There is no counterexample in what it gives if it finds none.
func (o *origins) hunt(d Daemon) (f found, err error) {
	y, err := o.system()
	if err != nil {
		return f, err
	}
	m, err := o.r.grow(y, nil)
	if err != nil {
		return f, err
	}
	c := o.r.course(y, m, From{}, d)
	s := newSpace(m, d)
	s.ids = newKeyTable(&store{}, maxHunted)
	h := &hunter{explorer: &explorer{walker: s.walker(m)}, y: y, rand: rand.New(rand.NewPCG(1, 1))}
	c.stages[0].x = h.explorer
	for k := range hunts {
		if h.walk(m.n*huntSteps, k%2 == 1); o.r.ended() || h.lost() {
			break
		}
	}
	if y.err = nil; h.best == nil || h.over.Load() {
		return f, o.r.ctx.Err()
	}
	round := &cycle{keys: h.best}
	f = found{hunted: true, want: y.want}
	f.configurations, f.steps, f.rounds = h.ids.count.Load(), -1, -1
	f.exploration.fair, f.unfair = round, round
	if set, _ := h.enabled(h.best[0]); set == 0 && !h.inRounds() {
		path := c.way(c.stages[0], func(key uint64) bool { return key == h.best[0] })
		f.fair, err = c.tell(path, len(path)-1)
	} else {
		f.fair, err = c.trace(c.stages[0], round, true)
	}
	f.free = f.fair
	return f, err
}

// walk makes an execution of so many steps. One that stays makes the same choice again, three times in four.
func (h *hunter) walk(steps int, stays bool) {
	choice, v, acts := uint32(0), h.id(h.startKey(h.rand.Uint64N(h.starts()))), uint16(0)
	h.at, h.way = map[uint64]int{}, h.way[:0]
	for range steps {
		key := h.key(v)
		if h.edges = h.successors(v, h.edges[:0]); h.lost() {
			return
		}
		h.way = append(h.way, hunted{key, acts, !h.m.right(h.letters)})
		if before, ok := h.at[key]; ok {
			h.judge(before)
		}
		if len(h.edges) == 0 { // it stands still: no node has anything to do
			h.way = append(h.way, hunted{key, h.full, !h.m.right(h.letters)})
			h.judge(len(h.way) - 2)
			return
		}
		h.at[key] = len(h.way) - 1
		if !stays || h.rand.IntN(4) == 0 {
			choice = h.rand.Uint32()
		}
		e := h.edges[choice%uint32(len(h.edges))]
		v, acts = e.to, e.acts
	}
}

// lost says that there were too many configurations or values, so that the last step is none.
func (h *hunter) lost() bool { return h.over.Load() || h.y.failed() != nil }

// judge looks at the way round from a visit to the present one.
func (h *hunter) judge(from int) {
	acted, wrong := uint16(0), false
	for _, v := range h.way[from+1:] {
		acted |= v.acts
		wrong = wrong || v.wrong
	}
	if !wrong || acted != h.full || h.best != nil && len(h.way) >= h.ends {
		return
	}
	h.best, h.ends = h.best[:0], len(h.way)
	for _, v := range h.way[from+1:] {
		h.best = append(h.best, v.key)
	}
	slices.Sort(h.best)
	h.best = slices.Compact(h.best)
}
