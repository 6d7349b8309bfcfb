package check

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"caucus.example/caucus"
)

// growing makes a machine that finds letters on the way, for algorithms and networks of which the letters
// cannot all be listed. It starts from every combination of the given letters; nil starts clean.
func (y *system) growing(start [][]pair) (*machine, error) {
	n := len(y.nodes)
	a := &alphabet{y: y, nodes: make([]letters, n)}
	m := &machine{n: n, nodes: n, adj: adjacency(y.net), bits: y.room}
	if m.bits == nil {
		m.bits = slices.Repeat([]uint{min((keyBits-uint(y.above))/uint(n), mostBits)}, n)
	}
	for i := range n {
		p := &y.nodes[i]
		a.nodes[i] = letters{number: newKeyMap(), read: rowSet{width: 2 + len(p.readers)},
			heard: make([][]uint32, len(p.nbr)), bits: m.bits[i]}
		m.size = append(m.size, 1<<m.bits[i])
	}
	for i := range n {
		list := []pair{{y.nodes[i].boot[0], y.nodes[i].boot[1]}}
		if start != nil {
			list = start[i]
		}
		var letters []uint32
		for _, p := range list {
			letters = append(letters, a.letter(i, p))
		}
		m.start = append(m.start, distinct(letters))
	}
	m.strides()
	m.fork = a.machine
	return a.machine(*m), y.err
}

// machine completes a machine for one worker.
func (a *alphabet) machine(m machine) *machine {
	n := len(a.nodes)
	g := &growth{alphabet: a, seen: make([]letters, n), known: make([]*keyMap, n), looked: make([]int, n)}
	for i := range n {
		g.where, g.mask = append(g.where, uint(bits.TrailingZeros64(m.stride[i]))), append(g.mask, m.size[i]-1)
		g.known[i] = newKeyMap()
		g.seen[i].heard = make([][]uint32, len(a.y.nodes[i].nbr))
		g.msgs = append(g.msgs, make([]uint32, len(a.y.nodes[i].nbr)))
	}
	m.growth, m.step, m.many, m.holds = g, g.step, g.many, g.pair
	m.right = a.y.rightOf(g.pair)
	if a.y.algo.related {
		g.shifted = newKeyMap()
		m.moved = func(letter uint32) bool { return g.origin(letter) != 0 }
		m.rebase = g.rebase
	}
	return &m
}

// growth is what one worker knows of an alphabet.
type growth struct {
	*alphabet
	seen    []letters // but for the newest
	known   []*keyMap // steps: what a node reads of its own state and of the neighbours' messages, to a letter
	msgs    [][]uint32
	shifted *keyMap // node, letter and origin to a letter
	origins []uint64
	where   []uint // where a key has a node's letter, and how much of it
	mask    []uint64
	asked   []uint64 // keys in known
	places  []uint32 // theirs
	looked  []int    // how often many has looked there, by node
}

// renew sees what others have found that node i reads.
func (g *growth) renew(i int) *letters {
	g.y.mu.Lock()
	defer g.y.mu.Unlock()
	seen, all := &g.seen[i], &g.nodes[i]
	seen.pairs, seen.kept = all.pairs, all.kept
	copy(seen.heard, all.heard)
	return seen
}

// pair is what a letter stands for.
func (g *growth) pair(i int, letter uint32) pair {
	if int(letter) >= len(g.seen[i].pairs) {
		g.renew(i)
	}
	return g.seen[i].pairs[letter]
}

