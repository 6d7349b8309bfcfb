package agent

import (
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/pacing"
	"caucus.example/caucus/internal/wire"
)

func (a *Agent) drop(reason string) { a.count.Dropped[reason]++ }

// receive takes one datagram in, or drops and counts it.
func (a *Agent) receive(d datagram) {
	if d.n < 0 {
		a.drop(dropFailed)
		return
	}
	if a.stirred() {
		a.awake(d.at)
	}
	a.count.Received++
	a.count.ReceivedBytes += uint64(d.n)
	p := a.peerAt(d.from)
	o, err := a.open(d, p)
	if p == nil && err == nil {
		p = a.stranger(&o, d)
	}
	e := o.Envelope
	switch {
	case p == nil:
		a.drop(dropUnknown)
		a.logOnce(d, "datagram from an address that is no peer's; add it to peers if it should be heard")
		return
	case d.at.Before(a.deafTo):
		a.drop(dropStale)
		return
	case err != nil:
		a.unreadable(p, &o, err, d)
		return
	case e.Sender == a.self:
		a.drop(dropSelf)
		a.logOnce(d, "a peer is this agent itself; remove it from peers")
		return
	case !a.proven(p, &o, d): // counted there
		return
	case e.Sender.ID == a.self.ID:
		a.drop(dropTwin)
		a.duplicate(a.self.ID, [2]uint32{a.self.Nonce, e.Sender.Nonce}, d.from.String(), d.at)
		return
	case a.gone.has(e.Sender) && !a.gone.returns(e, d.at, time.Duration(a.cfg.Expiry)*a.cfg.Period):
		a.drop(dropGone)
		return
	case !p.fresh(e, d.at):
		if a.takePiece(e.Piece, d.at); e.Piece == nil { // pieces overtake each other
			a.drop(dropOld)
		}
		return
	}
	a.take(p, e, d)
}

// take hands on what a datagram of a peer says that is neither old nor forged.
func (a *Agent) take(p *peer, e *wire.Envelope, d datagram) {
	p.seq = e.Seq
	if !a.fits(p, e, d) || a.takeNotices(p, e, d.at) {
		return
	}
	body, known := e.Body, true
	if a.rounds != nil {
		body, known = p.told.message(e)
	} else {
		a.ready(d.at)
	}
	if !known || a.proto.receive(&a.local, p.slot, e.Sender, body) != nil {
		a.drop(dropMalformed)
		return
	}
	a.accept(p, e, d)
	a.takeCard(p, e.Card, d.at)
	a.takeLease(e.Lease, d.at)
	a.takeChoice(e.Choice, d.at)
	a.takePiece(e.Piece, d.at)
	a.serve(p, e.Want, d.at)
	a.takeAsk(p, e.Ask, d.at)
	a.takeReply(e.Reply, d.at)
	if a.events != nil {
		a.react(d.at)
	}
}

// accept records what a good datagram says.
func (a *Agent) accept(p *peer, e *wire.Envelope, d datagram) {
	was, counted := p.live, p.counts()
	if e.Challenge == 0 && e.Response == 0 {
		p.countLoss(d.at, a.cfg.Expiry)
	}
	p.recall.take(e.Response, d.at, a.step())
	if a.cfg.Metric == ETX {
		p.expect(e.Arrivals)
	}
	p.addr, p.heard, p.asks, p.live = d.from, d.at, e.Probe, true
	a.claim(p)
	a.takeHeard(p, e, d)
	p.deaf = e.Deaf && !p.hears
	p.wait = time.Duration(p.about.Period) * time.Millisecond * time.Duration(e.Link.Gap)
	former, term, need := p.backs, p.term, p.need
	p.term, p.need, p.pace, p.census, p.pending = e.Term, e.Need, e.Pace, e.Census, e.Pending
	p.backs = wire.Instance{}
	if backs, tells := a.proto.backs(p.slot); tells {
		p.backs = backs
	} else if e.Leader != nil {
		p.backs = *e.Leader
	}
	if e.Echo != nil {
		if s := a.sentAt[e.Echo.Seq%uint32(len(a.sentAt))]; s.seq == e.Echo.Seq && !s.at.IsZero() {
			p.measure(d.at.Sub(s.at) - time.Duration(e.Echo.Hold)*time.Microsecond)
		}
	}
	a.learnName(e.Sender.ID, e.Name, true)
	a.takeChosen(p, e)
	a.learnName(p.backs.ID, e.LeaderName, false)
	if e.Standing != nil {
		p.standing, p.tells = *e.Standing, true
	}
	if e.LeaderAddr != "" {
		a.whereabouts = whereabouts{p.backs, e.LeaderAddr}
	}
	a.met(p, was, counted, e, d.at)
	a.align(p, d.at)
	a.hasten(p, former, p.term != term || p.need != need, d.at)
}

// met follows a change of the link to a peer: who is heard for the first time is told at once, and a leader
// that nobody hears any more does not wait for its next round.
func (a *Agent) met(p *peer, was, counted bool, e *wire.Envelope, now time.Time) {
	switch {
	case counted == p.counts():
	case counted:
		a.cfg.Logger.Info("neighbour lost: it does not hear this node", "name", a.nameOf(p), "addr", p.addr)
		if a.settled && len(a.inbox()) == 0 {
			a.heed(now)
			a.report(now)
		}
	default:
		a.intro = introductions
		a.cfg.Logger.Info("neighbour found", "name", a.nameOf(p), "id", p.inst.ID, "addr", p.addr)
	}
	if !was {
		a.deaf = false
		p.ask = asking{}
	}
	switch response := e.Challenge; {
	case response != 0 && e.Brief && p.counts(): // they know each other
		a.transmitItem(p, now, func(e *wire.Envelope) { e.Response = response })
	case response != 0 || !was:
		a.answer(p, response, now)
	}
}

// learnName passes the name of this node's own leader on as soon as it is known.
func (a *Agent) learnName(id caucus.ID, name string, own bool) {
	if name == "" || id == caucus.None || id == a.self.ID || !a.names.learn(id, name, own) {
		return
	}
	if id == a.lead.LeaderID {
		a.intro = introductions
	}
}

// takeNotices passes on who is gone and tells whether the sender itself is. A notice that
// is new goes to all peers at once, and if the leader of this node is gone it does not
// wait for its next round either.
func (a *Agent) takeNotices(from *peer, e *wire.Envelope, now time.Time) bool {
	news, orphaned := false, false
	for k, who := range e.Gone {
		if !a.ended(e, k, now) {
			continue
		}
		news = true
		leader := a.terms.following
		orphaned = orphaned || who.ID == leader.ID && (who.Nonce == leader.Nonce || leader.Nonce == 0)
		for _, p := range a.peers {
			if p.inst == who {
				a.silence(p)
			}
		}
		a.cfg.Logger.Info("node left", "name", show(a.names.get(who.ID), who.ID), "id", who.ID, "nonce", who.Nonce)
	}
	if news && a.hurried < pacing.Changes {
		hurried := a.hurried + 1
		if orphaned {
			a.beginRush(now)
			a.computed = time.Time{}
			a.round(now)
		} else {
			a.broadcast(now)
		}
		a.hurried = hurried
	}
	return a.gone.has(e.Sender)
}

// logOnce warns about each address once, and not about too many.
func (a *Agent) logOnce(d datagram, warning string) {
	const most = 16
	if len(a.strange) >= most || a.strange[d.from] {
		return
	}
	a.strange[d.from] = true
	a.cfg.Logger.Warn(warning, "addr", d.from)
}
