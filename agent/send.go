package agent

import (
	"math"
	"time"

	"caucus.example/caucus/internal/wire"
)

// broadcast sends a datagram to every peer, with the export or with what the peer has not acknowledged.
func (a *Agent) broadcast(now time.Time) {
	e := a.compose(now)
	a.beats++
	e.Gone = a.gone.notices()
	if a.intro > 0 || a.beats%nameEvery == 0 {
		a.intro = max(0, a.intro-1)
		e.Name = a.cfg.Name
		if a.lead.LeaderID != a.self.ID {
			e.LeaderName = a.names.get(a.lead.LeaderID)
		}
	}
	if a.rounds != nil {
		a.broadcastExport(&e, now)
		return
	}
	for _, p := range a.peers {
		e.Echo = a.echo(p, now)
		a.sendFrame(p, &e, false)
	}
	a.flush(now)
}

// broadcastExport encodes the datagram only once for all peers that want no echo.
func (a *Agent) broadcastExport(e *wire.Envelope, now time.Time) {
	var err error
	if e.Body, err = a.rounds.export(); err != nil {
		a.sendFailed(err)
		return
	}
	shared := false // a.buf holds the datagram without echo
	for _, p := range a.peers {
		e.Echo = a.echo(p, now)
		if e.Echo != nil || !shared {
			a.buf.Reset()
			if err := e.Encode(&a.buf); err != nil {
				a.sendFailed(err)
				return
			}
			shared = e.Echo == nil
		}
		a.transmit(p)
	}
}

// flush sends the messages of an event algorithm that have not been sent yet to the peers that are live, and before them those
// that have not been acknowledged, as far as they fit into the same datagram.
func (a *Agent) flush(now time.Time) {
	if a.events == nil {
		return
	}
	for _, p := range a.peers {
		for further := false; p.live && a.events.fresh(p.slot); further = true {
			e := a.compose(now)
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
	a.transmit(p)
	return true
}

// compose begins the next datagram.
func (a *Agent) compose(now time.Time) wire.Envelope {
	a.seq++
	a.sentAt[a.seq%uint32(len(a.sentAt))] = sent{a.seq, now}
	e := wire.Envelope{Group: a.group, Sender: a.self, Seq: a.seq, Probe: a.cfg.Metric == RTT}
	e.Term, e.Need = a.terms.announce()
	if _, tells := a.proto.backs(own); !tells && a.terms.following != (wire.Instance{}) {
		e.Leader = &a.terms.following
	}
	return e
}

// echo answers a peer that measures; nil for others.
func (a *Agent) echo(p *peer, now time.Time) *wire.Echo {
	if !p.live || !p.asks {
		return nil
	}
	return &wire.Echo{Seq: p.seq, Hold: uint32(min(now.Sub(p.heard).Microseconds(), math.MaxUint32))}
}

// transmit sends what a.buf holds to a peer.
func (a *Agent) transmit(p *peer) {
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

func (a *Agent) sendFailed(err error) {
	if a.count.SendErrors == 0 {
		a.cfg.Logger.Warn("cannot send; further failures are only counted", "error", err)
	}
	a.count.SendErrors++
}
