package mobility

import (
	"fmt"
	"math"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
)

// Trace is where and when nodes were, read from a file. It does not change: each run
// makes a [Net] of its own from it.
type Trace struct {
	Format Format
	Names  []string // of the nodes, in the order of the file
	Origin float64  // what the file calls time 0 of the trace: 0, or seconds since 1970 where times are dates
	Begin  float64  // first time in the file, on the trace's clock
	End    float64  // last time in the file
	Report Report

	tracks   [][]knot
	contacts []span    // in place of tracks, by pair and start
	times    []float64 // of the contacts, on the file's clock
	lasts    float64   // what contacts last beyond the time of their end
	byStart  []int32   // the contacts' places in order of their starts …
	byEnd    []int32   // … and ends
}

// Report counts what a reader found.
type Report struct {
	Records int // commands, waypoints, points, or contacts
	Skipped int // points left out as they had no time, or one that goes back
	// Lasts is how many seconds a contact without an end lasts: the usual step of the file; 0 where they have ends.
	Lasts float64
	Notes []string
}

// counted is something of which a reader found so many.
type counted struct {
	n    int
	what string
}

// notes says what there was any of.
func (t *Trace) notes(all []counted) {
	for _, c := range all {
		if c.n > 0 {
			t.Report.Notes = append(t.Report.Notes, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
}

// Contacts tells whether the trace says who met whom, rather than where nodes were.
func (t *Trace) Contacts() bool { return t.contacts != nil }

// Net gives the network of nodes within a range (> 0) of each other, a [Located] one. Where the trace holds contacts,
// the range is not used and every edge has length 1.
func (t *Trace) Net(reach float64) (Net, error) {
	if t.Contacts() {
		return newMeetings(t), nil
	}
	if err := within("range", reach, 1e-9); err != nil {
		return nil, err
	}
	return newTracks(t, reach), nil
}

// knot is a place at a time. A node moves in a straight line from knot to knot, stays at its last, and is
// away before its first and after a knot where it leaves until the next.
type knot struct {
	t float64
	point
	leaves bool
}

// tracks is the Net of a trace of places. The grid holds each node where it was at
// most slack away from where it is; the agenda says when to look again.
type tracks struct {
	knots  [][]knot
	at     []int // index of the node's last knot not after the present, -1 before the first
	joined []float64
	here   []bool
	said   []fix
	grid   grid
	agenda agenda
	now    float64
	reach  float64
	slack  float64 // how far a node may be from where the grid has it
}

func newTracks(t *Trace, reach float64) *tracks {
	n := len(t.tracks)
	min, max := bounds(t.tracks)
	// A leg costs at most about a thousand looks at the grid, however long it is.
	slack := math.Max(reach/4, exact.Hypot(max.x-min.x, max.y-min.y)/1024)
	m := &tracks{
		knots: t.tracks, at: make([]int, n), joined: make([]float64, n), here: make([]bool, n), said: allSilent(n),
		grid: newGrid(n, min, max, reach+slack), agenda: make(agenda, 0, n), reach: reach, slack: slack,
		now: math.Inf(-1),
	}
	for i, k := range t.tracks {
		m.at[i] = -1
		if len(k) > 0 {
			m.agenda.push(event{k[0].t, int32(i)})
		}
	}
	return m
}

func bounds(tracks [][]knot) (min, max point) {
	first := true
	for _, track := range tracks {
		for _, k := range track {
			if first {
				min, max, first = k.point, k.point, false
			}
			min = point{math.Min(min.x, k.x), math.Min(min.y, k.y)}
			max = point{math.Max(max.x, k.x), math.Max(max.y, k.y)}
		}
	}
	return min, max
}

func (m *tracks) Len() int           { return len(m.knots) }
func (m *tracks) Present(i int) bool { return m.here[i] }

func (m *tracks) Advance(to float64) {
	for len(m.agenda) > 0 && m.agenda[0].t <= to {
		e := m.agenda.pop()
		m.look(int(e.node), e.t)
	}
	m.now = to
}

func (m *tracks) Position(i int) (x, y float64) {
	p := m.place(i, m.now)
	return p.x, p.y
}

// look brings node i up to date at time now and plans the next look.
func (m *tracks) look(i int, now float64) {
	track := m.knots[i]
	for m.at[i]+1 < len(track) && track[m.at[i]+1].t <= now {
		m.at[i]++
		m.pass(i, track[m.at[i]])
	}
	k := m.at[i]
	place, speed := m.place(i, now), 0.0
	if m.here[i] {
		m.grid.put(i, place)
	}
	if k+1 >= len(track) {
		return
	}
	next := track[k+1].t
	if a, b := track[k], track[k+1]; !a.leaves {
		speed = exact.Hypot(b.x-a.x, b.y-a.y) / (b.t - a.t)
	}
	if soon := now + m.slack/speed; soon < next {
		next = math.Max(soon, math.Nextafter(now, math.Inf(1)))
	}
	m.agenda.push(event{next, int32(i)})
}

// pass lets node i go through a knot: it joins, goes on, or leaves.
func (m *tracks) pass(i int, k knot) {
	switch {
	case k.leaves:
		m.grid.drop(i)
		m.said[i] = silent
		m.here[i] = false
	case !m.here[i]:
		m.here[i] = true
		m.joined[i] = k.t
	}
}

// place gives where node i is at a time near the present; before its first knot it is there.
func (m *tracks) place(i int, t float64) point {
	track, k := m.knots[i], max(m.at[i], 0)
	for k > 0 && track[k].t > t {
		k--
	}
	for k+1 < len(track) && track[k+1].t <= t {
		k++
	}
	if k+1 == len(track) || track[k].leaves || t <= track[k].t {
		return track[k].point
	}
	a, b := track[k], track[k+1]
	part := (t - a.t) / (b.t - a.t)
	return point{a.x + float64(part*(b.x-a.x)), a.y + float64(part*(b.y-a.y))}
}

func (m *tracks) Neighbours(i int, now float64, row []int32, dist []float64) ([]int32, []float64) {
	here, square := m.place(i, now), m.reach*m.reach
	kept := len(row)
	row = m.grid.around(here, m.reach+m.slack, row)
	for _, j := range row[kept:] {
		said := m.said[j]
		if int(j) == i || !(said.t >= m.joined[i]) || !near(here, m.place(int(j), now), square) ||
			!near(m.place(i, said.t), said.point, square) {
			continue
		}
		row[kept] = j
		kept++
		dist = append(dist, exact.Hypot(here.x-said.x, here.y-said.y))
	}
	return row[:kept], dist
}

func (m *tracks) Spoke(i int, now float64) { m.said[i] = fix{now, m.place(i, now)} }
func (m *tracks) Silence(i int)            { m.said[i] = silent }

func (t *Trace) begins(s span) float64 { return t.times[s.start] - t.Origin }
func (t *Trace) ends(s span) float64   { return t.times[s.end] + t.lasts - t.Origin }

// meetings is the Net of a trace of contacts. A node is present from the start of its first
// contact until the end of its last.
type meetings struct {
	trace   *Trace
	started int // of trace.byStart
	ended   int // of trace.byEnd
	met     [][]meeting
	left    []int // contacts that the node has yet to end
	here    []bool
	said    []float64
}

type meeting struct {
	with  int32
	since float64
}

func newMeetings(t *Trace) *meetings {
	n := len(t.Names)
	m := &meetings{trace: t, met: make([][]meeting, n), left: make([]int, n), here: make([]bool, n),
		said: make([]float64, n)}
	for i := range m.said {
		m.said[i] = math.NaN()
	}
	for _, c := range t.contacts {
		m.left[c.a]++
		m.left[c.b]++
	}
	return m
}

func (m *meetings) Len() int           { return len(m.met) }
func (m *meetings) Present(i int) bool { return m.here[i] }

// Advance begins and ends contacts in order; at one time, ends come first.
func (m *meetings) Advance(to float64) {
	t := m.trace
	for {
		begins, ends := math.Inf(1), math.Inf(1)
		if m.started < len(t.byStart) {
			begins = t.begins(t.contacts[t.byStart[m.started]])
		}
		if m.ended < len(t.byEnd) {
			ends = t.ends(t.contacts[t.byEnd[m.ended]])
		}
		switch {
		case min(begins, ends) > to || math.IsInf(min(begins, ends), 1):
			return
		case ends <= begins:
			c := t.contacts[t.byEnd[m.ended]]
			m.ended++
			m.part(c.a, c.b)
			m.part(c.b, c.a)
		default:
			c := t.contacts[t.byStart[m.started]]
			m.started++
			m.met[c.a] = append(m.met[c.a], meeting{c.b, begins})
			m.met[c.b] = append(m.met[c.b], meeting{c.a, begins})
			m.here[c.a], m.here[c.b] = true, true
		}
	}
}

// part ends a contact on the side of node i, which leaves after its last.
func (m *meetings) part(i, j int32) {
	list := m.met[i]
	for k := range list {
		if list[k].with == j {
			list[k] = list[len(list)-1]
			m.met[i] = list[:len(list)-1]
			break
		}
	}
	if m.left[i]--; m.left[i] == 0 {
		m.here[i] = false
		m.said[i] = math.NaN()
	}
}

func (m *meetings) Neighbours(i int, _ float64, row []int32, dist []float64) ([]int32, []float64) {
	for _, k := range m.met[i] {
		if m.said[k.with] >= k.since {
			row = append(row, k.with)
			dist = append(dist, 1)
		}
	}
	return row, dist
}

func (m *meetings) Spoke(i int, now float64) { m.said[i] = now }
func (m *meetings) Silence(i int)            { m.said[i] = math.NaN() }

var (
	_ Located = (*Walk)(nil)
	_ Located = (*tracks)(nil)
	_ Net     = (*meetings)(nil)
)

// wrong is an error about a value in a file.
func wrong(field, found, allowed string) error { return caucus.Wrong(field, found, allowed) }

// Format names a format of traces.
type Format string

// Formats.
const (
	ns2Moves   Format = "ns2"
	bonnMotion Format = "bonnmotion"
	fcd        Format = "fcd"
	gpx        Format = "gpx"
	tij        Format = "tij"
	ijt        Format = "ijt"
	Intervals  Format = "intervals"
)
