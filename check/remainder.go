package check

// remainder is what cannot be decided from successors: everything wrong from which an execution may come to a cycle or
// to a dead end, numbered anew in the order of the marks. Its strongly connected components tell which.
type remainder struct {
	x     *explorer
	list  []uint32 // the configurations; their numbers here stand in next
	steps []edge
	search
}

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
	x.left = r
	r.marks = make([]uint32, len(r.list))
	r.search.stop = x.stop
	r.base, r.expand, r.component = r.known, r.inner, r.judge
	for k := range x.starts() {
		v := x.id(x.startKey(k))
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

// known is what a configuration of the remainder takes from successors that are decided. All are wrong or come to
// something wrong.
func (r *remainder) known(c uint32) uint32 {
	acc := uint32(bad)
	r.steps = r.x.successors(r.list[c], r.steps[:0])
	for _, e := range r.steps {
		if m := r.x.mark(e.to); m&done != 0 {
			acc = longer(acc, m&endless+uint32(e.gain))
		}
	}
	return acc
}

// inner lists the steps that stay in the remainder.
func (r *remainder) inner(c uint32, out []edge) []edge {
	r.steps = r.x.successors(r.list[c], r.steps[:0])
	for _, e := range r.steps {
		if to, ok := r.number(e.to); ok {
			out = append(out, edge{to: to, acts: e.acts, gain: e.gain})
		}
	}
	return out
}

// judge looks at a component.
func (r *remainder) judge(members []uint32) {
	x := r.x
	dead, cyclic, acted := false, false, uint16(0)
	for _, c := range members {
		set, _ := x.enabled(x.key(r.list[c]))
		acted |= x.full &^ set
		dead = len(members) == 1 && set == 0 && !x.daemon.inRounds()
		r.edges = r.inner(c, r.edges[:0])
		for _, e := range r.edges {
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
	acts := func(place uint32) (v uint32, acted, gain uint16) {
		v, acted = r.list[place>>n], uint16(place)&x.full
		set, _ := x.enabled(x.key(v))
		if acted |= x.full &^ set; acted == x.full {
			gain, acted = 1, x.full&^set
		}
		return v, acted, gain
	}
	then := func(acted, gain uint16, e edge) (uint16, uint16) {
		if acted |= e.acts; acted == x.full {
			return 0, gain + 1
		}
		return acted, gain
	}
	s.base = func(place uint32) uint32 {
		v, acted, gain := acts(place)
		acc := longer(bad, uint32(gain))
		r.steps = x.successors(v, r.steps[:0])
		for _, e := range r.steps {
			if m := x.mark(e.to); x.decided(e.to) && m&bad != 0 {
				after, over := then(acted, gain, e)
				acc = longer(acc, uint32(over)+uint32(x.rounds.run(uint64(e.to)<<n, 1<<n)[after]))
			}
		}
		return acc
	}
	s.expand = func(place uint32, list []edge) []edge {
		v, acted, gain := acts(place)
		r.steps = x.successors(v, r.steps[:0])
		for _, e := range r.steps {
			if !x.decided(e.to) {
				after, over := then(acted, gain, e)
				list = append(list, edge{to: *x.next.at(uint64(e.to))<<n | uint32(after), gain: over})
			}
		}
		return list
	}
	for k := range x.starts() {
		v := x.id(x.startKey(k))
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
		v := x.id(x.startKey(k))
		if x.mark(v)&bad != 0 && x.decided(v) {
			x.result.rounds = max(x.result.rounds, int(x.rounds.run(uint64(v)<<x.m.n, 1)[0])+1)
		}
	}
	return x.left == nil || x.left.countRounds(stop)
}
