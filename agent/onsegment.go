package agent

import (
	"errors"
	"time"

	"caucus.example/caucus/internal/wire"
)

// Where many nodes share a segment, one datagram a period reaches them all: it goes to a group address, and says whom
// its sender hears there instead of what it says of one link. Who is heard for the first time becomes a peer, and gets
// datagrams of its own until it says that it hears those for all. So links on which multicast is lost in one direction
// work as all others do.
//
// Datagrams for all leave from the socket on Listen, so that their sender's address is the one that it is reached at.

// reached tells whether a peer needs no datagram of its own.
func (p *peer) reached() bool { return p.live && p.via != nil && p.listed }

// heardBy lists the nodes whose datagrams for all of a segment arrive here.
func (a *Agent) heardBy(s *segment) wire.Heard {
	var nonces []uint32
	for _, p := range a.peers {
		if p.live && p.via == s && len(nonces) < wire.MaxHeard {
			nonces = append(nonces, p.inst.Nonce)
		}
	}
	return wire.NewHeard(nonces, a.seq)
}

// cast sends a datagram to all of a segment, with what the node says of itself while somebody does not know it. What
// has no room in it goes to each by itself.
func (a *Agent) cast(s *segment, e wire.Envelope, described bool, now time.Time) {
	a.number(&e, now)
	e.Link, e.Heard = wire.Link{Gap: 1}, a.heardBy(s)
	e.Brief = !described && a.beats%nameEvery != 0 && a.knownOn(s)
	if !e.Brief {
		e.About, e.Card = &a.about, nil
	}
	data, err := a.encodeExport(&e, false)
	switch {
	case errors.Is(err, wire.ErrOversize):
		a.number(&e, now)
		e.Heard = nil
		for _, p := range a.peers {
			if p.via == s && p.reached() {
				a.sendTo(p, &e, &sharing{described: described}, now)
			}
		}
	case err != nil:
		a.sendFailed(err)
	default:
		a.transmitTo(s.group, data)
	}
}

// knownOn tells whether there are neighbours on a segment and no nodes that do not hear this one yet.
func (a *Agent) knownOn(s *segment) (known bool) {
	for _, p := range a.peers {
		if p.via != s || !p.live {
			continue
		}
		if !p.counts() || !p.listed {
			return false
		}
		known = true
	}
	return known
}

// takeHeard reads what a datagram says of whom its sender hears. One for all that does not list this node says nothing
// of those for it alone, which come in between.
func (a *Agent) takeHeard(p *peer, e *wire.Envelope, d datagram) {
	switch {
	case d.via == nil || e.Heard == nil:
		p.hears, p.holds = a.base.heardBy(e.Link.Hears, a.self.Nonce)
	default:
		p.via, p.listed, p.holds = d.via, e.Heard.Has(a.self.Nonce, e.Seq), false
		patience := time.Duration(p.patience(a.cfg.Expiry)) * p.wait
		p.hears = p.listed || p.hears && d.at.Sub(p.confirmed) <= patience+p.wait/2
		if !p.listed {
			return
		}
	}
	if p.hears {
		p.confirmed = d.at
	}
}

// adopt makes a peer of who speaks to all of a segment, or hears what this node does, and fits this group; nil if it
// does not.
func (a *Agent) adopt(o *incoming, d datagram) *peer {
	forAll := d.via != nil && o.Heard != nil
	hears, _ := a.base.heardBy(o.Link.Hears, a.self.Nonce)
	hears = hears && len(a.segments) > 0
	if !forAll && !hears || o.Brief || len(a.found) >= maxDiscovered {
		return nil
	}
	a.found[d.from.String()] = d.at
	a.setPeers(a.allPeers())
	return a.peerAt(d.from)
}

// A peer that was found on a segment and is silent is forgotten after this time, and so many periods.
const (
	forgetSilent  = time.Minute
	forgetPeriods = 100
)

// forgetFound forgets those that have been silent for long, since addresses change.
func (a *Agent) forgetFound(now time.Time) {
	if len(a.found) == 0 || a.beats%nameEvery != 0 {
		return
	}
	silent := max(forgetSilent, forgetPeriods*a.cfg.Period)
	before := len(a.found)
	for _, p := range a.peers {
		if since, found := a.found[p.Addr]; found && !p.live && now.Sub(p.heard) > silent && now.Sub(since) > silent {
			delete(a.found, p.Addr)
		}
	}
	if len(a.found) < before {
		a.setPeers(a.allPeers())
	}
}
