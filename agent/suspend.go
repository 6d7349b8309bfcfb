package agent

import (
	"time"

	"caucus.example/caucus"
)

// awake looks, before anything else is done, whether the machine was suspended meanwhile: the monotonic clock does
// not show it, so that no round seems to be late, but the others have gone on. The wall clock says nothing by itself:
// it may be set.
func (a *Agent) awake(now time.Time) {
	slept := a.asleep()
	a.before = a.ahead()
	before := time.Duration(a.slept.Swap(int64(slept)))
	if gap := slept - before; gap > time.Duration(a.cfg.Expiry)*a.cfg.Period {
		a.resume(now, gap, 0)
	}
}

// stirred tells whether awake should look before a datagram is read. The wall clock goes on during a suspension and is
// read without a system call, which would cost as much as all else that a datagram takes; every round looks anyway.
func (a *Agent) stirred() bool {
	return (a.ahead() - a.before).Abs() > time.Duration(a.cfg.Expiry)*a.cfg.Period/2
}

// aheadSince gives how far the wall clock has gone on since some time when the monotonic one did not.
func aheadSince(began time.Time) func() time.Duration {
	wall := began.UnixNano()
	return func() time.Duration {
		now := time.Now()
		return time.Duration(now.UnixNano()-wall) - now.Sub(began)
	}
}

// resume starts anew after the process was stopped, or the machine suspended, for a while: all that is known, and
// all that waits in the socket, is of the past. Soon after the next broadcast every live neighbour has
// spoken again. The algorithm's clock leaves out what of the time the monotonic clock has counted.
func (a *Agent) resume(now time.Time, gap, counted time.Duration) {
	a.cfg.Logger.Warn("was suspended; forgetting what was heard before", "for", gap.Round(time.Millisecond))
	for _, p := range a.peers {
		a.silence(p)
	}
	a.settled, a.deaf, a.oneWay = false, true, time.Time{}
	a.count.Suspensions++
	a.paused += counted
	a.deafTo = now.Add(a.cfg.Period / 4)
	a.due = a.deafTo.Add(a.cfg.Period)
	a.report(now)
}

// doubted is what may be said of a leadership before the loop has looked at the clocks: after a suspension nothing.
func (a *Agent) doubted(s *Status) {
	if a.asleep()-time.Duration(a.slept.Load()) <= time.Duration(s.Expiry)*s.Period {
		return
	}
	s.Leadership = Leadership{
		Role: caucus.Undecided.String(), Distance: -1, Since: s.Since, Number: s.Number,
	}
}
