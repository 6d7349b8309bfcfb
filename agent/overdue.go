package agent

import (
	"time"

	"caucus.example/caucus/internal/pacing"
	"caucus.example/caucus/internal/wire"
)

// News of the leader that does not come when it is due is asked for: those neighbours that brought it last are sent a
// challenge, which everybody answers at once with what it says now. So what a lost datagram costs is a moment in place
// of a period, and patience, which is in periods, may be short although links lose much
// (docs/decisions/016-news-is-asked-for.md). While news comes nothing is asked, nor over a link that loses nothing.

// expectNews is for a neighbour that has brought news of the leader.
func (a *Agent) expectNews(p *peer, now time.Time) {
	p.recall.news = now
	pace := max(a.pace, a.step())
	a.asked, a.overdue = 0, now.Add(pace+pace/pacing.AskAfter)
}

// askForNews asks, since it is overdue.
func (a *Agent) askForNews(now time.Time) {
	leader := a.terms.following
	a.overdue = time.Time{}
	if a.terms.leading || leader == (wire.Instance{}) || a.asked >= pacing.AskMost {
		return
	}
	for _, p := range a.peers {
		r := &p.recall
		if !p.counts() || !r.recent(now, a.step()) || p.inst.ID != leader.ID && p.backs.ID != leader.ID ||
			p.loss < lossLeast || a.rounds.news(p.slot) { // it has come, or what is news does not tell beats apart
			continue
		}
		if a.asked == 0 || r.token == 0 {
			a.recalls.add(r.begin(max(1, a.tokens.Uint64()), now))
		}
		r.now.asked++
		a.transmitItem(p, now, func(e *wire.Envelope) { e.Challenge = r.token })
	}
	a.asked++
	a.overdue = now.Add(time.Duration(float64(a.step()) * pacing.AskAgain(a.asked)))
}
