package engine

import (
	"cmp"
	"reflect"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/columns"
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
				e.nodes[i].down = true
				e.nodes[i].see(seen{})
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
		if e.channels != nil {
			e.channels.last = e.now
		}
		e.carryOutFault(a)
	}
}

func (e *eventRun) carryOutFault(a action) {
	f, s := &e.faults, &e.cfg.Faults[a.fault]
	e.postpone()
	if a.end {
		f.links = slices.DeleteFunc(f.links, func(l active) bool { return l.fault == a.fault })
		return
	}
	of := e.struck(s)
	switch s.Kind {
	case sim.Loss, sim.Delay, sim.Duplication, sim.Reordering, sim.Latency:
		f.links = append(f.links, active{a.fault, s.Rule(of)})
	case sim.Partition:
		f.links = append(f.links, active{a.fault,
			fault.Rule{Links: fault.Links{Of: of, Cut: true}, Kind: fault.Loss}})
	case sim.Heal:
		f.links = slices.DeleteFunc(f.links, func(l active) bool { return l.Cut })
	default:
		var rewrite rewriting
		if s.Kind == sim.Corrupt || s.Kind == sim.FakeLeader {
			rewrite = e.rewrites(a.fault)
		}
		for i := range e.nodes {
			if of == nil || of[i] {
				e.strike(s, i, rewrite)
			}
		}
	}
}

// strike does to node i what a fault of nodes does.
func (e *eventRun) strike(s *sim.Fault, i int, rewrite rewriting) {
	p := &e.nodes[i]
	switch {
	case (s.Kind == sim.Crash || s.Kind == sim.Leave) && !p.down: // no message of it stays with anybody
		e.crash(i, p)
	case s.Kind == sim.Restart && s.Keep && p.down && p.awake:
		e.wakeAgain(i, p)
	case (s.Kind == sim.Restart || s.Kind == sim.Join) && p.down:
		p.life++
		e.times[i].since = e.now
		e.boot(i)
		e.changed(i, p, p.seen())
		e.wake(i, p, true)
	case s.Kind == sim.Strength:
		e.strengthen(s, i)
	case rewrite != nil && !p.down:
		rewrite(i, p)
	}
}

// strengthen changes the strength of node i, for its later lives as well.
func (e *eventRun) strengthen(s *sim.Fault, i int) {
	if !e.faults.own {
		e.ownStrengths()
	}
	value := s.Value
	if s.Values != nil {
		value = s.Values[i]
	}
	e.cfg.Strengths[i] = value
}

// ownStrengths gives the run strengths of its own, which it may change, and finds without asking a rule.
func (e *eventRun) ownStrengths() {
	own := make([]float64, e.n)
	for k := range own {
		own[k] = e.cfg.Strength(k)
	}
	e.cfg.Strengths, e.cfg.StrengthBy, e.faults.own, e.rich = own, nil, true, true
}

// crash stops node i, which runs.
func (e *eventRun) crash(i int, p *place) {
	p.down = true
	e.times[i].up += e.now - e.times[i].since
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
			of[i] = p.role == caucus.Leader
		}
	}
	return of
}

// fate decides about what goes from i to j, the so manieth that is sent.
func (e *eventRun) fate(i, j int, number uint64) (fate linkFate) {
	for k := range e.faults.links {
		l := &e.faults.links[k]
		if !l.Have(i, j) {
			continue
		}
		met := l.Meet(&fate.Fate, e.faults.fate.At(uint64(l.fault)).At(number))
		fate.overtakes = fate.overtakes || met && l.Kind == fault.Reordering
	}
	return fate
}

// wakeAgain lets node i go on with what it held when it stopped; its timers that were due since then go off at once.
func (e *eventRun) wakeAgain(i int, p *place) {
	p.down, e.times[i].since = false, e.now
	if e.watch != nil {
		e.watch.begin(story.Wake, i)
	}
	e.holds(i, p)
	if e.channels != nil {
		e.resume(i)
	}
	e.faults.missed = slices.DeleteFunc(e.faults.missed, func(v missed) bool {
		if v.due.to.node != int32(i) {
			return false
		}
		v.due.at, v.due.slot = e.now, e.alarms.put(v.alarm)
		e.alarms.push(v.due)
		return true
	})
}

