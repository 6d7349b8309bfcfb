package agent

import (
	"container/heap"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/wire"
)

// virtual is a network of agents in virtual time: no goroutine, no socket, no clock, the
// same run for the same seed. It calls what the loop calls.
type virtual struct {
	t       testing.TB
	now     time.Time
	rand    caucus.Rand
	nodes   []*virtualNode
	queue   inFlight
	carried int
	nodeAt  map[netip.AddrPort]int
	loss    float64
	cut     func(from, to int) bool   // nothing gets through
	deaf    func(from, to int) bool   // what is for all does not
	delay   time.Duration             // a datagram takes this long,
	jitter  time.Duration             // and up to this much longer; with much of it they overtake each other
	sent    func(p packet)            // every datagram
	seen    func(i int, l Leadership) // every report of node i
	proto   func(*Config) (protocol, error)
}

type virtualNode struct {
	net   *virtual
	cfg   Config
	addr  netip.AddrPort
	agent *Agent // nil: down
	lives uint64

	frozen bool // its process is stopped, and what comes is lost

	next  time.Time // when that agent has something to do,
	asked *Agent    // as this one said after it had last done something
}

// due asks a node anew when it has something to do.
func (x *virtualNode) due() {
	if x.asked = x.agent; x.agent != nil {
		x.next = x.agent.next()
	}
}

type packet struct {
	at       time.Time
	from, to netip.AddrPort
	data     []byte
	group    netip.AddrPort // that it was sent to, for all
	number   int            // of those at the same time the first sent comes first
}

// inFlight is a heap.
type inFlight []packet

func (q inFlight) Len() int      { return len(q) }
func (q inFlight) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q inFlight) Less(i, j int) bool {
	return q[i].at.Before(q[j].at) || q[i].at.Equal(q[j].at) && q[i].number < q[j].number
}
func (q *inFlight) Push(p any) { *q = append(*q, p.(packet)) }
func (q *inFlight) Pop() any {
	last := len(*q) - 1
	p := (*q)[last]
	*q = (*q)[:last]
	return p
}

func newVirtual(t testing.TB, seed uint64, n int, links edges) *virtual {
	v := &virtual{t: t, now: time.Unix(1e9, 0), rand: caucus.NewRand(seed, "virtual network"),
		jitter: 2 * time.Millisecond, nodeAt: make(map[netip.AddrPort]int, n)}
	v.proto = func(*Config) (protocol, error) { return erase(columns.OfRounds(election(t))) }
	list := make([]Transport, n)
	for i := range n {
		x := &virtualNode{net: v, addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 7400)}
		v.nodes, v.nodeAt[x.addr] = append(v.nodes, x), i
		list[i] = x
	}
	for i, c := range configs(list, links) {
		c.Profile = "lan"
		v.nodes[i].cfg = c
	}
	return v
}

func (x *virtualNode) Receive([]byte) (int, netip.AddrPort, error) {
	return 0, netip.AddrPort{}, net.ErrClosed
}
func (x *virtualNode) Addr() netip.AddrPort { return x.addr }
func (x *virtualNode) Close() error         { return nil }
func (x *virtualNode) Send(b []byte, to netip.AddrPort) error {
	v := x.net
	if v.sent != nil { // once, if it is for all
		v.sent(packet{at: v.now, from: x.addr, to: to, data: slices.Clone(b)})
	}
	if !to.Addr().IsMulticast() {
		v.carry(packet{from: x.addr, to: to, data: b})
		return nil
	}
	for _, y := range v.nodes {
		if y != x && (v.deaf == nil || !v.deaf(v.at(x.addr), v.at(y.addr))) {
			v.carry(packet{from: x.addr, to: y.addr, data: b, group: to})
		}
	}
	return nil
}

// carry has a datagram arrive, or not.
func (v *virtual) carry(p packet) {
	if v.cut != nil && v.cut(v.at(p.from), v.at(p.to)) || v.rand.Float64() < v.loss {
		return
	}
	p.at = v.now.Add(v.delay + time.Duration(v.rand.Float64()*float64(v.jitter)))
	p.data = slices.Clone(p.data)
	v.carried++
	p.number = v.carried
	heap.Push(&v.queue, p)
}

// via is the segment that a datagram has come over to an agent.
func (p *packet) via(a *Agent) *segment {
	for _, s := range a.segments {
		if s.group == p.group {
			return s
		}
	}
	return nil
}

// at is the number of the node with an address, -1 if there is none.
func (v *virtual) at(addr netip.AddrPort) int {
	if i, known := v.nodeAt[addr]; known && v.nodes[i].addr == addr {
		return i
	}
	return slices.IndexFunc(v.nodes, func(x *virtualNode) bool { return x.addr == addr }) // some have moved
}

// decode reads a datagram as one who knows its sender.
func (v *virtual) decode(p packet) (*wire.Envelope, error) {
	a := v.nodes[v.at(p.from)].agent
	return wire.Decode(p.data, a.group, a.self)
}

