package agent

import (
	"errors"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// What a group with keys does with datagrams that are not sealed, while it gets them or gives them up.
const (
	refuseUnsealed = "refuse"
	acceptUnsealed = "accept" // hears them
	sendUnsealed   = "send"   // and sends such itself
)

// loadKeys reads what the configuration says of keys.
func (c *Config) loadKeys() error {
	wrong := func(field, found, allowed string) error {
		return caucus.Wrong(field, found, allowed)
	}
	if c.KeyFile == "" {
		c.keys = nil
		if c.Unsealed != "" {
			return wrong("unsealed", c.Unsealed, "only with key-file")
		}
		return nil
	}
	switch c.Unsealed {
	case "", refuseUnsealed, acceptUnsealed, sendUnsealed:
	default:
		return caucus.NotAmong("unsealed", c.Unsealed, []string{refuseUnsealed, acceptUnsealed, sendUnsealed})
	}
	text, err := readSecret("key-file", c.KeyFile)
	if err != nil {
		return err
	}
	if c.keys, err = seal.ParseKeys(string(text)); err != nil {
		return fmt.Errorf("key-file: %s: %w", c.KeyFile, err)
	}
	return nil
}

// Keys names the keys of a resolved configuration, without telling them.
func (c *Config) Keys() (ids []string) {
	for _, k := range c.keys {
		ids = append(ids, k.ID.String())
	}
	return ids
}

// takeKeys changes to the keys of the present configuration.
func (a *Agent) takeKeys() {
	a.ring.Set(a.cfg.keys)
	if a.ring.On() && a.cfg.Unsealed != "" && a.cfg.Unsealed != refuseUnsealed {
		a.cfg.Logger.Warn("datagrams that are not sealed are heard: anybody can send them; change \"unsealed\" when "+
			"all have keys",
			"unsealed", a.cfg.Unsealed)
	}
}

// incoming is what is known of a datagram once it can be read.
type incoming struct {
	*wire.Envelope            // valid until the next datagram
	life           *seal.Life // that sealed it; nil: nothing did
	count          uint64
	version        byte // of the datagram, whether or not it can be read
}

// open reads a datagram. Its buffer is spoilt.
func (a *Agent) open(d datagram, p *peer) (incoming, error) {
	o := incoming{}
	data := d.buf[:d.n]
	switch isSealed := d.n > 0 && data[0] == seal.Mark; {
	case isSealed && !a.ring.On():
		return o, errSealed
	case isSealed:
		if p == nil && !a.strangers.take(d.at, openRate) {
			return o, seal.ErrForged
		}
		var proven, trial *seal.Life
		if p != nil {
			proven, trial = p.life, p.trial
		}
		plain, life, head, err := a.ring.Open(data, proven, trial)
		if err != nil {
			return o, err
		}
		o.life, o.count, data, o.version = life, head.Count, plain, versionOf(plain)
		if o.Envelope, err = a.decode(data, p); err == nil && o.Sender.ID != head.Sender {
			err = fmt.Errorf("%w: sealed by another", wire.ErrFormat)
		}
		return o, err
	case a.ring.On() && (a.cfg.Unsealed == "" || a.cfg.Unsealed == refuseUnsealed):
		return o, errUnsealed
	}
	var err error
	o.version = versionOf(data)
	o.Envelope, err = a.decode(data, p)
	return o, err
}

// decode reads a datagram, of a peer or, without one, of whom it may be at another address.
func (a *Agent) decode(data []byte, p *peer) (*wire.Envelope, error) {
	e := &a.came
	if p != nil {
		return e, e.Decode(data, a.group, p.inst)
	}
	err := e.Decode(data, a.group, wire.Instance{})
	for _, p := range a.peers {
		if errors.Is(err, wire.ErrBrief) {
			err = e.Decode(data, a.group, p.inst)
		}
	}
	return e, err
}

func versionOf(data []byte) byte {
	if len(data) < 2 {
		return 0
	}
	return data[1]
}

// proven tells whether a datagram is not a recorded one. A life of a peer is believed once it has answered a
// challenge of this node, and then every count once. A life whose counts are of the past, since its machine was put
// back to an earlier state, has to answer another.
func (a *Agent) proven(p *peer, o *incoming, d datagram) bool {
	switch {
	case o.life == nil:
		return true
	case p.doubt.answered(o, d), p.challenge.answered(o, d):
		if !p.life.Same(o.life) || !p.window.Take(o.count) {
			p.window.Start(o.count)
		}
		p.life, p.trial, p.replays = o.life, nil, 0
		return true
	case p.life.Same(o.life):
		p.life = o.life // of another key, while they are changed
		if p.window.Take(o.count) {
			p.replays = 0
			return true
		}
		a.drop(dropReplay)
		if p.replays++; p.replays < sequelLength { // a copy
			return false
		}
	default:
		p.trial = o.life
		a.drop(dropUnproven)
	}
	a.ask(p, &p.doubt, d)
	if o.Challenge != 0 {
		a.answerStranger(p, o.Challenge, d)
	}
	return false
}

// answerStranger answers a challenge of one who has not answered ours. What he gets is no longer than what he sent.
func (a *Agent) answerStranger(p *peer, token uint64, d datagram) {
	e := a.compose(d.at)
	e.Link, e.Response = wire.Link{Hears: p.hearing(), Gap: 1}, token
	data, err := a.encodeFor(p, &e)
	if err != nil {
		a.sendFailed(err)
		return
	}
	if len(data)+seal.Overhead <= d.n {
		a.transmitTo(d.from, data)
	}
}

// enclose seals what is to be sent, if there are keys.
func (a *Agent) enclose(data []byte) []byte {
	if !a.ring.On() || a.cfg.Unsealed == sendUnsealed {
		return data
	}
	a.sealed = a.ring.Seal(a.sealed[:0], data)
	return a.sealed
}

// unreadable counts a datagram that could not be opened. One of that kind says nothing against a peer that is heard
// well.
func (a *Agent) unreadable(p *peer, o *incoming, err error, d datagram) {
	why := reason(err)
	a.drop(why)
	if p.live {
		return
	}
	switch why {
	case dropGroup:
		a.refuse(p, why, "group: another one there, "+a.cfg.Group+" here", d)
	case dropVersion:
		a.refuse(p, why, fmt.Sprintf("version of the datagrams: %d there, %d here", o.version, wire.Version), d)
	case dropKey:
		head, _ := seal.ReadHead(d.buf[:d.n])
		a.refuse(p, why, fmt.Sprintf("key: %v there, %v here", head.Key, a.cfg.Keys()), d)
	case dropSealed:
		a.refuse(p, why, "key: one there, none here", d)
	case dropUnsealed:
		a.refuse(p, why, "key: none there, one here", d)
	}
}
