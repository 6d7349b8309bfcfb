package mobility

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// columns says which column of a contact list holds what; -1 is for none.
type columns struct {
	i, j, start, end int
	count            int
	more             bool // further columns may follow, and a line of titles stand first
}

var (
	columnsTIJ       = columns{1, 2, 0, -1, 3, true}
	columnsIJT       = columns{0, 1, 2, -1, 3, false}
	columnsIntervals = columns{0, 1, 2, 3, 4, false}
	columnsCRAWDAD   = columns{0, 1, 2, 3, 4, true}
)

// contactReader reads a contact list. Time starts at the first contact. A contact of which the file
// gives one time lasts as long as the options say, else the usual step between two times of the file, or a second
// where there is only one. Contacts of one pair that overlap or touch are one.
func contactReader(c columns) func(r io.Reader, file string, o Options) (*Trace, error) {
	return func(r io.Reader, file string, o Options) (*Trace, error) {
		l := &contactList{c: c, names: newNames()}
		if err := l.read(r, file); err != nil {
			return nil, err
		}
		step := 0.0
		if c.end < 0 {
			l.list, step = l.glimpses.contacts(o.Lasts)
		}
		t := newContactTrace(l.names.list, &l.glimpses.moments, l.list, step)
		if c.end < 0 {
			t.Report.Records, t.Report.Lasts = l.glimpses.n, step
		}
		t.notes([]counted{{l.titles, "line of titles left out"}, {l.extra, "further columns left out"}})
		return t, nil
	}
}

func (l *contactList) read(r io.Reader, file string) error {
	c := l.c
	return eachLine(r, file, func(line int, fields []string) error {
		if c.more && len(l.list) == 0 && l.glimpses.n == 0 && l.titles == 0 && line < 3 {
			if _, err := parseTime("time", fields[c.start%len(fields)]); err != nil && len(fields) >= c.count {
				l.titles++
				return nil
			}
		}
		if len(fields) != c.count && !(c.more && len(fields) > c.count) {
			return wrong("columns", strings.Join(fields, " "), "exactly "+strconv.Itoa(c.count)+" in this format")
		}
		l.extra = max(l.extra, len(fields)-c.count)
		k, err := c.contact(fields)
		if err != nil {
			return err
		}
		i, j := l.names.index(fields[c.i]), l.names.index(fields[c.j])
		k.a, k.b = min(i, j), max(i, j)
		if c.end < 0 {
			l.glimpses.add(k)
			return nil
		}
		if k.end == k.start {
			k.end += l.blink
			l.blinks++
		}
		m := &l.glimpses.moments
		l.list = append(l.list, span{k.a, k.b, m.index(k.start), m.index(k.end)})
		return nil
	})
}

// contact reads the times of a record.
func (c columns) contact(fields []string) (k contact, err error) {
	if k.start, err = parseTime("time", fields[c.start]); err != nil {
		return k, err
	}
	if c.end >= 0 {
		if k.end, err = parseTime("end", fields[c.end]); err != nil {
			return k, err
		}
		if k.end < k.start || k.end == k.start && !c.more {
			return k, wrong("end", fields[c.end], "later than the start, "+fields[c.start])
		}
	}
	if fields[c.i] == fields[c.j] {
		return k, wrong("contact", strings.Join(fields, " "), "two different nodes")
	}
	return k, nil
}

// readCRAWDAD reads what a device saw: i j start end, then how often and how long apart. Devices that never report are
// nodes, too. A contact that was seen once, with an end at its start, lasts as long as the options say, or a second.
func readCRAWDAD(r io.Reader, file string, o Options) (*Trace, error) {
	l := &contactList{c: columnsCRAWDAD, names: newNames(), blink: cmp.Or(o.Lasts, 1)}
	if err := l.read(r, file); err != nil {
		return nil, err
	}
	t := newContactTrace(l.names.list, &l.glimpses.moments, l.list, 0)
	t.notes([]counted{{l.titles, "line of titles left out"}, {l.extra, "further columns left out"},
		{l.blinks, fmt.Sprintf("contacts seen once, which last %g s", l.blink)}})
	return t, nil
}

// usualStep is the most frequent step between two times, the least of those if several are; 1 where there is none. An
// odd time stamp does not change it.
func usualStep(times []float64) (step float64) {
	slices.Sort(times)
	times = slices.Compact(times)
	for k := 1; k < len(times); k++ {
		times[k-1] = times[k] - times[k-1]
	}
	steps := times[:max(0, len(times)-1)]
	slices.Sort(steps)
	step, most := 1.0, 0
	for k := 0; k < len(steps); {
		run := k
		for run < len(steps) && steps[run] <= steps[k]+1e-6 { // times are written as decimals
			run++
		}
		if run-k > most {
			step, most = steps[k], run-k
		}
		k = run
	}
	return step
}

// newContactTrace takes a list of contacts for its own. Their ends are so much later than the list says.
func newContactTrace(names []string, m *moments, list []span, lasts float64) *Trace {
	t := &Trace{Names: names, Report: Report{Records: len(list)}, contacts: []span{}, lasts: lasts}
	m.sorted(list)
	t.times = m.at
	slices.SortFunc(list, func(x, y span) int { // by pair and start
		if x.a != y.a {
			return int(x.a) - int(y.a)
		}
		if x.b != y.b {
			return int(x.b) - int(y.b)
		}
		return int(x.start) - int(y.start)
	})
	for k, c := range list {
		if first := t.times[c.start]; k == 0 || first < t.Origin {
			t.Origin = first
		}
	}
	w := 0
	for _, k := range list {
		t.End = math.Max(t.End, t.ends(k))
		if w > 0 && list[w-1].a == k.a && list[w-1].b == k.b && t.begins(k) <= t.ends(list[w-1]) {
			list[w-1].end = max(list[w-1].end, k.end)
			continue
		}
		list[w] = k
		w++
	}
	if w > 0 {
		t.contacts = list[:w]
	}
	t.byStart = orderBy(t.contacts, len(t.times), func(s *span) int32 { return s.start })
	t.byEnd = orderBy(t.contacts, len(t.times), func(s *span) int32 { return s.end })
	return t
}
