package agent

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/agent/probe"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// Off switches the HTTP endpoint off.
const Off = "off"

// DefaultHTTP is where an agent that was configured by a file answers, and where
// `caucus status` asks, unless told otherwise.
const DefaultHTTP = "127.0.0.1:7401"

// Metrics: what the length of an edge is.
const (
	Hops   = "hops"   // 1
	Weight = "weight" // the peer's configured length
	RTT    = "rtt"    // the measured round-trip time in milliseconds, smoothed
	ETX    = "etx"    // measured: datagrams that it takes for one to arrive and its answer to come back
)

var metrics = []string{Hops, Weight, RTT, ETX}

// MaxKnown is the greatest number of nodes and diameter that a node can be told of.
const MaxKnown = 1_000_000

// Profile is a pair of period and expiry that suits a kind of network.
type Profile struct {
	Name   string
	Period time.Duration
	Expiry int
}

// Profiles lists the profiles there are.
var Profiles = []Profile{
	{"loopback", 20 * time.Millisecond, 3},
	{"lan", 100 * time.Millisecond, 3},
	{"wan", time.Second, 4},
}

// Peer is a neighbour-to-be: only configured peers are heard.
type Peer struct {
	// "host:port", host a name or an address; names are resolved again and again
	Addr   string  `yaml:"addr"`
	Name   string  `yaml:"name"`   // shown until the peer tells its own
	Length float64 `yaml:"length"` // edge length > 0 in the user's unit; for metric weight only
	// direction of the peer, for algorithms that need it: left, right, north, east, south, west, "dimension K"
	Label string `yaml:"label,omitempty"`

	Link map[string]string `yaml:"link,omitempty"` // goes before Config.Link on the way to this peer
}

