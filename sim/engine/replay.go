package engine

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/story"
)

// ReplayEvents carries out the story of a counterexample of events and tells it with all that the simulator knows. Of
// the configuration count the network, Known, NoFIFO and faults of links. It is an error if the story does not fit the
// network, or does not end where it says.
func ReplayEvents(algo columns.Events, spec *caucus.Spec, cfg sim.Config, s *story.Story) (*story.Story, error) {
	told := &story.Story{Run: s.Run, Network: s.Network, IDs: cfg.IDs, Initiators: s.Initiators, Loop: s.Loop}
	cfg.NoNonces, cfg.Unsafe, cfg.Initiators, cfg.Replay = true, true, []int{}, s
	cfg.Watch = func(x *story.Step) bool { told.Steps = append(told.Steps, *x); return true }
	e, err := newEventRun(algo, spec, cfg)
	if err != nil {
		return nil, err
	}
	e.drawn = new(caucus.Rand)
	e.open(told)
	was := ""
	for done := 0; len(e.chosen.replay) > 0; done++ {
		if done == s.Loop {
			was = e.moment()
		}
		if !e.stepReplay() {
			return nil, e.failure()
		}
	}
	_, related := e.algo.Relative()
	if s.Loop >= 0 && (s.Loop >= len(told.Chosen()) || was != e.moment() && !related) {
		return nil, fmt.Errorf("the replay is not at its end as after step %d, as it says: it is of another run",
			s.Loop)
	}
	told.Outcomes = e.Result().Outcomes
	for _, slot := range e.chosen.all {
		if !e.nodes[e.chosen.kept[slot].to.node].down {
			told.Pending++
		}
	}
	return told, nil
}

// open lets those start who hold something when everything begins.
func (e *eventRun) open(told *story.Story) {
	*e.drawn = caucus.Chosen(0)
	e.dueFaults(0)
	for k := range e.chosen.replay {
		x := &e.chosen.replay[k]
		if x.What != story.Begin || e.nodes[x.Node].awake {
			break
		}
		e.rouse(x.Node, &e.nodes[x.Node], true)
		told.Steps[len(told.Steps)-1].What = story.Begin // what it holds then comes with its turn
	}
	slices.Reverse(told.Steps)
	e.begun, told.Steps = told.Steps, nil
}

// moment is what nodes hold and what is on its way to those that run.
func (e *eventRun) moment() string {
	var b strings.Builder
	plain := func(v any) {
		x := story.ValueOf(v)
		b.WriteString(x.Plain() + " ")
	}
	for i := range e.nodes {
		plain(e.algo.State(i))
	}
	for i, end := range e.chosen.first {
		var queue []string
		for slot := end; slot >= 0; slot = e.chosen.hooks[slot].behind {
			if v := &e.chosen.kept[slot]; !e.nodes[v.to.node].down {
				x := story.ValueOf(e.algo.Message(v.slot))
				queue = append(queue, x.Plain())
			}
		}
		if !e.chosen.fifo {
			slices.Sort(queue)
		}
		fmt.Fprint(&b, i, queue)
	}
	return b.String()
}

// stepReplay does what the story says next. That of a run is under the faults of its schedule; that of a counterexample
// has them as steps, decides what is drawn, and may tell a message by what it says and let any timer go off.
func (e *eventRun) stepReplay() bool {
	c := e.chosen
	next := &c.replay[0]
	c.replay = c.replay[1:]
	if next.Time > e.limit {
		return false
	}
	for e.faults.next <= next.Time {
		e.dueFaults(e.faults.next)
	}
	if next.What == story.Message || next.What == story.Lost {
		return e.replayMessage(next)
	}
	if e.drawn != nil {
		return e.replayChoice(next)
	}
	switch next.What {
	case story.Wake, story.Crash, story.Corrupt: // they follow from the initiators and the schedule
		return true
	case story.Timer:
		return e.replayTimer(next)
	}
	return e.refuse(next, "wake, message, timer, lost, crash, corrupt: what happens in a run of events")
}

