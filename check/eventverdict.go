package check

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"caucus.example/caucus"
)

// EventTrace is an execution that goes wrong, the shortest of its kind.
type EventTrace struct {
	Network    string
	Initiators []caucus.ID
	Wrong      string // what is wrong at the end
	Steps      []string
	Loop       int      `json:",omitempty"` // the step from 1 with which it begins to repeat for ever; 0: it does not
	Outcomes   []string // of the nodes at the end
	Replay     string   // the execution in one line, for ReplayEvents

	unsafe bool
}

// told is a step in words, and as a replay has it.
type told struct{ text, item string }

// initiatorsItem is how a replay begins.
func initiatorsItem(ids []caucus.ID) string {
	if len(ids) == 0 {
		return ""
	}
	return "initiators " + strings.ReplaceAll(joined(ids), ",", " ")
}

func (t *EventTrace) add(steps ...told) {
	for _, s := range steps {
		t.Steps = append(t.Steps, s.text)
		t.Replay = strings.TrimPrefix(t.Replay+"; "+s.item, "; ")
	}
}

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
	if w.promise == Ends && w.unsafe == nil && !w.spoiled(id) {
		if leads := w.rivals(id); leads > 1 {
			w.unsafe = w.trace(id, fmt.Sprintf("%d leaders at a time", leads))
			w.unsafe.unsafe = true
		}
	}
	rests := !slices.ContainsFunc(w.graph.of(id), func(a arrow) bool { return !a.fault })
	if rests && w.stuck == nil {
		if text := w.wrong(id); text != "" {
			w.stuck = w.trace(id, "nothing is left to happen, and "+text)
		}
	}
}

// rivals is the most nodes of one component that lead for good. Where a crash has cut the network, each part may have
// its leader.
func (w *play) rivals(id uint32) int {
	row, lead := w.rows.at(id), uint16(0)
	for i := range w.locals {
		if o := w.outcome(i, row[2*i]); o.Role == caucus.Leader && o.Final {
			lead |= 1 << i
		}
	}
	if lead&(lead-1) == 0 {
		return bits.OnesCount16(lead)
	}
	most := 0
	for _, part := range w.view(w.dead(row)).parts {
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

// wrong says what is wrong with a configuration as the last one, "" for nothing.
func (w *play) wrong(id uint32) string {
	row := w.rows.at(id)
	v := w.view(w.dead(row))
	for _, part := range v.parts {
		leader, leads := caucus.None, 0
		for _, i := range part {
			if w.outcome(i, row[2*i]).Role == caucus.Leader {
				leader, leads = w.net.IDs[i], leads+1
			}
		}
		for _, i := range part {
			o := w.outcome(i, row[2*i])
			switch {
			case v.want != nil && w.promise != Ends && !asWanted(o, v.want[i]):
				return fmt.Sprintf("%d has %s, promised is %s", w.net.IDs[i], outcomeText(o), outcomeText(v.want[i]))
			case w.promise == Ends && (o.Role == caucus.Undecided || !o.Final), o.Leader == caucus.None && w.promise != Ends:
				return fmt.Sprintf("%d is not done", w.net.IDs[i])
			case leads > 1:
				return fmt.Sprintf("%d lead", leads)
			case leads == 0:
				return "nobody leads"
			case o.Leader != leader && o.Leader != caucus.None:
				return fmt.Sprintf("%d names %d, but %d leads", w.net.IDs[i], o.Leader, leader)
			case v.want != nil && !asWanted(o, v.want[i]):
				return fmt.Sprintf("%d ends with %s, promised is %s", w.net.IDs[i], outcomeText(o), outcomeText(v.want[i]))
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
			if text = w.wrong(v); text == "" {
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
func (w *play) trace(id uint32, wrong string) *EventTrace {
	t := &EventTrace{Network: Describe(w.net), Wrong: wrong, Outcomes: w.outcomeTexts(id)}
	for i, nodeID := range w.net.IDs {
		if w.net.Starts(i) {
			t.Initiators = append(t.Initiators, nodeID)
		}
	}
	t.Replay = initiatorsItem(t.Initiators)
	way := []uint32{id}
	for ; w.parent[id] != id; id = w.parent[id] {
		way = append(way, w.parent[id])
	}
	slices.Reverse(way)
	if w.anywhere {
		for i := range w.locals {
			if k := w.rows.at(way[0])[2*i]; k != 0 {
				t.add(w.told(happening{what: begun, node: i, value: k - 1}))
			}
		}
	}
	t.add(w.tale(way)...)
	return t
}

// lasso is a way to a configuration and from there round and back.
func (w *play) lasso(v uint32, round []uint32, wrong string) *EventTrace {
	t := w.trace(v, wrong)
	t.Loop = len(t.Steps) + 1
	t.add(w.tale(append([]uint32{v}, round...))...)
	t.Replay += fmt.Sprintf("; again %d", t.Loop)
	return t
}

// tale tells the steps along a way, ticks in a row as one.
func (w *play) tale(way []uint32) (steps []told) {
	// it may be called amid a step
	at, row, then, action, rand, change := w.at, w.row, w.then, w.action, w.rand, w.change
	w.row, w.then = nil, nil
	ticks := 0
	flush := func() {
		if ticks > 0 {
			steps = append(steps, told{plural(ticks, "tick"), fmt.Sprint("tick ", ticks)})
		}
		ticks = 0
	}
	for k := 1; k < len(way); k++ {
		told := false
		w.tell = func(to uint32, e happening) {
			switch {
			case told || to != way[k]:
				return
			case e.what == ticking:
				ticks++
			default:
				flush()
				steps = append(steps, w.told(e))
			}
			told = true
		}
		w.expand(way[k-1])
		w.corruptions(way[k-1], func() bool { return !told })
	}
	flush()
	w.tell = nil
	w.at, w.row, w.then, w.action, w.rand, w.change = at, row, then, action, rand, change
	return steps
}

func (w *play) outcomeTexts(id uint32) (out []string) {
	for i := range w.locals {
		k := w.rows.at(id)[2*i]
		if k == gone {
			out = append(out, "crashed")
			continue
		}
		out = append(out, outcomeText(w.outcome(i, k)))
	}
	return out
}

// Table writes the trace for people.
func (t *EventTrace) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "initiators %s\n", joined(t.Initiators))
	for k, s := range t.Steps {
		fmt.Fprintf(&b, "%3d  %s\n", k+1, s)
	}
	if t.Loop > 0 {
		fmt.Fprintf(&b, "and on as from step %d, for ever: ", t.Loop)
	}
	fmt.Fprintf(&b, "%s; outcomes: %s\n", t.Wrong, strings.Join(t.Outcomes, ", "))
	return b.String()
}

func joined(ids []caucus.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = fmt.Sprint(id)
	}
	return strings.Join(words, ",")
}
