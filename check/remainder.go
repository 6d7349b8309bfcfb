package check

// remainder is what cannot be decided from successors: everything wrong from which an execution may come to a cycle or
// to a dead end, numbered anew in the order of the marks. Its strongly connected components tell which. Its steps are
// kept, since they are gone through several times, for counting rounds once for every set of nodes that have acted.
type remainder struct {
	x     *explorer
	list  []uint32 // the configurations; their numbers here stand in next
	sets  []uint16 // the enabled nodes of each
	stay  fan      // steps that stay in the remainder, by number there
	leave fan      // steps to what is decided
	search
}

// fan holds the steps from several configurations, one after the other.
type fan struct {
	first []int // of each, and the end
	steps []edge
}

func (f *fan) of(c uint32) []edge { return f.steps[f.first[c]:f.first[c+1]] }

// next begins with the steps of the next configuration; once more at the end.
func (f *fan) next() { f.first = append(f.first, len(f.steps)) }

// remainder decides the rest; false when stopped.
func (x *explorer) remainder() bool {
	r := &remainder{x: x}
	x.marks.touched(func(v uint64, mark *uint32) bool {
		if *mark != 0 && *mark&done == 0 {
			*x.next.at(v) = uint32(len(r.list))
			*mark = wanted
			r.list = append(r.list, uint32(v))
		}
		return true
	})
	if len(r.list) == 0 {
		return true
	}
	if !r.step() {
		return false
	}
	x.left = r
	r.marks = make([]uint32, len(r.list))
	r.search.stop = x.stop
	r.base, r.component = r.known, r.judge
	r.expand = func(c uint32, out []edge) []edge { return append(out, r.stay.of(c)...) }
	for k := range x.starts() {
		v := x.start(k)
		if c, ok := r.number(v); ok && !r.from(c) {
			return false
		}
	}
	for c, v := range r.list {
		*x.marks.at(uint64(v)) = r.marks[c]
	}
	return true
}

// number is that of a configuration in the remainder, if it belongs there.
func (r *remainder) number(v uint32) (uint32, bool) {
	if r.x.mark(v) != wanted {
		return 0, false
	}
	return *r.x.next.at(uint64(v)), true
}

// step finds the steps from every configuration of the remainder; false when stopped.
func (r *remainder) step() bool {
	x := r.x
	for _, v := range r.list {
		if x.pace(); x.ended() {
			return false
		}
		r.stay.next()
		r.leave.next()
		x.edges = x.successors(v, x.edges[:0])
		r.sets = append(r.sets, x.set)
		for _, e := range x.edges {
			if to, ok := r.number(e.to); ok {
				r.stay.steps = append(r.stay.steps, edge{to, e.acts, e.gain})
			} else {
				r.leave.steps = append(r.leave.steps, e)
			}
		}
	}
	r.stay.next()
	r.leave.next()
	return true
}

// known is what a configuration of the remainder takes from successors that are decided. All are wrong or come to
// something wrong.
func (r *remainder) known(c uint32) uint32 {
	acc := uint32(bad)
	for _, e := range r.leave.of(c) {
		acc = longer(acc, r.x.mark(e.to)&endless+uint32(e.gain))
	}
	return acc
}

// judge looks at a component.
func (r *remainder) judge(members []uint32) {
	x := r.x
	dead, cyclic, acted := false, false, uint16(0)
	for _, c := range members {
		set := r.sets[c]
		acted |= x.full &^ set
		dead = len(members) == 1 && set == 0 && !x.daemon.inRounds()
		for _, e := range r.stay.of(c) {
			if r.inside(e.to) {
				acted |= e.acts
				cyclic = true
			}
		}
	}
	if dead || cyclic {
		r.keep(&x.result.unfair, members, dead)
		if acted == x.full {
			r.keep(&x.result.fair, members, dead)
		}
	}
}

// keep remembers the component that makes the shortest counterexample: a dead end before a cycle, a small
// component before a large one.
func (r *remainder) keep(best **cycle, members []uint32, dead bool) {
	if *best != nil && ((*best).dead || len((*best).keys) <= len(members)) {
		return
	}
	c := &cycle{dead: dead}
	for _, m := range members {
		c.keys = append(c.keys, r.x.key(r.list[m]))
	}
	*best = c
}

// decided reports whether the mark of a configuration comes from its successors alone. Those of the remainder have no
// end: where rounds are counted there are no dead ends.
func (x *explorer) decided(v uint32) bool { return x.mark(v)&endless != endless }

// countRounds searches the graph of the remainder and who has acted. Components are as far as their farthest
// members: the weakly fair daemon leaves them. False when stopped.
func (r *remainder) countRounds(stop func() bool) bool {
	x, n := r.x, r.x.m.n
	s := search{marks: make([]uint32, uint64(len(r.list))<<n), merge: true, stop: stop}
	acts := func(place uint32) (c uint32, acted, gain uint16) {
		c, acted = place>>n, uint16(place)&x.full
		set := r.sets[c]
		if acted |= x.full &^ set; acted == x.full {
			gain, acted = 1, x.full&^set
		}
		return c, acted, gain
	}
	then := func(acted, gain uint16, e edge) (uint16, uint16) {
		if acted |= e.acts; acted == x.full {
			return 0, gain + 1
		}
		return acted, gain
	}
	s.base = func(place uint32) uint32 {
		c, acted, gain := acts(place)
		acc := longer(bad, uint32(gain))
		for _, e := range r.leave.of(c) {
			if x.mark(e.to)&bad == 0 {
				continue
			}
			after, over := then(acted, gain, e)
			acc = longer(acc, uint32(over)+uint32(x.rounds.run(uint64(e.to)<<n, 1<<n)[after]))
		}
		return acc
	}
	s.expand = func(place uint32, list []edge) []edge {
		c, acted, gain := acts(place)
		for _, e := range r.stay.of(c) {
			after, over := then(acted, gain, e)
			list = append(list, edge{to: e.to<<n | uint32(after), gain: over})
		}
		return list
	}
	for k := range x.starts() {
		v := x.start(k)
		if x.decided(v) {
			continue
		}
		place := *x.next.at(uint64(v)) << n
		if !s.from(place) {
			return false
		}
		x.result.rounds = max(x.result.rounds, int(s.marks[place]&endless)+1)
	}
	return true
}

// countRounds finds the most rounds until the result is right for good: a round is over when every node has acted
// in it. Only for what converges under the weakly fair daemon; false if it would take too much memory or was stopped.
func (x *explorer) countRounds(stop func() bool) bool {
	if x.daemon == Synchronous || x.daemon.inRounds() {
		x.result.rounds = x.result.steps
		return true
	}
	if x.deep.Load() || !x.roundsFit() {
		return false
	}
	for k := range x.starts() {
		v := x.start(k)
		if x.mark(v)&bad != 0 && x.decided(v) {
			x.result.rounds = max(x.result.rounds, int(x.rounds.run(uint64(v)<<x.m.n, 1)[0])+1)
		}
	}
	return x.left == nil || x.left.countRounds(stop)
}
