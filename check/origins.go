package check

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"caucus.example/caucus"
)

// origins are the sets of configurations from which a network may be explored, the largest first, each made when it is
// asked for.
type origins struct {
	r       *run
	algo    *numbered
	net     *caucus.Network
	from    []From
	made    []origin
	room    []uint              // bits of a key for the letters of each node; nil: as many for all
	letters map[From]*alphabets // of reduced domains, whoever is struck
}

type origin struct {
	y      *system
	m      *machine
	err    error    // it is too large
	failed []Daemon // under which what is reached from there is too large
}

// alphabets are the letters of a reduced domain.
type alphabets struct {
	y     *system
	start [][]pair
	err   error
}

func (r *run) origins(net *caucus.Network) (*origins, error) {
	algo, err := inNumbers(r.algo, &r.letterings)
	if err != nil {
		return nil, err
	}
	algo.crashes = r.cfg.Faults.Crash > 0
	o := &origins{r: r, algo: algo, net: net, letters: map[From]*alphabets{}}
	if r.cfg.Start == Clean {
		o.from = []From{{}}
		return o, nil
	}
	most := r.cfg.Corrupted
	if !r.cfg.few(net) {
		most = net.Len() - 1
		if r.cfg.Model != Messages {
			o.add("", 0)
		}
		o.add(Candid, 0)
		o.add(Plausible, 0)
	}
	for k := most; k > 0 && r.cfg.Model != Messages; k-- {
		o.add(Candid, k)
		o.add(Plausible, k)
	}
	return o, nil
}

// add lists one kind of set, the largest first.
func (o *origins) add(reduce Reduction, struck int) {
	for _, counter := range o.r.counters(o.net) {
		o.from = append(o.from, From{Counter: counter, Reduced: reduce, Struck: struck})
	}
}

// counters lists the numbers of values that counters may have, the greatest first; one is enough where there are none.
func (r *run) counters(net *caucus.Network) (list []int) {
	size := uint64(0)
	for counter := r.cfg.Counter; counter >= 1; counter-- {
		s, m := r.algo.Domain(world(net, r.cfg.Ghosts, counter))
		if s.Len+m.Len != size {
			list = append(list, counter)
		}
		size = s.Len + m.Len
	}
	return list
}

// largest explores the network under a daemon from the largest set that fits the limits.
func (o *origins) largest(d Daemon) (f found, err error) {
	err = errTooLarge{"even with one value of each counter"}
	for k := range o.from {
		if k == len(o.made) {
			o.made = append(o.made, o.make(&o.from[k]))
		}
		g := &o.made[k]
		if slices.ContainsFunc(g.failed, func(weak Daemon) bool { return within(weak, d) }) {
			continue
		}
		f, why := o.explore(k, d)
		if why == nil || !errors.As(why, new(errTooLarge)) {
			return f, why
		}
		if g.err == nil { // what has been explored says more than what cannot be
			err = why
		}
		g.failed = append(g.failed, d)
	}
	return f, err
}

// explore does so from one set; if a key has no room for all letters of a node, anew with more for that one.
func (o *origins) explore(k int, d Daemon) (f found, err error) {
	g := &o.made[k]
	for range o.net.Len() {
		if err = g.err; err == nil {
			f, err = o.r.under(d, g.y, g.m, o.from[k])
		}
		var crowded errCrowded
		if !errors.As(err, &crowded) || len(crowded.room) < o.net.Len() { // none, or of what a crash has left
			break
		}
		g.y.room, o.room = crowded.room, crowded.room
		failed := g.failed
		*g = o.make(&o.from[k])
		g.failed = failed
	}
	return f, err
}

// within reports whether every step of daemon a is one of daemon b.
func within(a, b Daemon) bool {
	switch b {
	case a:
		return true
	case Distributed:
		return a == Synchronous || a == Central || a == LocallyCentral
	case LocallyCentral:
		return a == Central
	}
	return false
}

// make builds the machine of one set.
func (o *origins) make(from *From) (g origin) {
	g.y, g.m, g.err = o.machine(from)
	return g
}

func (o *origins) machine(from *From) (y *system, m *machine, err error) {
	r := o.r
	if from.Counter == 0 {
		if y, err = o.system(); err == nil {
			m, err = r.grow(y, nil)
		}
		return y, m, err
	}
	w := world(o.net, r.cfg.Ghosts, from.Counter)
	if from.Reduced == "" {
		if y, err = o.system(); err == nil {
			m, from.After, err = y.complete(w, uint64(r.cfg.MaxStates), r.ended)
		}
		return y, m, err
	}
	most := uint64(r.cfg.MaxStates) / 4 // what is reached from there comes on top
	// Half of the states, lest equal ones in the list count.
	if vs, _ := r.algo.Domain(w); from.Reduced == Candid && ways(slices.Repeat([]uint64{vs.Len / 2}, o.net.Len()),
		from.Struck) > most {
		return nil, nil, errTooLarge{fmt.Sprintf("%d states in the domain", vs.Len)}
	}
	a := o.alphabets(*from, most)
	switch {
	case a.err != nil:
		return nil, nil, a.err
	case from.Struck > 0:
		m, err = a.y.disturbed(a.start, from.Struck, int(most))
	case product(a.start) > most:
		err = errTooLarge{fmt.Sprintf("%d initial configurations", product(a.start))}
	default:
		m, err = r.grow(a.y, a.start)
	}
	if err == nil && m.starts() > most {
		err = errTooLarge{fmt.Sprintf("%d initial configurations", m.starts())}
	}
	if err != nil {
		a.y.err = nil
	}
	return a.y, m, err
}

