package agent

import (
	"time"

	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/pacing"
	"caucus.example/caucus/internal/wire"
)

// counts tells whether a peer is a neighbour: it is heard, and hears this node.
func (p *peer) counts() bool { return fault.TwoWay(p.live, p.hears) }

// hearing tells a peer whether it is heard, and whether its base is held.
func (p *peer) hearing() uint16 {
	switch {
	case !p.live:
		return 0
	case p.told.held():
		return wire.Holding(p.inst.Nonce, p.told.digest)
	}
	return wire.Mark(p.inst.Nonce)
}

// lacks tells whether a peer that is heard does not say that it has the base of this node.
func (p *peer) lacks() bool { return p.live && !p.holds }

// silence stops hearing a peer.
func (a *Agent) silence(p *peer) {
	if p.counts() {
		a.cfg.Logger.Info("neighbour lost", "name", a.nameOf(p), "addr", p.addr)
	}
	p.live, p.hears, p.deaf, p.via, p.listed, p.chose = false, false, false, nil, false, false
	p.ask = asking{}
}

// firstLook is how long a node that looks for its peers waits for the first answer before it takes itself to be alone.
const firstLook = 5 * time.Second

// heed looks at who is there: a node takes part if a neighbour counts, or if it is alone for good. One that hears
// others of which none hears it must not lead, since nobody would know. A node that has just booted, or was
// suspended, and has heard nobody yet would call itself leader of a network that it does not know.
func (a *Agent) heed(now time.Time) {
	heard, counted := 0, 0
	for _, p := range a.peers {
		if p.live {
			heard++
		}
		if p.counts() {
			counted++
		}
	}
	a.deaf = heard == 0
	patience := time.Duration(a.cfg.Expiry) * a.cfg.Period
	if a.looking = a.looking && now.Sub(a.started) < firstLook; a.looking {
		a.aloneFrom = now
	}
	switch {
	case counted > 0:
		a.settled, a.oneWay = true, time.Time{}
	case heard > 0:
		if a.oneWay.IsZero() {
			a.oneWay = now
		}
	default:
		a.oneWay = time.Time{}
		a.settled = a.settled || now.Sub(a.aloneFrom) > patience && now.Sub(a.deafTo) > patience
	}
	// The first datagrams of two nodes that have just met cannot say yet that they hear each other.
	unheard := !a.oneWay.IsZero() && (a.settled || a.unheard || now.Sub(a.oneWay) > 2*a.cfg.Period)
	if unheard {
		a.settled = false
	}
	if unheard != a.unheard {
		a.unheard = unheard
		if unheard {
			a.cfg.Logger.Warn("unheard: others are heard, but none of them hears this node, so it does not lead",
				"heard", heard)
		} else {
			a.cfg.Logger.Info("no longer unheard", "heard", heard, "neighbours", counted)
		}
	}
}

// deposed tells whether a neighbour's own word ends the leadership of an instance.
func (a *Agent) deposed(who wire.Instance) bool {
	for _, p := range a.peers {
		word := pacing.Word{Who: p.inst.ID, Nonce: p.inst.Nonce, Backs: p.backs.ID, Counts: p.counts(), Deaf: p.deaf}
		if p.live && word.Ends(who.ID, who.Nonce) {
			return true
		}
	}
	return false
}
