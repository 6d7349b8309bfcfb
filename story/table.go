package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// maxFields is how many fields of a state are shown, and of a message of another kind than the state.
const maxFields = 8

// Table writes the story of a counterexample for people. Of rounds it has a line for each moment: nodes that the daemon
// picked have a > before what they hold, and what has changed is followed by *. Of events it has a line for each step.
func (s *Story) Table() string {
	if !s.Rounds {
		return s.list()
	}
	moments := s.Moments()
	fields, alike := s.fields(moments)
	head := []string{"step"}
	for i, id := range s.IDs {
		h := fmt.Sprintf("node %d", id)
		if s.Wanted != nil && !moments[len(moments)-1].Gone[i] {
			h += " (right: " + OutcomeText(s.Wanted[i]) + ")"
		}
		head = append(head, h)
	}
	rows := [][]string{head}
	for r := range moments {
		line := []string{strconv.Itoa(r)}
		for i := range s.IDs {
			line = append(line, cell(moments, r, i, fields, alike))
		}
		rows = append(rows, append(line, s.remark(r, &moments[r])...))
	}
	var b strings.Builder
	if len(fields) > 0 {
		names, _ := moments[0].Now[0].After.flat()
		fmt.Fprintf(&b, "state: %s", pick(names, fields))
		b.WriteString("; \"says\" is an export that differs from the state\n")
	}
	writeRows(&b, rows)
	b.WriteString(s.Ending() + "\n")
	return b.String()
}

// cell is what one node holds at a moment.
func cell(moments []Moment, r, i int, fields []int, alike bool) string {
	m := &moments[r]
	text, now := "  ", &m.Now[i]
	if slices.ContainsFunc(m.Steps, func(x Step) bool { return x.What == Act && x.Node == i }) {
		text = "> "
	}
	if m.Gone[i] {
		return text + "crashed"
	}
	text += OutcomeText(now.Outcome)
	_, holds := now.After.flat()
	_, says := now.Says.flat()
	if len(fields) > 0 {
		text += " " + pick(holds, fields)
	}
	export := ""
	switch {
	case !alike:
		export = strings.Join(says[:min(len(says), maxFields)], "/")
	case !slices.Equal(says, holds):
		export = pick(says, fields)
	}
	if export != "" {
		text += " says " + export
	}
	if r > 0 && !now.same(&moments[r-1].Now[i]) {
		text += " *"
	}
	return text
}

// same compares what a node holds and says.
func (x *Step) same(y *Step) bool {
	return x.After.Plain() == y.After.Plain() && x.Says.Plain() == y.Says.Plain()
}

// remark says at the end of a line of rounds what has happened besides nodes that act.
func (s *Story) remark(r int, m *Moment) []string {
	var delivered []string
	for _, x := range m.Steps {
		from, to := s.IDs[x.From], s.IDs[x.Node]
		switch {
		case r == 0:
		case x.What == Crash:
			return []string{fmt.Sprintf("fault: %d crashes", to)}
		case x.What == Corrupt:
			return []string{fmt.Sprintf("fault: %d is corrupted", to)}
		case x.What == Lost:
			return []string{fmt.Sprintf("fault: a message of %d to %d is lost", from, to)}
		case x.What == Message:
			delivered = append(delivered, fmt.Sprintf("%d to %d", from, to))
		}
	}
	if delivered == nil {
		return nil
	}
	return []string{"delivered: " + strings.Join(delivered, ", ")}
}

// fields lists the fields of the state, and of the message if that is of the same kind, which is told, too, that are
// not the same everywhere.
func (s *Story) fields(moments []Moment) (fields []int, alike bool) {
	names, _ := moments[0].Now[0].After.flat()
	others, _ := moments[0].Now[0].Says.flat()
	alike = slices.Equal(names, others)
	varies := make([]bool, len(names))
	var first []string
	see := func(v *Value) {
		_, texts := v.flat()
		if first == nil {
			first = texts
		}
		for k := range varies {
			varies[k] = varies[k] || texts[k] != first[k]
		}
	}
	for r := range moments {
		for i := range s.IDs {
			if m := &moments[r]; !m.Gone[i] {
				see(&m.Now[i].After)
				if alike {
					see(&m.Now[i].Says)
				}
			}
		}
	}
	for k, v := range varies {
		if v {
			fields = append(fields, k)
		}
	}
	return fields, alike
}

