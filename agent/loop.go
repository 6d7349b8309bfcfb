package agent

import (
	"context"
	"errors"
	"math"
	"net"
	"sync"
	"time"

	"caucus"
	"caucus/wire"
)

const (
	introductions = 3  // datagrams with names after a change
	nameEvery     = 16 // and one in so many besides
	hurryLimit    = 8  // extra broadcasts per round
)

func isClosed(err error) bool { return errors.Is(err, net.ErrClosed) }

// loop is the life of the agent. Whatever it starts is in workers and ends with ctx.
func (a *Agent) loop(ctx context.Context, workers *sync.WaitGroup) error {
	a.boot(time.Now())
	timer := time.NewTimer(time.Until(a.due))
	defer timer.Stop()
	a.resolve(ctx, workers, time.Now())
	for {
		select {
		case d := <-a.in:
			a.receive(d)
			a.free <- d.buf
		case <-timer.C:
			now := time.Now()
			a.tick(now)
			a.resolve(ctx, workers, now)
			timer.Reset(time.Until(a.due))
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
			return nil
		}
	}
}

// boot sends the first export at once. The rounds follow with a phase of their own, so
// that the nodes of a network do not all speak at the same moment.
func (a *Agent) boot(now time.Time) {
	a.started, a.lastRun = now, now
	a.intro = introductions
	a.local.Strength = math.Float64frombits(a.strength.Load())
	a.proto.boot(&a.local)
	a.due = now.Add(time.Duration(a.local.Rand.Float64() * float64(a.cfg.Period)))
	a.cfg.Logger.Info("agent starts", "name", a.cfg.Name, "id", a.cfg.ID, "nonce", a.self.Nonce, "group", a.cfg.Group,
		"listen", a.transport.Addr(), "peers", len(a.peers), "period", a.cfg.Period, "expiry", a.cfg.Expiry)
	a.warnOfEmulation()
	a.broadcast(now)
	a.publish(now)
}

// tick is due every period.
func (a *Agent) tick(now time.Time) {
	late := now.Sub(a.due)
	if late > a.cfg.Period {
		a.count.LateRounds++
	}
	if late > 2*time.Duration(a.cfg.Expiry)*a.cfg.Period {
		a.resume(now, late)
		return
	}
	a.round(now)
	// Missed rounds are not made up for.
	a.due = a.due.Add(a.cfg.Period * (1 + max(0, late)/a.cfg.Period))
}

// resume starts anew after the process was stopped for a while: all that is known, and
// all that waits in the socket, is of the past. One period from now every live
// neighbour has spoken again.
func (a *Agent) resume(now time.Time, late time.Duration) {
	a.cfg.Logger.Warn("was suspended; forgetting what was heard before", "for", late.Round(time.Millisecond))
	for _, p := range a.peers {
		p.live = false
	}
	a.settled = false
	a.deafTo = now.Add(a.cfg.Period / 4)
	a.due = a.deafTo.Add(a.cfg.Period)
	a.report(now)
}

// round runs one round of the algorithm and sends the result.
func (a *Agent) round(now time.Time) {
	a.expire(now)
	a.gone.expire(now)
	a.hurried = 0
	a.lastRun = now
	a.count.Rounds++

	a.inSlots, a.inDist, a.inMissed = a.inSlots[:0], a.inDist[:0], a.inMissed[:0]
	heard := 0
	for _, p := range a.inbox() {
		heard++
		length, measured := p.length(&a.cfg)
		if !measured || a.gone.names(p.backs, now) {
			continue
		}
		a.inSlots = append(a.inSlots, p.slot)
		a.inDist = append(a.inDist, length)
		a.inMissed = append(a.inMissed, caucus.Missed(float64(now.Sub(p.heard))/float64(a.cfg.Period)))
	}
	a.local.Strength = math.Float64frombits(a.strength.Load())
	a.local.Degree = len(a.inSlots)
	a.local.Round++
	a.local.Now = now.Sub(a.started)
	a.proto.round(&a.local, a.inSlots, a.inDist, a.inMissed)

	// A node that has just booted, or was suspended, and has heard nobody yet would call
	// itself leader of a network that it does not know.
	if heard > 0 || now.Sub(a.started) > time.Duration(a.cfg.Expiry)*a.cfg.Period && now.Sub(a.deafTo) > time.Duration(a.cfg.Expiry)*a.cfg.Period {
		a.settled = true
	}
	a.report(now)
	a.broadcast(now)
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
		if p.live {
			a.terms.hear(p.backs, p.term, p.need)
		}
	}
	a.terms.need = max(a.terms.need, a.exceed.Load())
	term := a.terms.settle(now, a.cfg.Period)
	a.seekDuplicates(o.Twin, now)
	a.setLeadership(o, leader, term, now)
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
	if leader.ID == caucus.None {
		a.lead.Leader, a.lead.Distance = "", -1
	}
	if a.lead.differs(&old) {
		a.lead.Number++
		a.cfg.Logger.Info("leadership", "role", a.lead.Role, "leader", a.lead.Leader, "term", term, "distance", o.Distance)
		a.watchers.publish(a.lead)
	}
}

// broadcast sends the export to every peer.
func (a *Agent) broadcast(now time.Time) {
	body, err := a.proto.export()
	if err != nil {
		a.sendFailed(err)
		return
	}
	a.seq++
	a.sentAt[a.seq%uint32(len(a.sentAt))] = sent{a.seq, now}
	e := wire.Envelope{Group: a.group, Sender: a.self, Seq: a.seq, Body: body, Gone: a.gone.notices(), Probe: a.cfg.Metric == RTT}
	e.Term, e.Need = a.terms.announce()
	if _, tells := a.proto.backs(own); !tells && a.terms.following != (wire.Instance{}) {
		e.Leader = &a.terms.following
	}
	if a.intro > 0 || a.seq%nameEvery == 0 {
		a.intro = max(0, a.intro-1)
		e.Name = a.cfg.Name
		if a.lead.LeaderID != a.self.ID {
			e.LeaderName = a.names.get(a.lead.LeaderID)
		}
	}
	a.buf.Reset()
	shared := false // a.buf holds the datagram without echo
	for _, p := range a.peers {
		e.Echo = nil
		if p.live && p.asks {
			e.Echo = &wire.Echo{Seq: p.seq, Hold: uint32(min(now.Sub(p.heard).Microseconds(), math.MaxUint32))}
		}
		if e.Echo != nil || !shared {
			a.buf.Reset()
			if err := e.Encode(&a.buf); err != nil {
				a.sendFailed(err)
				return
			}
			shared = e.Echo == nil
		}
		for _, to := range p.targets() {
			if !reaches(a.transport.Addr().Addr(), to.Addr()) {
				continue
			}
			if err := a.transport.Send(a.buf.Bytes(), to); err != nil {
				a.sendFailed(err)
				continue
			}
			a.count.Sent++
			a.count.SentBytes += uint64(a.buf.Len())
		}
	}
}

func (a *Agent) sendFailed(err error) {
	if a.count.SendErrors == 0 {
		a.cfg.Logger.Warn("cannot send; further failures are only counted", "error", err)
	}
	a.count.SendErrors++
}

// depart tells everybody that this instance is gone, more than once since a datagram
// may get lost. Run closes the socket right after.
func (a *Agent) depart() {
	a.gone.add(a.self, time.Now(), a.cfg.Period)
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
