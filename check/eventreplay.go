package check

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// The text of a replay of an algorithm of the event shape:
//
//	initiators 2 3        those that start on their own
//	begin 2 Min=1         from anywhere: 2 has started and then holds this, when everything begins
//	start 2               2 starts on its own
//	deliver 2 3 Kind=1    a message of 2 arrives at 3
//	ring 3 1              timer 1 of 3 fires
//	tick 4                so many ticks pass, which the simulator does not count
//	crash 2; lose 2 3 Kind=1; corrupt 3 Min=1
//	again 5               at the end: it goes on as from the fifth of these on, for ever
//
// What is drawn at random in a step stands at its end: "draw 1 4" is the second of four results.

// told puts a step into words, and as an item of a replay.
func (w *play) told(e happening) told {
	id := w.net.IDs[e.node]
	var item string
	switch e.what {
	case woken:
		item = fmt.Sprintf("start %d", id)
	case alarm:
		item = fmt.Sprintf("ring %d %d", id, int32(e.value))
	case crashed:
		item = fmt.Sprintf("crash %d", id)
	case corrupted:
		item = fmt.Sprintf("corrupt %d %s", id, plainText(w.states.value(e.value)))
	case begun:
		item = fmt.Sprintf("begin %d %s", id, plainText(w.states.value(e.value)))
	case lost:
		item = fmt.Sprintf("lose %d %d %s", w.net.IDs[w.from[e.link]], id, plainText(w.messages.value(e.value)))
	default:
		item = fmt.Sprintf("deliver %d %d %s", w.net.IDs[w.from[e.link]], id, plainText(w.messages.value(e.value)))
	}
	if e.of > 1 {
		item += fmt.Sprintf(" draw %d %d", e.draw, e.of)
	}
	return told{w.text(e), item}
}

// eventReplay is a run of the simulator, event by event.
type eventReplay struct {
	w      *play // for its words and its judgement only
	engine *sim.EventRun
	trace  *EventTrace
	gone   []bool
	seen   []sim.Happening
	loop   *moment // where the loop begins
	wrong  string

	spoiled bool // by a corruption: what happens on the way proves nothing then
}

// moment is what nodes hold and what is on its way, by number, after so many steps.
type moment struct {
	after  int
	states []uint32
	queues [][]uint32
}

// ReplayEvents carries out a counterexample of an algorithm of the event shape, as in EventTrace.Replay, in the
// simulator. Of the configuration only Reorder counts. It is an error if the text does not fit the network, or if the
// run does not end as the text says.
func ReplayEvents[S, M any](algo caucus.Events[S, M], spec *caucus.Spec, net *caucus.Network, cfg Config, text string) (*Replayed, error) {
	return ReplayEventColumns(columns.OfEvents(algo), spec, net, cfg, text)
}

// ReplayEventColumns is ReplayEvents of an algorithm whose types are forgotten.
func ReplayEventColumns(algo columns.Events, spec *caucus.Spec, net *caucus.Network, cfg Config, text string) (*Replayed, error) {
	items, err := readScript(net, text, eventForms)
	if err != nil {
		return nil, err
	}
	r := &eventReplay{gone: make([]bool, net.Len()), trace: &EventTrace{Network: Describe(net)}}
	if err := r.start(algo, spec, net, cfg, items); err != nil {
		return nil, err
	}
	for k, h := range items {
		if h.what == "initiators" {
			continue
		}
		if err := r.do(h); err != nil {
			return nil, err
		}
		if last := items[len(items)-1]; last.what == "again" && len(r.trace.Steps) == last.count-1 && k < len(items)-1 {
			r.loop = r.moment()
		}
	}
	if err := r.end(items); err != nil {
		return nil, err
	}
	return &Replayed{Events: r.trace, Right: r.wrong == "", Happenings: r.seen}, nil
}

