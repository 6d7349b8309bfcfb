package engine

import (
	"cmp"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/sim"
)

// startFaults sorts the schedule and takes away the nodes that join later.
func (e *RoundRun) startFaults() {
	f, schedule := &e.faults, e.cfg.Faults
	f.fate = caucus.NewRand(e.cfg.Seed, "link")
	if schedule == nil && !e.cfg.Traffic {
		return
	}
	f.sent = slices.Repeat([]float64{-1}, e.n)
	if e.ran == nil {
		e.ran = make([]uint32, e.n)
	}
	f.chosen = make([][]bool, len(schedule))
	for k, s := range schedule {
		f.actions = append(f.actions, action{at: s.At, fault: k})
		if s.Until > 0 {
			f.actions = append(f.actions, action{at: s.Until, fault: k, end: true})
		}
		if s.Kind == sim.Strength && e.strength == nil {
			e.strength = make([]float64, e.n)
			for p := range e.strength {
				e.strength[p] = e.cfg.Strength(e.node(p))
			}
		}
	}
	slices.SortStableFunc(f.actions, func(a, b action) int {
		if c := cmp.Compare(a.at, b.at); c != 0 || a.end == b.end {
			return c
		} else if a.end {
			return -1
		}
		return 1
	})
	e.awaitJoins()
	if e.cfg.Traffic {
		e.traffic = newTraffic(e.n)
		e.openBoxes()
		f.mute = true
	}
}

// awaitJoins makes absent every node whose first change of membership is to join.
func (e *RoundRun) awaitJoins() {
	known := make([]bool, e.n)
	for _, a := range e.faults.actions {
		kind := e.cfg.Faults[a.fault].Kind
		if a.end || kind != sim.Join && kind != sim.Leave && kind != sim.Crash && kind != sim.Restart ||
			e.cfg.Faults[a.fault].Leaders {
			continue
		}
		for p := range e.listed(a.fault) {
			if !known[p] && kind == sim.Join {
				e.status[p] = absent
			}
			known[p] = true
		}
	}
}

// listed gives the positions of the nodes that a fault lists: all of them if it lists none.
func (e *RoundRun) listed(fault int) func(yield func(p int) bool) {
	nodes := e.cfg.Faults[fault].Nodes
	return func(yield func(p int) bool) {
		if nodes == nil {
			for p := range e.n {
				if !yield(p) {
					return
				}
			}
		}
		for _, i := range nodes {
			if !yield(e.index(i)) {
				return
			}
		}
	}
}

// dueBefore reports whether an action is to come before a time.
func (f *faults) dueBefore(t float64) bool {
	return f.next < len(f.actions) && f.actions[f.next].at < t
}

// cut reports whether a partition separates two nodes.
func (e *RoundRun) cut(p, q int) bool {
	return e.faults.sides != nil && e.faults.sides[p] != e.faults.sides[q]
}

// applyFaults carries out what is scheduled up to now.
func (e *RoundRun) applyFaults(now float64) {
	f := &e.faults
	for f.next < len(f.actions) && f.actions[f.next].at <= now {
		a := f.actions[f.next]
		f.next++
		e.makeReady(&e.cfg.Faults[a.fault])
		if a.end {
			e.endFault(a.fault)
		} else {
			e.beginFault(a.fault, now)
		}
	}
}

// makeReady prepares for the beginning or end of a fault. Some concern a few nodes of many, and read of the others
// nothing that is behind: those are left as they are.
func (e *RoundRun) makeReady(s *sim.Fault) {
	kind := s.Kind
	light := kind == sim.Crash || kind == sim.Strength || kind == sim.Partition || kind == sim.Heal
	if light && e.rest.on && e.traffic == nil && !e.faults.open && e.faults.expiry == 0 {
		e.unsure = e.unsure || kind != sim.Strength
		return
	}
	e.catchUp()
	e.catchUpTimes()
	e.unsure, e.rest.flows = true, false
	if e.traffic != nil {
		e.rest.hold = steadyTraffic
	}
}

func (e *RoundRun) beginFault(k int, now float64) {
	s := &e.cfg.Faults[k]
	e.choose(k)
	switch s.Kind {
	case sim.Loss, sim.Duplication, sim.Delay, sim.Reordering, sim.Latency:
		e.openBoxes()
		e.listen()
		e.faults.links = append(e.faults.links, active{k, s.Rule(e.faults.chosen[k])})
		e.relink(&e.faults.links[len(e.faults.links)-1].Links)
	case sim.Expiry:
		e.faults.expiry = float64(s.Rounds)
		e.fadeAnew()
	case sim.Partition:
		e.repartition(func() { e.divide(k) })
	case sim.Heal:
		e.repartition(func() { e.faults.sides = nil })
	default:
		var drawn overwriting
		if s.Kind == sim.Corrupt || s.Kind == sim.FakeLeader {
			drawn = e.draw(k)
			e.eachHeld(e.takeLast)
		}
		of := e.faults.chosen[k]
		for p := range e.n {
			if of == nil || of[p] {
				e.strike(s, p, now, drawn)
			}
		}
		if drawn != nil {
			e.overhear(of, now)
		}
	}
}

// listen lets nodes read from boxes that were there to count only.
func (e *RoundRun) listen() {
	for s, q := range e.rows.All {
		if e.faults.mute {
			e.recall(s, int(q))
		}
	}
	e.faults.mute, e.rest.all = false, true
}

// relink names the nodes at the ends of links by their positions.
func (e *RoundRun) relink(l *fault.Links) {
	l.Only = slices.Clone(l.Only)
	for k, link := range l.Only {
		l.Only[k] = [2]int{e.index(link[0]), e.index(link[1])}
	}
}

