// Package virtualtime shows how a program tests its own election: three agents on a transport of its own, in
// virtual time, so that a minute of the network takes no time and no socket.
package virtualtime

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/algo/aggregate/bounded"
)

// wire is a network without wires: a datagram is in the mailbox of its receiver at once.
type wire map[netip.AddrPort]chan mail

type mail struct {
	data []byte
	from netip.AddrPort
}

// port is one node's end of it, an agent.Transport.
type port struct {
	net    wire
	addr   netip.AddrPort
	closed chan struct{}
}

func (w wire) plug(host byte) *port {
	addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, host}), 7400)
	w[addr] = make(chan mail, 64)
	return &port{w, addr, make(chan struct{})}
}

func (p *port) Receive(buf []byte) (int, netip.AddrPort, error) {
	select {
	case m := <-p.net[p.addr]:
		return copy(buf, m.data), m.from, nil
	case <-p.closed:
		return 0, netip.AddrPort{}, net.ErrClosed
	}
}

func (p *port) Send(b []byte, to netip.AddrPort) error {
	select {
	case p.net[to] <- mail{append([]byte(nil), b...), p.addr}:
	default: // a full mailbox loses datagrams, as a socket does
	}
	return nil
}

func (p *port) Addr() netip.AddrPort { return p.addr }
func (p *port) Close() error         { close(p.closed); return nil }

// Three nodes that all hear each other: the strongest leads, and when it dies the next one does, within a second of
// the network's time (periods of 100 ms, three of patience).
func TestReelection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		net, ports, agents := wire{}, []*port{}, []*agent.Agent{}
		var running sync.WaitGroup
		for host := range byte(3) {
			ports = append(ports, net.plug(host+1))
		}
		for i, p := range ports {
			cfg := agent.Config{Name: fmt.Sprint("node", i), Strength: float64(i), Transport: p}
			for _, other := range ports {
				if other != p {
					cfg.Peers = append(cfg.Peers, agent.Peer{Addr: other.addr.String()})
				}
			}
			election, err := bounded.New(bounded.Default(1)) // everybody within one hop of the leader
			if err != nil {
				t.Fatal(err)
			}
			a, err := agent.New(election, &bounded.Spec, cfg)
			if err != nil {
				t.Fatal(err)
			}
			agents = append(agents, a)
			running.Go(func() { a.Run(ctx) })
		}
		agree := func(leader string, live ...*agent.Agent) {
			t.Helper()
			for _, a := range live {
				if got := a.Status().Leader; got != leader {
					t.Errorf("%s follows %q, want %q", a.Status().Name, got, leader)
				}
			}
		}
		time.Sleep(2 * time.Second)
		agree("node2", agents...)
		agents[2].Kill() // without a word, as in a crash
		time.Sleep(time.Second)
		agree("node1", agents[:2]...)
		stop() // they say goodbye, which takes them a few periods
		running.Wait()
	})
}
