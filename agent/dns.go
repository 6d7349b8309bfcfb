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

	"github.com/miekg/dns"

	"caucus.example/caucus"
)

// Programs that know nothing of elections reach the leader by its name: leader.GROUP.caucus, members.GROUP.caucus and
// NAME.GROUP.caucus, from a small server on this host (Config.DNS), or from a file like /etc/hosts (Config.HostsFile).

// domain is the last part of the names.
const domain = "caucus"

// nameTTL is how long an answer may be kept, in seconds: the least there is.
const nameTTL = 1

// checkNames refuses a server that others could ask: answers are about this host's neighbours.
func (c *Config) checkNames() error {
	if c.HostsFile != "" && !filepath.IsAbs(c.HostsFile) {
		return caucus.Wrong("hosts-file", c.HostsFile, "an absolute path")
	}
	if c.DNS == "" {
		return nil
	}
	if _, err := splitHostPort("dns", c.DNS, 0); err != nil {
		return err
	}
	if !isLoopback(c.DNS) {
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

// label makes a name one part of a domain name.
func label(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// names serves them.
type names struct {
	agent    *Agent
	udp, tcp *dns.Server
}

func newNames(a *Agent) (*names, error) {
	packets, err := net.ListenPacket("udp", a.cfg.DNS)
	if err != nil {
		return nil, &listenError{"dns", a.cfg.DNS, err}
	}
	streams, err := net.Listen("tcp", packets.LocalAddr().String())
	if err != nil {
		packets.Close()
		return nil, &listenError{"dns", a.cfg.DNS, err}
	}
	n := &names{agent: a}
	n.udp, n.tcp = &dns.Server{PacketConn: packets, Handler: n}, &dns.Server{Listener: streams, Handler: n}
	return n, nil
}

func (n *names) serve(s *dns.Server) {
	if err := s.ActivateAndServe(); err != nil && !isClosed(err) {
		n.agent.cfg.Logger.Error("names are no longer told", "error", err)
	}
}

// close closes the sockets; those that serve them return. Shutdown would wait for them to have begun.
func (n *names) close() {
	n.udp.PacketConn.Close()
	n.tcp.Listener.Close()
}

// ServeDNS answers one question.
func (n *names) ServeDNS(w dns.ResponseWriter, r *dns.Msg) {
	m := new(dns.Msg)
	m.SetReply(r)
	m.Authoritative = true
	if len(r.Question) == 1 {
		n.answer(m, r.Question[0])
	} else {
		m.Rcode = dns.RcodeFormatError
	}
	size := dns.MinMsgSize
	if o := r.IsEdns0(); o != nil {
		size = max(size, int(o.UDPSize()))
	}
	if w.LocalAddr().Network() == "udp" {
		m.Truncate(size)
	}
	_ = w.WriteMsg(m) // who asked will ask again
}

func (n *names) answer(m *dns.Msg, q dns.Question) {
	suffix := "." + label(n.agent.cfg.Group) + "." + domain + "."
	first, ours := strings.CutSuffix(strings.ToLower(q.Name), suffix)
	addrs, known := n.agent.Names()[first]
	switch {
	case !ours:
		m.Rcode = dns.RcodeRefused
		return
	case !known:
		m.Rcode = dns.RcodeNameError
		return
	}
	for _, addr := range addrs {
		head := dns.RR_Header{Name: q.Name, Class: dns.ClassINET, Ttl: nameTTL}
		switch {
		case addr.Is4() && (q.Qtype == dns.TypeA || q.Qtype == dns.TypeANY):
			head.Rrtype = dns.TypeA
			m.Answer = append(m.Answer, &dns.A{Hdr: head, A: addr.AsSlice()})
		case addr.Is6() && (q.Qtype == dns.TypeAAAA || q.Qtype == dns.TypeANY):
			head.Rrtype = dns.TypeAAAA
			m.Answer = append(m.Answer, &dns.AAAA{Hdr: head, AAAA: addr.AsSlice()})
		}
	}
}

// hosts is the contents of the file.
func (a *Agent) hosts() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# written by the agent %s of group %s\n", a.cfg.Name, a.cfg.Group)
	known := a.Names()
	for _, name := range slices.Sorted(maps.Keys(known)) {
		for _, addr := range known[name] {
			fmt.Fprintf(&b, "%v\t%s.%s.%s\n", addr, name, label(a.cfg.Group), domain)
		}
	}
	return b.String()
}

// keepHosts writes the file when something in it changes, until ctx is done, and then one without names.
func (a *Agent) keepHosts(ctx context.Context) {
	written, warned := "", false
	write := func(text string) {
		if text == written {
			return
		}
		if err := replaceFile(a.cfg.HostsFile, text); err == nil {
			written, warned = text, false
		} else if !warned {
			a.cfg.Logger.Warn("the file of names cannot be written", "error", err)
			warned = true
		}
	}
	clock := time.NewTicker(max(a.cfg.Period/2, 10*time.Millisecond))
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
			write(a.hosts())
		case <-ctx.Done():
			write(fmt.Sprintf("# the agent %s of group %s has ended\n", a.cfg.Name, a.cfg.Group))
			return
		}
	}
}
