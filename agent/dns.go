//go:build !agent

package agent

import (
	"log/slog"
	"net"
	"net/netip"
	"strings"

	"github.com/miekg/dns"
)

// tellsNames is whether this build has a server of names.
const tellsNames = true

// nameTTL is how long an answer may be kept, in seconds: the least there is.
const nameTTL = 1

// nameServer answers questions for names. A lookup tells whether a name is one of these groups, and known there.
type nameServer struct {
	lookup   func(name string) (addrs []netip.Addr, ours, known bool)
	log      *slog.Logger
	udp, tcp *dns.Server
}

func newNameServer(addr string, lookup func(string) ([]netip.Addr, bool, bool), log *slog.Logger) (*nameServer,
	error) {
	packets, err := net.ListenPacket("udp", addr)
	if err != nil {
		return nil, &listenError{"dns", addr, err}
	}
	streams, err := net.Listen("tcp", packets.LocalAddr().String())
	if err != nil {
		packets.Close()
		return nil, &listenError{"dns", addr, err}
	}
	n := &nameServer{lookup: lookup, log: log}
	n.udp, n.tcp = &dns.Server{PacketConn: packets, Handler: n}, &dns.Server{Listener: streams, Handler: n}
	return n, nil
}

func (n *nameServer) serve(s *dns.Server) {
	if err := s.ActivateAndServe(); err != nil && !isClosed(err) {
		n.log.Error("names are no longer told", "error", err)
	}
}

// close closes the sockets; those that serve them return. Shutdown would wait for them to have begun.
func (n *nameServer) close() {
	n.udp.PacketConn.Close()
	n.tcp.Listener.Close()
}

// ServeDNS answers one question.
func (n *nameServer) ServeDNS(w dns.ResponseWriter, r *dns.Msg) {
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

func (n *nameServer) answer(m *dns.Msg, q dns.Question) {
	addrs, ours, known := n.lookup(strings.ToLower(q.Name))
	switch {
	case !ours:
		m.Rcode = dns.RcodeRefused
		return
	case !known:
		m.Rcode = dns.RcodeNameError
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
	if len(m.Answer) == 0 {
		m.Ns = append(m.Ns, authority())
	}
}

// authority says for how long a resolver may keep that there is no answer (RFC 2308): without it that is its own guess,
// and a leader that has just been elected stays unknown.
func authority() *dns.SOA {
	head := dns.RR_Header{Name: "caucus.", Rrtype: dns.TypeSOA, Class: dns.ClassINET, Ttl: nameTTL}
	return &dns.SOA{Hdr: head, Ns: "caucus.", Mbox: "caucus.", Serial: 1, Refresh: nameTTL, Retry: nameTTL,
		Expire: nameTTL, Minttl: nameTTL}
}