// replayMessage lets a message arrive, or be lost.
func (e *eventRun) replayMessage(next *story.Step) bool {
	c, g := e.chosen, e.cfg.Graph
	slot, ok := c.byNumber[uint32(next.Number-1)]
	if next.Number == 0 {
		slot, ok = e.underWay(next)
	}
	switch {
	case next.Number > math.MaxUint32 || !ok && next.Number > 0:
		return e.fail(next, "message #%d is not on its way at this point", next.Number)
	case !ok:
		return e.refuse(next, "the next message on its way there")
	case int(c.kept[slot].to.node) != next.Node:
		return e.fail(next, "message #%d is on its way to %s, not to %s", next.Number,
			g.NodeName(int(c.kept[slot].to.node)), g.NodeName(next.Node))
	case c.fifo && c.first[c.hooks[slot].link] != slot && (next.What == story.Message || e.drawn == nil):
		return e.fail(next, "message #%d overtakes #%d of the same link; only a run without FIFO allows that",
			c.kept[slot].number+1, c.kept[c.first[c.hooks[slot].link]].number+1)
	}
	e.turn(next)
	v := c.take(slot)
	if e.drawn == nil || next.What == story.Message {
		e.deliver(v)
		return true
	}
	if e.watch != nil {
		e.watch.lost(next.Node, int(v.to.port), v.number, v.slot, e.now)
	}
	e.out.Slots.Release(v.slot)
	return true
}

// underWay finds the first message of a link that says what the step says.
func (e *eventRun) underWay(next *story.Step) (slot int32, ok bool) {
	g := e.cfg.Graph
	at, ok := slices.BinarySearch(g.Neighbours(next.Node), int32(next.From))
	_, typ := e.algo.Types()
	if m, err := read(next.Message, typ); err == nil && ok {
		said := story.ValueOf(m)
		for slot = e.chosen.first[g.Off[next.Node]+at]; slot >= 0; slot = e.chosen.hooks[slot].behind {
			is := e.algo.Message(e.chosen.kept[slot].slot)
			if at := story.ValueOf(is); at.Plain() == said.Plain() {
				return slot, true
			}
			if at := story.ValueOf(e.rebased(is, typ)); at.Plain() == said.Plain() {
				return slot, true
			}
		}
	} else if err != nil {
		e.chosen.err = err
	}
	return -1, false
}

// rebased is a message as a checker tells it that takes executions for one which differ only by a number that all
// counters have more.
func (e *eventRun) rebased(m any, typ reflect.Type) any {
	relative, ok := e.algo.Relative()
	if !ok {
		return m
	}
	origin := uint64(math.MaxUint64)
	for i := range e.nodes {
		if n := &e.nodes[i]; n.awake && !n.down {
			origin = min(origin, relative.Origin(reflect.ValueOf(e.algo.State(i)).UnsafePointer(), nil))
		}
	}
	for _, slot := range e.chosen.all {
		if x := &e.chosen.kept[slot]; !e.nodes[x.to.node].down {
			origin = min(origin, relative.Origin(nil, reflect.ValueOf(e.algo.Message(x.slot)).UnsafePointer()))
		}
	}
	if origin == math.MaxUint64 {
		return m
	}
	other := reflect.New(typ)
	other.Elem().Set(reflect.ValueOf(m).Elem())
	relative.Rebase(nil, other.UnsafePointer(), origin)
	return other.Interface()
}

// turn begins a step of a story at its node.
func (e *eventRun) turn(next *story.Step) {
	e.pass(next.Node, next.Time)
	if e.drawn != nil {
		*e.drawn = caucus.Chosen(next.Draw)
		e.watch.draw, e.watch.of = next.Draw, next.Of
	}
}