// messages makes the machine of the message model: what node i last heard of neighbour j is a part of the configuration
// of its own, which a delivery sets to j's last message and which is all that i reads. Every direction of every edge is
// one more process behind the nodes, in the order of Nbr; its letter is what i reads of a message. A message that is
// overwritten before its delivery is lost. At the start each node holds any of the given letters and has heard any of
// the messages in them. Where messages may be lost on purpose, a letter tells besides how many have been since; the
// receiver knows that they are missing.
func (y *system) messages(start [][]pair, losses int) (*machine, error) {
	n, links := len(y.nodes), len(y.net.Nbr)
	if n+links > maxNodes {
		return nil, errTooLarge{fmt.Sprintf("%d nodes and directions of edges, of at most %d", n+links, maxNodes)}
	}
	nodes, err := y.growing(start)
	if err != nil {
		return nil, err
	}
	if nodes.rebase != nil && y.moves() {
		return nil, errTooLarge{"a counter that never rests, in the message model"}
	}
	g := nodes.growth.(*growth)
	y.losses, y.missed = uint32(losses), make([]uint8, n)
	bits := 62 / (n + links)
	m := &machine{n: n + links, nodes: n, adj: make([]uint16, n+links),
		bits: slices.Repeat([]uint{uint(bits)}, n+links)}
	if g.links = true; bits < 4 {
		return nil, errTooLarge{"too few bits for a letter"}
	}
	for i := range m.n {
		m.size = append(m.size, 1<<bits)
		if i < n && len(g.nodes[i].pairs) >= 1<<bits {
			return nil, errTooLarge{fmt.Sprintf("%d letters of one node", len(g.nodes[i].pairs))}
		}
		if i < n {
			g.nodes[i].bits = min(g.nodes[i].bits, uint(bits))
			m.start = append(m.start, nodes.start[i])
			continue
		}
		to, k := entry(y.net, i-n)
		heard := slices.Clone(g.nodes[to].heard[k])
		for at := range heard {
			heard[at] *= y.losses + 1
		}
		m.start = append(m.start, distinct(heard))
	}
	m.strides()
	m.fork = func(m machine) *machine { return g.mailing(m, nodes.fork(*nodes), bits) }
	return g.mailing(*m, nodes, bits), y.err
}

// mailing completes a machine of the message model for one worker, whose steps of nodes are those of the machine nodes.
func (a *alphabet) mailing(m machine, nodes *machine, bits int) *machine {
	n, net, g := m.nodes, a.y.net, nodes.growth.(*growth)
	m.step = func(i int, letters []uint32) uint32 {
		if i < n {
			return g.act(i, g.own(i, letters[i]), letters[n+net.Off[i]:n+net.Off[i+1]])
		}
		to, k := entry(net, i-n)
		heard := g.hears(to, k, letters[net.Nbr[i-n]]) * (a.y.losses + 1)
		if heard+a.y.losses >= 1<<bits {
			a.fail(fmt.Sprintf("%d messages of one node", heard))
			return 0
		}
		return heard
	}
	m.growth, m.holds, m.right = g, nodes.holds, func(letters []uint32) bool { return nodes.right(letters[:n]) }
	return &m
}

// maxShift is above all origins: counters of up to 16 bits.
const maxShift = 1 << 16

func (g *growth) rebase(letters []uint32) {
	origin := g.origin(letters[0])
	if origin == 0 {
		return
	}
	for i, l := range letters {
		key := (uint64(l)*maxNodes+uint64(i))*maxShift + origin
		k, ok := g.shifted.get(key)
		if !ok {
			k = g.shift(i, l, origin)
			g.shifted.put(key, k)
		}
		letters[i] = k
	}
}

// origin is that of the first node with a letter.
func (g *growth) origin(letter uint32) uint64 {
	for int(letter) >= len(g.origins) {
		next := uint32(len(g.origins))
		state := g.pair(0, next).state
		g.y.mu.Lock()
		g.origins = append(g.origins, g.y.algo.origin(g.y.nodes[0].states.values[state])%maxShift)
		g.y.mu.Unlock()
	}
	return g.origins[letter]
}

// shift gives the letter whose counters are less by origin.
func (g *growth) shift(i int, letter uint32, origin uint64) uint32 {
	q := g.pair(i, letter)
	g.y.mu.Lock()
	defer g.y.mu.Unlock()
	p := &g.y.nodes[i]
	s, m := g.y.algo.rebase(p.states.values[q.state], p.messages.values[q.message], origin)
	return g.letter(i, pair{p.states.number(s), p.messages.number(m)})
}

// moves reports whether the algorithm has counters that never rest, so that the values of nodes cannot be listed.
func (y *system) moves() bool {
	if !y.algo.related {
		return false
	}
	p := &y.nodes[0]
	y.show(p, 0, p.boot[0])
	before := y.algo.origin(p.s)
	y.algo.Round(&p.l, &p.s, caucus.Inbox[uint32]{})
	return y.algo.origin(p.s) != before
}

