package check

import (
	"math"
	"math/bits"
	"slices"
)

// Daemon says which nodes may act in one step: the scheduler of the theory. Nodes that act
// together read the exports of before.
type Daemon string

// Daemons. The stronger ones contain the weaker ones: what converges under Distributed does so under the others.
const (
	Synchronous    Daemon = "synchronous" // all nodes
	Central        Daemon = "central"     // one node
	LocallyCentral Daemon = "locally"     // any nodes of which no two are neighbours
	Distributed    Daemon = "distributed" // any nodes
	// Paced lets the nodes act one after the other, in every round each of them once, in an order that may change from
	// round to round: the asynchronous rounds of the simulator, for algorithms that count on nodes being equally fast.
	// Its steps are rounds.
	Paced Daemon = "paced"
	// Phased is Paced with an order that stays the same for ever, whichever it is.
	Phased Daemon = "phased"
)

// Classical are the daemons of the theory. The others are special cases of a fair distributed one, for what fails under
// that.
var Classical = []Daemon{Synchronous, Central, LocallyCentral, Distributed}

// Daemons lists them all.
var Daemons = []Daemon{Synchronous, Phased, Paced, Central, LocallyCentral, Distributed}

// A node is enabled in a configuration when its step would change its state or its export. A step of
// others that leaves it so counts as nothing. The unfair daemon picks enabled nodes only, as in
// the theory, and may leave one out for ever. The weakly fair one lets every node act again and again; the steps that
// change nothing, which nodes of a round algorithm take all the time, are theirs to take.

// explorer decides one machine under one daemon: the first of its walkers with all that they share.
type explorer struct {
	*walker
	result exploration
}

// walker is what one worker needs to make steps.
type walker struct {
	*space
	m       *machine // the worker's own
	letters []uint32
	spare   []uint32
	sums    [1 << maxNodes]uint64
	sets    [1 << maxNodes]uint16
	warmth  uint32
	tally   tally // room for one, and for another
	now     tally
	path
	batch batch
}

// maxNodes bounds the processes of a machine: nodes, and in the message model directions of edges.
const maxNodes = 9

// exploration is what one search says.
type exploration struct {
	configurations uint64
	legitimate     uint64
	silent         bool // legitimate executions come to rest
	unfair         *cycle
	fair           *cycle // never left under the weakly fair daemon
	steps          int    // the most until the result is right for good; -1 without bound
	// likewise, in rounds of the weakly fair daemon; -1 without bound, 0 not computed when steps > 0
	rounds int
}

// cycle is where an execution stays for ever with a wrong result: a configuration that does not change, or
// strongly connected ones.
type cycle struct {
	keys []uint64
	dead bool
}

func (x *walker) id(key uint64) uint32 {
	if x.ids == nil {
		return uint32(key)
	}
	return x.idOf(x.m.normal(key, x.spare))
}

// idOf is id of a key that stands for all those that differ by a shift.
func (x *walker) idOf(key uint64) uint32 {
	id, ok := x.ids.number(key)
	if !ok {
		x.over.Store(true)
	}
	return id
}

func (x *walker) key(id uint32) uint64 {
	if x.ids == nil {
		return uint64(id)
	}
	return x.ids.key(id)
}

// enabled lists the steps of all enabled nodes at a key: which, and what they add to it.
func (x *walker) enabled(key uint64) (set uint16, delta [maxNodes]uint64) {
	m := x.m
	m.letters(key, x.letters)
	for i := range m.n {
		if next := m.next(i, x.letters); next != x.letters[i] {
			set |= 1 << i
			delta[i] = (uint64(next) - uint64(x.letters[i])) * m.stride[i]
		}
	}
	x.set = set
	return set, delta
}

// successors gives the steps of the daemon at a configuration. Nodes that are not enabled act along: it makes
// no difference but to who has acted.
func (x *walker) successors(v uint32, out []edge) []edge {
	if row := x.chart.row(v); row != nil {
		return x.read(row, out)
	}
	key := x.key(v)
	set, delta := x.enabled(key)
	switch x.daemon {
	case Phased:
		return x.phased(key, &delta, out)
	case Paced:
		return x.paced(key, &delta, out)
	}
	if set == 0 {
		return out
	}
	idle := x.full &^ set
	switch x.daemon {
	case Synchronous:
		for s := set; s != 0; s &= s - 1 {
			key += delta[bits.TrailingZeros16(s)]
		}
		return append(out, edge{x.id(key), x.full, 1})
	case Central:
		count := 0
		for s := set; s != 0; s &= s - 1 {
			i := bits.TrailingZeros16(s)
			x.sums[count] = key + delta[i]
			out = append(out, edge{acts: 1<<i | idle, gain: 1})
			count++
		}
		x.number(x.sums[:count], out[len(out)-count:])
		return out
	}
	x.sums[0], x.sets[0] = key, 0
	count := 1
	for s := set; s != 0; s &= s - 1 {
		i := bits.TrailingZeros16(s)
		for k := range count {
			if x.daemon == LocallyCentral && x.sets[k]&x.m.adj[i] != 0 {
				continue
			}
			x.sums[count], x.sets[count] = x.sums[k]+delta[i], x.sets[k]|1<<i
			out = append(out, edge{acts: x.sets[count] | idle, gain: 1})
			count++
		}
	}
	x.number(x.sums[1:count], out[len(out)-count+1:])
	return out
}

