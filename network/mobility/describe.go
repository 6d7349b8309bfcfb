package mobility

import (
	"cmp"
	"math"
	"slices"

	"caucus.example/caucus/internal/exact"
)

// Description is what a trace amounts to.
type Description struct {
	Nodes      int
	Duration   float64 // seconds from the first time of the file to the last
	Contacts   int     // those that overlap or touch are one; 0 of a trace of places
	Pairs      int     // that ever meet
	Longest    float64 // time without any contact, or without any node
	MeanDegree float64 // of the nodes that are present; of places within the range, at Instants times
	Instants   int
	Absences   int     // times that nodes leave and come back
	Speed      float64 // mean while present, by the way between places
	MaxSpeed   float64
}

// Describe measures a trace. The range is for traces of places; 0 leaves their degree out.
func (t *Trace) Describe(reach float64) Description {
	d := Description{Nodes: len(t.Names), Duration: t.End - t.Begin}
	if t.Contacts() {
		t.describeContacts(&d)
		return d
	}
	t.describePlaces(&d)
	if reach > 0 && d.Duration >= 0 {
		d.Instants = 100
		t.degree(&d, reach)
	}
	return d
}

func (t *Trace) describeContacts(d *Description) {
	d.Contacts = len(t.contacts)
	first, last := make([]float64, d.Nodes), make([]float64, d.Nodes)
	for i := range first {
		first[i] = math.Inf(1)
	}
	total := 0.0
	until := t.Begin
	for k, c := range t.contacts { // by pair
		if k == 0 || c.a != t.contacts[k-1].a || c.b != t.contacts[k-1].b {
			d.Pairs++
		}
	}
	for _, k := range t.byStart {
		c := t.contacts[k]
		start, end := t.begins(c), t.ends(c)
		d.Longest = math.Max(d.Longest, start-until)
		until = math.Max(until, end)
		total += end - start
		for _, i := range []int32{c.a, c.b} {
			first[i], last[i] = math.Min(first[i], start), math.Max(last[i], end)
		}
	}
	present := 0.0
	for i := range first {
		present += math.Max(0, last[i]-first[i])
	}
	if present > 0 {
		d.MeanDegree = 2 * total / present
	}
}

func (t *Trace) describePlaces(d *Description) {
	way, time := 0.0, 0.0
	type stay struct{ from, to float64 }
	var stays []stay
	for _, track := range t.tracks {
		begin := math.Inf(1)
		for k, knot := range track {
			if begin = math.Min(begin, knot.t); knot.leaves {
				stays = append(stays, stay{begin, knot.t})
				if begin = math.Inf(1); k+1 < len(track) {
					d.Absences++
				}
			}
			if k == 0 || track[k-1].leaves || knot.t == track[k-1].t {
				continue
			}
			step := exact.Hypot(knot.x-track[k-1].x, knot.y-track[k-1].y)
			way, time = way+step, time+knot.t-track[k-1].t
			d.MaxSpeed = math.Max(d.MaxSpeed, step/(knot.t-track[k-1].t))
		}
		if !math.IsInf(begin, 1) {
			stays = append(stays, stay{begin, t.End})
		}
	}
	if time > 0 {
		d.Speed = way / time
	}
	slices.SortFunc(stays, func(a, b stay) int { return cmp.Compare(a.from, b.from) })
	until := t.Begin
	for _, s := range stays {
		d.Longest = math.Max(d.Longest, s.from-until)
		until = math.Max(until, s.to)
	}
}

// degree takes the mean over times that divide the trace evenly.
func (t *Trace) degree(d *Description, reach float64) {
	m := newTracks(t, reach)
	var row []int32
	var dist []float64
	joined, present := 0, 0
	for k := range d.Instants {
		now := t.Begin + d.Duration*(float64(k)+0.5)/float64(d.Instants)
		m.Advance(now)
		for i := range m.Len() {
			if m.Present(i) {
				m.Spoke(i, now)
			}
		}
		for i := range m.Len() {
			if m.Present(i) {
				row, dist = m.Neighbours(i, now, row[:0], dist[:0])
				joined += len(row)
				present++
			}
		}
	}
	if present > 0 {
		d.MeanDegree = float64(joined) / float64(present)
	}
}
