package agent

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// agreement lists what has to be the same at all nodes of a group, "name=value" each, the algorithm's resolved
// parameters first. Without a spec, or with parameters that do not resolve, they are taken as they stand.
func agreement(spec *caucus.Spec, c *Config) []string {
	var list []string
	if args, err := spec.Resolve(c.Faithful, c.Params); err == nil {
		for _, pair := range args.Pairs() {
			list = append(list, plainPair(pair))
		}
	} else {
		for _, name := range slices.Sorted(maps.Keys(c.Params)) {
			list = append(list, name+"="+c.Params[name])
		}
	}
	list = append(list, "metric="+c.Metric)
	if c.Lease.on() {
		list = append(list, "lease="+c.Lease.agreed())
	}
	if c.Region { // its messages have changed since they were called region=true
		list = append(list, "region=format-2")
	}
	if spec.Shape != caucus.ShapeEvents {
		return list
	}
	return append(list, fmt.Sprint("restart=", c.Restart), fmt.Sprint("known.nodes=", c.Known.Nodes),
		fmt.Sprint("known.diameter=", c.Known.Diameter), fmt.Sprint("known.delay=", c.Known.Delay))
}

// plainPair writes a number in one way only: 3.0 is 3.
func plainPair(pair string) string {
	name, value, _ := strings.Cut(pair, "=")
	if x, ok := caucus.ParseNumber(value); ok {
		return name + "=" + strconv.FormatFloat(x, 'g', -1, 64)
	}
	return pair
}

// describe makes what this node says of itself.
func (c *Config) describe() wire.About {
	params := strings.Join(c.agreement, " ")
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\x00%s", c.Algo, params)
	return wire.About{
		Program: wire.Fit(c.Program, wire.MaxText), Algo: wire.Fit(c.Algo, wire.MaxText),
		Params: wire.Fit(params, wire.MaxList),
		Digest: h.Sum32(), Period: milliseconds32(c.Period), Expiry: uint16(c.Expiry),
	}
}

// milliseconds32 rounds up, for who waits shall wait long enough.
func milliseconds32(d time.Duration) uint32 {
	return uint32(min(max(1, (d+time.Millisecond-1)/time.Millisecond), math.MaxUint32))
}

// unlike tells in which way a node does not fit together with this one, as reason for dropping what it says, and names
// the difference; "" if it fits.
func unlike(own, other *wire.About) (reason, difference string) {
	switch {
	case own.Digest == other.Digest && own.Algo == other.Algo:
		return "", ""
	case own.Algo != other.Algo:
		return dropAlgorithm, fmt.Sprintf("algorithm: %s there, %s here", other.Algo, own.Algo)
	}
	here, there := strings.Fields(own.Params), strings.Fields(other.Params)
	for k := range min(len(here), len(there)) {
		if here[k] != there[k] {
			return dropParams, fmt.Sprintf("parameters: %s there, %s here", there[k], here[k])
		}
	}
	return dropParams, fmt.Sprintf("parameters: %s there, %s here", other.Params, own.Params)
}

// fits takes in what a peer says of itself, and tells whether it belongs together with this node.
func (a *Agent) fits(p *peer, e *wire.Envelope, d datagram) bool {
	if e.About != nil {
		about := *e.About
		p.about = &about
		reason, difference := unlike(&a.about, &about)
		a.refuse(p, reason, difference, d)
	}
	if p.refusal == dropGroup || p.refusal == dropVersion { // it was: this datagram is of the right ones
		p.refused, p.refusal = "", ""
	}
	if !p.live {
		p.heard = d.at
	}
	switch {
	case p.about == nil:
		a.drop(dropUndescribed)
		return false
	case p.refused != "":
		a.drop(p.refusal)
		return false
	}
	return true
}

// refuse marks a peer as one that cannot belong together with this node, with one warning for each difference.
func (a *Agent) refuse(p *peer, reason, difference string, d datagram) {
	if difference == p.refused {
		return
	}
	p.refusal, p.refused = reason, difference
	if difference == "" {
		return
	}
	a.silence(p)
	if p.warned != difference {
		p.warned = difference
		a.cfg.Logger.Warn("peer refused: it does not fit together with this node", "peer", p.Addr,
			"from", d.from, "difference", difference)
	}
}
