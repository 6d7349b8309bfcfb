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

// Sheet is the story of a counterexample as a table: what every node answers and holds at each moment.
type Sheet struct {
	Fields []string `json:"fields"` // of a state: those that are not the same everywhere, as far as there is room
	Rows   []row    `json:"rows"`   // the beginning first
}

// row is a moment.
type row struct {
	Acted  []int  `json:"acted"`            // the nodes that the daemon has picked
	Remark string `json:"remark,omitempty"` // what has happened besides nodes that run a round
	Cells  []cell `json:"cells"`            // by node
}

// cell is a node at a moment.
type cell struct {
	Outcome string   `json:"outcome,omitempty"`
	Gone    bool     `json:"gone,omitempty"`
	Holds   []string `json:"holds,omitempty"` // the fields of its state; none: it has not started
	Says    []string `json:"says,omitempty"`  // if that is something else than what it holds
	Changed bool     `json:"changed,omitempty"`
}

// Sheet makes the table of a counterexample.
func (s *Story) Sheet() *Sheet {
	if !s.Rounds {
		return s.eventSheet()
	}
	moments := s.Moments()
	fields, alike := s.fields(moments)
	names, _ := moments[0].Now[0].After.flat()
	t := &Sheet{Fields: choose(names, fields)}
	for r := range moments {
		m := &moments[r]
		line := row{Remark: s.remark(r, m)}
		for _, x := range m.Steps {
			if x.What == Act {
				line.Acted = append(line.Acted, x.Node)
			}
		}
		for i := range s.IDs {
			line.Cells = append(line.Cells, held(moments, r, i, fields, alike))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// eventSheet has a row for each step that somebody has chosen.
func (s *Story) eventSheet() *Sheet {
	now, gone := make([]Step, len(s.IDs)), make([]bool, len(s.IDs))
	var steps []Step
	for _, x := range s.Steps {
		if _, texts := x.After.flat(); texts != nil {
			steps = append(steps, x)
		}
	}
	names, fields := varying(steps)
	t := &Sheet{Fields: choose(names, fields), Rows: []row{{Cells: make([]cell, len(s.IDs))}}}
	for _, x := range s.Steps {
		_, texts := x.After.flat()
		if texts != nil {
			now[x.Node] = x
		}
		gone[x.Node] = gone[x.Node] || x.What == Crash
		if !x.chosen(false) {
			continue
		}
		line, was := row{Remark: s.text(&x)}, t.Rows[len(t.Rows)-1].Cells
		if x.What != Tick {
			line.Acted = []int{x.Node}
		}
		for i := range now {
			c := cell{Gone: gone[i]}
			if _, holds := now[i].After.flat(); holds != nil {
				c.Outcome, c.Holds = OutcomeText(now[i].Outcome), choose(holds, fields)
			}
			c.Changed = !slices.Equal(c.Holds, was[i].Holds) || c.Outcome != was[i].Outcome
			line.Cells = append(line.Cells, c)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// varying lists the fields of what nodes hold after some steps, and which of them are not the same everywhere.
func varying(steps []Step) (names []string, fields []int) {
	if len(steps) == 0 {
		return nil, nil
	}
	names, first := steps[0].After.flat()
	for k := range names {
		if slices.ContainsFunc(steps, func(x Step) bool {
			_, texts := x.After.flat()
			return k < len(texts) && texts[k] != first[k]
		}) {
			fields = append(fields, k)
		}
	}
	return names, fields
}

// Table writes the story of a counterexample for people. Of rounds it has a line for each moment: nodes that the daemon
// picked have a > before what they hold, and what has changed is followed by *. Of events it has a line for each step.
func (s *Story) Table() string {
	if !s.Rounds {
		return s.list()
	}
	sheet := s.Sheet()
	end := sheet.Rows[len(sheet.Rows)-1].Cells
	head := []string{"step"}
	for i, id := range s.IDs {
		h := fmt.Sprintf("node %d", id)
		if s.Wanted != nil && !end[i].Gone {
			h += " (right: " + OutcomeText(s.Wanted[i]) + ")"
		}
		head = append(head, h)
	}
	rows := [][]string{head}
	for r, row := range sheet.Rows {
		line := []string{strconv.Itoa(r)}
		for i := range s.IDs {
			line = append(line, row.text(i))
		}
		if row.Remark != "" {
			line = append(line, row.Remark)
		}
		rows = append(rows, line)
	}
	var b strings.Builder
	if len(sheet.Fields) > 0 {
		fmt.Fprintf(&b, "state: %s", strings.Join(sheet.Fields, "/"))
		b.WriteString("; \"says\" is an export that differs from the state\n")
	}
	writeRows(&b, rows)
	b.WriteString(s.Ending() + "\n")
	return b.String()
}

// text is what one node holds at a moment.
func (r *row) text(i int) string {
	c, text := &r.Cells[i], "  "
	if slices.Contains(r.Acted, i) {
		text = "> "
	}
	if c.Gone {
		return text + "crashed"
	}
	text += c.Outcome
	if len(c.Holds) > 0 {
		text += " " + strings.Join(c.Holds, "/")
	}
	if len(c.Says) > 0 {
		text += " says " + strings.Join(c.Says, "/")
	}
	if c.Changed {
		text += " *"
	}
	return text
}

// held is what one node holds at a moment.
func held(moments []Moment, r, i int, fields []int, alike bool) cell {
	m := &moments[r]
	now := &m.Now[i]
	if m.Gone[i] {
		return cell{Gone: true}
	}
	_, holds := now.After.flat()
	_, says := now.Says.flat()
	c := cell{Outcome: OutcomeText(now.Outcome), Holds: choose(holds, fields)}
	switch {
	case !alike:
		c.Says = says[:min(len(says), maxFields)]
	case !slices.Equal(says, holds):
		c.Says = choose(says, fields)
	}
	c.Changed = r > 0 && !now.same(&moments[r-1].Now[i])
	return c
}

// same compares what a node holds and says.
func (x *Step) same(y *Step) bool {
	return x.After.Plain() == y.After.Plain() && x.Says.Plain() == y.Says.Plain()
}

// remark says at the end of a line of rounds what has happened besides nodes that act.
func (s *Story) remark(r int, m *Moment) string {
	var delivered []string
	for _, x := range m.Steps {
		from, to := s.IDs[x.From], s.IDs[x.Node]
		switch {
		case r == 0:
		case x.What == Crash:
			return fmt.Sprintf("fault: %d crashes", to)
		case x.What == Corrupt:
			return fmt.Sprintf("fault: %d is corrupted", to)
		case x.What == Lost:
			return fmt.Sprintf("fault: a message of %d to %d is lost", from, to)
		case x.What == Message:
			delivered = append(delivered, fmt.Sprintf("%d to %d", from, to))
		}
	}
	if delivered == nil {
		return ""
	}
	return "delivered: " + strings.Join(delivered, ", ")
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

// choose takes some fields, as far as there is room.
func choose(all []string, fields []int) (some []string) {
	for _, k := range fields[:min(len(fields), maxFields)] {
		some = append(some, all[k])
	}
	return some
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
	flat := func(v *Value) string {
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
		return fmt.Sprintf("%d starts, and then holds %s", id, flat(&x.After))
	case Corrupt:
		return fmt.Sprintf("the state of %d is corrupted: %s", id, flat(&x.After))
	}
	text := fmt.Sprintf("%d -> %d: %s%s", s.IDs[x.From], id, flat(&x.Message), draw)
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
