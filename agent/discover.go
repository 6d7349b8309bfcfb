package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"caucus.example/caucus"
)

func (d *Discover) on() bool { return len(d.DNS) > 0 || len(d.MDNS) > 0 || d.File != "" }

// finds tells whether there may be peers besides those that are listed.
func (c *Config) finds() bool { return c.Discover.on() || len(c.Multicast) > 0 }

// finder names the field that says so.
func (c *Config) finder() string {
	if c.Discover.on() {
		return "discover"
	}
	return "multicast"
}

func (c *Config) checkDiscover() error {
	d := &c.Discover
	if d.Every == 0 && d.on() {
		d.Every = 10 * time.Second
	}
	switch {
	case d.on() && c.Metric == Weight:
		return caucus.Wrong("metric", c.Metric, strings.Join([]string{Hops, RTT, ETX}, ", ")+
			" with discover: nobody says how long the links to those that are found are")
	case d.Every != 0 && !d.on():
		return caucus.Wrong("discover.every", d.Every, "only with dns, mdns or file")
	case d.on() && (d.Every < time.Second || d.Every > time.Hour):
		return caucus.Wrong("discover.every", d.Every, "1s to 1h")
	case d.File != "" && !filepath.IsAbs(d.File):
		return caucus.Wrong("discover.file", d.File, "an absolute path")
	}
	if len(d.MDNS) > maxSegments { // one after the other is looked through
		return caucus.Wrong("discover.mdns", len(d.MDNS), fmt.Sprintf("at most %d", maxSegments))
	}
	for i, name := range d.MDNS {
		field := fmt.Sprintf("discover.mdns[%d]", i)
		switch {
		case !findsByMDNS:
			return caucus.Wrong(field, name, "nothing: this build, which only runs agents, has no multicast DNS; "+
				"multicast does the same")
		case !canBeInterface(name) || slices.Contains(d.MDNS[:i], name):
			return caucus.Wrong(field, name, "the name of an interface, each once")
		}
	}
	for i, name := range d.DNS {
		if strings.HasPrefix(name, "_") {
			if _, _, ok := srvName(name); !ok {
				return caucus.Wrong(fmt.Sprintf("discover.dns[%d]", i), name, "host:port, or _service._udp.domain")
			}
		} else if _, err := splitHostPort(fmt.Sprintf("discover.dns[%d]", i), name, 1); err != nil {
			return err
		}
	}
	return nil
}

// srvName splits "_service._udp.domain".
func srvName(name string) (service, domain string, ok bool) {
	service, rest, _ := strings.Cut(strings.TrimPrefix(name, "_"), ".")
	domain, ok = strings.CutPrefix(rest, "_udp.")
	return service, domain, ok && service != "" && domain != ""
}

// look gives the addresses that are found now, sorted. What cannot be looked up is an error beside what can be.
func (d *Discover) look(ctx context.Context, x *crier) ([]string, error) {
	var found []string
	var errs []error
	if len(d.MDNS) > 0 {
		addrs, err := x.look(ctx, d.MDNS)
		found, errs = append(found, addrs...), append(errs, err)
	}
	for _, name := range d.DNS {
		addrs, err := lookupMany(ctx, name)
		found, errs = append(found, addrs...), append(errs, err)
	}
	if d.File != "" {
		addrs, err := readPeers(d.File)
		found, errs = append(found, addrs...), append(errs, err)
	}
	slices.Sort(found)
	if found = slices.Compact(found); len(found) > maxDiscovered {
		errs = append(errs, fmt.Errorf("found %d peers, allowed: %d; the rest is left out", len(found), maxDiscovered))
		found = found[:maxDiscovered]
	}
	return found, errors.Join(errs...)
}

func lookupMany(ctx context.Context, name string) (found []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	if service, domain, ok := srvName(name); ok {
		_, records, err := net.DefaultResolver.LookupSRV(ctx, service, "udp", domain)
		for _, r := range records {
			found = append(found, net.JoinHostPort(strings.TrimSuffix(r.Target, "."), fmt.Sprint(r.Port)))
		}
		return found, err
	}
	host, port, _ := net.SplitHostPort(name)
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	for _, a := range addrs {
		found = append(found, net.JoinHostPort(a.Unmap().String(), port))
	}
	return found, err
}

// readPeers reads a list that another program writes. One that is wrong anywhere is not taken at all: it may be half
// written.
func readPeers(file string) (found []string, err error) {
	data, err := readRegular(file)
	if err != nil {
		return nil, err
	}
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		text, _, _ = strings.Cut(text, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		host, _, _ := net.SplitHostPort(text)
		if _, err := splitHostPort("peer", text, 1); err != nil || host == "" {
			return nil, fmt.Errorf("%s:%d: found %q, allowed: host:port", file, line, text)
		}
		found = append(found, text)
	}
	return found, nil
}