// own is what node i reads of its state, and hears of the message of its k-th neighbour, both in letters.
func (g *growth) own(i int, letter uint32) uint32 {
	seen := &g.seen[i]
	if int(letter) >= len(seen.kept) {
		seen = g.renew(i)
	}
	return seen.kept[letter]
}

func (g *growth) hears(i, k int, letter uint32) uint32 {
	seen := &g.seen[i]
	if int(letter) >= len(seen.heard[k]) {
		seen = g.renew(i)
	}
	return seen.heard[k][letter]
}

func (g *growth) step(i int, letters []uint32) uint32 {
	for k, j := range g.y.nodes[i].nbr {
		g.msgs[i][k] = g.hears(i, k, letters[j])
	}
	return g.act(i, g.own(i, letters[i]), g.msgs[i])
}

// act is the step of node i by the numbers of what it reads.
func (g *growth) act(i int, own uint32, msgs []uint32) uint32 {
	bits := share(len(msgs))
	key, all := uint64(own), own
	for _, m := range msgs {
		key = key<<bits | uint64(m)
		all |= m
	}
	if g.overflows(all, bits) {
		return 0
	}
	if next, ok := g.known[i].get(key); ok {
		return next
	}
	next := g.learn(i, own, msgs)
	g.known[i].put(key, next)
	return next
}

// share is how many bits of a key in known a node's own state has, and each of its neighbours' messages.
func share(neighbours int) int { return min(32, 64/(neighbours+1)) }

// overflows fails where a key would not be theirs alone: all has the bits of the numbers in it.
func (g *growth) overflows(all uint32, bits int) bool {
	if uint64(all)>>bits == 0 {
		return false
	}
	g.fail(fmt.Sprintf("more than %d states or messages of one node", uint64(1)<<bits))
	return true
}

// learn asks the algorithm.
func (g *growth) learn(i int, own uint32, msgs []uint32) uint32 {
	g.y.mu.Lock()
	defer g.y.mu.Unlock()
	s, m := g.y.read(i, own, msgs)
	return g.letter(i, pair{s, m})
}

// many is step in many configurations. What it looks up for one does not wait for another; of a node that hears all
// others, and is asked something new nearly every time, nothing is looked up.
func (g *growth) many(i int, keys []uint64, out []uint32) {
	nbr, seen := g.y.nodes[i].nbr, g.renew(i)
	bits, shift, mask := share(len(nbr)), g.where[i], g.mask[i]
	asked, all := slices.Grow(g.asked[:0], len(keys))[:len(keys)], uint32(0)
	for k, key := range keys {
		asked[k] = uint64(seen.kept[key>>shift&mask])
		all |= uint32(asked[k])
	}
	for at, j := range nbr {
		heard, shift, mask := seen.heard[at], g.where[j], g.mask[j]
		for k, key := range keys {
			message := heard[key>>shift&mask]
			asked[k] = asked[k]<<bits | uint64(message)
			all |= message
		}
	}
	g.asked = asked
	if g.overflows(all, bits) {
		return
	}
	looks := len(nbr) < len(g.nodes)-1 || g.looked[i] < manyLooks || 8*g.known[i].count < 7*g.looked[i]
	if looks {
		g.places = slices.Grow(g.places[:0], len(keys))[:len(keys)]
		g.known[i].warm(asked, g.places)
		g.looked[i] += len(asked)
	}
	msgs := g.msgs[i]
	for k, key := range asked {
		if looks {
			var ok bool
			if out[k], ok = g.known[i].getFrom(uint64(g.places[k]), key); ok {
				continue
			}
		}
		own := key
		for at := len(msgs) - 1; at >= 0; at-- {
			msgs[at] = uint32(own & (1<<bits - 1))
			own >>= bits
		}
		if out[k] = g.learn(i, uint32(own), msgs); looks {
			g.known[i].put(key, out[k])
		}
	}
}

// manyLooks are enough to tell whether they are in vain.
const manyLooks = 1 << 12

