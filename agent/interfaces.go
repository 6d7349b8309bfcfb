package agent

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"

	"caucus.example/caucus"
)

// Interface is one over which a node finds others (Config.Multicast, where that names none), and how long the links
// are that come in over it.
type Interface struct {
	Name   string  `yaml:"name"`
	Weight float64 `yaml:"weight,omitempty"` // > 0, for metric weight; default 1
}

// overInterfaces has each group address without an interface stand for one on each of them.
func (list Segments) overInterfaces(through []Interface) (all Segments) {
	if len(through) == 0 {
		return list
	}
	for _, group := range list {
		if strings.Contains(group, "%") {
			all = append(all, group)
			continue
		}
		for _, i := range through {
			all = append(all, group+"%"+i.Name)
		}
	}
	return all
}

// canBeInterface tells whether an interface can have a name, on any system.
func canBeInterface(name string) bool {
	return name != "" && len(name) <= 255 && !strings.ContainsAny(name, "%/ ")
}

func (c *Config) checkInterfaces() error {
	named := make(map[string]bool)
	if len(c.Interfaces) > maxSegments {
		return caucus.Wrong("interfaces", len(c.Interfaces), fmt.Sprintf("at most %d", maxSegments))
	}
	for k, i := range c.Interfaces {
		field := fmt.Sprintf("interfaces[%d]", k)
		switch {
		case len(c.Multicast) == 0:
			return caucus.Wrong("interfaces", len(c.Interfaces), "none without multicast")
		case !canBeInterface(i.Name) || named[i.Name]:
			return caucus.Wrong(field+".name", i.Name, "the name of an interface, each once")
		case !(i.Weight > 0) || math.IsInf(i.Weight, 1):
			return caucus.Wrong(field+".weight", i.Weight, "a finite number > 0")
		case i.Weight != 1 && c.Metric != Weight:
			return caucus.Wrong(field+".weight", i.Weight, "1 with metric "+c.Metric+"; others with metric "+Weight)
		case !c.Multicast.through(i.Name):
			return caucus.Wrong(field+".name", i.Name, "an interface that a group of multicast is on: each of those "+
				"names another one itself")
		}
		named[i.Name] = true
	}
	v4 := ""
	for k, text := range c.Multicast {
		s, ok := parseSegment(text)
		if !ok || !s.group.Addr().Is4() {
			continue
		}
		if v4 != "" && v4 != s.through {
			return caucus.Wrong(fmt.Sprintf("multicast[%d]", k), text,
				"IPv4 groups on one interface only, since a socket sends to them through one; IPv6 on several")
		}
		v4 = s.through
	}
	return nil
}

// through tells whether one of them is on an interface.
func (list Segments) through(name string) bool {
	return slices.ContainsFunc(list, func(text string) bool {
		s, ok := parseSegment(text)
		return !ok || s.through == name // what cannot be read is refused for itself
	})
}

// lengthFrom is the length of a link that comes in from an address that was found: the weight of its interface. An
// IPv4 address says nothing of that, but only one interface has such a group.
func (c *Config) lengthFrom(addr string) float64 {
	at, err := netip.ParseAddrPort(addr)
	zone := at.Addr().Zone()
	for k := 0; err == nil && zone == "" && k < len(c.Multicast); k++ {
		if s, ok := parseSegment(c.Multicast[k]); ok && s.group.Addr().Is4() == at.Addr().Is4() {
			zone = s.through
		}
	}
	for _, i := range c.Interfaces {
		if i.Name == zone {
			return i.Weight
		}
	}
	return 0 // there are no weights
}
