package sim

import (
	"cmp"
	"fmt"
	"slices"

	"caucus.example/caucus"
)

// eventFaults is the schedule of faults of a run of the events engine.
type eventFaults struct {
	actions []action
	at      int     // the first action that is still to come
	next    float64 // its time; infinite when there is none
	losses  []loss  // that are active
	fate    caucus.Rand
}

// loss is an active loss of messages.
type loss struct {
	fault int
	rate  float64
	way   Way
	of    []bool // nodes at either end; nil: all
}

func (f *eventFaults) over() bool { return f.at == len(f.actions) }

// checkEventFaults refuses what the events engine does not have.
func checkEventFaults(cfg *Config) error {
	for k := range cfg.Faults {
		f := &cfg.Faults[k]
		if err := checkFault(f, cfg.Graph.Len()); err != nil {
			err.Field = fmt.Sprintf("faults[%d].%s", k, err.Field)
			return err
		}
		if f.Kind != Crash && f.Kind != Restart && f.Kind != Loss {
			return &caucus.FieldError{Field: fmt.Sprintf("faults[%d].kind", k), Found: string(f.Kind), Allowed: "crash, restart, loss: the faults of event algorithms"}
		}
		if f.Keep {
			return &caucus.FieldError{Field: fmt.Sprintf("faults[%d].keep", k), Found: "true", Allowed: "false: a node of an event algorithm starts again from nothing"}
		}
	}
	return nil
}

func (e *EventRun) startFaults() {
	f := &e.faults
	f.fate = caucus.NewRand(e.cfg.Seed, "link")
	for k, s := range e.cfg.Faults {
		f.actions = append(f.actions, action{at: s.At, fault: k})
		if s.Until > 0 {
			f.actions = append(f.actions, action{at: s.Until, fault: k, end: true})
		}
	}
	slices.SortStableFunc(f.actions, func(a, b action) int { return cmp.Compare(a.at, b.at) })
	e.setNextFault()
}

func (e *EventRun) setNextFault() {
	f := &e.faults
	if f.next = never; f.at < len(f.actions) {
		f.next = f.actions[f.at].at
	}
}

// dueFaults carries out what is scheduled up to a time.
func (e *EventRun) dueFaults(until float64) {
	for e.faults.next <= until {
		a := e.faults.actions[e.faults.at]
		e.faults.at++
		e.setNextFault()
		e.setNow(max(e.now, a.at))
		e.carryOutFault(a)
	}
}

func (e *EventRun) carryOutFault(a action) {
	f, s := &e.faults, &e.cfg.Faults[a.fault]
	e.postpone()
	if a.end {
		f.losses = slices.DeleteFunc(f.losses, func(l loss) bool { return l.fault == a.fault })
		return
	}
	of := e.struck(s)
	if s.Kind == Loss {
		f.losses = append(f.losses, loss{a.fault, s.Rate, s.Way, of})
		return
	}
	for i := range e.nodes {
		if of != nil && !of[i] {
			continue
		}
		if p := &e.nodes[i]; s.Kind == Crash && !p.down {
			e.crash(i, p)
		} else if s.Kind == Restart && p.down {
			p.life++
			p.since = e.now
			e.boot(i)
			e.changed(i, p, p.seen)
			e.wake(i, p, true)
		}
	}
}

// crash stops node i, which runs.
func (e *EventRun) crash(i int, p *place) {
	p.down = true
	p.up += e.now - p.since
	e.changed(i, p, seen{})
	if e.watch != nil {
		e.watch.crash(i, e.now)
	}
}

// struck tells which nodes a fault concerns; nil means all.
func (e *EventRun) struck(s *Fault) []bool {
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
func (e *EventRun) loses(i, j int) bool {
	for _, l := range e.faults.losses {
		if l.of != nil && !l.way.concerns(l.of[i], l.of[j]) || !e.cfg.Faults[l.fault].onLink(i, j) {
			continue
		}
		r := e.faults.fate.At(uint64(l.fault)).At(uint64(e.result.Messages))
		if r.Float64() < l.rate {
			return true
		}
	}
	return false
}
