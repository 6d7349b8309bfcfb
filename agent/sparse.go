package agent

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// With Config.MaxNeighbours = k a node keeps about k of the peers that it knows. All nodes are thought of on k/2 rings,
// on each in another order, which follows from their names alone. On each ring a node looks in both directions for the
// next peer that counts: that one it chooses, and those between, which are silent, it keeps asking. It also keeps
// whoever has chosen it.
//
// Why the nodes that live are connected: let them know each other's names, and all links between them work. On any one
// ring, every peer between a node and the next living one is passed over in a bounded time, after which the two have
// asked each other, and whoever is asked answers for as long as it is asked. So all living nodes are on a cycle,
// whoever else has failed. While nobody counts beyond d that are silent, twice as many are asked each time, so that it
// takes (expiry + 1)·(2 + log2 d) periods, as long as askRate suffices; and expiry more if those d were heard until
// then. Meanwhile every one of the k/2 rings, not only one, has to be cut at the same places for a part to be cut off.
// Several cycles in independent orders have a diameter of about log n / log k, where one has n/2.
//
// Where a link between living nodes does not carry, a node whose next one it does not reach takes the one after that,
// which accepts: still connected, by a chord. All this holds on any one ring, so no two nodes need the same k.

const mostNeighbours = 64

// place is a peer on one of the rings.
type place struct {
	at   uint64
	name string // decides if two are at the same
	peer *peer  // nil: the node itself
}

func (c *Config) checkMaxNeighbours() error {
	k := c.MaxNeighbours
	switch {
	case k == 0:
		return nil
	case k < 2 || k > mostNeighbours || k%2 != 0:
		return caucus.Wrong("max-neighbours", k,
			fmt.Sprintf("0 (all peers), or an even number from 2 to %d", mostNeighbours))
	case len(c.Multicast) > 0:
		return caucus.Wrong("max-neighbours", k, "0 with multicast: one datagram reaches all there")
	case c.MinNeighbours > k:
		return caucus.Wrong("min-neighbours", c.MinNeighbours, fmt.Sprintf("at most max-neighbours, %d", k))
	}
	return nil
}

// name is what a peer is called in the configuration, or what it calls itself; "" if neither is known.
func (p *peer) name() string { return cmp.Or(p.Name, p.called) }

// keeps tells whether a peer gets datagrams.
func (a *Agent) keeps(p *peer) bool { return a.cfg.MaxNeighbours == 0 || p.chosen || p.chose }

// kept says so, for the status.
func (a *Agent) kept(p *peer) string {
	switch {
	case a.cfg.MaxNeighbours == 0:
		return ""
	case p.chosen:
		return "chosen"
	case p.chose:
		return "accepted"
	}
	return "no"
}

// arrange puts the peers whose names are known onto the rings, each ring beginning after the node itself.
func (a *Agent) arrange() {
	a.rings, a.unplaced = make([][]place, a.cfg.MaxNeighbours/2), a.unplaced[:0]
	for r := range a.rings {
		ring := []place{placed(a.cfg.Name, r, nil)}
		for _, p := range a.peers {
			if name := p.name(); name != "" {
				ring = append(ring, placed(name, r, p))
			} else if r == 0 {
				a.unplaced = append(a.unplaced, place{peer: p})
			}
		}
		slices.SortFunc(ring, func(x, y place) int {
			return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.name, y.name))
		})
		own := slices.IndexFunc(ring, func(x place) bool { return x.peer == nil })
		a.rings[r] = slices.Concat(ring[own+1:], ring[:own])
	}
}

func placed(name string, ring int, p *peer) place {
	h := fnv.New64a()
	h.Write([]byte(name))
	random := caucus.NewRand(h.Sum64(), "ring", uint64(ring))
	return place{random.Uint64(), name, p}
}

// choose says anew which peers this node keeps of its own accord.
func (a *Agent) choose(now time.Time) {
	if a.cfg.MaxNeighbours == 0 {
		return
	}
	if a.rings == nil {
		a.arrange()
	}
	for _, p := range a.peers {
		p.before, p.chosen = p.chosen, false
	}
	for _, ring := range a.rings {
		a.look(len(ring), func(i int) *peer { return ring[i].peer }, now)
		a.look(len(ring), func(i int) *peer { return ring[len(ring)-1-i].peer }, now)
	}
	// Who has no name yet is asked for it; once it is known it has its place.
	a.look(len(a.unplaced), func(i int) *peer { return a.unplaced[i].peer }, now)
	for _, p := range a.peers {
		if p.before && !p.chosen {
			p.chose = false // it will ask if it has chosen this node, see takeChosen
		}
	}
}

// look chooses the first peer that counts. Of those before it, it asks those that have been given up, as many again
// that have not been, and at least one.
func (a *Agent) look(n int, at func(int) *peer, now time.Time) {
	patience := time.Duration(a.cfg.Expiry+1) * a.cfg.Period
	passed, trying := 0, 0
	for i := range n {
		p := at(i)
		if p.counts() {
			p.chosen, p.tried = true, time.Time{}
			return
		}
		if trying >= max(1, passed) {
			continue
		}
		if !p.chosen && !p.before {
			p.ask = asking{} // at once
		}
		if p.tried.IsZero() {
			if p.tried = now; p.before { // it counted until now, and has been silent for long enough
				p.tried = now.Add(-patience)
			}
		}
		p.chosen = true
		if now.Sub(p.tried) >= patience {
			passed++
		} else {
			trying++
		}
	}
}

// takeChosen sees who has chosen this node, and what it is called. Only who has chosen a peer sends to one that it does
// not hear: others answer. So a node that no longer wants a link falls silent on it, and if the other end does want it,
// it says so.
func (a *Agent) takeChosen(p *peer, e *wire.Envelope) {
	p.chose = p.chose || e.Link.Hears == 0
	if e.Name != "" && e.Name != p.called {
		if p.called = e.Name; p.Name == "" {
			a.rings = nil // it has a place now
		}
	}
}

func (a *Agent) takeMaxNeighbours(k int) func() {
	if a.events != nil {
		return nil
	}
	return func() { a.cfg.MaxNeighbours, a.rings = k, nil }
}
