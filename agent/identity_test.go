package agent

import (
	"net/netip"
	"testing"
)

// move gives a node another address, as a host that changes it or a translator of addresses does.
func (v *virtual) move(i int, to string) { v.nodes[i].addr = netip.MustParseAddrPort(to) }

// A host that changes its address is heard again after one exchange, whether it lives on or begins anew, and status
// shows where.
func TestPeerMoves(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		v := newVirtual(t, 3, 3, clique(3))
		v.upAll()
		v.settle("n1", 20)
		v.run(5 * period)
		v.move(0, "10.9.9.9:1234")
		if restarts {
			v.kill(0)
			v.run(5 * period)
			v.up(0)
		}
		v.within(bound(3), "heard from the new address", func() bool {
			for _, a := range v.alive()[1:] {
				n := a.Status().Neighbours[0]
				if a.cfg.Name == "n2" {
					n = a.Status().Neighbours[0]
				}
				if n.Addr != "10.9.9.9:1234" || !n.Live || !n.Hears {
					return false
				}
			}
			return true
		})
		v.settle("n1", 20)
		for _, a := range v.alive()[1:] {
			if c := a.Status().Counters; !restarts && c.LeaderChanges > 2 {
				t.Errorf("%s changed its leader %d times", a.cfg.Name, c.LeaderChanges)
			}
		}
	}
}

// A peer behind a translator, whose configured address is never the one it speaks from, is known by its name.
func TestPeerByName(t *testing.T) {
	v := newVirtual(t, 3, 2, clique(2))
	v.nodes[0].cfg.Peers[0].Name = "n2"
	v.move(1, "192.0.2.1:40001")
	v.upAll()
	v.settle("n1", 20)
	if n := v.nodes[0].agent.Status().Neighbours[0]; n.Addr != "192.0.2.1:40001" || n.Peer != "10.0.0.2:7400" {
		t.Errorf("neighbour %+v", n)
	}
}

// Somebody who repeats what a peer has said, or says to be one, from an address where the answer does not reach it,
// changes nothing.
func TestForgedAddress(t *testing.T) {
	v := newVirtual(t, 3, 2, clique(2))
	var kept []byte
	v.sent = func(p packet) {
		if v.at(p.from) == 1 {
			kept = p.data
		}
	}
	v.upAll()
	v.settle("n1", 20)
	a := v.nodes[0].agent
	forged := netip.MustParseAddrPort("10.9.9.9:1")
	sent := a.count.Sent
	for range 50 {
		a.receive(datagram{kept, len(kept), forged, v.now, nil})
	}
	if a.count.Sent > sent+1 || a.count.Dropped[dropUnknown] != 50 {
		t.Errorf("%d challenges in one period, dropped %v", a.count.Sent-sent, a.count.Dropped)
	}
	v.run(10 * period)
	if n := a.Status().Neighbours[0]; n.Addr != "10.0.0.2:7400" || !n.Live {
		t.Errorf("neighbour %+v", n)
	}
}

// A clone that has the ID of a live neighbour does not take its place.
func TestCloneElsewhere(t *testing.T) {
	v := newVirtual(t, 3, 3, edges{{0, 1}, {0, 2}})
	v.nodes[2].cfg.Name, v.nodes[2].cfg.ID = "n2", 2
	v.nodes[0].cfg.Peers = v.nodes[0].cfg.Peers[:1]
	v.up(0)
	v.up(1)
	v.run(20 * period)
	v.up(2)
	inst := v.nodes[1].agent.self
	for range 100 {
		v.run(period / 2)
		if p := v.nodes[0].agent.peers[0]; p.inst != inst || !p.counts() {
			t.Fatalf("taken for its clone: %+v", p.inst)
		}
	}
}
