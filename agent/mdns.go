//go:build !agent

package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/mdns"
)

// findsByMDNS is whether this build has multicast DNS.
const findsByMDNS = true

const (
	mdnsService = "_caucus._udp"
	mdnsWait    = 700 * time.Millisecond // for answers
	mdnsLooks   = 3                      // in a row that have to miss one for it to be given up: answers get lost
)

// crier tells by multicast DNS where this node is, and looks for others. The library fails without a word where it
// cannot send. So every look is a test of itself as well: a node that does not find itself finds nobody.
type crier struct {
	name    string // of this node there
	listen  netip.AddrPort
	servers map[string]crying // by interface
	missed  map[string]int    // looks since each of those that were found was found
}

type crying struct {
	server *mdns.Server
	index  int // of the interface
	told   []netip.Addr
}

func newCrier(c *Config, listen netip.AddrPort) *crier {
	name := label(c.Name)
	name = fmt.Sprintf("%s-%x", name[:min(len(name), 40)], uint64(c.ID)) // two may have the same label
	return &crier{name, listen, make(map[string]crying), make(map[string]int)}
}

// look gives the addresses of others on the interfaces.
func (x *crier) look(ctx context.Context, interfaces []string) ([]string, error) {
	var found []string
	var errs []error
	for _, through := range interfaces {
		i, err := x.cry(through)
		if err == nil {
			var addrs []string
			addrs, err = x.hear(ctx, i)
			found = append(found, addrs...)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("mdns on %s: %w", through, err))
		}
	}
	for addr := range x.missed {
		if x.missed[addr]++; x.missed[addr] >= mdnsLooks {
			delete(x.missed, addr)
		}
	}
	for _, addr := range found {
		if len(x.missed) < maxDiscovered {
			x.missed[addr] = 0
		}
	}
	return slices.Collect(maps.Keys(x.missed)), errors.Join(errs...)
}

// cry answers the questions of others on an interface, anew when it or its addresses are others.
func (x *crier) cry(through string) (*net.Interface, error) {
	i, err := net.InterfaceByName(through)
	var addrs []netip.Addr
	if err == nil {
		addrs, err = x.addresses(i)
	}
	if old, told := x.servers[through]; told {
		if err == nil && old.index == i.Index && slices.Equal(old.told, addrs) {
			return i, nil
		}
		_ = old.server.Shutdown() // which does not fail
		delete(x.servers, through)
	}
	if err != nil {
		return nil, err
	}
	ips := make([]net.IP, len(addrs))
	for k, a := range addrs {
		ips[k] = a.AsSlice()
	}
	zone, err := mdns.NewMDNSService(x.name, mdnsService, "", x.name+".local.", int(x.listen.Port()), ips,
		[]string{"v=1"})
	if err != nil {
		return nil, err
	}
	s, err := mdns.NewServer(&mdns.Config{Zone: zone, Iface: i, Logger: silent()})
	if err != nil {
		return nil, err
	}
	x.servers[through] = crying{s, i.Index, addrs}
	return i, nil
}

// addresses are those of an interface at which this node is heard. Of several of a family the library keeps the last:
// link-local ones, which need no route, come after others.
func (x *crier) addresses(i *net.Interface) (list []netip.Addr, err error) {
	all, err := i.Addrs()
	for _, a := range all {
		prefix, err := netip.ParsePrefix(a.String())
		own, at := prefix.Addr().Unmap(), x.listen.Addr().Unmap()
		if err == nil && reaches(x.listen.Addr(), own) && (at.IsUnspecified() || at.WithZone("") == own) {
			list = append(list, own)
		}
	}
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("it has no address at which listen %v hears", x.listen)
	}
	slices.SortFunc(list, func(a, b netip.Addr) int {
		if a.IsLinkLocalUnicast() == b.IsLinkLocalUnicast() {
			return cmp.Compare(a.String(), b.String())
		} else if a.IsLinkLocalUnicast() {
			return 1
		}
		return -1
	})
	return list, err
}

// hear asks on an interface, by both families: a failure of one is none where the other works.
func (x *crier) hear(ctx context.Context, i *net.Interface) (found []string, err error) {
	entries := make(chan *mdns.ServiceEntry, maxDiscovered)
	var asked sync.WaitGroup
	errs := make([]error, 2)
	for family := range errs {
		asked.Go(func() {
			if errs[family] = x.routed(family, i.Name); errs[family] != nil {
				return
			}
			errs[family] = mdns.QueryContext(ctx, &mdns.QueryParam{Service: mdnsService, Timeout: mdnsWait,
				Interface: i, Entries: entries, DisableIPv4: family == 0, DisableIPv6: family == 1,
				Logger: silent()})
		})
	}
	asked.Wait()
	close(entries)
	itself := false
	for e := range entries {
		at, name := x.place(e, i.Name)
		if name == x.name {
			itself = true
		} else if at != "" {
			found = append(found, at)
		}
	}
	if !itself && ctx.Err() == nil {
		err = errors.Join(errs...)
		err = fmt.Errorf("this node does not find itself, so it finds nobody: IPv6 wants a link-local address, IPv4 a "+
			"route for 224.0.0.251%s", because(err))
	}
	return found, err
}

// routed tells why there is no way to all by a family, without which the library leaves sockets open.
func (x *crier) routed(family int, through string) error {
	if family == 0 {
		if !slices.ContainsFunc(x.servers[through].told, netip.Addr.Is6) {
			return errors.New("no IPv6 address")
		}
		return nil
	}
	c, err := net.Dial("udp4", "224.0.0.251:5353") // which sends nothing
	if err != nil {
		return err
	}
	return c.Close()
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(" (%v)", err)
}

// place is where an entry is reached, "" for nowhere, and its name; "" for what is of another service. IPv6 is to be
// preferred: it needs no route.
func (x *crier) place(e *mdns.ServiceEntry, through string) (at, name string) {
	name, ours := strings.CutSuffix(e.Name, "."+mdnsService+".local.")
	if !ours || e.Port < 1 || e.Port > 65535 {
		return "", ""
	}
	var told []netip.Addr
	if e.AddrV6IPAddr != nil {
		if a, ok := netip.AddrFromSlice(e.AddrV6IPAddr.IP); ok && a.IsLinkLocalUnicast() {
			told = append(told, a.WithZone(through))
		} else if ok {
			told = append(told, a)
		}
	}
	if a, ok := netip.AddrFromSlice(e.AddrV4); ok {
		told = append(told, a.Unmap())
	}
	for _, a := range told {
		if reaches(x.listen.Addr(), a) && !a.IsMulticast() && !a.IsUnspecified() && !a.IsLoopback() {
			return netip.AddrPortFrom(a, uint16(e.Port)).String(), name
		}
	}
	return "", name
}

// close ends the answers.
func (x *crier) close() {
	for _, s := range x.servers {
		_ = s.server.Shutdown()
	}
}

// silent keeps the library from the log: it writes a line for every datagram that others send wrong.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }
