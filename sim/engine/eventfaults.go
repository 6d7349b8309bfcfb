package engine

import (
	"cmp"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

func (f *eventFaults) over() bool { return f.at == len(f.actions) }

func (e *eventRun) startFaults() {
	f := &e.faults
	f.fate = caucus.NewRand(e.cfg.Seed, "link")
	for k, s := range e.cfg.Faults {
		f.actions = append(f.actions, action{at: s.At, fault: k})
		if s.Until > 0 {
			f.actions = append(f.actions, action{at: s.Until, fault: k, end: true})
		}
	}
	slices.SortStableFunc(f.actions, func(a, b action) int { return cmp.Compare(a.at, b.at) })
	for k := range e.cfg.Faults {
		if s := &e.cfg.Faults[k]; s.Kind == sim.Join {
			for _, i := range s.Nodes {
				e.nodes[i].down, e.nodes[i].seen = true, seen{}
			}
		}
	}
	e.setNextFault()
}

func (e *eventRun) setNextFault() {
	f := &e.faults
	if f.next = never; f.at < len(f.actions) {
		f.next = f.actions[f.at].at
	}
}

// dueFaults carries out what is scheduled up to a time.
func (e *eventRun) dueFaults(until float64) {
	for e.faults.next <= until {
		a := e.faults.actions[e.faults.at]
		e.faults.at++
		e.setNextFault()
		e.setNow(max(e.now, a.at))
		e.carryOutFault(a)
	}
}

func (e *eventRun) carryOutFault(a action) {
	f, s := &e.faults, &e.cfg.Faults[a.fault]
	e.postpone()
	if a.end {
		f.losses = slices.DeleteFunc(f.losses, func(l active) bool { return l.fault == a.fault })
		return
	}
	of := e.struck(s)
	switch s.Kind {
	case sim.Loss:
		f.losses = append(f.losses, active{a.fault, s.Rule(of)})
	case sim.Partition:
		f.losses = append(f.losses, active{a.fault,
			fault.Rule{Links: fault.Links{Of: of, Cut: true}, Kind: fault.Loss}})
	case sim.Heal:
		f.losses = slices.DeleteFunc(f.losses, func(l active) bool { return l.Cut })
	default:
		for i := range e.nodes {
			if of == nil || of[i] {
				e.strike(s, i)
			}
		}
	}
}

// strike does to node i what a fault of nodes does.
func (e *eventRun) strike(s *sim.Fault, i int) {
	p := &e.nodes[i]
	switch {
	case (s.Kind == sim.Crash || s.Kind == sim.Leave) && !p.down: // no message of it stays with anybody
		e.crash(i, p)
	case (s.Kind == sim.Restart || s.Kind == sim.Join) && p.down:
		p.life++
		p.since = e.now
		e.boot(i)
		e.changed(i, p, p.seen)
		e.wake(i, p, true)
	case s.Kind == sim.Strength:
		e.strengthen(s, i)
	}
}

// strengthen changes the strength of node i, for its later lives as well.
func (e *eventRun) strengthen(s *sim.Fault, i int) {
	if !e.faults.own {
		e.cfg.Strengths = append(make([]float64, 0, e.n), e.cfg.Strengths...)[:e.n]
		e.faults.own = true
	}
	value := s.Value
	if s.Values != nil {
		value = s.Values[i]
	}
	e.cfg.Strengths[i], e.nodes[i].local.Strength = value, value
}

// crash stops node i, which runs.
func (e *eventRun) crash(i int, p *place) {
	p.down = true
	p.up += e.now - p.since
	e.changed(i, p, seen{})
	if e.watch != nil {
		e.watch.happens(story.Crash, i, 0, e.now)
	}
}

// struck tells which nodes a fault concerns; nil means all.
func (e *eventRun) struck(s *sim.Fault) []bool {
	if s.Nodes == nil && !s.Leaders {
		return nil
	}
	of := make([]bool, e.n)
	for _, i := range s.Nodes {
		of[i] = true
	}
	for i := range e.nodes {
		if p := &e.nodes[i]; s.Leaders && !p.down {
			of[i] = p.seen.role == caucus.Leader
		}
	}
	return of
}

// loses decides whether a message from i to j is lost.
func (e *eventRun) loses(i, j int) bool {
	var fate fault.Fate
	for k := range e.faults.losses {
		if l := &e.faults.losses[k]; l.Have(i, j) {
			l.Meet(&fate, e.faults.fate.At(uint64(l.fault)).At(uint64(e.result.Messages)))
		}
	}
	return fate.Lost
}
