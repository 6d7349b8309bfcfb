package agent

import (
	"bytes"
	"errors"
	"math"
	"net/netip"
	"slices"
	"time"

	"caucus.example/caucus/internal/wire"
)

// broadcast sends a datagram to every peer, with the export or with what the peer has not acknowledged. Those that are
// heard come first: what there is of the kernel's buffer is theirs.
func (a *Agent) broadcast(now time.Time) {
	a.telling = time.Time{}
	a.tellAgain(now)
	e := a.compose(now)
	a.beats++
	e.Gone, e.Secrets = a.gone.notices()
	if a.intro > 0 || a.beats%nameEvery == 0 {
		a.intro = max(0, a.intro-1)
		e.Name = a.cfg.Name
		if standing := a.local.Strength; a.cfg.byStrength && !math.IsInf(standing, 0) {
			e.Standing = &standing
		}
		if a.lead.LeaderID != a.self.ID {
			e.LeaderName, e.LeaderAddr = a.names.get(a.lead.LeaderID), passable(a.leaderAddr())
		}
	}
	if e.Name == "" && len(e.Gone) == 0 { // for which there is room then
		e.Card = a.nextCard(now)
	}
	e.Want = a.directives.want()
	if a.rounds != nil {
		if body, err := a.rounds.export(); err == nil {
			e.Base = a.tellBase(body, e.Name != "")
		}
	}
	card := e.Card
	shared := sharing{described: a.retell > 0} // who does not count gets it anyway
	a.retell = max(0, a.retell-1)
	for _, s := range a.segments {
		a.cast(s, e, shared.described, now)
	}
	if len(a.segments) > 0 {
		a.number(&e, now) // who hears both takes both
	}
	for _, live := range []bool{true, false} {
		for _, p := range a.peers {
			if p.live == live && !p.reached() && a.keeps(p) && (live || a.mayAsk(p, now)) {
				e.Card = card
				a.sendTo(p, &e, &shared, now)
			}
		}
	}
	a.flush(now)
}

// tellBase takes in the message of a broadcast and gives the base if it is to be told in it.
func (a *Agent) tellBase(body []byte, names bool) []byte {
	was := a.base.digest
	told := a.base.follow(body, names && slices.ContainsFunc(a.peers, (*peer).lacks))
	if a.base.digest != was {
		for _, p := range a.peers { // what they have said that they hold is the one before
			p.holds = false
		}
	}
	return told
}

// mayAsk tells whether it is time to send to a silent peer.
func (a *Agent) mayAsk(p *peer, now time.Time) bool {
	if !p.ask.due(now, a.cfg.Period) {
		return false
	}
	if !a.asks.take(now, askRate) {
		p.ask.next = now // as soon as there is an allowance
		return false
	}
	return true
}

// answer sends to one peer out of turn, with the response to a challenge if there was one.
func (a *Agent) answer(p *peer, response uint64, now time.Time) {
	e := a.compose(now)
	e.Name, e.Response = a.cfg.Name, response
	a.sendTo(p, &e, &sharing{described: true}, now)
}

// sharing holds the datagrams of a broadcast that differ from receiver to receiver only in what they say of the link:
// without and with what the node says of itself, and with the message as difference to the base.
type sharing struct {
	described bool // all get the latter
	encoded   [3][]byte
}

func (a *Agent) sendTo(p *peer, e *wire.Envelope, shared *sharing, now time.Time) {
	e.Link = wire.Link{Hears: p.hearing(), Gap: uint8(max(1, p.ask.gap))}
	e.Echo, e.Arrivals, e.About, e.Brief = a.echo(p, now), a.tellArrivals(p), nil, true
	kind := 0
	switch {
	case shared.described || !p.counts():
		e.About, e.Brief, e.Card, kind = &a.about, false, nil, 1
	case p.holds:
		kind = 2
	}
	if a.rounds == nil {
		a.sendFrame(p, e, false)
		return
	}
	data, alone := shared.encoded[kind], e.Echo != nil || e.Arrivals != 0
	if data == nil || alone {
		var err error
		if data, err = a.encodeExport(e, kind == 2); err != nil {
			a.sendFailed(err)
			return
		}
		if !alone {
			data = bytes.Clone(data)
			shared.encoded[kind] = data
		}
	}
	wire.Address(data, e.Link)
	a.transmit(p, data)
}

// encodeFor gives a datagram for a peer that is not heard where it is sent to.
func (a *Agent) encodeFor(p *peer, e *wire.Envelope) (_ []byte, err error) {
	if a.rounds != nil {
		return a.encodeExport(e, false)
	}
	if e.Body, err = a.events.frame(p.slot, false, false); err != nil {
		return nil, err
	}
	a.buf.Reset()
	err = e.Encode(&a.buf)
	return a.buf.Bytes(), err
}

