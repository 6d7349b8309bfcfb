package agent

import (
	"context"
	"maps"
	"net"
	"net/netip"
	"slices"
	"time"
)

// discover looks for peers until ctx is done. What can no longer be looked up stays as it was.
func (a *Agent) discover(ctx context.Context) {
	var last []string
	said := ""
	clock := time.NewTicker(a.cfg.Discover.Every)
	defer clock.Stop()
	for d := a.cfg.Discover; ; {
		found, err := d.look(ctx)
		if err != nil && err.Error() != said && ctx.Err() == nil {
			a.cfg.Logger.Warn("looking for peers", "error", err)
		}
		if said = ""; err != nil {
			said = err.Error()
			found = append(found, last...)
			slices.Sort(found)
			found = slices.Compact(found)
		}
		if !slices.Equal(found, last) {
			last = found
			_ = a.command(func(time.Time) { a.takeDiscovered(found) })
		}
		select {
		case <-clock.C:
		case <-ctx.Done():
			return
		}
	}
}

// takeDiscovered makes peers of the addresses that were found, of those that are not this node's own.
func (a *Agent) takeDiscovered(found []string) {
	own := ownAddresses(a.transport.Addr())
	a.discovered = a.discovered[:0]
	for _, addr := range found {
		at, err := netip.ParseAddrPort(addr)
		if listed := slices.ContainsFunc(a.cfg.Peers, func(p Peer) bool { return p.Addr == addr }); listed ||
			err == nil && own[at] {
			continue
		}
		a.discovered = append(a.discovered, Peer{Addr: addr})
	}
	a.cfg.Logger.Info("peers found", "peers", len(a.discovered))
	a.setPeers(a.allPeers())
}

// allPeers are those that are listed and those that were found, each once.
func (a *Agent) allPeers() []Peer {
	all := slices.Concat(a.cfg.Peers, a.discovered)
	for _, addr := range slices.Sorted(maps.Keys(a.found)) {
		if !slices.ContainsFunc(all, func(p Peer) bool { return p.Addr == addr }) {
			all = append(all, Peer{Addr: addr})
		}
	}
	return all
}

// ownAddresses are those under which others may know this node.
func ownAddresses(local netip.AddrPort) map[netip.AddrPort]bool {
	own := map[netip.AddrPort]bool{local: true}
	interfaces, _ := net.InterfaceAddrs()
	for _, i := range interfaces {
		if prefix, err := netip.ParsePrefix(i.String()); err == nil {
			own[netip.AddrPortFrom(prefix.Addr().Unmap(), local.Port())] = true
		}
	}
	return own
}
