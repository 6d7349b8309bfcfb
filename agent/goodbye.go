package agent

import (
	"time"

	"caucus.example/caucus/internal/wire"
)

// After a leader's goodbye nothing is ambiguous: no copy of its candidacy counts any more, so whatever a neighbour
// newly supports is news. For rushRounds after it nobody waits for the next round to follow, and a new leader waits
// for less of a period before it believes that it is one.
const (
	rushRounds = 2
	rushPart   = 8 // of a period
)

func (a *Agent) rushes(now time.Time) bool { return now.Before(a.rush) }

// beginRush is for the goodbye of this node's leader.
func (a *Agent) beginRush(now time.Time) {
	a.rush = now.Add(rushRounds * a.cfg.Period)
	a.recheck = now.Add(a.termWait(now))
}

// termWait is how long a node leads before it reports its term.
func (a *Agent) termWait(now time.Time) time.Duration {
	if a.rushes(now) {
		return a.cfg.Period / rushPart
	}
	return a.cfg.Period / 2
}

func (a *Agent) followerWait(now time.Time) time.Duration {
	if a.rushes(now) {
		return a.termWait(now)
	}
	return 0
}

// hasten follows news of a neighbour at once, where that is safe: a round is tried, and counts only if it changes
// whom this node supports.
func (a *Agent) hasten(p *peer, former wire.Instance, now time.Time) {
	if a.rounds == nil || !a.rushes(now) || !a.settled || !p.counts() {
		return
	}
	if p.backs != former && a.hurried < hurryLimit {
		a.ready(now)
		a.inbox()
		a.gather(now)
		if a.rounds.attempt(&a.local, a.inSlots, a.inDist, a.inMissed) {
			a.hurried++
			a.computed = now
			a.report(now)
			a.recheck = now.Add(a.termWait(now))
			a.broadcast(now)
			return
		}
	}
	told, _ := a.terms.announce()
	a.report(now)
	// A follower may need a larger term: it is told at once, too.
	if term, _ := a.terms.announce(); a.terms.leading && term != told && a.hurried < hurryLimit {
		a.hurried++
		a.broadcast(now)
	}
}