// number fills in where steps lead to. Keys are looked for all together, so that one need not wait for the memory of
// another.
func (x *walker) number(keys []uint64, out []edge) {
	if x.ids == nil {
		for k, key := range keys {
			out[k].to = uint32(key)
		}
		return
	}
	for k, key := range keys {
		keys[k] = x.m.normal(key, x.spare)
	}
	for k, id := range x.meet(keys) {
		out[k].to = id
	}
}

// paced gives the steps of the paced daemon; who has acted in this round stands above the letters of the key. The first
// step of a round counts for the whole.
func (x *walker) paced(key uint64, delta *[maxNodes]uint64, out []edge) []edge {
	total := x.m.total()
	acted := uint16(key / total)
	base, gain := key%total, uint16(0)
	if acted == 0 {
		gain = 1
	}
	for i := range x.m.n {
		if acted&(1<<i) != 0 {
			continue
		}
		then := (acted | 1<<i) % x.full
		out = append(out, edge{x.id(base + delta[i] + uint64(then)*total), 1 << i, gain})
	}
	return out
}

// phased gives the one step of the phased daemon; the number of the order and the place in it stand above the letters
// of the key.
func (x *walker) phased(key uint64, delta *[maxNodes]uint64, out []edge) []edge {
	total, n := x.m.total(), uint64(x.m.n)
	order, place := key/total/n, key/total%n
	i, gain := x.orders[order][place], uint16(0)
	if place == 0 {
		gain = 1
	}
	return append(out, edge{x.id(key%total + delta[i] + (order*n+(place+1)%n)*total), 1 << i, gain})
}

// above is how many times as many keys there are as the letters alone make.
func (x *walker) above() uint64 {
	switch x.daemon {
	case Paced:
		return 1 << x.m.n
	case Phased:
		return uint64(len(x.orders) * x.m.n)
	}
	return 1
}

// startKeys is how many initial keys there are: under the phased daemon each configuration with each order.
func (x *walker) startKeys() uint64 { return x.m.starts() * uint64(max(1, len(x.orders))) }

func (x *walker) startKey(k uint64) uint64 {
	count := x.m.starts()
	return x.m.startKey(k%count) + k/count*uint64(x.m.n)*x.m.total()
}

// explore decides everything with one worker and memory from the heap; false when it was stopped or grew beyond the
// limit.
func explore(m *machine, daemon Daemon, limit uint64, stop func() bool) (*explorer, bool) {
	return exploreWith(m, daemon, limit, new(crew), &store{chart: math.MaxInt64}, stop)
}

func newSpace(m *machine, daemon Daemon) *space {
	s := &space{daemon: daemon, full: uint16(1)<<m.n - 1, words: tallyWords(m.n)}
	if daemon == Phased {
		permutations(m.n, func(p []int) { s.orders = append(s.orders, slices.Clone(p)) })
	}
	return s
}

// exploreWith takes help of a crew; the result does not depend on it.
func exploreWith(m *machine, daemon Daemon, limit uint64, hands *crew, memory *store, stop func() bool) (*explorer,
	bool) {
	s := newSpace(m, daemon)
	s.limit, s.crew, s.stop = limit, hands, stop
	x := &explorer{walker: s.walker(m)}
	size := limit
	if m.every {
		if size = m.total() * x.above(); size > min(limit, maxVertices) {
			return x, false
		}
	} else {
		size = min(size, maxVertices)
		s.ids = newKeyTable(memory, size)
	}
	s.size = size
	s.marks, s.next = newTable[uint32](memory, size), newTable[uint32](memory, size)
	if daemon != Synchronous && !x.daemon.inRounds() {
		s.rounds = newTable[uint32](memory, size*s.words)
	}
	s.chart = newChart(memory, m, daemon, size)
	if s.chart.rows != nil {
		x.draw()
	}
	if x.ended() || !x.decide() {
		return x, false
	}
	x.count()
	return x, true
}

// count sums up once all is known.
func (x *explorer) count() {
	r := &x.result
	r.silent = !x.busy
	x.marks.touched(func(_ uint64, mark *uint32) bool {
		if *mark != 0 {
			r.configurations++
			if *mark&bad == 0 {
				r.legitimate++
			}
		}
		return true
	})
	for k := range x.starts() {
		mark := *x.marks.at(uint64(x.start(k)))
		switch length := int(mark & endless); {
		case mark&bad == 0 || r.steps < 0:
		case mark&endless == endless:
			r.steps = -1
		default:
			r.steps = max(r.steps, length)
		}
	}
}
