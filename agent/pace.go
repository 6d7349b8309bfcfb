package agent

import (
	"math"
	"time"

	"caucus.example/caucus/internal/wire"
)

// Where periods differ a node runs the algorithm no faster than news of its leader comes to it: counted in rounds
// of its own, a slower leader would be dead three times between two of its beats. It still speaks once in each
// period of its own.
//
// How fast the news comes is told from node to node away from the leader: each takes the slowest pace of those that
// are nearer to the leader in hops, and of itself. So what it depends on never comes back to it, and the numbers
// are right again after as many rounds as there are hops. Where all periods are the same nothing is sent and
// nothing is changed.

// setPace takes in the paces that the neighbours tell.
func (a *Agent) setPace() {
	a.pace, a.paced = a.cfg.Period, nil
	leader := a.terms.following
	if a.terms.leading || leader == (wire.Instance{}) || !a.mixed() {
		return
	}
	nearest := math.MaxUint8 - 1
	for _, p := range a.present {
		nearest = min(nearest, p.hopsTo(leader))
	}
	for _, p := range a.present {
		if p.hopsTo(leader) <= nearest {
			a.pace = max(a.pace, p.slowest())
		}
	}
	a.paced = &wire.Pace{Period: milliseconds32(a.pace), Hops: uint8(nearest + 1)}
}

// mixed tells whether there are different periods around.
func (a *Agent) mixed() bool {
	for _, p := range a.present {
		if p.pace != nil || p.about.Period != a.about.Period {
			return true
		}
	}
	return false
}

// hopsTo gives the hops between a neighbour and the leader, 255 if it follows another.
func (p *peer) hopsTo(leader wire.Instance) int {
	same := func(x wire.Instance) bool { return x.ID == leader.ID && (x.Nonce == leader.Nonce || leader.Nonce == 0) }
	switch {
	case same(p.inst):
		return 0
	case !same(p.backs):
		return math.MaxUint8
	case p.pace == nil:
		return math.MaxUint8 - 1
	}
	return int(min(p.pace.Hops, math.MaxUint8-1))
}

func (p *peer) slowest() time.Duration {
	slowest := p.about.Period
	if p.pace != nil {
		slowest = max(slowest, p.pace.Period)
	}
	return time.Duration(slowest) * time.Millisecond
}

// mayCompute tells whether it is time for a round of the algorithm.
func (a *Agent) mayCompute(now time.Time) bool {
	return a.pace <= a.cfg.Period && a.easing == 0 || now.Sub(a.computed) > a.pace-a.step()/2
}

// changePeriod takes over another period. The neighbours have to know of a longer one before they miss anything:
// it is told at once, and a few datagrams still come at the old pace.
func (a *Agent) changePeriod(period time.Duration) {
	if old := a.cfg.Period; period > old {
		a.easing, a.formerPeriod = introductions+1, old
	}
	a.cfg.Period = period
}

// tellAbout makes the description of this node anew and tells it.
func (a *Agent) tellAbout(now time.Time) {
	a.about = a.cfg.describe()
	a.retell = retellings
	if a.started.IsZero() {
		return
	}
	if due := now.Add(a.step()); due.Before(a.due) {
		a.due = due
	}
	a.broadcast(now)
}

// step is the time to the next round.
func (a *Agent) step() time.Duration {
	if a.easing > 0 {
		return a.formerPeriod
	}
	return a.cfg.Period
}