func pick(all []string, fields []int) string {
	var out []string
	for _, k := range fields[:min(len(fields), maxFields)] {
		out = append(out, all[k])
	}
	return strings.Join(out, "/")
}

// OutcomeText writes an outcome in a few words.
func OutcomeText(o caucus.Outcome) string {
	text := strconv.FormatUint(uint64(o.Leader), 10)
	switch {
	case o.Leader == caucus.None:
		return "-"
	case o.Role == caucus.Leader:
		text += " leads"
	case o.Distance >= 0:
		text += "@" + strconv.FormatFloat(o.Distance, 'g', -1, 64)
	}
	return text
}

// Ending says how the execution goes on.
func (s *Story) Ending() string {
	switch {
	case !s.Rounds && s.Loop < 0:
		return s.Wrong
	case !s.Rounds:
		return fmt.Sprintf("and on as from step %d, for ever: %s", s.Loop+1, s.Wrong)
	case s.Loop < 0:
		return "and nothing changes any more, whoever acts"
	}
	text := fmt.Sprintf("and on as from step %d, for ever", s.Loop)
	moments := s.Moments()
	for i, now := range moments[s.Loop].Now {
		if !now.same(&moments[len(moments)-1].Now[i]) {
			return text + ", with counters ahead"
		}
	}
	return text
}

// list is the table of a story of events.
func (s *Story) list() string {
	var b strings.Builder
	b.WriteString("initiators ")
	for k, i := range s.Initiators {
		if k > 0 {
			b.WriteString(",")
		}
		fmt.Fprint(&b, s.IDs[i])
	}
	b.WriteString("\n")
	gone := make([]bool, len(s.IDs))
	for k, x := range s.Chosen() {
		fmt.Fprintf(&b, "%3d  %s\n", k+1, s.text(&x))
		gone[x.Node] = gone[x.Node] || x.What == Crash
	}
	var outcomes []string
	for i, o := range s.Outcomes {
		text := "crashed"
		if !gone[i] {
			text = OutcomeText(o)
		}
		outcomes = append(outcomes, text)
	}
	fmt.Fprintf(&b, "%s; outcomes: %s\n", s.Ending(), strings.Join(outcomes, ", "))
	return b.String()
}

// text puts a step of events into words.
func (s *Story) text(x *Step) string {
	words := func(v *Value) string {
		_, texts := v.flat()
		return strings.Join(texts, "/")
	}
	draw := ""
	if x.Of > 1 {
		draw = fmt.Sprintf("; it draws result %d of %d", x.Draw+1, x.Of)
	}
	id := s.IDs[x.Node]
	switch x.What {
	case Wake:
		return fmt.Sprintf("%d wakes as initiator%s", id, draw)
	case Timer:
		return fmt.Sprintf("timer %d of %d fires%s", x.Timer, id, draw)
	case Tick:
		if x.Timer == 1 {
			return "1 tick"
		}
		return fmt.Sprintf("%d ticks", x.Timer)
	case Crash:
		return fmt.Sprintf("%d crashes", id)
	case Begin:
		return fmt.Sprintf("%d starts, and then holds %s", id, words(&x.After))
	case Corrupt:
		return fmt.Sprintf("the state of %d is corrupted: %s", id, words(&x.After))
	}
	text := fmt.Sprintf("%d -> %d: %s%s", s.IDs[x.From], id, words(&x.Message), draw)
	if x.What == Lost {
		text += " is lost"
	}
	return text
}

func writeRows(b *strings.Builder, rows [][]string) {
	width := make([]int, len(rows[0])+1)
	for _, row := range rows {
		for k, text := range row {
			width[k] = max(width[k], len(text))
		}
	}
	for _, row := range rows {
		line := ""
		for k, text := range row {
			line += text + strings.Repeat(" ", width[k]-len(text)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
