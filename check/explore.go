package check

import (
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
	// Paced lets the nodes act one after the other, in every round each of them once, in an order that may change from round to
	// round: the asynchronous rounds of the simulator, for algorithms that count on nodes being equally fast.
	// Its steps are rounds.
	Paced Daemon = "paced"
	// Phased is Paced with an order that stays the same for ever, whichever it is.
	Phased Daemon = "phased"
)

// Classical are the daemons of the theory. The others are special cases of a fair distributed one, for what fails under that.
var Classical = []Daemon{Synchronous, Central, LocallyCentral, Distributed}

// Daemons lists them all.
var Daemons = []Daemon{Synchronous, Phased, Paced, Central, LocallyCentral, Distributed}

// A node is enabled in a configuration when its step would change its state or its export. A step of
// others that leaves it so counts as nothing. The unfair daemon picks enabled nodes only, as in
// the theory, and may leave one out for ever. The weakly fair one lets every node act again and again; the steps that
// change nothing, which nodes of a round algorithm take all the time, are theirs to take.

// explorer decides one machine under one daemon.
type explorer struct {
	m      *machine
	daemon Daemon
	ids    *keySet // nil: the number of a configuration is its key
	limit  uint64

	letters []uint32
	spare   []uint32
	orders  [][]int // of the phased daemon
	sums    [1 << maxNodes]uint64
	sets    [1 << maxNodes]uint16
	full    uint16

	search
	result  exploration
	overrun bool
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
	farthest       uint64 // from here
	rounds         int    // likewise, in rounds of the weakly fair daemon; -1 without bound, 0 not computed when steps > 0
}

// cycle is where an execution stays for ever with a wrong result: a configuration that does not change, or
// strongly connected ones.
type cycle struct {
	keys []uint64
	dead bool
}

func (x *explorer) id(key uint64) uint32 {
	if x.ids == nil {
		return uint32(key)
	}
	key = x.m.normal(key, x.spare)
	id := x.ids.number(key)
	if uint64(id) >= x.limit {
		x.overrun = true
	}
	return id
}

func (x *explorer) key(id uint32) uint64 {
	if x.ids == nil {
		return uint64(id)
	}
	return x.ids.keys[id]
}

// enabled lists the steps of all enabled nodes at a key: which, and what they add to it.
func (x *explorer) enabled(key uint64) (set uint16, delta [maxNodes]uint64) {
	m := x.m
	m.letters(key, x.letters)
	for i := range m.n {
		if next := m.next(i, x.letters); next != x.letters[i] {
			set |= 1 << i
			delta[i] = (uint64(next) - uint64(x.letters[i])) * m.stride[i]
		}
	}
	return set, delta
}

// successors gives the steps of the daemon at a configuration. Nodes that are not enabled act along: it makes
// no difference but to who has acted.
func (x *explorer) successors(v uint32, out []edge) []edge {
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
		for s := set; s != 0; s &= s - 1 {
			i := bits.TrailingZeros16(s)
			out = append(out, edge{x.id(key + delta[i]), 1<<i | idle, 1})
		}
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
			out = append(out, edge{x.id(x.sums[count]), x.sets[count] | idle, 1})
			count++
		}
	}
	return out
}

// inRounds reports whether the steps of the daemon count by whole rounds in which nodes act one by one.
func (x *explorer) inRounds() bool { return x.daemon == Paced || x.daemon == Phased }