func (o *origins) system() (*system, error) {
	y, err := newSystem(o.algo, o.net)
	if err == nil {
		y.room = o.room
	}
	if err == nil && slices.ContainsFunc(o.r.cfg.Daemons, Daemon.inRounds) {
		orders := 1
		for k := range o.net.Len() {
			orders *= k + 1
		}
		y.above = max(o.net.Len(), bits.Len(uint(orders*o.net.Len())))
	}
	return y, err
}

// alphabets finds the letters of a reduced domain, unless there are more than most initial configurations anyway. More
// values of the counters make more letters.
func (o *origins) alphabets(from From, most uint64) *alphabets {
	letters := from
	letters.Struck = 0
	if a := o.letters[letters]; a != nil {
		return a
	}
	counts := slices.Repeat([]uint64{1}, o.net.Len())
	if fewer := from; from.Counter > 1 {
		fewer.Counter--
		less := o.alphabets(fewer, most)
		if less.err != nil {
			return less
		}
		for i := range counts {
			counts[i] = uint64(len(less.start[i]))
		}
	}
	a := &alphabets{}
	if a.y, a.err = o.system(); a.err != nil {
		return a
	}
	w := world(o.net, o.r.cfg.Ghosts, from.Counter)
	if from.Reduced == Candid {
		a.start, a.err = a.y.candid(w, o.r.cfg.MaxStates)
	} else {
		a.start, a.err = a.y.plausible(w, maxPlausible, func(i, count int) bool {
			counts[i] = max(counts[i], uint64(count))
			return ways(counts, from.Struck) > most || o.r.ended()
		})
	}
	if a.err == nil {
		o.letters[letters] = a
	}
	return a
}

// maxPlausible bounds the steps from which the plausible letters are taken, for one node.
const maxPlausible = 1 << 20

func (r *run) grow(y *system, start [][]pair) (*machine, error) {
	if r.cfg.Model == Messages {
		return y.messages(start, r.cfg.Faults.Loss)
	}
	return y.growing(start)
}

// ways is in how many ways so many nodes, 0 for all, get one of their letters each.
func ways(letters []uint64, struck int) uint64 {
	if struck == 0 {
		struck = len(letters)
	}
	sums := make([]uint64, struck+1) // by number of nodes struck among those so far
	sums[0] = 1
	for _, count := range letters {
		for k := struck; k > 0; k-- {
			if count > 0 && sums[k-1] > (1<<62-sums[k])/count {
				sums[k] = 1 << 62
			} else {
				sums[k] += sums[k-1] * count
			}
		}
	}
	return sums[struck]
}

// disturbed makes a growing machine that starts from what the synchronous execution from a clean start comes to in the
// end, with any of the letters at so many nodes.
func (y *system) disturbed(letters [][]pair, struck, most int) (*machine, error) {
	m, err := y.growing(nil)
	if err != nil {
		return nil, err
	}
	a := m.growth.(*growth).alphabet
	hits := make([][]uint32, len(letters))
	for i, list := range letters {
		for _, p := range list {
			hits[i] = append(hits[i], a.letter(i, p))
		}
		hits[i] = distinct(hits[i])
	}
	end, err := m.end(most)
	if err != nil || y.err != nil {
		return nil, errors.Join(err, y.err)
	}
	total := uint64(0)
	for set := range uint16(1) << m.n {
		if bits.OnesCount16(set) != struck {
			continue
		}
		count := uint64(len(end))
		for i := range m.n {
			if set&(1<<i) != 0 {
				count *= uint64(len(hits[i]))
			}
		}
		if total += count; total > uint64(most) {
			return nil, errTooLarge{fmt.Sprintf("%d or more initial configurations", total)}
		}
		for _, key := range end {
			m.strike(key, set, hits)
		}
	}
	slices.Sort(m.list)
	m.list = slices.Compact(m.list)
	return m, nil
}

// end lists the configurations among which the synchronous execution from the initial one stays in the end.
func (m *machine) end(most int) ([]uint64, error) {
	var way []uint64
	at := map[uint64]int{}
	letters, then := make([]uint32, m.n), make([]uint32, m.n)
	for key := m.startKey(0); ; {
		if first, ok := at[key]; ok {
			return way[first:], nil
		}
		if len(way) > most {
			return nil, errTooLarge{"no end of the execution from a clean start"}
		}
		at[key] = len(way)
		way = append(way, key)
		m.letters(key, letters)
		key = 0
		for i := range m.n {
			then[i] = m.next(i, letters)
			key += uint64(then[i]) * m.stride[i]
		}
		key = m.normal(key, then)
	}
}

// strike adds the configurations in which the nodes of a set hold any of the letters in hits, and the others what they
// hold at a key.
func (m *machine) strike(key uint64, set uint16, hits [][]uint32) {
	keys := []uint64{key}
	letters := make([]uint32, m.n)
	m.letters(key, letters)
	for i := range m.n {
		if set&(1<<i) == 0 {
			continue
		}
		var more []uint64
		for _, k := range keys {
			for _, l := range hits[i] {
				more = append(more, k+(uint64(l)-uint64(letters[i]))*m.stride[i])
			}
		}
		keys = more
	}
	m.list = append(m.list, keys...)
}