// candid lists, for algorithms whose states and messages are of one kind, every value of the domain as state and
// message of the same node, and the clean start: what a node has said is what it holds.
func (y *system) candid(w *caucus.World, most int) ([][]pair, error) {
	if !y.algo.alike {
		return nil, errTooLarge{"states and messages are of different kinds"}
	}
	states, _, err := y.domain(w, most)
	if err != nil {
		return nil, err
	}
	out := make([][]pair, len(y.nodes))
	for i := range y.nodes {
		p := &y.nodes[i]
		out[i] = []pair{{p.boot[0], p.boot[1]}}
		for _, s := range states[i] {
			out[i] = append(out[i], pair{s, p.messages.number(y.algo.said(p.states.values[s]))})
		}
		slices.SortFunc(out[i], comparePairs)
		out[i] = slices.Compact(out[i])
	}
	return out, nil
}

// plausible lists letters of a corrupted node that look as if it had run: what a step makes of any state in the domain
// when all neighbours say the same thing, whatever that is. Together with the clean start they are the reduced
// domain for what is too large otherwise. It gives up when tooMany says so of the letters found for a node.
func (y *system) plausible(w *caucus.World, most int, tooMany func(i, count int) bool) ([][]pair, error) {
	vs, vm := y.algo.Domain(w)
	if vs.Len > uint64(most) || vm.Len > uint64(most)/max(1, vs.Len) {
		return nil, errTooLarge{fmt.Sprintf("%d states and %d messages in the domain", vs.Len, vm.Len)}
	}
	if _, _, err := y.domain(w, most); err != nil {
		return nil, err
	}
	out := make([][]pair, len(y.nodes))
	for i := range y.nodes {
		if tooMany(i, 0) { // of those before
			return nil, errTooLarge{"too many letters of all nodes"}
		}
		l := y.letteringOf(i, w)
		switch {
		case l.err != nil:
			return nil, l.err
		case tooMany(i, len(l.pairs)):
			return nil, errTooLarge{fmt.Sprintf("%d letters of one node", len(l.pairs))}
		}
		p := &y.nodes[i]
		for _, q := range l.pairs {
			out[i] = append(out[i], pair{p.states.number(y.algo.states.number(l.algo.states.at(q[0]))),
				p.messages.number(y.algo.says.number(l.algo.says.at(q[1])))})
		}
		slices.SortFunc(out[i], comparePairs)
	}
	return out, y.err
}

// letteringOf finds the letters of a node, or makes them.
func (y *system) letteringOf(i int, w *caucus.World) *lettering {
	p := &y.nodes[i]
	known, key := y.algo.letterings, fmt.Sprint(p.local.ID, p.local.Strength, p.dist, *w)
	known.mu.Lock()
	l := known.of[key]
	if l == nil {
		l = &lettering{}
		known.of[key] = l
	}
	known.mu.Unlock()
	l.once.Do(func() {
		if l.algo, l.err = inNumbers(y.algo.algo, known); l.err != nil {
			return
		}
		var own *system
		if own, l.err = newSystem(l.algo, y.net); l.err == nil {
			l.pairs, l.err = own.met(i, w, known)
		}
	})
	return l
}

// met lists the plausible letters of a node of a system that is there for nothing else.
func (y *system) met(i int, w *caucus.World, known *letterings) (out [][2]uint32, err error) {
	states, _, err := y.domain(w, math.MaxInt)
	if err != nil {
		return nil, err
	}
	_, vm := y.algo.Domain(w)
	p, seen := &y.nodes[i], newKeyMap()
	add := func(q pair) {
		key := uint64(q.state)<<32 | uint64(q.message)
		if _, ok := seen.get(key); !ok {
			seen.put(key, 0)
			out = append(out, [2]uint32{p.states.values[q.state], p.messages.values[q.message]})
		}
	}
	add(pair{p.boot[0], p.boot[1]})
	msgs := make([]uint32, len(p.nbr))
	for k := range vm.Len {
		v := vm.At(k)
		for at, j := range p.nbr {
			msgs[at] = y.nodes[j].messages.number(v)
		}
		for _, s := range states[i] {
			st, m := y.round(i, s, msgs)
			add(pair{st, m})
		}
		switch {
		case known.stop():
			return nil, errStopped
		case len(out) > known.most:
			return nil, errTooLarge{fmt.Sprintf("%d or more letters of one node", len(out))}
		}
	}
	return out, y.err
}

func comparePairs(a, b pair) int {
	x, y := uint64(a.state)<<32|uint64(a.message), uint64(b.state)<<32|uint64(b.message)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
