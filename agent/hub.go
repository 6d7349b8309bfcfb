package agent

import (
	"iter"
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// hub is a socket that the agents of several groups share, and finds out whose a datagram is. That names its group only
// while its sender is not heard; from then on it says group and sender in two bytes, and with keys nothing openly. So
// the agents claim what the datagrams of those that they hear begin with.
type hub struct {
	transport Transport
	segments  []*segment
	free      chan []byte
	done      chan struct{}
	http      string // where all of them answer; "" for nowhere

	mu        sync.Mutex
	members   []*member // in the order in which they came
	claims    map[claim]*member
	known     map[netip.AddrPort]int // agents that have a peer there
	stamps    map[uint16]bool        // of the agents here, by which others tell their datagrams apart
	ring      *seal.Ring             // opens what nobody claims, to read which group it names
	strangers allowance              // to be opened
	opened    []byte
}

// member is an agent, as the hub sees it.
type member struct {
	group uint32
	self  wire.Instance
	in    chan<- datagram
	done  <-chan struct{}
}

// waiting bounds the datagrams that wait for an agent.
const waiting = 64

type datagram struct {
	buf  []byte
	n    int
	from netip.AddrPort
	at   time.Time
	via  *segment // for all of which it was sent; nil: for this node alone
}

// claim is what tells a datagram's owner: a life, or a stamp with or without the address that it comes from.
type claim struct {
	from  netip.AddrPort
	stamp uint16
	life  seal.Who
}

// claims are those of one peer.
type claims [3]claim

func (h *hub) httpAddr() string {
	if h == nil {
		return ""
	}
	return h.http
}

func newHub(t Transport, segments []*segment, keys []seal.Key) *hub {
	return &hub{
		transport: t, segments: segments, free: make(chan []byte, waiting), done: make(chan struct{}),
		claims: make(map[claim]*member), known: make(map[netip.AddrPort]int), stamps: make(map[uint16]bool),
		ring: seal.NewRing(0, keys),
	}
}

// outlet is the socket as the transport of one agent: it sends through it, and is handed what it receives.
type outlet struct{ hub *hub }

func (o outlet) Receive([]byte) (int, netip.AddrPort, error) {
	return 0, netip.AddrPort{}, net.ErrClosed
}
func (o outlet) Send(b []byte, to netip.AddrPort) error { return o.hub.transport.Send(b, to) }
func (o outlet) Addr() netip.AddrPort                   { return o.hub.transport.Addr() }
func (o outlet) Close() error                           { return nil }

// apart tells whether others can tell the brief datagrams of this agent from those of all others here; if so it counts
// as one of them.
func (h *hub) apart(group uint32, self wire.Instance) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	stamp := wire.Stamp(group, self)
	if h.stamps[stamp] {
		return false
	}
	h.stamps[stamp] = true
	return true
}

func (h *hub) add(m *member) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.members = append(h.members, m)
}

// remove takes an agent out that has ended, with all that it claims, and its peers' addresses.
func (h *hub) remove(m *member, addrs iter.Seq[netip.AddrPort]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.members = slices.DeleteFunc(h.members, func(x *member) bool { return x == m })
	maps.DeleteFunc(h.claims, func(_ claim, owner *member) bool { return owner == m })
	h.count(addrs, -1)
	delete(h.stamps, wire.Stamp(m.group, m.self))
}

// readdress has the addresses of an agent's peers known.
func (h *hub) readdress(former, now iter.Seq[netip.AddrPort]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count(former, -1)
	h.count(now, 1)
}

func (h *hub) count(addrs iter.Seq[netip.AddrPort], by int) {
	for addr := range addrs {
		if h.known[addr] += by; h.known[addr] == 0 {
			delete(h.known, addr)
		}
	}
}

func (h *hub) setKeys(keys []seal.Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ring.Set(keys)
}

// hand has what begins like that handed to an agent from now on, and not what it claimed before.
func (h *hub) hand(m *member, former, now claims) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range former {
		if h.claims[c] == m {
			delete(h.claims, c)
		}
	}
	for _, c := range now {
		if c != (claim{}) {
			h.claims[c] = m
		}
	}
}

// openRate bounds the datagrams a second from addresses that are no peer's that are opened, forged ones among them.
const openRate = 256

// whose gives the agent that a datagram is for. What is for none of them goes to the first, which counts it.
func (h *hub) whose(d datagram) *member {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.members) == 0 {
		return nil
	}
	data := d.buf[:max(0, d.n)]
	if head, sealed := seal.ReadHead(data); sealed && h.ring.On() {
		if m := h.claims[claim{life: head.Who()}]; m != nil {
			return m
		}
		if h.known[d.from] == 0 && !h.strangers.take(d.at, openRate) {
			return h.members[0]
		}
		h.opened = append(h.opened[:0], data...)
		plain, _, _, err := h.ring.Open(h.opened)
		if err != nil {
			return h.members[0]
		}
		data = plain
	}
	group, stamp, brief, ok := wire.Owner(data)
	if brief && ok {
		for _, c := range [...]claim{{from: d.from, stamp: stamp}, {stamp: stamp}} {
			if m := h.claims[c]; m != nil {
				return m
			}
		}
	}
	for _, m := range h.members {
		if ok && !brief && m.group == group {
			return m
		}
	}
	return h.members[0]
}

// read hands on what one of the sockets receives, until that is closed.
func (h *hub) read(receive func([]byte) (int, netip.AddrPort, error), via *segment) {
	pump(receive, via, h.free, func(d datagram) bool {
		m := h.whose(d)
		if m == nil {
			return true
		}
		select {
		case m.in <- d:
		case <-m.done:
		case <-h.done:
			return false
		}
		return true
	})
}

// pump reads datagrams into buffers that come back, until they are not taken any more or there are none.
func pump(receive func([]byte) (int, netip.AddrPort, error), via *segment, free chan []byte,
	take func(d datagram) bool) {
	for {
		var buf []byte
		select {
		case buf = <-free:
		default: // as many are made as wait at the same time
			buf = make([]byte, bufferSize)
		}
		n, from, err := receive(buf)
		if err != nil {
			if isClosed(err) {
				return
			}
			// counted by the loop; some systems report here that a peer's port is closed
			n = -1
			time.Sleep(10 * time.Millisecond) // should it stay like that
		}
		if !take(datagram{buf, n, from, time.Now(), via}) {
			return
		}
	}
}
