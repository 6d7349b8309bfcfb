package check

import "math/bits"

// remainder is what one search decides, by its strongly connected components: all of a chart that is complete; else
// what cannot be decided from successors, which is everything wrong from which an execution may come to a cycle or to a
// dead end. Steps that are not charted are kept meanwhile, since they are gone through several times.
type remainder struct {
	x     *explorer
	first []int    // of each configuration that is not charted, its place here being in next, and the end
	steps []edge   // theirs, one after the other
	sets  []uint16 // their enabled nodes
	to    []uint32
	search
}

// remainder decides the rest; false when stopped.
func (x *explorer) remainder() bool {
	r := &remainder{x: x}
	if !x.drawn() && (!r.keepSteps() || x.ended()) {
		return !x.ended()
	}
	x.left = r
	r.marks, r.search.stop = x.marks, x.stop
	r.expand, r.base, r.component = r.leadsTo, r.wrong, r.judge
	if x.chart.rows != nil {
		r.ahead = r.warm
	}
	for k := range x.starts() {
		if !r.from(x.start(k)) {
			return false
		}
	}
	x.busy = x.busy || r.busy
	return true
}

// keepSteps forgets the marks of what is not decided, and keeps the steps; false if there is nothing.
func (r *remainder) keepSteps() (any bool) {
	x := r.x
	x.marks.touched(func(v uint64, mark *uint32) bool {
		if *mark == 0 || *mark&done != 0 {
			return true
		}
		*mark, any = 0, true
		if x.chart.row(uint32(v)) == nil {
			x.pace()
			*x.next.at(v) = uint32(len(r.sets))
			r.first = append(r.first, len(r.steps))
			r.steps = x.successors(uint32(v), r.steps)
			r.sets = append(r.sets, x.set)
		}
		return !x.ended()
	})
	r.first = append(r.first, len(r.steps))
	return any
}

// leadsTo is where steps lead, by one of which a path is longer.
func (r *remainder) leadsTo(v uint32) ([]uint32, uint32) {
	if row := r.x.chart.row(v); row != nil {
		return row[1:][:bits.OnesCount16(uint16(row[0]))], 1
	}
	k, gain := *r.x.next.at(uint64(v)), uint32(0)
	r.to = r.to[:0]
	for _, e := range r.steps[r.first[k]:r.first[k+1]] {
		r.to, gain = append(r.to, e.to), uint32(e.gain) // that of all
	}
	return r.to, gain
}

// warm reads the rows of what has not been met and the tallies of what is decided, all together, and means nothing by
// it.
func (r *remainder) warm(to []uint32) {
	for _, v := range to {
		switch m := r.mark(v); {
		case m == 0 && uint64(v) < r.x.chart.most:
			r.x.warmth += r.x.chart.rows.get(uint64(v) << r.x.chart.shift)
		case m&(done|bad) == done|bad && r.x.rounds != nil:
			r.x.warmth += r.x.rounds.get(uint64(v) * r.x.words)
		}
	}
}

// leads gives the steps from a configuration.
func (r *remainder) leads(v uint32, out []edge) []edge {
	x := r.x
	if row := x.chart.row(v); row != nil {
		return x.read(row, out)
	}
	k := *x.next.at(uint64(v))
	x.set = r.sets[k]
	return append(out, r.steps[r.first[k]:r.first[k+1]]...)
}

// wrong is bad where the result is wrong, or known to become so.
func (r *remainder) wrong(v uint32) uint32 {
	if row := r.x.chart.row(v); r.x.drawn() && row[0]&astray == 0 {
		return 0
	}
	return bad
}

// judge looks at a component.
func (r *remainder) judge(members []uint32) {
	x := r.x
	dead, cyclic, acted := false, false, uint16(0)
	for _, v := range members {
		x.edges = r.leads(v, x.edges[:0])
		dead = len(x.edges) == 0 && !x.daemon.inRounds()
		for _, e := range x.edges {
			if r.inside(e.to) {
				acted |= e.acts
				cyclic = true
			}
		}
	}
	if dead || cyclic {
		r.keep(&x.result.unfair, members, dead)
	}
	if dead || acted == x.full {
		r.keep(&x.result.fair, members, dead)
		return
	}
	switch {
	case x.rounds == nil || !x.roundsFit():
	case len(members) == 1:
		x.ends(members[0], x.edges, x.set)
	default:
		r.settle(members)
	}
}

// settle finds how many rounds may end from the members of a component on, which the weakly fair daemon leaves: what
// they take from each other grows until it is enough.
func (r *remainder) settle(members []uint32) {
	x := r.x
	for grown := true; grown; {
		grown = false
		for k := len(members) - 1; k >= 0; k-- {
			x.edges = r.leads(members[k], x.edges[:0])
			grown = x.ends(members[k], x.edges, x.set) || grown
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
	for _, v := range members {
		c.keys = append(c.keys, r.x.key(v))
	}
	*best = c
}

// countRounds finds the most rounds until the result is right for good: a round is over when every node has acted
// in it. Only for what converges under the weakly fair daemon; false if it would take too much memory.
func (x *explorer) countRounds() bool {
	if x.daemon == Synchronous || x.daemon.inRounds() {
		x.result.rounds = x.result.steps
		return true
	}
	if !x.roundsFit() {
		return false
	}
	for k := range x.starts() {
		if v := x.start(k); x.mark(v)&bad != 0 {
			x.result.rounds = max(x.result.rounds, int(x.tallyOf(v)[0])+1)
		}
	}
	return true
}
