package check

import (
	"fmt"
	"math/bits"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/story"
)

// view is what is left of the network when some nodes have crashed.
type view struct {
	parts [][]int          // live nodes of each component
	want  []caucus.Outcome // of an oracle, by node
}

func (w *play) view(dead uint16) *view {
	v, ok := w.views[dead]
	if ok {
		return v
	}
	v = &view{}
	w.views[dead] = v
	left, place := less(w.net, dead)
	for i, least := range left.LeastID() {
		at := slices.IndexFunc(v.parts, func(p []int) bool { return w.net.IDs[p[0]] == least })
		if at < 0 {
			at = len(v.parts)
			v.parts = append(v.parts, []int{slices.Index(w.net.IDs, least)})
		}
		if left.IDs[i] != least {
			v.parts[at] = append(v.parts[at], place[i])
		}
	}
	if o, ok := w.algo.Algorithm().(caucus.Oracle); ok {
		if want := o.Expect(left); want != nil {
			v.want = make([]caucus.Outcome, w.net.Len())
			for i, o := range want {
				v.want[place[i]] = o
			}
		}
	}
	return v
}

// look judges a configuration as soon as its steps are known.
func (w *play) look(id uint32) {
	rests := !slices.ContainsFunc(w.graph.of(id), func(a arrow) bool { return !a.fault })
	switch wrong, unsafe := w.judged(id, rests); {
	case wrong == "":
	case unsafe && w.unsafe == nil:
		w.unsafe = w.trace(id, wrong)
	case !unsafe && w.stuck == nil:
		w.stuck = w.trace(id, wrong)
	}
}

// judged says what is wrong with a configuration, in which nothing is left to happen or something is, and whether that
// is two leaders at a time.
func (w *play) judged(id uint32, rests bool) (wrong string, unsafe bool) {
	dead := w.dead(w.rows.at(id))
	if w.promise == Ends && !w.spoiled(id) {
		if leads := w.rivals(w.outcomes(id), dead); leads > 1 {
			return fmt.Sprintf("%d leaders at a time", leads), true
		}
	}
	if rests {
		if text := w.wrong(w.outcomes(id), dead); text != "" {
			return "nothing is left to happen, and " + text, false
		}
	}
	return "", false
}

// rivals is the most nodes of one component that lead for good. Where a crash has cut the network, each part may have
// its leader.
func (w *play) rivals(outcomes []caucus.Outcome, dead uint16) int {
	lead := uint16(0)
	for i, o := range outcomes {
		if o.Role == caucus.Leader && o.Final {
			lead |= 1 << i
		}
	}
	if lead&(lead-1) == 0 {
		return bits.OnesCount16(lead)
	}
	most := 0
	for _, part := range w.view(dead).parts {
		leads := 0
		for _, i := range part {
			leads += int(lead >> i & 1)
		}
		most = max(most, leads)
	}
	return most
}

// dead is which nodes have crashed.
func (w *play) dead(row []uint32) (set uint16) {
	for i := range w.locals {
		if row[2*i] == gone {
			set |= 1 << i
		}
	}
	return set
}

// wrong says what is wrong with the outcomes of a configuration as the last one, "" for nothing.
func (w *play) wrong(outcomes []caucus.Outcome, dead uint16) string {
	v := w.view(dead)
	for _, part := range v.parts {
		leader, leads := caucus.None, 0
		for _, i := range part {
			if outcomes[i].Role == caucus.Leader {
				leader, leads = w.net.IDs[i], leads+1
			}
		}
		for _, i := range part {
			o := outcomes[i]
			switch {
			case v.want != nil && w.promise != Ends && !asWanted(o, v.want[i]):
				return fmt.Sprintf("%d has %s, promised is %s", w.net.IDs[i], story.OutcomeText(o),
					story.OutcomeText(v.want[i]))
			case w.promise == Ends && (o.Role == caucus.Undecided || !o.Final),
				o.Leader == caucus.None && w.promise != Ends:
				return fmt.Sprintf("%d is not done", w.net.IDs[i])
			case leads > 1:
				return fmt.Sprintf("%d lead", leads)
			case leads == 0:
				return "nobody leads"
			case o.Leader != leader && o.Leader != caucus.None:
				return fmt.Sprintf("%d names %d, but %d leads", w.net.IDs[i], o.Leader, leader)
			case v.want != nil && !asWanted(o, v.want[i]):
				return fmt.Sprintf("%d ends with %s, promised is %s", w.net.IDs[i], story.OutcomeText(o),
					story.OutcomeText(v.want[i]))
			}
		}
	}
	return ""
}

