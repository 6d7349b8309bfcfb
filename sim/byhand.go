package sim

// Methods that let a caller decide what happens next in a run, step by step, as the daemon of a checker does. A
// run is stepped either by Step or by these.

// Act runs one round of the given nodes, at the same time and each on what its neighbours have last sent, and of nobody
// else. It takes a period; faults that are scheduled for its beginning come first. It panics unless the run is synchronous and the
// network stands still.
func (e *Rounds[S, M]) Act(nodes ...int) {
	if e.cfg.Timing != Synchronous || e.air != nil {
		panic("sim: Act needs a synchronous run on a network that stands still")
	}
	now := float64(e.periods)
	e.applyFaults(now)
	copy(e.fresh, e.export)
	for _, i := range nodes {
		if p := e.index(i); e.status[p] == running {
			e.visit(&e.hands[0], p, now)
		}
	}
	e.export, e.fresh = e.fresh, e.export
	e.periods++
	for s := range e.faults.boxes { // what has been heard is no older for steps that others take
		if b := &e.faults.boxes[s]; b.comes >= 0 {
			b.comes++
		}
	}
	if e.probe != nil {
		e.observe()
	}
}

// Hear makes m the message that node i has last received from its neighbour j, and missed the number of those that
// have failed to come since. From the first call on nothing arrives in any other way, so it is for runs that are stepped by Act;
// until then a node has what its neighbours have last sent. The run needs a schedule of faults, which may be
// empty but not nil.
func (e *Rounds[S, M]) Hear(i, j int, m M, missed uint8) {
	e.openBoxes()
	p, q, now := e.index(i), e.index(j), float64(e.periods)
	for s := e.off[p]; s < e.off[p+1]; s++ {
		if int(e.nbr[s]) == q {
			e.faults.boxes[s] = box[M]{letter: letter[M]{m, now, now}, missed: missed}
		}
	}
}
