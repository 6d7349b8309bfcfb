package engine

import (
	"math"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/exact"
	"caucus.example/caucus/sim"
)

func (d due) before(o due) bool { return d.at < o.at || d.at == o.at && d.p < o.p }

func (e *RoundRun) startAgenda() {
	e.agenda = make(agenda, e.n)
	for p := range e.agenda {
		e.agenda[p] = due{e.phase(p), int32(p)}
	}
	slices.SortFunc(e.agenda, func(a, b due) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	e.beats = make([]uint32, e.n)
	if e.ran == nil {
		e.ran = make([]uint32, e.n)
	}
}

// stepAgenda runs all activations of one period in order of time; false if it was told to stop amid them.
func (e *RoundRun) stepAgenda(now float64) bool {
	const between = 1 << 14 // activations between two looks at whether to stop
	for k := 1; e.agenda[0].at < now+1; k++ {
		if k%between == 0 && e.halt != nil && e.halt() {
			return false
		}
		d := &e.agenda[0]
		e.applyFaults(d.at)
		e.visit(&e.hands[0], int(d.p), d.at)
		d.at += e.gap(int(d.p))
		e.agenda.sink()
	}
	e.applyFaults(math.Nextafter(now+1, 0))
	return true
}

// gap draws the time until the next activation of the node at position p.
func (e *RoundRun) gap(p int) float64 {
	e.beats[p]++
	r := caucus.NewRand(e.cfg.Seed, "period", uint64(p), uint64(e.beats[p]))
	if e.cfg.Timing == sim.Exponential {
		return -exact.Log(1 - r.Float64())
	}
	return 0.9 + float64(0.2*r.Float64())
}

// sink moves the first entry down to its place.
func (a agenda) sink() {
	d, i := a[0], 0
	for {
		c := 2*i + 1
		if c >= len(a) {
			break
		}
		if c+1 < len(a) && a[c+1].before(a[c]) {
			c++
		}
		if !a[c].before(d) {
			break
		}
		a[i] = a[c]
		i = c
	}
	a[i] = d
}

// stepByPhase runs one period of fixed phases in order of time, for when a fault falls
// into it.
func (e *RoundRun) stepByPhase(now float64) {
	end := math.Nextafter(now+1, 0)
	for _, d := range e.phased() {
		e.stepOne(now, end, d)
	}
	e.applyFaults(end)
}

// stepOne does what is due in a period, which ends at a time, up to the activation of a node, and that.
func (e *RoundRun) stepOne(now, end float64, d due) {
	e.applyFaults(min(now+d.at, end)) // a phase next to 1 may be rounded up
	e.visit(&e.hands[0], int(d.p), now+d.at)
}

// phased gives the nodes by phase.
func (e *RoundRun) phased() agenda {
	if e.byPhase == nil {
		e.byPhase = make(agenda, e.n)
		for p := range e.byPhase {
			e.byPhase[p] = due{e.phase(e.node(p)), int32(p)}
		}
		slices.SortFunc(e.byPhase, func(a, b due) int {
			if a.at < b.at || a.at == b.at && e.node(int(a.p)) < e.node(int(b.p)) {
				return -1
			}
			return 1
		})
	}
	return e.byPhase
}
