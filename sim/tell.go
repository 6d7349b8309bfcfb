package sim

import (
	"caucus.example/caucus"
	"caucus.example/caucus/story"
)

// told is what Config.Watch has been told of the nodes of a run of rounds.
type told struct {
	outcomes []caucus.Outcome
	live     []bool
}

// tell shows Config.Watch every node whose outcome has changed since the last call, or that runs no longer, in the
// order of the nodes. It returns false to end the run.
func (e *RoundRun) tell() bool {
	if e.cfg.Watch == nil {
		return true
	}
	was, now := e.told, told{e.Outcomes(), e.Live()}
	if was.live == nil {
		was = told{make([]caucus.Outcome, e.n), make([]bool, e.n)}
	}
	e.told = now
	for i, o := range now.outcomes {
		x := story.Step{Time: float64(e.periods), What: story.Act, Node: i, Outcome: o}
		switch {
		case was.live[i] && !now.live[i]:
			x.What = story.Crash
		case was.live[i] == now.live[i] && was.outcomes[i] == o:
			continue
		}
		if !e.cfg.Watch(&x) {
			return false
		}
	}
	return true
}
