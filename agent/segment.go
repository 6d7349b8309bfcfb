package agent

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"

	"caucus.example/caucus"
)

// Segments are group addresses, "239.7.4.1:7402%eth0" or "[ff02::7402]:7402%eth0" each. In a file one may stand alone.
type Segments []string

// UnmarshalYAML reads a list, or one address.
func (s *Segments) UnmarshalYAML(decode func(any) error) error {
	var one string
	if decode(&one) == nil {
		*s = Segments{one}
		return nil
	}
	return decode((*[]string)(s))
}

// segment is a network on which one datagram reaches all nodes.
type segment struct {
	group   netip.AddrPort // with a zone, for IPv6
	through string         // the interface
	conn    *net.UDPConn   // that receives; nil: the transport that was given does
	in      *inbound       // from it
	index   int            // of the interface that it has joined on
}

const (
	maxSegments = 8
	rejoinEvery = 10 * time.Second
)

// parseSegment reads "ADDRESS:PORT%INTERFACE".
func parseSegment(text string) (*segment, bool) {
	at, through, ok := strings.Cut(text, "]:")
	if ok { // [ff02::1]:7402%eth0
		port, zone, _ := strings.Cut(through, "%")
		at, through = at+"]:"+port, zone
	} else {
		at, through, _ = strings.Cut(text, "%")
	}
	group, err := netip.ParseAddrPort(at)
	if err == nil && group.Addr().Zone() != "" { // [ff02::1%eth0]:7402
		through = cmp.Or(through, group.Addr().Zone())
	}
	if err != nil || !group.Addr().IsMulticast() || group.Port() == 0 || through == "" {
		return nil, false
	}
	if group.Addr().Is6() {
		group = netip.AddrPortFrom(group.Addr().WithZone(through), group.Port())
	}
	return &segment{group: group, through: through}, true
}

func (list Segments) check() error {
	if len(list) > maxSegments {
		return caucus.Wrong("multicast", len(list), fmt.Sprintf("at most %d, one for each group and interface",
			maxSegments))
	}
	for i, text := range list {
		field := fmt.Sprintf("multicast[%d]", i)
		if len(list) == 1 {
			field = "multicast"
		}
		if _, ok := parseSegment(text); !ok {
			return caucus.Wrong(field, text,
				"a group address, a port and an interface, as in 239.7.4.1:7402%eth0 or [ff02::7402]:7402%eth0")
		}
		if slices.Contains(list[:i], text) {
			return caucus.Wrong(field, text, "another group or interface than the one before")
		}
	}
	return nil
}

// join opens them for an agent that sends with the given transport.
func (list Segments) join(t Transport) (opened []*segment, err error) {
	for _, text := range list {
		s, _ := parseSegment(text) // checked with the configuration
		if u, own := t.(*udp); own {
			if err := s.open(u); err != nil {
				leave(opened)
				return nil, &listenError{"multicast", text, err}
			}
		}
		opened = append(opened, s)
	}
	return opened, nil
}

// leave closes them.
func leave(segments []*segment) {
	for _, s := range segments {
		if s.conn != nil {
			s.conn.Close()
		}
	}
}

// open joins the group and has the sending socket send to it through the interface.
func (s *segment) open(from *udp) error {
	i, err := net.InterfaceByName(s.through)
	if err != nil {
		return fmt.Errorf("no interface %s", s.through)
	}
	if !reaches(from.Addr().Addr(), s.group.Addr()) {
		return fmt.Errorf("listen %v does not send to such addresses", from.Addr())
	}
	if s.group.Addr().Is4() {
		if err := ipv4.NewPacketConn(from.conn).SetMulticastInterface(i); err != nil {
			return err
		}
	}
	network := "udp6"
	if s.group.Addr().Is4() {
		network = "udp4"
	}
	if s.conn, err = net.ListenMulticastUDP(network, i, net.UDPAddrFromAddrPort(s.group)); err != nil {
		return err
	}
	_ = s.conn.SetReadBuffer(socketBuffer) // a system that allows less gives what it allows
	s.index = i.Index
	s.in, err = newInbound(s.conn)
	return err
}

// keep joins again when the interface has gone and come back: it is another one then.
func (s *segment) keep(ctx context.Context, from *udp) {
	clock := time.NewTicker(rejoinEvery)
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
		case <-ctx.Done():
			return
		}
		i, err := net.InterfaceByName(s.through)
		if err != nil || i.Index == s.index {
			continue
		}
		group := &net.UDPAddr{IP: s.group.Addr().AsSlice()}
		if s.group.Addr().Is4() {
			err = ipv4.NewPacketConn(s.conn).JoinGroup(i, group)
			_ = ipv4.NewPacketConn(from.conn).SetMulticastInterface(i)
		} else {
			err = ipv6.NewPacketConn(s.conn).JoinGroup(i, group)
		}
		if err == nil {
			s.index = i.Index
		}
	}
}

// receive is Transport.Receive of what was sent to all.
func (s *segment) receive(buf []byte) (int, netip.AddrPort, error) { return s.in.receive(buf) }
