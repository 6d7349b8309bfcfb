package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"caucus"
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
}

// TraceRow is one configuration.
type TraceRow struct {
	Acts  []caucus.ID // who has acted to get there; nil at the start
	Cells []Cell      // by node
	// Delivers says for the message model whose message has been delivered to whom.
	Delivers []string
}

// Cell is what one node holds.
type Cell struct {
	Outcome string
	State   string // the fields of the trace, separated by slashes
	Export  string // if it says something else than the state: the fields of the message
	Changed bool   // by the step to this row
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

// visit is a configuration on a path and who acted to get there.
type visit struct {
	key  uint64
	acts uint16
}

// trace makes the shortest counterexample out of a component in which the daemon can stay.
func (y *system[S, M]) trace(x *explorer, c *cycle, fair bool) *Trace {
	if c == nil {
		return nil
	}
	path := x.lasso(c, fair)
	way := x.wayTo(path[0].key)
	return y.write(x.m, append(way, path[1:]...), len(way)-1)
}

// lasso walks round the component from one of its configurations back to it: the shortest way on
// which, with fair, every node acts.
func (x *explorer) lasso(c *cycle, fair bool) []visit {
	if c.dead {
		return []visit{{key: c.keys[0]}}
	}
	in := make(map[uint64]bool, len(c.keys))
	for _, k := range c.keys {
		in[k] = true
	}
	var best []visit
	tries := max(1, min(len(c.keys), 1<<16/len(c.keys)))
	for _, start := range c.keys[:tries] {
		if w := x.roundTrip(start, in, fair, len(best)); w != nil && (best == nil || len(w) < len(best)) {
			best = w
		}
	}
	return best
}

// movers are the nodes that count as acting where the trace is shown: those that change something, and whoever a
// daemon that goes by rounds has picked.
func (x *explorer) movers(key uint64) uint16 {
	if x.inRounds() {
		return x.full
	}
	set, _ := x.enabled(key)
	return set
}

// roundTrip is a breadth-first search for the way back; nil if it is no shorter than limit (0: any).
func (x *explorer) roundTrip(start uint64, in map[uint64]bool, fair bool, limit int) []visit {
	type place struct {
		key   uint64
		acted uint16
	}
	type from struct {
		place
		acts  uint16
		depth int
	}
	idle := func(key uint64) uint16 {
		set, _ := x.enabled(key)
		return x.full &^ set
	}
	need := x.full
	if !fair {
		need = 0
	}
	first := place{start, idle(start) & need}
	came := map[place]from{first: {}}
	for queue := []place{first}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		depth := came[p].depth + 1
		if limit > 0 && depth+1 >= limit {
			return nil
		}
		for _, e := range x.successors(x.id(p.key), nil) {
			key := x.key(e.to)
			if !in[key] {
				continue
			}
			set := x.movers(p.key)
			q := place{key, (p.acted | e.acts | idle(key)) & need}
			if key == start && q.acted == need {
				path := []visit{{key, e.acts & set}}
				for ; p != first; p = came[p].place {
					path = append(path, visit{p.key, came[p].acts})
				}
				path = append(path, visit{key: start})
				slices.Reverse(path)
				return path
			}
			if _, seen := came[q]; !seen {
				came[q] = from{p, e.acts & set, depth}
				queue = append(queue, q)
			}
		}
	}
	return nil
}

// wayTo is the shortest way to a configuration from the nearest initial one.
func (x *explorer) wayTo(goal uint64) []visit {
	if x.m.every {
		return []visit{{key: goal}}
	}
	type from struct {
		key  uint64
		acts uint16
	}
	came := map[uint64]from{}
	var queue []uint64
	for k := range x.starts() {
		key := x.startKey(k)
		if key == goal {
			return []visit{{key: goal}}
		}
		came[key] = from{key: key}
		queue = append(queue, key)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		key := queue[0]
		set := x.movers(key)
		for _, e := range x.successors(x.id(key), nil) {
			to := x.key(e.to)
			if _, seen := came[to]; seen {
				continue
			}
			came[to] = from{key, e.acts & set}
			if to == goal {
				var path []visit
				for at := goal; ; at = came[at].key {
					path = append(path, visit{at, came[at].acts})
					if came[at].key == at {
						break
					}
				}
				slices.Reverse(path)
				return path
			}
			queue = append(queue, to)
		}
	}
	return []visit{{key: goal}}
}