func (r *eventReplay) start(algo columns.Events, spec *caucus.Spec, net *caucus.Network, cfg Config, items []doing) (err error) {
	start := uint16(0)
	for _, h := range items {
		if h.what == "initiators" {
			for _, i := range h.nodes {
				start |= 1 << i
			}
		}
	}
	cfg.Start, cfg.Faults = Clean, Faults{}
	cfg.fill()
	if r.w, err = newPlay(algo, spec, &cfg, net, start); err != nil {
		return err
	}
	for i, id := range net.IDs {
		if r.w.net.Starts(i) {
			r.trace.Initiators = append(r.trace.Initiators, id)
		}
	}
	r.trace.Replay = initiatorsItem(r.trace.Initiators)
	r.engine, err = sim.NewEventRun(algo, spec, sim.Config{
		Graph: &network.Graph{Off: net.Off, Nbr: net.Nbr, Labels: net.Labels}, Lengths: lengths(net), IDs: net.IDs, Strengths: net.Strengths,
		Known: r.w.net.Known, NoNonces: true, Unsafe: true, Initiators: []int{}, Scheduler: sim.OldestFirst, NoFIFO: !r.w.fifo,
		Watch: func(h *sim.Happening) bool { r.seen = append(r.seen, *h); return true },
	})
	if err != nil {
		return err
	}
	r.engine.Draw(caucus.Chosen(0))
	for _, h := range items {
		if h.what == "begin" {
			r.engine.Wake(h.nodes[0])
		}
	}
	return nil
}

// do carries out one step.
func (r *eventReplay) do(h doing) error {
	wrong := &caucus.FieldError{Field: "replay", Found: h.text}
	for _, i := range h.nodes {
		if r.gone[i] && h.what != "deliver" && h.what != "lose" {
			wrong.Allowed = fmt.Sprintf("nothing of %d, which has crashed", r.w.net.IDs[i])
			return wrong
		}
	}
	before := r.outcomes()
	r.engine.Draw(caucus.Chosen(h.draw))
	e := happening{node: 0, draw: h.draw, of: h.of}
	if len(h.nodes) > 0 {
		e.node = h.nodes[0]
	}
	ok := true
	switch h.what {
	case "again":
		return nil
	case "tick":
		r.trace.add(told{plural(h.count, "tick"), fmt.Sprint("tick ", h.count)})
		return nil
	case "start":
		e.what = woken
		if ok = r.w.net.Starts(e.node) && r.engine.Wake(e.node); !ok {
			wrong.Allowed = "an initiator that sleeps"
		}
	case "ring":
		e.what, e.value = alarm, uint32(int32(h.count))
		if ok = r.engine.Ring(e.node, h.count); !ok {
			wrong.Allowed = "a timer that is set"
		}
	case "crash":
		e.what = crashed
		r.engine.Stop(e.node)
		r.gone[e.node] = true
	case "begin", "corrupt":
		s := reflect.New(r.w.states.typ)
		if err := readPlain(h.state, s.Interface()); err != nil {
			return err
		}
		reflect.ValueOf(r.engine.State(e.node)).Elem().Set(s.Elem())
		r.engine.Injected(e.node)
		e.what, e.value = map[string]what{"begin": begun, "corrupt": corrupted}[h.what], r.w.states.number(s.UnsafePointer())
	default:
		m := reflect.New(r.w.messages.typ)
		if err := readPlain(h.state, m.Interface()); err != nil {
			return err
		}
		e.link = slices.IndexFunc(r.w.to, func(i int) bool { return i == e.node })
		for r.w.from[e.link] != h.nodes[1] || r.w.to[e.link] != e.node {
			e.link++
		}
		e.value = r.w.messages.number(m.UnsafePointer())
		same := func(x any) bool { return r.w.messages.equal(address(x), m.UnsafePointer()) }
		if e.what = delivered; h.what == "lose" {
			e.what = lost
			ok = r.engine.Lose(h.nodes[1], e.node, same)
		} else {
			ok = r.engine.Deliver(h.nodes[1], e.node, same)
		}
		wrong.Allowed = "the next message on its way there"
	}
	if !ok {
		return wrong
	}
	r.trace.add(r.w.told(e))
	if r.spoiled = r.spoiled || e.what == begun || e.what == corrupted; !r.spoiled && e.what != crashed {
		r.compare(before)
	}
	return nil
}