// within runs until the condition holds and gives the time it took, or fails.
func (v *virtual) within(limit time.Duration, what string, holds func() bool) time.Duration {
	v.t.Helper()
	for began := v.now; ; v.run(5 * time.Millisecond) {
		if holds() {
			return v.now.Sub(began)
		}
		if v.now.Sub(began) > limit {
			for _, a := range v.alive() {
				v.t.Log(a.cfg.Name, a.Status().Leadership, a.Status().Neighbours)
			}
			v.t.Fatalf("did not happen within %v: %s", limit, what)
		}
	}
}

func (v *virtual) up(i int) {
	x := v.nodes[i]
	x.lives++
	cfg, err := x.cfg.Resolve()
	if err != nil {
		v.t.Fatal(err)
	}
	proto, err := v.proto(&cfg)
	if err != nil {
		v.t.Fatal(err)
	}
	seed := x.lives<<32 | v.rand.Uint64()>>32
	if x.agent, err = start(proto, cfg, seed, seed); err != nil {
		v.t.Fatal(err)
	}
	x.agent.now, x.agent.asleep = func() time.Time { return v.now }, func() time.Duration { return 0 }
	x.agent.boot(v.now)
	v.observe(i)
}

func (v *virtual) upAll() {
	for i := range v.nodes {
		v.up(i)
	}
}

func (v *virtual) kill(i int) { v.nodes[i].agent = nil }

func (v *virtual) leave(i int) {
	a := v.nodes[i].agent
	a.gone.add(a.self, a.secret, v.now, a.cfg.Period)
	a.broadcast(v.now)
	v.kill(i)
}

func (v *virtual) observe(i int) {
	if v.seen != nil {
		v.seen(i, v.nodes[i].agent.Status().Leadership)
	}
}

// run lets virtual time pass.
func (v *virtual) run(d time.Duration) {
	end := v.now.Add(d)
	for _, x := range v.nodes {
		x.due()
	}
	for {
		next, who, arrives := end, -1, false
		for i, x := range v.nodes {
			if x.agent != x.asked { // started or killed by who observes
				x.due()
			}
			if x.agent != nil && !x.frozen && x.next.Before(next) {
				next, who = x.next, i
			}
		}
		if len(v.queue) > 0 && v.queue[0].at.Before(next) {
			next, arrives = v.queue[0].at, true
		}
		if next.After(v.now) {
			v.now = next
		}
		switch {
		case arrives:
			p := heap.Pop(&v.queue).(packet)
			if i := v.at(p.to); i >= 0 && v.nodes[i].agent != nil && !v.nodes[i].frozen {
				x := v.nodes[i].agent
				x.receive(datagram{p.data, len(p.data), p.from, v.now, p.via(x)})
				v.observe(i)
				v.nodes[i].due()
			}
		case who >= 0:
			v.nodes[who].agent.wake(v.now)
			v.observe(who)
			v.nodes[who].due()
		default:
			return
		}
	}
}

func (v *virtual) alive() (list []*Agent) {
	for _, x := range v.nodes {
		if x.agent != nil {
			list = append(list, x.agent)
		}
	}
	return list
}

// settle runs until all live nodes agree, at most the given number of rounds, and gives
// the rounds it took.
func (v *virtual) settle(leader string, rounds int) int {
	v.t.Helper()
	var term uint64
	for r := range rounds {
		if agreed(leader, v.alive(), &term) {
			return r
		}
		v.run(100 * time.Millisecond)
	}
	for _, a := range v.alive() {
		v.t.Log(a.cfg.Name, a.Status().Leadership)
	}
	v.t.Fatalf("no agreement on %q within %d rounds", leader, rounds)
	return 0
}

// A network in memory for agents that do run.
type memory struct {
	mu    sync.Mutex
	boxes map[netip.AddrPort]chan packet
}

type memoryPort struct {
	net    *memory
	addr   netip.AddrPort
	box    chan packet
	closed chan struct{}
	once   sync.Once
}

func inMemory(_ testing.TB, n int) []Transport {
	m := &memory{boxes: make(map[netip.AddrPort]chan packet)}
	list := make([]Transport, n)
	for i := range list {
		addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 7400)
		p := &memoryPort{net: m, addr: addr, box: make(chan packet, 256), closed: make(chan struct{})}
		m.boxes[addr] = p.box
		list[i] = p
	}
	return list
}

func (p *memoryPort) Receive(buf []byte) (int, netip.AddrPort, error) {
	select {
	case x := <-p.box:
		return copy(buf, x.data), x.from, nil
	case <-p.closed:
		return 0, netip.AddrPort{}, net.ErrClosed
	}
}

func (p *memoryPort) Send(b []byte, to netip.AddrPort) error {
	p.net.mu.Lock()
	defer p.net.mu.Unlock()
	box, ok := p.net.boxes[to]
	if !ok {
		return fmt.Errorf("no node at %v", to)
	}
	select {
	case box <- packet{data: slices.Clone(b), from: p.addr}:
	default: // as a full socket buffer
	}
	return nil
}

func (p *memoryPort) Addr() netip.AddrPort { return p.addr }
func (p *memoryPort) Close() error         { p.once.Do(func() { close(p.closed) }); return nil }
