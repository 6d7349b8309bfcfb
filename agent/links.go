package agent

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"

	"caucus.example/caucus"
	"caucus.example/caucus/fault"
)

// conditions are those of the link to a peer: its own settings go before those for all.
func (c *Config) conditions(p *Peer) (fault.Conditions, error) {
	texts := maps.Clone(c.Link)
	if texts == nil {
		texts = map[string]string{}
	}
	maps.Copy(texts, p.Link)
	return fault.Parse(texts, 2*c.Period)
}

func (c *Config) checkLinks() error {
	if _, err := c.conditions(&Peer{}); err != nil {
		return inLink("link", err)
	}
	for i := range c.Peers {
		if _, err := c.conditions(&c.Peers[i]); err != nil {
			return inLink(fmt.Sprintf("peers[%d].link", i), err)
		}
	}
	return nil
}

// inLink tells in which section a wrong field stands.
func inLink(section string, err error) error {
	var field *caucus.FieldError
	if !errors.As(err, &field) {
		return err
	}
	at := *field
	if at.Field == "link" { // an unknown name
		at.Field = section
	} else {
		at.Field = section + "." + at.Field
	}
	return &at
}

// setLink makes the link to a peer as the configuration wants it. A link that changes goes on counting.
func (a *Agent) setLink(p *peer) {
	c, err := a.cfg.conditions(&p.Peer)
	if err != nil { // not possible: checked with the configuration
		c = fault.Conditions{}
	}
	if p.link == nil && c.Perfect() || p.link != nil && p.link.Conditions == c {
		return
	}
	name := p.Name // where it is known the seed means the same whatever the addresses are
	if name == "" {
		name = p.Peer.Addr
	}
	l := fault.New(c, uint64(a.cfg.ID), uint64(HashID(name)))
	if p.link != nil {
		l.Counts = p.link.Counts
	}
	p.link = l
}

func (a *Agent) setLinks() {
	for _, p := range a.peers {
		a.setLink(p)
	}
}

// linkTo is for the emulator, which asks from the loop.
func (a *Agent) linkTo(to netip.AddrPort) *fault.Link {
	if p := a.peerAt(to); p != nil {
		return p.link
	}
	return nil
}

func (a *Agent) emulated() (sum fault.Counts) {
	for _, p := range a.peers {
		if p.link != nil {
			sum.Add(p.link.Counts)
		}
	}
	sum.Overflowed += a.transport.Overflowed()
	return sum
}

// warnOfEmulation keeps an emulator that somebody forgot from being taken for a bad network.
func (a *Agent) warnOfEmulation() {
	for _, p := range a.peers {
		if p.link != nil {
			a.cfg.Logger.Warn("emulating a bad link", "peer", a.nameOf(p), "conditions", p.link.Conditions.String())
		}
	}
}
