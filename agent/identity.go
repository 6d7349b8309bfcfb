package agent

import (
	"net/netip"
	"slices"
	"time"

	"caucus.example/caucus/internal/wire"
)

// A peer is who it says it is, not where it speaks from: hosts have several addresses, change them, or sit behind a
// translator. A datagram from an unknown address whose sender is known is answered by a challenge, a number drawn
// for that address; who sends it back from there can be reached there, and is heard.

// maxMoves bounds the addresses that a peer has shown besides those that are configured.
const maxMoves = 4

// stranger takes in a datagram from an address that is no peer's. It gives the peer that has shown that this is its
// address now, or nil.
func (a *Agent) stranger(o *incoming, d datagram) *peer {
	if o.Sender.ID == a.self.ID || d.at.Before(a.deafTo) {
		return nil
	}
	p := a.claimed(o.Envelope)
	if p == nil || a.overAnother(p, d) {
		return a.adopt(o, d)
	}
	if !p.challenge.is(o, d) {
		a.ask(p, &p.challenge, d)
		return nil
	}
	if o.life == nil { // else its life is proven by the same answer
		p.challenge = challenge{}
	}
	a.moved(p, d.from)
	return p
}

// overAnother tells whether a peer that is heard speaks here over another interface: that is another link, which may
// have another length, and be there when the first is not.
func (a *Agent) overAnother(p *peer, d datagram) bool {
	return len(a.segments) > 1 && p.live && p.addr.Addr().Zone() != d.from.Addr().Zone()
}

// is tells whether a datagram answers a challenge.
func (c *challenge) is(o *incoming, d datagram) bool {
	return o.Response != 0 && o.Response == c.token && d.from == c.addr
}

// answered tells the same once.
func (c *challenge) answered(o *incoming, d datagram) bool {
	if !c.is(o, d) {
		return false
	}
	*c = challenge{}
	return true
}

// ask sends a challenge to where a datagram came from, one at a time and no more than one in a period: who forges
// senders gets little out of it.
func (a *Agent) ask(p *peer, c *challenge, d datagram) {
	if c.token != 0 && d.at.Sub(c.at) < a.cfg.Period {
		return
	}
	*c = challenge{d.from, max(1, a.tokens.Uint64()), d.at}
	a.challengeAt(p, c, d.at)
}

// claimed finds the peer that the sender of a datagram says to be: by its ID, or its configured name before it has
// been heard. One that is heard elsewhere as another instance is not taken for it: that one is a duplicate, or has
// moved and will be believed when the other is silent.
func (a *Agent) claimed(e *wire.Envelope) *peer {
	for _, p := range a.peers {
		switch {
		case p.inst == e.Sender:
			return p
		case p.live:
		case p.inst.ID == e.Sender.ID,
			p.Name != "" && (p.Name == e.Name || p.inst.ID == 0 && HashID(p.Name) == e.Sender.ID):
			return p
		}
	}
	return nil
}

func (a *Agent) challengeAt(p *peer, c *challenge, now time.Time) {
	e := a.compose(now)
	e.Link = wire.Link{Hears: p.hearing(), Gap: 1}
	e.About, e.Challenge = &a.about, c.token
	data, err := a.encodeFor(p, &e)
	if err != nil {
		a.sendFailed(err)
		return
	}
	a.transmitTo(c.addr, data)
}

// moved makes an address one of a peer's.
func (a *Agent) moved(p *peer, to netip.AddrPort) {
	p.moves = append(p.moves, to)
	if len(p.moves) > maxMoves {
		p.moves = slices.Delete(p.moves, 0, 1)
	}
	a.index()
	a.cfg.Logger.Info("peer speaks from another address now", "peer", p.Addr, "name", a.nameOf(p), "addr", to)
}
