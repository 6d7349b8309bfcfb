package agent

import "time"

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
}

// termWait is how long a node leads before it reports its term.
func (a *Agent) termWait(now time.Time) time.Duration {
	if a.rushes(now) {
		return a.cfg.Period / rushPart
	}
	return a.cfg.Period / 2
}

// followerWait is how long a node follows a leader before it reports its term: where changes are told at once many are
// over before that.
func (a *Agent) followerWait(now time.Time) time.Duration {
	switch {
	case a.rushes(now):
		return a.termWait(now)
	case a.rounds != nil && a.rounds.prompt():
		return a.cfg.Period / 4
	}
	return 0
}
