package agent

import (
	"time"

	"caucus.example/caucus"
)

// Damping keeps a leader that comes and goes from taking its region with it each time. A node that sees a leader
// again which it had seen before and lost counts that as a return; from the fourth on, with less than calmRounds
// between them, it does not believe in that leader for firstHold rounds, and twice as long with every further
// return, up to mostHold. It only does so while a neighbour follows somebody else: a leader that is all there is is
// better than none.
//
// It withholds messages from the algorithm, as loss would, and for a bounded time: mostHold rounds after the last
// return nothing is withheld, whatever the state was, and the algorithm comes right as without it.
const (
	freeReturns = 3
	calmRounds  = 64
	firstHold   = 8
	mostHold    = 128
	maxDamped   = 64 // leaders that are kept in mind
)

type damping map[caucus.ID]*seenLeader

type seenLeader struct {
	present  bool // in the last round
	last     time.Time
	returned time.Time // last return
	returns  int
	until    time.Time
}

// see takes in which leaders are backed in this round.
func (d damping) see(backed map[caucus.ID]bool, now time.Time, period time.Duration) {
	for id, x := range d {
		if x.present && !backed[id] {
			x.present = false
		}
		if !x.present && now.Sub(x.last) > calmRounds*period && now.After(x.until) {
			delete(d, id)
		}
	}
	for id := range backed {
		x := d[id]
		if x == nil {
			if len(d) < maxDamped {
				d[id] = &seenLeader{present: true, last: now, returned: now}
			}
			continue
		}
		if !x.present {
			x.comesBack(now, period)
		}
		x.present, x.last = true, now
	}
}

func (x *seenLeader) comesBack(now time.Time, period time.Duration) {
	if now.Sub(x.returned) > calmRounds*period && now.After(x.until) {
		x.returns = 0
	}
	x.returns++
	x.returned = now
	if k := x.returns - freeReturns - 1; k >= 0 {
		x.until = now.Add(time.Duration(min(mostHold, firstHold<<min(k, 8))) * period)
	}
}

// holds tells whether a leader is not believed in at present.
func (d damping) holds(id caucus.ID, now time.Time) bool {
	x := d[id]
	return x != nil && now.Before(x.until)
}

// damp looks at whom the neighbours follow and gives the leaders that are not to be believed in this round.
func (a *Agent) damp(now time.Time, early bool) (held map[caucus.ID]bool) {
	if a.cfg.Damping == Off {
		return nil
	}
	backed := map[caucus.ID]bool{}
	for _, p := range a.present {
		if p.backs.ID != caucus.None && p.backs.ID != a.self.ID {
			backed[p.backs.ID] = true
		}
	}
	if !early { // leaders that come and go in the moments of an election are none that return
		a.damping.see(backed, now, a.pace)
	}
	for id := range backed {
		if !a.damping.holds(id, now) {
			continue
		}
		for _, p := range a.present {
			if p.backs.ID != id && !a.damping.holds(p.backs.ID, now) {
				if held == nil {
					held = map[caucus.ID]bool{}
				}
				held[id] = true
			}
		}
	}
	return held
}
