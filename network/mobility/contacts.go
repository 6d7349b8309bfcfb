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
		names := newNames()
		list, extra, titles, err := readList(r, file, c, names)
		if err != nil {
			return nil, err
		}
		step := o.Lasts
		if c.end < 0 && step == 0 {
			step = usualStep(list)
		}
		for k := range list {
			if c.end < 0 {
				list[k].end = list[k].start + step
			}
		}
		t := newContactTrace(names.list, list)
		if c.end < 0 {
			t.Report.Lasts = step
		}
		t.notes([]counted{{titles, "line of titles left out"}, {extra, "further columns left out"}})
		return t, nil
	}
}

// readList reads the records of a list, and counts columns that are left out, and titles.
func readList(r io.Reader, file string, c columns, names *names) (list []contact, extra, titles int, err error) {
	err = eachLine(r, file, func(line int, fields []string) error {
		if c.more && len(list) == 0 && titles == 0 && line < 3 {
			if _, err := parseTime("time", fields[c.start%len(fields)]); err != nil && len(fields) >= c.count {
				titles++
				return nil
			}
		}
		if len(fields) != c.count && !(c.more && len(fields) > c.count) {
			return wrong("columns", strings.Join(fields, " "), "exactly "+strconv.Itoa(c.count)+" in this format")
		}
		extra = max(extra, len(fields)-c.count)
		k, err := c.contact(fields)
		if err != nil {
			return err
		}
		k.a, k.b = names.index(fields[c.i]), names.index(fields[c.j])
		if k.a > k.b {
			k.a, k.b = k.b, k.a
		}
		list = append(list, k)
		return nil
	})
	return list, extra, titles, err
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
	names := newNames()
	list, extra, titles, err := readList(r, file, columnsCRAWDAD, names)
	if err != nil {
		return nil, err
	}
	step, once := o.Lasts, 0
	if step == 0 {
		step = 1
	}
	for k := range list {
		if list[k].end == list[k].start {
			list[k].end += step
			once++
		}
	}
	t := newContactTrace(names.list, list)
	t.notes([]counted{{titles, "line of titles left out"}, {extra, "further columns left out"},
		{once, fmt.Sprintf("contacts seen once, which last %g s", step)}})
	return t, nil
}

// usualStep is the most frequent step between two times, the least of those if several are; 1 where there is none. An
// odd time stamp does not change it.
func usualStep(list []contact) (step float64) {
	times := make([]float64, len(list))
	for k := range list {
		times[k] = list[k].start
	}
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

// newContactTrace takes a list of contacts for its own.
func newContactTrace(names []string, list []contact) *Trace {
	t := &Trace{Names: names, Report: Report{Records: len(list)}, contacts: []contact{}}
	slices.SortFunc(list, func(x, y contact) int {
		switch {
		case x.a != y.a:
			return cmp.Compare(x.a, y.a)
		case x.b != y.b:
			return cmp.Compare(x.b, y.b)
		}
		return cmp.Compare(x.start, y.start)
	})
	if len(list) > 0 {
		t.Origin = slices.MinFunc(list, func(x, y contact) int { return cmp.Compare(x.start, y.start) }).start
	}
	w := 0
	for _, k := range list {
		k.start -= t.Origin
		k.end -= t.Origin
		t.End = math.Max(t.End, k.end)
		if w > 0 && list[w-1].a == k.a && list[w-1].b == k.b && k.start <= list[w-1].end {
			list[w-1].end = math.Max(list[w-1].end, k.end)
			continue
		}
		list[w] = k
		w++
	}
	if w > 0 {
		t.contacts = list[:w]
	}
	t.starts = orderBy(t.contacts, func(c contact) float64 { return c.start })
	t.ends = orderBy(t.contacts, func(c contact) float64 { return c.end })
	return t
}

// orderBy gives the contacts in order of a time; those of one time stay in their order.
func orderBy(list []contact, time func(c contact) float64) []int32 {
	type key struct { // beside each other in memory
		t float64
		k int32
	}
	keys := make([]key, len(list))
	for k, c := range list {
		keys[k] = key{time(c), int32(k)}
	}
	slices.SortFunc(keys, func(x, y key) int {
		if x.t != y.t {
			return cmp.Compare(x.t, y.t)
		}
		return cmp.Compare(x.k, y.k)
	})
	order := make([]int32, len(list))
	for i, x := range keys {
		order[i] = x.k
	}
	return order
}