// paced gives the steps of the paced daemon; who has acted in this round stands above the letters of the key. The first
// step of a round counts for the whole.
func (x *explorer) paced(key uint64, delta *[maxNodes]uint64, out []edge) []edge {
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

// phased gives the one step of the phased daemon; the number of the order and the place in it stand above the letters of the key.
func (x *explorer) phased(key uint64, delta *[maxNodes]uint64, out []edge) []edge {
	total, n := x.m.total(), uint64(x.m.n)
	order, place := key/total/n, key/total%n
	i, gain := x.orders[order][place], uint16(0)
	if place == 0 {
		gain = 1
	}
	return append(out, edge{x.id(key%total + delta[i] + (order*n+(place+1)%n)*total), 1 << i, gain})
}

// above is how many times as many keys there are as the letters alone make.
func (x *explorer) above() uint64 {
	switch x.daemon {
	case Paced:
		return 1 << x.m.n
	case Phased:
		return uint64(len(x.orders) * x.m.n)
	}
	return 1
}

// starts is how many initial keys there are: under the phased daemon each configuration with each order.
func (x *explorer) starts() uint64 { return x.m.starts() * uint64(max(1, len(x.orders))) }

func (x *explorer) startKey(k uint64) uint64 {
	count := x.m.starts()
	return x.m.startKey(k%count) + k/count*uint64(x.m.n)*x.m.total()
}

// explore decides everything; false when it was stopped or grew beyond the limit.
func explore(m *machine, daemon Daemon, limit uint64, stop func() bool) (*explorer, bool) {
	x := &explorer{m: m, daemon: daemon, limit: limit, letters: make([]uint32, m.n), spare: make([]uint32, m.n), full: uint16(1)<<m.n - 1}
	if daemon == Phased {
		permutations(m.n, func(p []int) { x.orders = append(x.orders, slices.Clone(p)) })
	}
	if m.every {
		keys := m.total() * x.above()
		if keys > 1<<31 {
			return x, false
		}
		x.marks = make([]uint32, keys)
	} else {
		x.ids = newKeySet()
	}
	x.expand, x.component = x.successors, x.judge
	x.wrong = func(v uint32) bool {
		m.letters(x.key(v), x.letters)
		return !m.right(x.letters)
	}
	x.stop = func() bool { return x.overrun || stop() }
	starts := x.starts()
	for k := range starts {
		if !x.from(x.id(x.startKey(k))) || x.overrun {
			return x, false
		}
	}
	x.count(starts)
	return x, true
}

// judge looks at a component from which a wrong result can still come.
func (x *explorer) judge(members []uint32) {
	r := &x.result
	dead, cyclic, acted := false, false, uint16(0)
	for _, v := range members {
		key := x.key(v)
		set, _ := x.enabled(key)
		acted |= x.full &^ set
		dead = len(members) == 1 && set == 0 && !x.inRounds()
		x.edges = x.successors(v, x.edges[:0])
		for _, e := range x.edges {
			if x.inside(e.to) {
				acted |= e.acts
				cyclic = true
			}
		}
	}
	if dead || cyclic {
		x.keep(&r.unfair, members, dead)
		if acted == x.full {
			x.keep(&r.fair, members, dead)
		}
	}
}

// maxKept is the size of the largest component that is kept as a counterexample while a smaller one may come.
const maxKept = 1 << 16

// keep remembers the component that makes the shortest counterexample: a dead end before a cycle, a small
// component before a large one.
func (x *explorer) keep(best **cycle, members []uint32, dead bool) {
	if *best != nil && ((*best).dead || len((*best).keys) <= len(members)) {
		return
	}
	c := &cycle{dead: dead}
	for _, v := range members[:min(len(members), maxKept)] {
		c.keys = append(c.keys, x.key(v))
	}
	*best = c
}

// count sums up once all is known.
func (x *explorer) count(starts uint64) {
	r := &x.result
	r.silent = !x.busy
	for _, mark := range x.marks {
		if mark == 0 {
			continue
		}
		r.configurations++
		if mark&bad == 0 {
			r.legitimate++
		}
	}
	for k := range starts {
		key := x.startKey(k)
		mark := x.marks[x.id(key)]
		switch length := int(mark & endless); {
		case mark&bad == 0 || r.steps < 0:
		case mark&endless == endless:
			r.steps, r.farthest = -1, key
		case length > r.steps:
			r.steps, r.farthest = length, key
		}
	}
}

// maxRoundMarks bounds the memory for counting rounds: 4 bytes each.
const maxRoundMarks = 1 << 28

// countRounds finds the most rounds until the result is right for good: a round is over when every node has acted
// in it. It searches the graph of wrong configurations and who has acted. Only for what converges under the weakly
// fair daemon; false if it would take too much memory or was stopped.
func (x *explorer) countRounds(stop func() bool) bool {
	if x.daemon == Synchronous || x.inRounds() {
		x.result.rounds = x.result.steps
		return true
	}
	n := x.m.n
	if x.result.legitimate == x.result.configurations {
		return true
	}
	if uint64(len(x.marks))<<n > maxRoundMarks {
		return false
	}
	var steps []edge
	out := uint32(len(x.marks) << n) // all that is right for good
	s := search{marks: make([]uint32, out+1), merge: true, stop: stop, wrong: func(uint32) bool { return true }}
	s.marks[out] = done
	s.expand = func(v uint32, list []edge) []edge {
		at, acted := v>>n, uint16(v)&x.full
		set, _ := x.enabled(x.key(at))
		gain := uint16(0)
		if acted |= x.full &^ set; acted == x.full {
			gain, acted = 1, x.full&^set
		}
		steps = x.successors(at, steps[:0])
		for _, e := range steps {
			if x.marks[e.to]&bad == 0 {
				list = append(list, edge{to: out, gain: gain})
				continue
			}
			over, then := gain, acted|e.acts
			if then == x.full {
				over, then = over+1, 0
			}
			list = append(list, edge{to: e.to<<n | uint32(then), gain: over})
		}
		return list
	}
	for k := range x.m.starts() {
		id := x.id(x.m.startKey(k))
		if x.marks[id]&bad == 0 {
			continue
		}
		if !s.from(id << n) {
			return false
		}
		x.result.rounds = max(x.result.rounds, int(s.marks[id<<n]&endless)+1)
	}
	return true
}