// Config is what one node needs to know. The zero value of a field means its
// default, where there is one.
type Config struct {
	Group    string    `yaml:"group"`  // nodes of other groups are not heard; default "caucus"
	Name     string    `yaml:"name"`   // unique in the group, 1 to 64 bytes; default the host name
	ID       caucus.ID `yaml:"id"`     // unique in the group; default the 32-bit hash of Name
	Listen   string    `yaml:"listen"` // UDP address; default ":7400"
	Peers    []Peer    `yaml:"peers"`  //
	Discover Discover  `yaml:"discover,omitempty"`
	// group addresses of segments on which one datagram a period reaches all, and all are peers; see there
	Multicast Segments `yaml:"multicast,omitempty"`
	// those of Multicast where it names none, each with the length of the links that come in over it
	Interfaces []Interface `yaml:"interfaces,omitempty"`

	// Groups are several groups of this node in one process, see there.
	Groups []Config `yaml:"groups,omitempty"`

	Algo     string            `yaml:"algo"`      // default caucus.DefaultAlgo
	Faithful string            `yaml:"faithful"`  // a faithful mode of the algorithm; default none
	Params   map[string]string `yaml:"params"`    // of the algorithm
	Strength float64           `yaml:"strength"`  // finite, >= 0, the larger the better; default 0
	Metric   string            `yaml:"metric"`    // hops, weight, rtt or etx; default hops
	RTTFloor time.Duration     `yaml:"rtt-floor"` // no edge is shorter under metric rtt; default 100µs
	Profile  string            `yaml:"profile"`   // loopback, lan or wan; default lan
	Period   time.Duration     `yaml:"period"`    // between rounds, 1ms to 1h; default by profile
	// rounds without a datagram until a neighbour is dropped, 1 to 1000; default by profile
	Expiry int `yaml:"expiry"`
	// where the node answers HTTP: TCP address, "unix:PATH" or "off"; default in a file DefaultHTTP, in a program off
	HTTP string `yaml:"http"`
	// Who is not on this host needs the token in this file; without one the endpoint is for this host alone.
	HTTPToken string `yaml:"http-token-file,omitempty"`
	HTTPCert  string `yaml:"http-cert,omitempty"` // certificate in PEM, for TLS
	HTTPKey   string `yaml:"http-key,omitempty"`  // and its key

	// Damping, unless Off, keeps a leader that comes and goes from being followed each time; see there.
	Damping string `yaml:"damping,omitempty"`

	// MinNeighbours is how many neighbours a node needs to act as leader: below that it may lead, but Leads is false.
	MinNeighbours int `yaml:"min-neighbours,omitempty"`

	// MaxNeighbours keeps about so many of the peers, see sparse.go: an even number; 0 all.
	MaxNeighbours int `yaml:"max-neighbours,omitempty"`

	// MinRegion is how many nodes, itself included, have to follow a node for it to act as leader.
	MinRegion int `yaml:"min-region,omitempty"`

	// Region has the leader know who follows it, see Agent.Region; for algorithms of rounds. The whole group has to
	// have it, or nobody.
	Region bool `yaml:"region,omitempty"`
	// Tags are what the leader is told of this node besides its name, such as what it has; with Region.
	Tags []string `yaml:"tags,omitempty"`
	// Answer is a program and its arguments that answers the requests of members while this node acts as leader;
	// Answers is the same in Go, and comes first. With Region.
	Answer  []string                                       `yaml:"answer,omitempty"`
	Answers func(context.Context, Request) ([]byte, error) `yaml:"-"`

	// Lease is what it takes to act besides being elected, see there; none by default.
	Lease Lease `yaml:"lease,omitempty"`

	// DNS is where this host's programs ask for the leader's address by name, "127.0.0.1:PORT"; HostsFile a file with
	// those names in the manner of /etc/hosts; see Agent.Names. None by default.
	DNS       string `yaml:"dns,omitempty"`
	HostsFile string `yaml:"hosts-file,omitempty"`

	// StateDir is a directory that keeps the greatest term beyond the end of the process, see logbook; none by default.
	StateDir string `yaml:"state-dir,omitempty"`

	// Known is what the node is told of the network: Diameter and Delay are bounds, and Delay, at most 1h, has to cover
	// the time until a message has been repeated as often as it may take. 0: nothing.
	Known caucus.Known `yaml:"known,omitempty"`
	// For event algorithms. Asleep: this node is no initiator and wakes with the first message. Restart: the algorithm
	// elects again once the leader has been silent for so many periods, 4 to 1e6; 0 never.
	Asleep  bool `yaml:"asleep,omitempty"`
	Restart int  `yaml:"restart,omitempty"`

	// What decides besides the strength, see standing.go and docs/operate.md: checks that take from it; whether the
	// node may lead (default yes); whether it gives way to a better one once it leads: yes (default), no, or "after
	// 30s", which is how long a better one waits; and by how much better that has to be.
	Checks  []probe.Probe `yaml:"checks,omitempty"`
	Leads   *bool         `yaml:"leads,omitempty"`
	Preempt string        `yaml:"preempt,omitempty"`
	Margin  float64       `yaml:"margin,omitempty"`

	// KeyFile holds the keys of the group, one a line, which seal every datagram; the first is for sending. Unsealed
	// is what is done with datagrams that are not sealed: refuse (default), accept, or send. See docs/security.md.
	KeyFile  string `yaml:"key-file,omitempty"`
	Unsealed string `yaml:"unsealed,omitempty"`

	// On is what is told of every change of what this node may do; see package act.
	On act.Hooks `yaml:"on,omitempty"`

	// Link emulates bad links for what this node sends, see fault.Parse; default none. A duplicate or reordered
	// datagram is late by at most two periods unless "within" says otherwise.
	Link map[string]string `yaml:"link,omitempty"`

	Transport Transport    `yaml:"-"` // instead of a UDP socket on Listen; Run closes it
	Logger    *slog.Logger `yaml:"-"` // default: no log
	// Turns is for many agents of one process: no more of those that share it work at once than it holds. Others wait
	// here, where what else the process does need not wait behind them.
	Turns chan struct{} `yaml:"-"`
	// Outputs are what the program writes for readers that may be slow, by name: what they drop is counted.
	Outputs map[string]*Stream `yaml:"-"`
	// Page is served below /page/ of the HTTP endpoint to whoever may reach it, without a token: it must hold no data.
	Page http.Handler `yaml:"-"`
	// version of the program, which neighbours and status show; default that of this module
	Program string `yaml:"-"`

	keys       []seal.Key
	stays      bool          // what Preempt says: gives way to nobody,
	waits      time.Duration // or who is better waits
	source     *source       // the file it was read from, nil if none
	hub        *hub          // of the groups of a process; nil: there is one
	byStrength bool
	agreement  []string // what has to be the same in the whole group, see there
}