// replayChoice does what only the daemon of a counterexample does.
func (e *eventRun) replayChoice(next *story.Step) bool {
	p := &e.nodes[next.Node]
	switch {
	case next.What == story.Wake && !next.Initiator:
		return true // it follows from a message
	case p.down && next.What != story.Tick:
		return e.refuse(next, "nothing of a node that has crashed")
	}
	e.turn(next)
	switch next.What {
	case story.Tick:
		e.watch.happens(story.Tick, 0, next.Timer, e.now)
	case story.Wake:
		if p.awake || !slices.Contains(e.cfg.Replay.Initiators, next.Node) {
			return e.refuse(next, "an initiator that sleeps")
		}
		e.rouse(next.Node, p, true)
	case story.Timer:
		return e.replayTimer(next)
	case story.Crash:
		e.crash(next.Node, p)
	case story.Begin, story.Corrupt:
		return e.replayState(next, p)
	default:
		return e.refuse(next, "begin, corrupt, crash, lost, message, tick, timer, wake, for an algorithm of events")
	}
	return true
}

// replayState gives a node another state.
func (e *eventRun) replayState(next *story.Step, p *place) bool {
	typ, _ := e.algo.Types()
	s, err := read(next.After, typ)
	if err != nil {
		e.chosen.err = err
		return e.refuse(next, "")
	}
	e.watch.begin(next.What, next.Node)
	if next.What == story.Begin {
		if len(e.begun) == 0 {
			return e.refuse(next, "this before anything else, for each node once")
		}
		e.watch.x, e.begun = e.begun[len(e.begun)-1], e.begun[:len(e.begun)-1]
	}
	reflect.ValueOf(e.algo.State(next.Node)).Elem().Set(reflect.ValueOf(s).Elem())
	e.holds(next.Node, p)
	return true
}

// replayTimer lets a timer of a node go off, whenever it is due.
func (e *eventRun) replayTimer(next *story.Step) bool {
	var others []parcel
	found := parcel{slot: -1}
	for len(e.alarms.byTime) > 0 && found.slot < 0 {
		due := e.alarms.byTime[0]
		e.alarms.drop()
		a := &e.alarms.kept[due.slot]
		if int(due.to.node) == next.Node && a.timer == next.Timer && a.life == e.nodes[next.Node].life {
			found = due
		} else {
			others = append(others, due)
		}
	}
	for _, due := range others {
		e.alarms.push(due)
	}
	if found.slot < 0 {
		return e.fail(next, "no timer is set that is %d of %s", next.Timer, e.cfg.Graph.NodeName(next.Node))
	}
	e.turn(next)
	e.fire(found)
	return true
}

// fail ends a replay.
func (e *eventRun) fail(x *story.Step, format string, args ...any) bool {
	e.chosen.err = fmt.Errorf("%s: "+format+"; the record is of another run", append([]any{x.Where}, args...)...)
	e.chosen.replay = nil
	return false
}

// refuse ends a replay whose next step cannot be, unless it is known why.
func (e *eventRun) refuse(x *story.Step, allowed string) bool {
	if e.chosen.err == nil {
		e.chosen.err = caucus.Wrong("replay", x.Where, allowed)
	}
	e.chosen.replay = nil
	return false
}

// failure tells why a replay could not go on, or that the algorithm is not what it says.
func (e *eventRun) failure() error {
	if e.timeless && e.drawn == nil && e.local.Rand != (caucus.Rand{}) {
		return errors.New("the algorithm draws random numbers and says that it is Timeless")
	}
	if e.chosen == nil {
		return nil
	}
	return e.chosen.err
}

// pass lets time pass for a node.
func (e *eventRun) pass(i int, now float64) {
	e.setNow(now)
	e.times[i].clock = e.now
}

// rouse wakes a node; in the story of a counterexample it starts with what it draws now.
func (e *eventRun) rouse(i int, p *place, initiator bool) {
	if e.drawn != nil {
		l := e.look(i, p)
		l.Rand = *e.drawn
		e.algo.Boot(i, l)
		*e.drawn = l.Rand
	}
	e.wake(i, p, initiator)
}

var never = math.Inf(1)