// encodeExport gives a datagram with the export, whole or, where that is shorter, as difference to the base. It is
// valid until the next one is encoded.
func (a *Agent) encodeExport(e *wire.Envelope, toBase bool) (_ []byte, err error) {
	if e.Body, err = a.rounds.export(); err != nil {
		return nil, err
	}
	if toBase {
		if patch := wire.Patch(a.base.body, e.Body); len(patch) < len(e.Body) {
			e.Body = patch
		}
	}
	a.buf.Reset()
	err = e.Encode(&a.buf)
	if errors.Is(err, wire.ErrOversize) && (e.Lease != nil || e.Want != nil || e.Choice != nil || e.Base != nil ||
		e.Standing != nil) {
		roomy := *e // what waits for a datagram with more room
		roomy.Lease, roomy.Want, roomy.Choice, roomy.Base, roomy.Standing = nil, nil, nil, nil, nil
		a.buf.Reset()
		err = roomy.Encode(&a.buf)
	}
	return a.buf.Bytes(), err
}

// flush sends the messages of an event algorithm that have not been sent yet to the peers that are live, and before
// them those that have not been acknowledged, as far as they fit into the same datagram.
func (a *Agent) flush(now time.Time) {
	if a.events == nil {
		return
	}
	for _, p := range a.peers {
		for further := false; p.live && a.events.fresh(p.slot); further = true {
			e := a.compose(now)
			e.Link = wire.Link{Hears: p.hearing(), Gap: 1}
			e.Brief = p.counts()
			if !e.Brief {
				e.About = &a.about
			}
			if !a.sendFrame(p, &e, further) {
				break
			}
		}
	}
	if err := a.events.failed; err != nil {
		a.events.failed = nil
		a.sendFailed(err)
	}
}

// sendFrame sends a datagram with a frame of the channel to a peer.
func (a *Agent) sendFrame(p *peer, e *wire.Envelope, further bool) (ok bool) {
	var err error
	if e.Body, err = a.events.frame(p.slot, p.live, further); err == nil {
		a.buf.Reset()
		err = e.Encode(&a.buf)
	}
	if err != nil {
		a.sendFailed(err)
		return false
	}
	a.transmit(p, a.buf.Bytes())
	return true
}

// compose begins the next datagram.
func (a *Agent) compose(now time.Time) wire.Envelope {
	e := wire.Envelope{
		Group: a.group, Sender: a.self, Pace: a.paced, Census: a.census,
		Lease: a.tellLease(), Choice: a.tellChoice(now), Probe: a.cfg.Metric == RTT, Deaf: a.deaf,
		Pending: a.terms.pending(),
	}
	a.number(&e, now)
	e.Term, e.Need = a.terms.announce()
	e.Term = a.logbook.withhold(e.Term, 0)
	if _, tells := a.proto.backs(own); !tells && a.terms.following != (wire.Instance{}) {
		e.Leader = &a.terms.following
	}
	return e
}

// number gives a datagram the next number.
func (a *Agent) number(e *wire.Envelope, now time.Time) {
	a.seq++
	e.Seq = a.seq
	a.sentAt[a.seq%uint32(len(a.sentAt))] = sent{a.seq, now}
}

// echo answers a peer that measures; nil for others.
func (a *Agent) echo(p *peer, now time.Time) *wire.Echo {
	if !p.live || !p.asks {
		return nil
	}
	return &wire.Echo{Seq: p.seq, Hold: uint32(min(now.Sub(p.heard).Microseconds(), math.MaxUint32))}
}

// transmitItem sends a datagram to one peer out of turn, with an item that takes much room.
func (a *Agent) transmitItem(p *peer, now time.Time, add func(*wire.Envelope)) (sent bool) {
	e := a.compose(now)
	e.Lease, e.Brief, e.Link = nil, true, wire.Link{Hears: p.hearing(), Gap: uint8(max(1, p.ask.gap))}
	add(&e)
	encoded, err := a.encodeExport(&e, false)
	if err != nil {
		a.sendFailed(err)
		return false
	}
	a.transmit(p, encoded)
	return true
}

// transmit sends a datagram to a peer. What cannot be sent at once is dropped: a later one says more.
func (a *Agent) transmit(p *peer, data []byte) {
	for _, to := range p.targets() {
		if reaches(a.transport.Addr().Addr(), to.Addr()) {
			a.transmitTo(to, data)
		}
	}
}

func (a *Agent) transmitTo(to netip.AddrPort, data []byte) {
	data = a.enclose(data)
	if err := a.transport.Send(data, to); err != nil {
		a.sendFailed(err)
		return
	}
	a.count.Sent++
	a.count.SentBytes += uint64(len(data))
}

func (a *Agent) sendFailed(err error) {
	reason := unsentReason(err)
	if a.count.Unsent[reason] == 0 {
		a.cfg.Logger.Warn("cannot send; further failures of this kind are only counted", "reason", reason, "error", err)
	}
	a.count.Unsent[reason]++
	a.count.SendErrors++
}
