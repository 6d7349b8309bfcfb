package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Trace is an execution: what every node holds at the start and after every step of the daemon.
type Trace struct {
	IDs    []caucus.ID
	Fields []string // of the state, those that differ somewhere in the trace
	Wanted []string // the right result by node; nil when it is not one
	Rows   []TraceRow
	// Loop is the row that comes after the last one: from there on everything repeats. When it is the
	// last row itself, nothing changes any more, whoever acts.
	Loop int
	// Replay is the execution in one line, for the function of that name.
	Replay string
}

// TraceRow is one configuration.
type TraceRow struct {
	Acts  []caucus.ID // who has acted to get there; nil at the start
	Cells []Cell      // by node
	// Delivers says for the message model whose message has been delivered to whom.
	Delivers []string
	Fault    string // that has led there; "" for a step
}

// Cell is what one node holds.
type Cell struct {
	Outcome string // "crashed" for a node that has
	State   string // the fields of the trace, separated by slashes
	Export  string // if it says something else than the state: the fields of the message
	Changed bool   // by the step or fault to this row
}

func (t *Trace) better(u *Trace) bool {
	if t == nil || u == nil {
		return u == nil && t != nil
	}
	if len(t.IDs) != len(u.IDs) {
		return len(t.IDs) < len(u.IDs)
	}
	return len(t.Rows) < len(u.Rows)
}

// write puts scenes into words.
func write(algo *numbered, net *caucus.Network, wanted []caucus.Outcome, scenes []still, loop int) *Trace {
	t := &Trace{IDs: net.IDs, Loop: loop}
	last := scenes[len(scenes)-1].gone
	for i, o := range wanted {
		text := "crashed"
		if last&(1<<i) == 0 {
			text = outcomeText(o)
		}
		t.Wanted = append(t.Wanted, text)
	}
	fields := varying(algo, scenes)
	for _, k := range fields {
		t.Fields = append(t.Fields, algo.states.layout.parts[k].name)
	}
	for r, s := range scenes {
		row := TraceRow{}
		for _, d := range s.delivers {
			row.Delivers = append(row.Delivers, fmt.Sprintf("%d to %d", net.IDs[net.Nbr[d]], net.IDs[receiver(net, d)]))
		}
		if s.fault != nil {
			row.Fault = s.fault.text(net)
		}
		for i := range s.states {
			if s.acts&(1<<i) != 0 {
				row.Acts = append(row.Acts, net.IDs[i])
			}
			c := Cell{Outcome: "crashed"}
			if s.gone&(1<<i) == 0 {
				c.Outcome = outcomeText(s.outcomes[i])
				all, said := algo.states.texts(s.states[i]), algo.says.texts(s.says[i])
				c.State = pick(all, fields)
				switch {
				case !algo.alike:
					c.Export = strings.Join(said[:min(len(said), maxFields)], "/")
				case !slices.Equal(said, all):
					c.Export = pick(said, fields)
				}
				c.Changed = r > 0 && (s.states[i] != scenes[r-1].states[i] || s.says[i] != scenes[r-1].says[i])
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// varying lists the fields of the state, and of the message if it is of the same kind, that are not the same
// everywhere in the scenes.
func varying(algo *numbered, scenes []still) []int {
	varies := make([]bool, len(algo.states.layout.parts))
	var first []string
	see := func(text []string) {
		if first == nil {
			first = text
		}
		for k := range varies {
			varies[k] = varies[k] || text[k] != first[k]
		}
	}
	for _, s := range scenes {
		for i := range s.states {
			if s.gone&(1<<i) != 0 {
				continue
			}
			see(algo.states.texts(s.states[i]))
			if algo.alike {
				see(algo.says.texts(s.says[i]))
			}
		}
	}
	var out []int
	for k, v := range varies {
		if v {
			out = append(out, k)
		}
	}
	return out
}

// text says what a fault is.
func (s *strike) text(net *caucus.Network) string {
	switch s.kind {
	case "crash":
		return fmt.Sprintf("%d crashes", net.IDs[s.node])
	case "lose":
		return fmt.Sprintf("a message of %d to %d is lost", net.IDs[s.of], net.IDs[s.node])
	}
	return fmt.Sprintf("%d is corrupted", net.IDs[s.node])
}

// receiver is the node whose entry of Nbr is the k-th.
func receiver(net *caucus.Network, k int) int {
	i := 0
	for net.Off[i+1] <= k {
		i++
	}
	return i
}

// alike reports whether states and messages have the same fields.
func (y *system) alike() bool { return y.algo.alike }

// maxFields is how many fields of a message of another kind than the state are shown.
const maxFields = 8

func pick(all []string, fields []int) string {
	var out []string
	for _, k := range fields[:min(len(fields), maxFields)] {
		out = append(out, all[k])
	}
	return strings.Join(out, "/")
}

func outcomeText(o caucus.Outcome) string {
	text := strconv.FormatUint(uint64(o.Leader), 10)
	switch {
	case o.Leader == caucus.None:
		return "-"
	case o.Role == caucus.Leader:
		text += " leads"
	case o.Distance >= 0:
		text += "@" + number(o.Distance)
	}
	return text
}

// Table writes the trace for people. Nodes that the daemon picked have a > before what they hold, and what has changed
// is followed by *.
func (t *Trace) Table() string {
	head := []string{"step"}
	for i, id := range t.IDs {
		h := fmt.Sprintf("node %d", id)
		if t.Wanted != nil && t.Wanted[i] != "crashed" {
			h += " (right: " + t.Wanted[i] + ")"
		}
		head = append(head, h)
	}
	rows := [][]string{head}
	for r, row := range t.Rows {
		line := []string{strconv.Itoa(r)}
		for i, c := range row.Cells {
			line = append(line, c.text(slices.Contains(row.Acts, t.IDs[i])))
		}
		switch {
		case row.Fault != "":
			line = append(line, "fault: "+row.Fault)
		case row.Delivers != nil:
			line = append(line, "delivered: "+strings.Join(row.Delivers, ", "))
		}
		rows = append(rows, line)
	}
	var b strings.Builder
	if len(t.Fields) > 0 {
		fmt.Fprintf(&b, "state: %s", strings.Join(t.Fields[:min(len(t.Fields), maxFields)], "/"))
		b.WriteString("; \"says\" is an export that differs from the state\n")
	}
	writeRows(&b, rows)
	b.WriteString(t.Ending() + "\n")
	return b.String()
}

// Ending says how the execution goes on.
func (t *Trace) Ending() string {
	if t.Loop == len(t.Rows)-1 {
		return "and nothing changes any more, whoever acts"
	}
	text := fmt.Sprintf("and on as from step %d, for ever", t.Loop)
	for i, c := range t.Rows[t.Loop].Cells {
		if end := t.Rows[len(t.Rows)-1].Cells[i]; c.State != end.State || c.Export != end.Export {
			return text + ", with counters ahead"
		}
	}
	return text
}

func (c *Cell) text(acted bool) string {
	text := "  "
	if acted {
		text = "> "
	}
	text += c.Outcome
	if c.State != "" {
		text += " " + c.State
	}
	if c.Export != "" {
		text += " says " + c.Export
	}
	if c.Changed {
		text += " *"
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
