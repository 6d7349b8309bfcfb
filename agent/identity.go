package agent

import (
	"errors"
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

// challenge is what an address has been asked.
type challenge struct {
	addr  netip.AddrPort
	token uint64 // 0: none
	at    time.Time
}

// stranger takes in a datagram from an address that is no peer's. It gives the peer that has shown that this is its
// address now, or nil.
func (a *Agent) stranger(d datagram) *peer {
	e, err := wire.Decode(d.buf[:max(0, d.n)], a.group, wire.Instance{})
	for _, p := range a.peers {
		if errors.Is(err, wire.ErrBrief) { // of one that is known at another address
			e, err = wire.Decode(d.buf[:d.n], a.group, p.inst)
		}
	}
	if err != nil || e.Sender.ID == a.self.ID || d.at.Before(a.deafTo) {
		return nil
	}
	p := a.claimed(e)
	if p == nil {
		return nil
	}
	c := &p.challenge
	if e.Response != 0 && e.Response == c.token && d.from == c.addr {
		*c = challenge{}
		a.moved(p, d.from)
		return p
	}
	// One at a time, and no more than one in a period: who forges senders gets little out of it.
	if c.token == 0 || d.at.Sub(c.at) >= a.cfg.Period {
		*c = challenge{d.from, max(1, a.tokens.Uint64()), d.at}
		a.challengeAt(p, d.at)
	}
	return nil
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

func (a *Agent) challengeAt(p *peer, now time.Time) {
	e := a.compose(now)
	e.Link = wire.Link{Gap: 1}
	e.About, e.Challenge = &a.about, p.challenge.token
	data, err := a.encodeFor(p, &e)
	if err != nil {
		a.sendFailed(err)
		return
	}
	a.transmitTo(p.challenge.addr, data)
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