// write puts a path into words.
func (y *system[S, M]) write(m *machine, path []visit, loop int) *Trace {
	t := &Trace{IDs: y.net.IDs, Loop: loop}
	for i := range y.want {
		t.Wanted = append(t.Wanted, outcomeText(y.want[i]))
	}
	letters := make([][]uint32, len(path))
	fields := y.varying(m, path, letters)
	for _, k := range fields {
		t.Fields = append(t.Fields, y.nodes[0].states.layout.parts[k].name)
	}
	for r, v := range path {
		row := TraceRow{}
		for k, j := range y.net.Nbr[:m.n-m.nodes] {
			if v.acts&(1<<(m.nodes+k)) != 0 {
				row.Delivers = append(row.Delivers, fmt.Sprintf("%d to %d", y.net.IDs[j], y.net.IDs[receiver(y.net, k)]))
			}
		}
		for i := range m.nodes {
			if v.acts&(1<<i) != 0 {
				row.Acts = append(row.Acts, y.net.IDs[i])
			}
			p := m.holds(i, letters[r][i])
			c := Cell{Outcome: outcomeText(y.outcome(i, p.state)), Changed: v.acts&(1<<i) != 0 && letters[r][i] != letters[r-1][i]}
			c.State, c.Export = y.cell(i, p, fields)
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// receiver is the node whose entry of Nbr is the k-th.
func receiver(net *caucus.Network, k int) int {
	i := 0
	for net.Off[i+1] <= k {
		i++
	}
	return i
}

// varying lists the fields of the state, and of the message if it is of the same kind, that are not the same
// everywhere on the path.
func (y *system[S, M]) varying(m *machine, path []visit, letters [][]uint32) []int {
	parts := y.nodes[0].states.layout.parts
	varies := make([]bool, len(parts))
	var first []string
	see := func(text []string) {
		if first == nil {
			first = text
		}
		for k := range varies {
			varies[k] = varies[k] || text[k] != first[k]
		}
	}
	for r, v := range path {
		letters[r] = make([]uint32, m.n)
		m.letters(v.key, letters[r])
		for i, l := range letters[r][:m.nodes] {
			p := m.holds(i, l)
			see(texts(y.nodes[i].states, p.state))
			if y.alike() {
				see(texts(y.nodes[i].messages, p.message))
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

// alike reports whether states and messages have the same fields.
func (y *system[S, M]) alike() bool {
	return slices.Equal(y.nodes[0].states.layout.parts, y.nodes[0].messages.layout.parts)
}

func (y *system[S, M]) cell(i int, p pair, fields []int) (state, export string) {
	all := texts(y.nodes[i].states, p.state)
	state = pick(all, fields)
	said := texts(y.nodes[i].messages, p.message)
	switch {
	case !y.alike():
		export = strings.Join(said[:min(len(said), maxFields)], "/")
	case !slices.Equal(said, all):
		export = pick(said, fields)
	}
	return state, export
}

// maxFields is how many fields of a message of another kind than the state are shown.
const maxFields = 8

func pick(all []string, fields []int) string {
	var out []string
	for _, k := range fields[:min(len(fields), maxFields)] {
		out = append(out, all[k])
	}
	return strings.Join(out, "/")
}

func texts[T any](p *pool[T], k uint32) []string {
	out := make([]string, len(p.layout.parts))
	for i := range out {
		out[i] = p.layout.parts[i].text(unsafe.Pointer(&p.values[k]))
	}
	return out
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

// Table writes the trace for people. Nodes that the daemon picked have a > before what they hold, and what has changed is
// followed by *.
func (t *Trace) Table() string {
	head := []string{"step"}
	for i, id := range t.IDs {
		h := fmt.Sprintf("node %d", id)
		if t.Wanted != nil {
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
		if row.Delivers != nil {
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
	switch last := len(t.Rows) - 1; {
	case t.Loop == last:
		fmt.Fprintf(&b, "and nothing changes any more, whoever acts\n")
	default:
		fmt.Fprintf(&b, "and on as from step %d, for ever\n", t.Loop)
	}
	return b.String()
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
