package agent

import (
	"context"
	"sync"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

const (
	introductions = 3  // broadcasts with names after a change
	retellings    = 8  // broadcasts with what the node says of itself after that has changed
	nameEvery     = 16 // and one in so many besides
)

// loop is the life of the agent. Whatever it starts is in workers and ends with ctx.
func (a *Agent) loop(ctx context.Context, workers *sync.WaitGroup) error {
	a.inTurn(func() { a.boot(time.Now()) })
	set := a.next()
	timer := time.NewTimer(time.Until(set))
	defer timer.Stop()
	a.resolve(ctx, workers, time.Now())
	for !a.kill.raised() { // of several things that are to do, a select takes any
		if next := a.next(); !next.Equal(set) {
			timer.Reset(time.Until(next))
			set = next
		}
		select {
		case d := <-a.in:
			a.inTurn(func() { a.takeWave(d) })
		case <-timer.C:
			a.inTurn(func() {
				now := time.Now()
				a.wake(now)
				a.resolve(ctx, workers, now)
			})
			set = time.Time{}
		case f := <-a.commands:
			f()
		case found := <-a.resolver.found:
			a.resolved(found)
		case <-ctx.Done():
			a.depart()
			return nil
		case <-a.leave.c:
			a.depart()
			return nil
		case <-a.kill.c:
		}
	}
	return nil
}

// inTurn works once it is the agent's turn, unless it is dropped before.
func (a *Agent) inTurn(work func()) {
	if turns := a.cfg.Turns; turns != nil {
		select {
		case turns <- struct{}{}:
			defer func() { <-turns }()
		case <-a.kill.c:
			return
		}
	}
	work()
}

// takeWave takes a datagram, and those that have come with it, without all that stands before the first.
func (a *Agent) takeWave(d datagram) {
	a.receive(d)
	a.giveBack(d.buf)
	for range len(a.in) {
		if a.kill.raised() {
			return
		}
		d := <-a.in
		a.receive(d)
		a.giveBack(d.buf)
	}
}

// giveBack has a buffer read into again.
func (a *Agent) giveBack(buf []byte) {
	select {
	case a.free <- buf:
	default:
	}
}

// boot sends the first export at once. The rounds follow with a phase of their own, so
// that the nodes of a network do not all speak at the same moment.
func (a *Agent) boot(now time.Time) {
	a.started, a.aloneFrom, a.lastRun = now, now, now
	a.looking = a.cfg.Discover.on()
	a.beginLease(now)
	a.intro = introductions
	a.ready(now)
	a.proto.boot(&a.local)
	a.due = now.Add(time.Duration(a.local.Rand.Float64() * float64(a.cfg.Period)))
	a.cfg.Logger.Info("agent starts", "name", a.cfg.Name, "id", a.cfg.ID, "nonce", a.self.Nonce, "group", a.cfg.Group,
		"listen", a.transport.Addr(), "peers", len(a.peers), "period", a.cfg.Period, "expiry", a.cfg.Expiry)
	a.warnOfEmulation()
	a.takeKeys()
	a.watchChecks()
	a.choose(now)
	a.warnOfWaiting()
	a.broadcast(now)
	a.publish(now)
}

// warnOfWaiting keeps an algorithm whose wait grows with the ID from seeming dead.
func (a *Agent) warnOfWaiting() {
	if a.events == nil {
		return
	}
	if at, set := a.events.next(); set && at > time.Hour {
		a.cfg.Logger.Warn("the algorithm waits for a long time before it does anything; if it waits by ID, give "+
			"small ones", "for", at)
	}
}

// next is when the loop has to wake at the latest.
func (a *Agent) next() time.Time {
	next := a.due
	for _, at := range [...]time.Time{a.recheck, a.telling, a.again.at, a.overdue} {
		if !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	if a.events == nil {
		return next
	}
	if alarm, set := a.events.next(); set {
		if at := a.started.Add(a.paused).Add(alarm); at.Before(next) {
			return at
		}
	}
	return next
}

// wake does what is due.
func (a *Agent) wake(now time.Time) {
	a.awake(now)
	if passed(a.recheck, now) {
		a.report(now)
	}
	if passed(a.overdue, now) {
		a.askForNews(now)
	}
	switch {
	case !now.Before(a.due):
		a.tick(now)
	case passed(a.telling, now) || passed(a.again.at, now):
		a.broadcast(now)
	}
	if a.events != nil {
		a.ready(now)
		a.events.ring(&a.local)
		a.react(now)
	}
}

// passed tells whether the time for something that is to be done has come.
func passed(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// ready prepares a call of the algorithm.
func (a *Agent) ready(now time.Time) {
	a.local.Strength = a.stand(now)
	a.local.Now = max(a.local.Now, now.Sub(a.started)-a.paused)
}

// tick is due every period.
func (a *Agent) tick(now time.Time) {
	late := now.Sub(a.due)
	if late > a.cfg.Period {
		a.count.LateRounds++
	}
	if late > time.Duration(a.cfg.Expiry)*a.cfg.Period {
		a.count.Gaps++
	}
	if late > 2*time.Duration(a.cfg.Expiry)*a.cfg.Period {
		a.resume(now, late, late)
		return
	}
	leader := a.terms.following
	a.round(now)
	step := a.step()
	a.easing = max(0, a.easing-1)
	a.due = a.due.Add(step * (1 + max(0, late)/step)) // missed rounds are not made up for
	if a.terms.following != leader {
		a.awaitBeat()
	}
}

// round is what happens once a period: a round of the algorithm, if it is one of rounds, and a broadcast.
func (a *Agent) round(now time.Time) {
	a.expire(now)
	a.gone.expire(now)
	a.forgetFound(now)
	a.hurried = 0
	a.lastRun = now
	a.count.Rounds++
	a.ready(now)
	a.inbox()
	a.choose(now)
	if a.rounds != nil && a.mayCompute(now) {
		a.compute(now)
	}
	a.heed(now)
	a.report(now)
	a.lease(now)
	a.requests.expire(now)
	a.repeatRequest(now)
	a.seekDuplicates(now)
	a.broadcast(now)
}

// compute runs one round of the algorithm.
func (a *Agent) compute(now time.Time) {
	a.gather(now, false)
	a.local.Round++
	a.computed = now
	a.rounds.round(&a.local, a.inSlots, a.inDist, a.inMissed)
}

// gather lists what the algorithm is to see of the neighbours.
func (a *Agent) gather(now time.Time, early bool) {
	a.inSlots, a.inDist, a.inMissed = a.inSlots[:0], a.inDist[:0], a.inMissed[:0]
	held := a.damp(early)
	for _, p := range a.present {
		length, measured := p.length(&a.cfg)
		if !measured || a.gone.names(p.backs, now) || a.deposed(p.backs) || held[p.backs.ID] {
			continue
		}
		a.inSlots = append(a.inSlots, p.slot)
		a.inDist = append(a.inDist, length)
		a.inMissed = append(a.inMissed, caucus.Missed(float64(now.Sub(p.heard))/float64(p.wait)))
	}
	a.local.Degree, a.local.Patience = len(a.inSlots), a.patience(now)
}

// react follows calls of an event algorithm: it reports an outcome that is another, and sends.
func (a *Agent) react(now time.Time) {
	if a.settled {
		if o := a.proto.outcome(&a.local); o.Leader != a.lead.LeaderID || o.Role.String() != a.lead.Role ||
			o.Final != a.lead.Final {
			a.report(now)
		}
	}
	a.flush(now)
}

// report brings leadership and term up to date and tells those who watch.
func (a *Agent) report(now time.Time) {
	var o caucus.Outcome
	var leader wire.Instance
	if a.settled {
		o = a.proto.outcome(&a.local)
		leader = wire.Instance{ID: o.Leader}
		if backs, tells := a.proto.backs(own); tells && backs.ID == o.Leader {
			leader = backs
		}
	}
	a.terms.follow(leader, o.Role == caucus.Leader, now)
	for _, p := range a.present {
		if p.counts() {
			a.terms.hear(p.backs, p.term, p.need, !p.pending)
		}
	}
	a.terms.need = max(a.terms.need, a.exceed.Load())
	term := a.logbook.withhold(a.terms.settle(now, a.termWait(now), a.followerWait(now)), a.terms.greatest())
	a.recheck = a.terms.ripe(a.termWait(now), a.followerWait(now))
	a.twins.seen = o.Twin
	a.takeCensus()
	a.setLeadership(o, leader, term, now)
	a.setPace()
	a.survey(now)
	a.publish(now)
}

func (a *Agent) setLeadership(o caucus.Outcome, leader wire.Instance, term uint64, now time.Time) {
	name := ""
	switch {
	case leader.ID == a.self.ID && o.Role == caucus.Leader:
		name = a.cfg.Name
	case leader.ID != caucus.None:
		name = a.names.get(leader.ID)
	}
	old := a.lead
	if a.holds(now) {
		return
	}
	if leader.ID != old.LeaderID || leader.Nonce != old.LeaderNonce || o.Role.String() != old.Role {
		a.intro = introductions
		a.lead.Since = now
		if leader.ID != old.LeaderID || leader.Nonce != old.LeaderNonce {
			a.count.LeaderChanges++
		}
	}
	a.lead.Role, a.lead.Final = o.Role.String(), o.Final
	a.lead.Leader, a.lead.LeaderID, a.lead.LeaderNonce = show(name, leader.ID), leader.ID, leader.Nonce
	a.lead.Term, a.lead.Distance = term, o.Distance
	a.lead.Withdrawn = a.keptFromActing(now)
	a.lead.Unleased = o.Role == caucus.Leader && !a.holdsLease(now)
	a.lead.Short = a.lacks(o.Role == caucus.Leader) != ""
	a.lead.Token = a.lead.Fence()
	if a.terms.leading {
		a.terms.acts = 0
		if a.lead.Leads() {
			a.terms.acts = term
		}
	}
	if leader.ID == caucus.None {
		a.lead.Leader, a.lead.Distance = "", -1
	}
	if a.lead.differs(&old) {
		a.lead.Number++
		a.cfg.Logger.Info("leadership", "role", a.lead.Role, "leader", a.lead.Leader, "term", term, "distance",
			o.Distance)
		a.watchers.publish(a.lead)
	}
}

// depart tells everybody that this instance is gone, first those who watch it, and its peers more than once since a
// datagram may get lost. Run closes the socket right after.
func (a *Agent) depart() {
	a.lead = Leadership{Role: Left, Distance: -1, Since: time.Now(), Number: a.lead.Number + 1}
	a.publish(time.Now())
	a.watchers.publish(a.lead)
	a.gone.add(a.self, a.secret, time.Now(), a.cfg.Period)
	for i := range repeats {
		a.broadcast(time.Now())
		if i == repeats-1 {
			break
		}
		select {
		case <-time.After(min(5*time.Millisecond, a.cfg.Period/4)):
		case <-a.kill.c:
			return
		}
	}
	a.cfg.Logger.Info("agent left", "name", a.cfg.Name)
}
