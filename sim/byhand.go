package sim

import (
	"slices"

	"caucus.example/caucus"
)

// Methods that let a caller decide what happens next in a run, step by step, as the daemon of a checker does. A
// run is stepped either by Step or by these.

// Act runs one round of the given nodes, at the same time and each on what its neighbours have last sent, and of nobody
// else. It takes a period; faults that are scheduled for its beginning come first. It panics unless the run is
// synchronous and the network stands still.
func (e *RoundRun) Act(nodes ...int) {
	if e.cfg.Timing != Synchronous || e.air != nil {
		panic("sim: Act needs a synchronous run on a network that stands still")
	}
	now := float64(e.periods)
	e.applyFaults(now)
	e.tape.keep()
	for _, i := range nodes {
		if p := e.index(i); e.status[p] == running {
			e.tape.visit(&e.hands[0], p, now)
		}
	}
	e.tape.turn()
	e.periods++
	e.tape.standStill()
	if e.probe != nil {
		e.observe()
	}
}

// Hear makes m the message that node i has last received from its neighbour j, and missed the number of those that
// have failed to come since. From the first call on nothing arrives in any other way, so it is for runs that are
// stepped by Act; until then a node has what its neighbours have last sent. The run needs a schedule of faults, which
// may be empty but not nil.
func (e *Rounds[S, M]) Hear(i, j int, m M, missed uint8) {
	e.tape.openBoxes()
	p, q, now := e.index(i), e.index(j), float64(e.periods)
	for s := e.off[p]; s < e.off[p+1]; s++ {
		if int(e.nbr[s]) == q {
			e.tape.boxes[s] = box[M]{letter: letter[M]{m, now, now}, missed: missed}
		}
	}
}

// State gives a copy of what node i holds.
func (e *Events[S, M]) State(i int) S { return *e.EventRun.State(i).(*S) }

// Inject overwrites the state of node i, which is awake from then on.
func (e *Events[S, M]) Inject(i int, state S) {
	*e.EventRun.State(i).(*S) = state
	e.Injected(i)
}

// Deliver lets a message of node j arrive at node i: the first on its way for which is reports true. It is false if
// there is none, or if that one would overtake another.
func (e *Events[S, M]) Deliver(j, i int, is func(m M) bool) bool {
	return e.EventRun.Deliver(j, i, func(m any) bool { return is(*m.(*M)) })
}

// Lose takes a message off its way, as in Deliver but in any order.
func (e *Events[S, M]) Lose(j, i int, is func(m M) bool) bool {
	return e.EventRun.Lose(j, i, func(m any) bool { return is(*m.(*M)) })
}

// OnWay visits the messages of node j that are on their way to node i, in the order of sending.
func (e *Events[S, M]) OnWay(j, i int, visit func(m M)) {
	e.EventRun.OnWay(j, i, func(m any) { visit(*m.(*M)) })
}

// For the events engine each step takes one unit of time. Runs that are stepped by these have a Scheduler, which is not
// asked, and usually no initiators.

// Wake starts node i on its own initiative; false if it is awake or down.
func (e *EventRun) Wake(i int) bool {
	p := &e.nodes[i]
	if p.awake || p.down {
		return false
	}
	e.pass(p)
	e.rouse(i, p, true)
	return true
}

// Deliver lets a message of node j arrive at node i: the first on its way for which is reports true. It is false if
// there is none, or if that one would overtake another.
func (e *EventRun) Deliver(j, i int, is func(m any) bool) bool {
	slot, p := e.underWay(j, i, is), &e.nodes[i]
	if slot < 0 || e.chosen.fifo && e.chosen.first[e.chosen.hooks[slot].link] != slot {
		return false
	}
	e.pass(p)
	v := e.chosen.take(slot)
	if !p.awake && !p.down {
		e.rouse(i, p, false)
	}
	e.deliver(i, int(v.port), v.msg, v.number)
	return true
}

// Lose takes a message off its way, as in Deliver but in any order.
func (e *EventRun) Lose(j, i int, is func(m any) bool) bool {
	slot := e.underWay(j, i, is)
	if slot < 0 {
		return false
	}
	e.pass(&e.nodes[i])
	v := e.chosen.take(slot)
	if e.watch != nil {
		e.watch.lost(i, int(v.port), v.number, v.msg, e.now)
	}
	e.out.Slots.Release(v.msg)
	return true
}

// OnWay visits the messages of node j that are on their way to node i, in the order of sending.
func (e *EventRun) OnWay(j, i int, visit func(m any)) {
	e.underWay(j, i, func(m any) bool { visit(m); return false })
}

// Awake reports whether node i has started.
func (e *EventRun) Awake(i int) bool { return e.nodes[i].awake }

// underWay finds a message; -1 for none.
func (e *EventRun) underWay(j, i int, is func(m any) bool) int32 {
	g := e.cfg.Graph
	at, ok := slices.BinarySearch(g.Neighbours(i), int32(j))
	if !ok {
		return -1
	}
	for slot := e.chosen.first[g.Off[i]+at]; slot >= 0; slot = e.chosen.hooks[slot].behind {
		if is(e.algo.Message(e.chosen.parcels[slot].msg)) {
			return slot
		}
	}
	return -1
}

// Ring lets a timer of node i fire, whenever it is due; false if it is not set.
func (e *EventRun) Ring(i, timer int) bool {
	var others []dueAt
	found := int32(-1)
	for len(e.alarms.due) > 0 && found < 0 {
		due := e.alarms.due[0]
		e.alarms.drop()
		if v := &e.alarms.parcels[due.slot]; int(v.node) == i && v.msg.timer == timer && v.msg.life == e.nodes[i].life {
			found = due.slot
		} else {
			others = append(others, due)
		}
	}
	for _, due := range others {
		e.alarms.insert(due)
	}
	if found >= 0 {
		e.pass(&e.nodes[i])
		e.fire(found)
	}
	return found >= 0
}

// Stop crashes node i; false if it is down.
func (e *EventRun) Stop(i int) bool {
	p := &e.nodes[i]
	if p.down {
		return false
	}
	e.pass(p)
	e.crash(i, p)
	return true
}

// State points to what node i holds.
func (e *EventRun) State(i int) any { return e.algo.State(i) }

// Injected has taken place when the caller has overwritten the state of node i, which is awake from then on.
func (e *EventRun) Injected(i int) {
	p := &e.nodes[i]
	e.pass(p)
	p.awake = true
	if is := e.see(i, p); is != p.seen {
		e.changed(i, p, is)
	}
}

// Draw makes r the random stream of all that nodes draw from now on, one after the other.
func (e *EventRun) Draw(r caucus.Rand) { e.drawn = &r }

// pass lets a unit of time pass for a node.
func (e *EventRun) pass(p *place) {
	e.setNow(e.now + 1)
	p.clock = e.now
}

// rouse wakes a node that starts with what it draws now.
func (e *EventRun) rouse(i int, p *place, initiator bool) {
	if e.drawn != nil {
		p.local.Rand = *e.drawn
		e.algo.Boot(i, &p.local)
		*e.drawn = p.local.Rand
	}
	e.wake(i, p, initiator)
}
