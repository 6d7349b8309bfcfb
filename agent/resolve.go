package agent

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// How often names of peers are resolved: all of them, and when one of them is not heard.
const (
	resolveEvery  = 30 * time.Second
	resolveMissed = 2 * time.Second
	lookupTimeout = 5 * time.Second
)

// resolver is the loop's side of resolving names; the lookups themselves run elsewhere.
type resolver struct {
	busy  bool
	next  time.Time
	found chan map[string][]netip.Addr
}

// resolve starts a lookup of all names if it is time. Without an answer a peer keeps the
// addresses that it has.
func (a *Agent) resolve(ctx context.Context, workers *sync.WaitGroup, now time.Time) {
	if a.resolver.busy || now.Before(a.resolver.next) {
		return
	}
	var hosts []string
	for _, p := range a.peers {
		if _, literal := p.literal(); !literal {
			host, _, _ := net.SplitHostPort(p.Addr)
			hosts = append(hosts, host)
		}
	}
	a.resolver.next = now.Add(resolveMissed)
	if len(hosts) == 0 {
		return
	}
	a.resolver.busy = true
	workers.Go(func() {
		found := make(map[string][]netip.Addr)
		for _, host := range hosts {
			if _, done := found[host]; !done {
				found[host] = lookup(ctx, host)
			}
		}
		select {
		case a.resolver.found <- found:
		case <-ctx.Done():
		}
	})
}

func lookup(ctx context.Context, host string) []netip.Addr {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host) // an empty list is reported by resolved
	return addrs
}

// resolved takes the addresses over. All addresses of a name that the socket can reach
// belong to the peer: it may speak from any of them.
func (a *Agent) resolved(found map[string][]netip.Addr) {
	a.resolver.busy = false
	wait := resolveEvery
	local := a.transport.Addr().Addr()
	for _, p := range a.peers {
		if _, literal := p.literal(); literal {
			continue
		}
		host, _, _ := net.SplitHostPort(p.Addr)
		port, _ := splitHostPort("", p.Addr, 1) // checked with the configuration
		var addrs []netip.AddrPort
		for _, ip := range found[host] {
			if reaches(local, ip.Unmap()) {
				addrs = append(addrs, netip.AddrPortFrom(ip.Unmap(), port))
			}
		}
		if len(addrs) > 0 {
			p.addrs = addrs
		} else if !p.lookupFailed {
			a.cfg.Logger.Warn("peer has no address that this socket can reach; will try again", "addr", p.Addr)
		}
		p.lookupFailed = len(addrs) == 0
		if !p.live {
			wait = resolveMissed
		}
	}
	a.resolver.next = time.Now().Add(wait)
	a.index()
}

// setPeers replaces the peers. Those whose configured address stays keep what was heard
// from them.
func (a *Agent) setPeers(list []Peer) {
	kept := make(map[string]*peer, len(a.peers))
	for _, p := range a.peers {
		kept[p.Addr] = p
	}
	a.peers = nil
	free := a.freeSlots(list, kept)
	for _, x := range list {
		p := kept[x.Addr]
		if p == nil {
			if len(free) == 0 {
				free = append(free, a.slots)
				a.slots++
			}
			p = newPeer(x, free[0])
			free = free[1:]
		}
		p.Peer = x
		a.setLink(p)
		a.peers = append(a.peers, p)
	}
	for _, p := range kept {
		if !slices.Contains(a.peers, p) {
			a.disclaim(p)
		}
	}
	a.present, a.rings = a.present[:0], nil
	a.resolver.next = time.Time{}
	a.index()
}

// freeSlots are those of peers that go. A slot is read again only after its new peer has filled it.
func (a *Agent) freeSlots(list []Peer, kept map[string]*peer) (free []int) {
	taken := make([]bool, a.slots)
	for _, x := range list {
		if p := kept[x.Addr]; p != nil {
			taken[p.slot] = true
		}
	}
	for slot, is := range taken {
		if !is {
			free = append(free, slot)
		}
	}
	return free
}