// choose fixes the nodes of a fault at its beginning.
func (e *RoundRun) choose(k int) {
	s := &e.cfg.Faults[k]
	if s.Nodes == nil && !s.Leaders {
		return
	}
	of := make([]bool, e.n)
	if s.Leaders {
		for p := range of {
			of[p] = e.status[p] == running && e.outcome(&e.hands[0].local, p).Role == caucus.Leader
		}
	} else {
		for p := range e.listed(k) {
			of[p] = true
		}
	}
	e.faults.chosen[k] = of
}

func (e *RoundRun) endFault(k int) {
	f := &e.faults
	switch e.cfg.Faults[k].Kind {
	case sim.Expiry:
		f.expiry = 0
		e.fadeAnew()
	case sim.Partition:
		e.repartition(func() { e.join(k) })
	default:
		if e.air != nil { // what was sent before the end may not have been taken in yet
			return
		}
		f.links = slices.DeleteFunc(f.links, func(a active) bool { return a.fault == k })
	}
}

// strike does to the node at position p what a fault of nodes does.
func (e *RoundRun) strike(s *sim.Fault, p int, now float64, drawn overwriting) {
	st := e.status[p]
	switch s.Kind {
	case sim.Crash:
		if st != absent {
			e.catchUpOne(p)
			e.loseFlow(p)
			e.status[p] = crashed
		}
	case sim.Leave:
		e.leave(p)
	case sim.Join:
		if st == absent {
			e.rise(p, now)
		}
	case sim.Restart:
		switch {
		case st == crashed && s.Keep && e.ran[p] > 0:
			e.status[p] = running
		case st == crashed || st == absent:
			e.rise(p, now)
		}
	case sim.Strength:
		e.strength[p] = s.Value
		if s.Values != nil {
			e.strength[p] = s.Values[e.node(p)]
		}
	case sim.Corrupt, sim.FakeLeader:
		if st == running || st == waiting {
			drawn(p, now)
		}
	}
	e.disturb(p)
}

// rise starts a node that did not run, as a new instance if it ran before.
func (e *RoundRun) rise(p int, now float64) {
	if e.lives == nil {
		e.lives = make([]uint32, e.n)
	}
	if e.ran[p] > 0 {
		e.lives[p]++
		if e.air != nil {
			e.air.nonces[p] = e.nonce(p)
		}
	}
	e.status[p] = waiting
	if e.cfg.Timing == sim.Synchronous {
		e.boot(&e.hands[0], p, now)
	}
}

// leave takes a node and its messages out of the network.
func (e *RoundRun) leave(p int) {
	e.status[p] = absent
	e.faults.sent[p] = -1
	if e.faults.open {
		for s, end := e.rows.Span(p); s < end; s++ {
			e.forget(int(e.faults.back[s]))
		}
	}
	e.eachHeld(func(_ int, h *held) {
		if int(h.from) == p {
			e.unhear(h)
		}
	})
}

// divide gives the nodes of a partition a bit of their own; join takes it back.
func (e *RoundRun) divide(k int) {
	if e.faults.sides == nil {
		e.faults.sides = make([]uint64, e.n)
	}
	bit := e.partitionBit(k)
	for p := range e.n {
		if of := e.faults.chosen[k]; of == nil || of[p] {
			e.faults.sides[p] |= bit
		}
	}
}

func (e *RoundRun) join(k int) {
	bit := e.partitionBit(k)
	for p := range e.faults.sides {
		e.faults.sides[p] &^= bit
	}
	if !slices.ContainsFunc(e.faults.sides, func(s uint64) bool { return s != 0 }) {
		e.faults.sides = nil
	}
}

func (e *RoundRun) partitionBit(k int) uint64 {
	bit := uint64(1)
	for _, s := range e.cfg.Faults[:k] {
		if s.Kind == sim.Partition {
			bit <<= 1
		}
	}
	return bit
}

// repartition changes the partitions and sees to the boxes: an edge that is cut
// forgets at once, and one that comes back brings the last messages.
func (e *RoundRun) repartition(change func()) {
	before := slices.Clone(e.faults.sides)
	change()
	now := e.faults.sides
	if before == nil {
		before = make([]uint64, e.n)
	}
	if now == nil {
		now = make([]uint64, e.n)
	}
	for p := range e.n {
		for s, end := e.rows.Span(p); s < end && before[p] != now[p]; s++ { // an edge of two that stay is as it was
			q := e.rows.End(p, s)
			if was, is := before[p] != before[q], now[p] != now[q]; was != is {
				e.turnEdge(p, q, s, is)
				e.turnFlow(p, q, is)
				if before[q] == now[q] { // its own row is not looked through
					e.turnFlow(q, p, is)
				}
			}
		}
	}
	e.eachHeld(func(p int, h *held) {
		switch was, is := before[p] != before[h.from], now[p] != now[h.from]; {
		case is && !was:
			e.unhear(h)
		case was && !is:
			e.hearAgain(h)
		}
	})
}

// turnEdge cuts the edge from the node at position p to that at q, or brings it back.
func (e *RoundRun) turnEdge(p, q, s int, cut bool) {
	if e.rest.on {
		e.rest.due.add(p)
		e.rest.due.add(q)
	}
	switch f := &e.faults; {
	case !f.open:
	case cut:
		e.forget(s)
		e.forget(int(f.back[s]))
	default:
		e.recall(s, q)
		e.recall(int(f.back[s]), p)
	}
}
