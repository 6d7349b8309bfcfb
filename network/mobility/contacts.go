package mobility

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

func sortChanges(list []change) {
	slices.SortFunc(list, func(x, y change) int {
		ends := func(c change) int {
			if c.ends {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.t, y.t), cmp.Compare(ends(x), ends(y)), cmp.Compare(x.a, y.a),
			cmp.Compare(x.b, y.b))
	})
}

// columns says which column of a contact list holds what; -1 is for none.
type columns struct{ i, j, start, end, count int }

var (
	columnsTIJ       = columns{1, 2, 0, -1, 3}
	columnsIJT       = columns{0, 1, 2, -1, 3}
	columnsIntervals = columns{0, 1, 2, 3, 4}
)

// readContacts reads a contact list. Time starts at the first contact. A contact of which the file
// gives one time lasts the usual step between two times of the file, or a second
// where there is only one. Contacts of one pair that overlap or touch are one.
func readContacts(r io.Reader, file string, c columns) (*Trace, error) {
	names := newNames()
	var list []contact
	err := eachLine(r, file, func(_ int, fields []string) error {
		if len(fields) != c.count {
			return wrong("columns", strings.Join(fields, " "), "exactly "+strconv.Itoa(c.count)+" in this format")
		}
		k := contact{}
		var err error
		if k.start, err = parseTime("time", fields[c.start]); err != nil {
			return err
		}
		if c.end >= 0 {
			if k.end, err = parseTime("end", fields[c.end]); err != nil {
				return err
			}
			if k.end <= k.start {
				return wrong("end", fields[c.end], "later than the start, "+fields[c.start])
			}
		}
		if fields[c.i] == fields[c.j] {
			return wrong("contact", strings.Join(fields, " "), "two different nodes")
		}
		k.a, k.b = names.index(fields[c.i]), names.index(fields[c.j])
		if k.a > k.b {
			k.a, k.b = k.b, k.a
		}
		list = append(list, k)
		return nil
	})
	if err != nil {
		return nil, err
	}
	step := 0.0
	if c.end < 0 {
		step = lastUntilNextStep(list)
	}
	t := newContactTrace(names.list, list)
	t.Report.Lasts = step
	return t, nil
}

// lastUntilNextStep gives contacts without an end the usual step between two times: the most
// frequent one, the least of those if several are. An odd time stamp does not change it.
func lastUntilNextStep(list []contact) (step float64) {
	times := make([]float64, len(list))
	for k := range list {
		times[k] = list[k].start
	}
	slices.Sort(times)
	times = slices.Compact(times)
	var steps []float64
	for k := 1; k < len(times); k++ {
		steps = append(steps, times[k]-times[k-1])
	}
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
	for k := range list {
		list[k].end = list[k].start + step
	}
	return step
}

func newContactTrace(names []string, list []contact) *Trace {
	t := &Trace{Names: names, Report: Report{Records: len(list)}}
	slices.SortFunc(list, func(x, y contact) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.start, y.start))
	})
	t.Origin = math.Inf(1)
	for _, k := range list {
		t.Origin = math.Min(t.Origin, k.start)
	}
	for _, k := range list {
		k.start -= t.Origin
		k.end -= t.Origin
		t.End = math.Max(t.End, k.end)
		if last := len(t.contacts) - 1; last >= 0 && t.contacts[last].a == k.a && t.contacts[last].b == k.b &&
			k.start <= t.contacts[last].end {
			t.contacts[last].end = math.Max(t.contacts[last].end, k.end)
			continue
		}
		t.contacts = append(t.contacts, k)
	}
	return t
}
