package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"caucus.example/caucus"
)

// keepLooking looks for peers of a node until ctx is done, and tells of them after the first look, and when they, or
// what is wrong, are others. What can no longer be looked up stays as it was.
func (c *Config) keepLooking(ctx context.Context, at netip.AddrPort, take func(found []string, trouble string)) {
	d, x := c.Discover, newCrier(c, at)
	defer x.close()
	var last []string
	said, first := "", true
	clock := time.NewTicker(d.Every)
	defer clock.Stop()
	for {
		found, err := d.look(ctx, x)
		trouble := ""
		if err != nil {
			trouble = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		if trouble != "" && trouble != said && ctx.Err() == nil {
			c.Logger.Warn("looking for peers", "error", trouble)
		}
		if trouble != "" {
			found = append(found, last...)
			slices.Sort(found)
			found = slices.Compact(found)
		}
		if (first || !slices.Equal(found, last) || trouble != said) && ctx.Err() == nil {
			take(found, trouble)
		}
		last, said, first = found, trouble, false
		select {
		case <-clock.C:
		case <-ctx.Done():
			return
		}
	}
}

func (a *Agent) discover(found []string, trouble string) {
	_ = a.command(func(time.Time) {
		a.undiscovered, a.looking = trouble, false
		a.takeDiscovered(found)
	})
}

// takeDiscovered makes peers of the addresses that were found, of those that are not this node's own.
func (a *Agent) takeDiscovered(found []string) {
	own := ownAddresses(a.transport.Addr())
	a.discovered = a.discovered[:0]
	for _, addr := range found {
		at, err := netip.ParseAddrPort(addr)
		if listed := slices.ContainsFunc(a.cfg.Peers, func(p Peer) bool { return p.Addr == addr }); listed ||
			err == nil && own[netip.AddrPortFrom(at.Addr().WithZone(""), at.Port())] {
			continue
		}
		a.discovered = append(a.discovered, Peer{Addr: addr})
	}
	a.cfg.Logger.Info("peers found", "peers", len(a.discovered))
	a.setPeers(a.allPeers())
}

// allPeers are those that are listed, those that were found and those that were added, each once.
func (a *Agent) allPeers() []Peer {
	all := slices.Concat(a.cfg.Peers, a.discovered)
	for _, addr := range slices.Concat(a.added, slices.Sorted(maps.Keys(a.found))) {
		if !slices.ContainsFunc(all, func(p Peer) bool { return p.Addr == addr }) {
			all = append(all, Peer{Addr: addr, Length: a.cfg.lengthFrom(addr)})
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

// joined are the peers that were added while the node runs. With Config.StateDir they are kept beyond its end.
type joined struct {
	mu    sync.Mutex
	addrs []string
	file  string // "" for none
}

const joinedFile = "peers" // in the directory of the state, in the format of Discover.File

// readJoined gives what was kept.
func readJoined(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	addrs, err := readPeers(filepath.Join(dir, joinedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("state-dir: %w", err)
	}
	return addrs, nil
}

// rejoin begins with what was kept.
func (a *Agent) rejoin(addrs []string) {
	a.joined.addrs, a.added = addrs, addrs
	if a.cfg.StateDir != "" {
		a.joined.file = filepath.Join(a.cfg.StateDir, joinedFile)
	}
	a.setPeers(a.allPeers())
}

// set takes over another list once it is on disk.
func (j *joined) set(addrs []string) error {
	if j.file != "" {
		text := "# peers that were added by caucus join\n" + strings.Join(addrs, "\n") + "\n"
		if err := replaceFile(j.file, text); err != nil {
			return err
		}
	}
	j.addrs = addrs
	return nil
}

// Join adds a peer, "host:port", as if the configuration had it. Both ends have to: a node hears its peers only.
func (a *Agent) Join(addr string) error {
	if _, err := splitHostPort("peer", addr, 1); err != nil {
		return err
	}
	if host, _, _ := net.SplitHostPort(addr); host == "" {
		return caucus.Wrong("peer", addr, "host:port with a host")
	}
	if a.events != nil {
		return fmt.Errorf("the peers of the event algorithm %s are its ports, and stay", a.cfg.Algo)
	}
	if s := a.Status(); s.Metric == Weight && a.cfg.lengthFrom(addr) == 0 {
		return caucus.Wrong("peer", addr, "none with metric weight, unless interfaces gives a weight to the one that "+
			"its zone names: list it, with its length")
	}
	a.joined.mu.Lock()
	defer a.joined.mu.Unlock()
	if slices.Contains(a.joined.addrs, addr) {
		return nil
	}
	if len(a.joined.addrs) >= maxDiscovered {
		return caucus.Wrong("peer", addr, fmt.Sprintf("at most %d that are added like this", maxDiscovered))
	}
	if err := a.joined.set(append(slices.Clone(a.joined.addrs), addr)); err != nil {
		return err
	}
	return a.takeJoined(a.joined.addrs)
}

// Forget takes a peer away that was added by Join, or found, by its address or name. One that was found comes back if
// it is found again.
func (a *Agent) Forget(peer string) error {
	a.joined.mu.Lock()
	defer a.joined.mu.Unlock()
	s := a.Status()
	for i := range s.Neighbours {
		if n := &s.Neighbours[i]; n.Name == peer {
			peer = n.Peer
		}
	}
	if k := slices.Index(a.joined.addrs, peer); k >= 0 {
		if err := a.joined.set(slices.Delete(slices.Clone(a.joined.addrs), k, k+1)); err != nil {
			return err
		}
		return a.takeJoined(a.joined.addrs)
	}
	gone := false
	if err := a.command(func(time.Time) {
		for _, p := range a.peers {
			if p.Addr == peer {
				gone = a.forget(peer)
			}
		}
	}); err != nil || gone {
		return err
	}
	return caucus.Wrong("peer", peer, "the address or name of a peer that was added by join, or found; those of the "+
		"configuration are changed there")
}

// forget takes away a peer that was found.
func (a *Agent) forget(addr string) bool {
	_, segment := a.found[addr]
	delete(a.found, addr)
	k := slices.IndexFunc(a.discovered, func(p Peer) bool { return p.Addr == addr })
	if k >= 0 {
		a.discovered = slices.Delete(a.discovered, k, k+1)
	}
	if !segment && k < 0 {
		return false
	}
	a.setPeers(a.allPeers())
	return true
}

// takeJoined has the loop take over the list.
func (a *Agent) takeJoined(addrs []string) error {
	return a.command(func(time.Time) {
		a.added = addrs
		a.setPeers(a.allPeers())
	})
}
