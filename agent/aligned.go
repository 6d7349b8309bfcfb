package agent

import (
	"time"

	"caucus.example/caucus/internal/pacing"
	"caucus.example/caucus/internal/wire"
)

// Rounds are aligned where the algorithm allows it (caucus.Prompt): a follower runs its round right when news of its
// leader comes from nearer to it. So a beat crosses the network in one wave, all followers have last heard of the
// leader at about the same moment, and they miss it at about the same moment. Without news a round follows a quarter
// of a period late, and the next ones a period apart. Each node still speaks once in a period; news that comes within
// half a period of its last round is passed on when that is over, so that a wave is whole again after one period.
//
// Where periods differ each node keeps to its own, see pace.go.

// align runs the next round now if a datagram of a peer brings news, unless the last one was just now.
func (a *Agent) align(p *peer, now time.Time) {
	if a.rounds == nil || !a.settled || !p.counts() || !a.rounds.news(p.slot) || a.gone.names(p.backs, now) {
		return
	}
	a.expectNews(p, now)
	if a.paced != nil || a.easing > 0 || !pacing.Follows(p.loss, p.recall.share(a.recalls)) {
		return
	}
	if now.Sub(a.lastRun) < a.step()/pacing.Apart {
		a.due = a.lastRun.Add(a.step() / pacing.Apart)
		return
	}
	a.round(now)
	a.due = now.Add(a.step() + a.step()/pacing.Grace)
}

// awaitBeat is for a round that has taken up another leader: the next one is to come after that leader's beat. One
// right before it would be the last for half a period, and the beat would go no further.
func (a *Agent) awaitBeat() {
	if a.rounds != nil && a.rounds.prompt() && a.paced == nil && a.easing == 0 && !a.terms.leading {
		a.due = a.due.Add(a.step() / pacing.Grace)
	}
}

// hasten follows at once what a datagram of a peer has changed: whom it supports, with a round that is tried and counts
// only if it changes whom this node supports, and the numbers of terms. Where rounds must not come early that is so
// only after a goodbye.
func (a *Agent) hasten(p *peer, former wire.Instance, numbers bool, now time.Time) {
	if a.rounds == nil || !a.settled || !p.counts() || !a.rounds.prompt() && !a.rushes(now) {
		return
	}
	if p.backs != former && a.early(now) {
		return
	}
	if !numbers && !a.rushes(now) {
		return
	}
	term, need := a.terms.announce()
	a.report(now)
	if t, n := a.terms.announce(); t != term || n != need {
		a.tell(now)
	}
}

// early tries an early round. One that counts takes the place of the next: a round right behind it would count as one
// without news of the leader that is new.
func (a *Agent) early(now time.Time) (changed bool) {
	a.ready(now)
	a.inbox()
	a.gather(now, true)
	if !a.rounds.attempt(&a.local, a.inSlots, a.inDist, a.inMissed) {
		return false
	}
	a.computed = now
	if a.rounds.prompt() {
		a.lastRun, a.due = now, now.Add(a.step())
	}
	a.report(now)
	if !a.terms.leading && a.rounds.prompt() {
		a.due = a.due.Add(a.step() / pacing.Grace)
	}
	a.tell(now)
	return true
}

// tell sends a datagram soon.
func (a *Agent) tell(now time.Time) {
	if a.telling.IsZero() && a.hurried < pacing.Changes {
		a.hurried++
		a.telling = now.Add(a.step() / pacing.TellPart * time.Duration(len(a.present)))
	}
}