// Resolve gives the configuration with every default in place, or says which
// field is wrong (a *caucus.FieldError, with file and line if it was read from a file).
func (c Config) Resolve() (Config, error) {
	c.defaults()
	return c, c.Locate(c.check())
}

func (c *Config) defaults() {
	if c.Group == "" && len(c.Groups) == 0 {
		c.Group = "caucus"
	}
	if c.Name == "" {
		c.Name = hostName()
	}
	if c.ID == caucus.None {
		c.ID = HashID(c.Name)
	}
	if c.Listen == "" {
		c.Listen = ":7400"
	}
	if c.Algo == "" {
		c.Algo = caucus.DefaultAlgo
	}
	if c.Metric == "" {
		c.Metric = Hops
	}
	if c.RTTFloor == 0 {
		c.RTTFloor = 100 * time.Microsecond
	}
	if c.Profile == "" {
		c.Profile = "lan"
	}
	if c.HTTP == "" {
		c.HTTP = Off
	}
	c.Interfaces = slices.Clone(c.Interfaces)
	for k := range c.Interfaces {
		c.Interfaces[k].Weight = cmp.Or(c.Interfaces[k].Weight, 1)
	}
	c.Multicast = c.Multicast.overInterfaces(c.Interfaces)
	for _, p := range Profiles {
		if p.Name == c.Profile {
			if c.Period == 0 {
				c.Period = p.Period
			}
			if c.Expiry == 0 {
				c.Expiry = p.Expiry
			}
		}
	}
	if c.Program == "" {
		c.Program = ownVersion()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}

func (c *Config) check() error {
	if err := wire.CheckName(c.Name); err != nil {
		return err
	}
	names := make([]string, len(Profiles))
	for i, p := range Profiles {
		names[i] = p.Name
	}
	wrong := func(field string, found any, allowed string) error {
		return caucus.Wrong(field, found, allowed)
	}
	switch {
	case !slices.Contains(names, c.Profile):
		return caucus.NotAmong("profile", c.Profile, names)
	case c.Period < time.Millisecond || c.Period > time.Hour:
		return wrong("period", c.Period, "1ms to 1h")
	case c.Expiry < 1 || c.Expiry > 1000:
		return wrong("expiry", c.Expiry, "1 to 1000 rounds")
	case !slices.Contains(metrics, c.Metric):
		return caucus.NotAmong("metric", c.Metric, metrics)
	case c.RTTFloor <= 0 || c.RTTFloor > time.Minute:
		return wrong("rtt-floor", c.RTTFloor, "more than 0, at most 1m")
	}
	if err := checkStrength(c.Strength); err != nil {
		return err
	}
	if c.Transport == nil {
		if err := checkListen(c.Listen); err != nil {
			return err
		}
	}
	for _, check := range []func() error{
		c.checkHTTP, c.checkPeers, c.checkDiscover, c.checkNames, c.checkInterfaces,
		c.Multicast.check, c.checkMaxNeighbours,
		c.checkEvents, c.checkStanding, c.checkTags, c.checkAnswer, c.checkLease, c.loadKeys, c.On.Check, c.checkLinks,
		c.checkGroups,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) checkLease() error {
	_, err := c.Lease.rules(c.Period)
	return err
}

func (c *Config) checkPeers() error {
	seen, named := make(map[string]int), make(map[string]int)
	for i, p := range c.Peers {
		field := fmt.Sprintf("peers[%d]", i)
		if _, err := splitHostPort(field+".addr", p.Addr, 1); err != nil {
			return err
		}
		if host, _, _ := net.SplitHostPort(p.Addr); host == "" {
			return caucus.Wrong(field+".addr", p.Addr, "host:port with a host")
		}
		if first, ok := seen[p.Addr]; ok {
			return caucus.Wrong(field+".addr", p.Addr, fmt.Sprintf("an address that is not peers[%d].addr too", first))
		}
		seen[p.Addr] = i
		if _, ok := caucus.ParseLabel(p.Label); !ok {
			return caucus.Wrong(field+".label", p.Label,
				fmt.Sprintf("left, right, north, east, south, west, %v to %v", caucus.Dimension(0),
					caucus.Dimension(caucus.MaxDimensions-1)))
		}
		if p.Name != "" {
			if err := wire.CheckName(p.Name); err != nil {
				return fmt.Errorf("%s: %w", field, err)
			}
			if p.Name == c.Name {
				return caucus.Wrong(field+".name", p.Name, "a name that is not this node's own")
			}
			if first, ok := named[p.Name]; ok {
				return caucus.Wrong(field+".name", p.Name, fmt.Sprintf("a name that is not peers[%d].name too", first))
			}
			named[p.Name] = i
		}
		if c.Metric == Weight || p.Length != 0 {
			if !(p.Length > 0) || math.IsInf(p.Length, 1) {
				return caucus.Wrong(field+".length", p.Length,
					"a finite length > 0 (metric weight needs one for every peer)")
			}
		}
	}
	return nil
}

func (c *Config) checkEvents() error {
	wrong := func(field string, found any, allowed string) error {
		return caucus.Wrong(field, found, allowed)
	}
	switch k := c.Known; {
	case k.Nodes < 0 || k.Nodes > MaxKnown:
		return wrong("known.nodes", k.Nodes, fmt.Sprintf("0 (not known) to %d", MaxKnown))
	case k.Diameter < 0 || k.Diameter > MaxKnown:
		return wrong("known.diameter", k.Diameter, fmt.Sprintf("0 (not known) to %d", MaxKnown))
	case k.Delay < 0 || k.Delay > time.Hour:
		return wrong("known.delay", k.Delay, "0 (not known) to 1h")
	case len(c.Multicast) > 0 && c.Metric != Hops && (c.Metric != Weight || len(c.Interfaces) == 0):
		return wrong("metric", c.Metric, Hops+" with multicast, or "+Weight+" with interfaces: others need to be told "+
			"of each link by itself")
	case len(c.Multicast) > 0 && len(c.Link) > 0:
		return wrong("link", "conditions for all links", "none with multicast, only those of single peers")
	case c.Damping != "" && c.Damping != "on" && c.Damping != Off:
		return wrong("damping", c.Damping, "on or off")
	case c.MinNeighbours < 0 || c.MinNeighbours > len(c.Peers) && !c.finds():
		return wrong("min-neighbours", c.MinNeighbours, fmt.Sprintf("0 to the number of peers, %d", len(c.Peers)))
	case c.MinRegion < 0 || c.MinRegion > MaxKnown:
		return wrong("min-region", c.MinRegion, fmt.Sprintf("0 to %d", MaxKnown))
	case c.Restart != 0 && (c.Restart < 4 || c.Restart > 1e6):
		return wrong("restart", c.Restart, "0 (never), or 4 to 1000000 periods")
	}
	return nil
}

func checkStrength(x float64) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return caucus.Wrong("strength", x, "a finite number >= 0")
	}
	return nil
}

