package agent

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/loopback"
	"caucus.example/caucus/internal/wire"
)

// Programs that know nothing of elections reach the leader by its name: leader.GROUP.caucus, members.GROUP.caucus and
// NAME.GROUP.caucus, from a small server on this host (Config.DNS), or from a file like /etc/hosts (Config.HostsFile).

// domain is the last part of the names.
const domain = "caucus"

// checkNames refuses a server that others could ask: answers are about this host's neighbours.
func (c *Config) checkNames() error {
	if c.HostsFile != "" && !filepath.IsAbs(c.HostsFile) {
		return caucus.Wrong("hosts-file", c.HostsFile, "an absolute path")
	}
	if c.DNS == "" {
		return nil
	}
	if !tellsNames {
		return caucus.Wrong("dns", c.DNS, "nothing: this build, which only runs agents, tells no names; "+
			"hosts-file does")
	}
	if _, err := splitHostPort("dns", c.DNS, 0); err != nil {
		return err
	}
	if !loopback.Is(c.DNS) {
		return caucus.Wrong("dns", c.DNS, "an address of this host alone, such as 127.0.0.1:7453")
	}
	return nil
}

// Names gives the addresses of the leader, the members that this node knows, and each of them by its name, by the first
// part of their names. There is no leader while this node does not know one that may act.
func (a *Agent) Names() map[string][]netip.Addr {
	s := a.Status()
	if s.Stale(a.now()) || s.LeaderID == caucus.None || s.Term == 0 {
		return nil
	}
	names := make(map[string][]netip.Addr)
	member := func(name, at string) {
		if addr, err := netip.ParseAddrPort(at); err == nil && name != "" {
			for _, name := range []string{label(name), "members"} {
				if !slices.Contains(names[name], addr.Addr()) {
					names[name] = append(names[name], addr.Addr())
				}
			}
		}
	}
	leads := s.Role == caucus.Leader.String()
	own := ownAddress(s.Listen, &s)
	member(s.Name, own)
	for i := range s.Neighbours {
		if n := &s.Neighbours[i]; n.Live && n.Hears && n.Leader == s.Leader {
			member(n.Name, n.Addr)
		}
	}
	if r, ok := a.Region(); ok {
		for i := range r.Members {
			member(r.Members[i].Name, r.Members[i].Addr)
		}
	}
	delete(names, "leader") // no node's name
	at := s.LeaderAddr
	if leads {
		at = own
	}
	if addr, err := netip.ParseAddrPort(at); err == nil && (!leads || s.Leads()) {
		names["leader"] = []netip.Addr{addr.Addr()}
	}
	return names
}

// ownAddress is where others reach a node that listens there: if that is everywhere, the address that it has towards
// its first neighbour.
func ownAddress(listen string, s *Status) string {
	at, err := netip.ParseAddrPort(listen)
	if err != nil || !at.Addr().IsUnspecified() {
		return listen
	}
	for i := range s.Neighbours {
		if to, err := netip.ParseAddrPort(s.Neighbours[i].Addr); err == nil && s.Neighbours[i].Live {
			if conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(to)); err == nil { // sends nothing
				defer conn.Close()
				return unmap(conn.LocalAddr().(*net.UDPAddr).AddrPort()).String()
			}
		}
	}
	return netip.AddrPortFrom(netip.IPv6Loopback(), at.Port()).String() // it is alone
}

// zone is the end of the names of a group.
func (a *Agent) zone() string { return label(a.cfg.Group) + "." + domain }

// lookup gives the addresses of a name, and whether it is one of these groups and is known there.
func (list roster) lookup(name string) (addrs []netip.Addr, ours, known bool) {
	for _, a := range list() {
		if first, its := strings.CutSuffix(name, "."+a.zone()+"."); its {
			addrs, known = a.Names()[first]
			return addrs, true, known
		}
	}
	return nil, false, false
}

// hosts is what the file says of a group.
func (a *Agent) hosts() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# written by the agent %s of group %s\n", a.cfg.Name, a.cfg.Group)
	known := a.Names()
	for _, name := range slices.Sorted(maps.Keys(known)) {
		for _, addr := range known[name] {
			fmt.Fprintf(&b, "%v\t%s.%s\n", addr, name, a.zone())
		}
	}
	return b.String()
}

// keepHosts writes the file when something in it changes, until ctx is done, and then one without names.
func (list roster) keepHosts(ctx context.Context, c *Config) {
	written, warned := "", false
	write := func(text func(*Agent) string) {
		var b strings.Builder
		for _, a := range list() {
			b.WriteString(text(a))
		}
		if b.String() == written {
			return
		}
		if err := replaceFile(c.HostsFile, b.String()); err == nil {
			written, warned = b.String(), false
		} else if !warned {
			c.Logger.Warn("the file of names cannot be written", "error", err)
			warned = true
		}
	}
	clock := time.NewTicker(max(c.Period/2, 10*time.Millisecond))
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
			write((*Agent).hosts)
		case <-ctx.Done():
			write(func(a *Agent) string {
				return fmt.Sprintf("# the agent %s of group %s has ended\n", a.cfg.Name, a.cfg.Group)
			})
			return
		}
	}
}

// leaderAddr is where the leader that this node follows speaks from, as a neighbour or by hearsay; "" if not known.
func (a *Agent) leaderAddr() string {
	for _, p := range a.present {
		if p.inst.ID == a.lead.LeaderID && p.inst.Nonce == a.lead.LeaderNonce {
			return p.addr.String()
		}
	}
	if w := &a.whereabouts; w.who == (wire.Instance{ID: a.lead.LeaderID, Nonce: a.lead.LeaderNonce}) {
		return w.addr
	}
	return ""
}

// passable is an address that means the same elsewhere: one with a zone does not.
func passable(addr string) string {
	if strings.Contains(addr, "%") {
		return ""
	}
	return addr
}