// compare looks for what must not happen in any step of an algorithm that ends.
func (r *eventReplay) compare(before []caucus.Outcome) {
	for i, o := range r.outcomes() {
		if before[i].Final && o != before[i] {
			r.wrong = fmt.Sprintf("the outcome of %d was final and has changed", r.w.net.IDs[i])
		}
	}
	if leads := r.w.rivals(r.row()); leads > 1 && r.w.promise == Ends {
		r.wrong = fmt.Sprintf("%d leaders at a time", leads)
	}
}

func (r *eventReplay) outcomes() []caucus.Outcome { return r.engine.Result().Outcomes }

// states numbers what the nodes hold.
func (r *eventReplay) states() (list []uint32) {
	for i := range r.gone {
		list = append(list, r.w.states.number(address(r.engine.State(i))))
	}
	return list
}

// moment is the present one. What is on its way to a node that has crashed does not count.
func (r *eventReplay) moment() *moment {
	now := &moment{len(r.trace.Steps), r.states(), make([][]uint32, len(r.w.to))}
	for k, i := range r.w.to {
		if r.gone[i] || r.w.mute[k] {
			continue
		}
		r.engine.OnWay(r.w.from[k], i, func(m any) { now.queues[k] = append(now.queues[k], r.w.messages.number(address(m))) })
		if !r.w.fifo {
			slices.Sort(now.queues[k])
		}
	}
	return now
}

// repeats reports whether there have been steps since the loop began and all is as it was there, where that can be
// told.
func (r *eventReplay) repeats() bool {
	if r.loop == nil || r.loop.after == len(r.trace.Steps) {
		return false
	}
	now := r.moment()
	return r.w.related || slices.Equal(r.loop.states, now.states) && slices.EqualFunc(r.loop.queues, now.queues, slices.Equal[[]uint32])
}

// end judges the run, and finds out whether it ends as the text says.
func (r *eventReplay) end(items []doing) error {
	for i, o := range r.outcomes() {
		text := "crashed"
		if !r.gone[i] {
			text = outcomeText(o)
		}
		r.trace.Outcomes = append(r.trace.Outcomes, text)
	}
	if n := len(items); n > 0 && items[n-1].what == "again" {
		r.trace.Loop = items[n-1].count
		r.trace.Replay = strings.TrimPrefix(fmt.Sprintf("%s; again %d", r.trace.Replay, r.trace.Loop), "; ")
		if !r.repeats() {
			return fmt.Errorf("the replay is not at its end as before step %d, as it says: it is of another run", r.trace.Loop)
		}
		r.wrong = r.forEver()
	} else if r.wrong == "" {
		if r.pending() {
			return caucus.Wrong("replay", "an end while messages are on their way", "what happens until nothing is left")
		}
		if r.wrong = r.w.wrong(r.row()); r.wrong != "" {
			r.wrong = "nothing is left to happen, and " + r.wrong
		}
	}
	switch r.trace.Wrong = r.wrong; {
	case r.wrong == "" && r.trace.Loop > 0:
		r.trace.Wrong = "the result is right"
	case r.wrong == "":
		r.trace.Wrong = "nothing is left to happen"
	}
	return nil
}

// forEver says what is wrong with a run that goes on as in its loop; of an algorithm that is to last, that is what
// nodes have.
func (r *eventReplay) forEver() string {
	if r.w.promise != Lasts {
		return "it never ends: the same can happen again and again"
	}
	text := r.w.wrong(r.row())
	if text != "" {
		text += ", again and again"
	}
	return text
}

// pending reports whether a message is on its way to a node that runs.
func (r *eventReplay) pending() bool {
	for k, i := range r.w.to {
		found := false
		r.engine.OnWay(r.w.from[k], i, func(any) { found = true })
		if found && !r.gone[i] && !r.w.mute[k] {
			return true
		}
	}
	return false
}

// row gives the judge what nodes hold.
func (r *eventReplay) row() uint32 {
	row := make([]uint32, r.w.rows.width)
	for i, s := range r.states() {
		switch {
		case r.gone[i]:
			row[2*i] = gone
		case r.engine.Awake(i):
			row[2*i] = s + 1
		}
	}
	return r.w.rows.number(row)
}