// literal gives the address of a peer that needs no resolving.
func (p *Peer) literal() (netip.AddrPort, bool) {
	a, err := netip.ParseAddrPort(p.Addr)
	return unmap(a), err == nil
}

// module is the path under which other programs have this package among their dependencies.
const module = "caucus.example/caucus"

// ownVersion is the version of this module as the running program was built with it, "devel" if that says nothing.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == module && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return "devel"
}

// Discover says where peers are found besides those that are listed. Nodes that come and go need no change of the
// files of others then.
type Discover struct {
	// names that resolve to many: "host:port" by A and AAAA records, "_service._udp.domain" by SRV records
	DNS  []string `yaml:"dns,omitempty"`
	MDNS []string `yaml:"mdns,omitempty"` // interfaces on which nodes find each other by multicast DNS
	File string   `yaml:"file,omitempty"` // written by another program: an address "host:port" a line, # for comments
	// time between two looks, 1s to 1h; default 10s
	Every time.Duration `yaml:"every,omitempty"`
}

// maxDiscovered bounds the peers that are found.
const maxDiscovered = 1024

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "" // then a name must be configured
	}
	return name
}

// source remembers where the fields of a configuration stand.
type source struct {
	file   string
	ast    *ast.File
	within string // the part of the file, as in "groups[1]"; "" for all of it
}