// decide looks for executions that go on for ever, and counts messages.
func (w *play) decide() {
	comp, cut := w.graph.traps(w.draws)
	for v := range uint32(len(comp)) {
		turns := false
		a, b := w.graph.span(v)
		for k := a; k < b; k++ {
			turns = turns || !cut[k] && comp[w.graph.arrows[k].to] == comp[v]
		}
		if !turns {
			continue
		}
		text := "it never ends: the same can happen again and again"
		if w.promise == Lasts {
			if text = w.wrong(w.outcomes(v), w.dead(w.rows.at(v))); text == "" {
				continue
			}
			text += ", again and again"
		}
		if way := w.graph.round(v, comp, cut, w.promise == Lasts); way != nil {
			w.stuck = w.lasso(v, way, text)
			return
		}
	}
	switch {
	case w.promise == Lasts || w.faults.Corrupt > 0:
		w.worst = -2
	case w.draws:
		w.worst = w.graph.longest(w.graph.components(nil), w.starts)
	default:
		w.worst = w.graph.longest(comp, w.starts)
	}
}

// trace is the shortest way to a configuration.
func (w *play) trace(id uint32, wrong string) *story.Story {
	way := []uint32{id}
	for ; w.parent[id] != id; id = w.parent[id] {
		way = append(way, w.parent[id])
	}
	slices.Reverse(way)
	return w.storyOf(way, wrong)
}

// storyOf tells a way through configurations.
func (w *play) storyOf(way []uint32, wrong string) *story.Story {
	s := &story.Story{Network: Describe(w.net), IDs: w.net.IDs, Loop: -1, Wrong: wrong,
		Outcomes: slices.Clone(w.outcomes(way[len(way)-1]))}
	for i := range w.locals {
		if w.net.Starts(i) {
			s.Initiators = append(s.Initiators, i)
		}
	}
	for i := range w.locals {
		if k := w.rows.at(way[0])[2*i]; w.anywhere && k != 0 {
			s.Steps = append(s.Steps, w.told(happening{what: story.Begin, node: i, value: k - 1}))
		}
	}
	s.Steps = append(s.Steps, w.tale(way)...)
	return s
}

// lasso is a way to a configuration and from there round and back.
func (w *play) lasso(v uint32, round []uint32, wrong string) *story.Story {
	s := w.trace(v, wrong)
	s.Loop = len(s.Steps)
	s.Steps = append(s.Steps, w.tale(append([]uint32{v}, round...))...)
	return s
}

// tale tells the steps along a way, ticks in a row as one.
func (w *play) tale(way []uint32) (steps []story.Step) {
	// it may be called amid a step
	at, row, then, action, rand, change := w.at, w.row, w.then, w.action, w.rand, w.change
	w.row, w.then = nil, nil
	for k := 1; k < len(way); k++ {
		told := false
		w.tell = func(to uint32, e happening) {
			if told || to != way[k] {
				return
			}
			told = true
			if last := len(steps) - 1; e.what == story.Tick && last >= 0 && steps[last].What == story.Tick {
				steps[last].Timer++
				return
			}
			steps = append(steps, w.told(e))
		}
		w.expand(way[k-1])
		w.corruptions(way[k-1], func() bool { return !told })
	}
	w.tell = nil
	w.at, w.row, w.then, w.action, w.rand, w.change = at, row, then, action, rand, change
	return steps
}

// told is a step of a story.
func (w *play) told(e happening) story.Step {
	x := story.Step{What: e.what, Node: e.node, Initiator: e.what == story.Wake}
	if e.of > 1 {
		x.Draw, x.Of = e.draw, e.of
	}
	switch e.what {
	case story.Timer:
		x.Timer = int(int32(e.value))
	case story.Tick:
		x.Timer = 1
	case story.Message, story.Lost:
		x.From, x.Message = w.from[e.link], story.ValueOf(w.messages.value(e.value))
	case story.Begin, story.Corrupt:
		x.After = story.ValueOf(w.states.value(e.value))
	}
	return x
}