// rewriting changes what node i, which runs, holds.
type rewriting func(i int, p *place)

// rewrites prepares one corrupt or fake-leader fault.
func (e *eventRun) rewrites(of int) rewriting {
	s := &e.cfg.Faults[of]
	random := caucus.NewRand(e.cfg.Seed, string(s.Kind), uint64(of))
	if s.Kind == sim.FakeLeader {
		w := fakeWorld(&e.cfg, s, counters)
		_, lies := e.algo.Domain(&w)
		return func(i int, p *place) {
			r := random.At(uint64(i))
			e.deceive(i, p, w.IDs[0], lies, &r)
		}
	}
	known := span{}
	for _, d := range e.lengths {
		known.take(d)
	}
	w := world(&e.cfg, e.cfg.Strength, known)
	states, _ := e.algo.Domain(&w)
	return func(i int, p *place) {
		if e.watch != nil {
			e.watch.begin(story.Corrupt, i)
		}
		if r := random.At(uint64(i)); states.Len > 0 {
			states.At(pick(&r, states.Len), i)
		}
		e.holds(i, p)
	}
}

// lies is how many forged messages may be tried until a node believes one.
const lies = 256

// deceive lets node i hear a forged message after which it follows a leader that does not exist; if it believes none of
// the first half of those that are drawn, one that leaves its ID with the node, which may lead there later, or at last
// any.
func (e *eventRun) deceive(i int, p *place, fake caucus.ID, messages columns.Values, r *caucus.Rand) {
	if p.degree == 0 || messages.Len == 0 {
		return
	}
	if !p.awake {
		e.rouse(i, p, false)
	}
	port := r.IntN(int(p.degree))
	held, typ := story.ValueOf(e.algo.State(i)), reflect.TypeOf(e.algo.State(i)).Elem()
	for k := 0; ; k++ {
		slot := e.algo.Empty()
		messages.At(pick(r, messages.Len), int(slot))
		for ; k < 2*lies && !names(reflect.ValueOf(e.algo.Message(slot)), fake); k++ {
			messages.At(pick(r, messages.Len), int(slot))
		}
		if e.watch != nil {
			e.watch.begin(story.Corrupt, i)
		}
		counted := slices.Clone(e.out.Count)
		now := e.algo.Receive(i, e.ready(i, p), port, slot)
		was, err := read(held, typ)
		kept := k >= lies/2 && names(reflect.ValueOf(e.algo.State(i)), fake)
		if now.Leader == fake || kept || k >= lies-1 || err != nil {
			e.carryOut(i, p, now)
			return
		}
		for _, m := range e.out.Sends { // it has never been sent
			e.out.Slots.Release(m.Slot)
		}
		copy(e.out.Count, counted)
		reflect.ValueOf(e.algo.State(i)).Elem().Set(reflect.ValueOf(was).Elem())
	}
}

// names tells whether a state or a message has an ID in it.
func names(v reflect.Value, id caucus.ID) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && names(v.Elem(), id)
	case reflect.Struct:
		for k := range v.NumField() {
			if names(v.Field(k), id) {
				return true
			}
		}
	case reflect.Array, reflect.Slice:
		for k := range v.Len() {
			if names(v.Index(k), id) {
				return true
			}
		}
	default:
		return v.Type() == reflect.TypeFor[caucus.ID]() && caucus.ID(v.Uint()) == id
	}
	return false
}

// holds notes that node i has another state than its handlers left.
func (e *eventRun) holds(i int, p *place) {
	p.awake = true
	if is := e.see(i, p); is != p.seen() {
		e.changed(i, p, is)
	}
	if e.watch != nil {
		e.watch.done(e.now)
	}
}
