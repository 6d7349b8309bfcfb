package fleet

import (
	"errors"
	"net/netip"
	"sync/atomic"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/fault"
)

// cable is the socket of a node in this process, some of whose links may be cut.
type cable struct {
	agent.Transport
	cut  atomic.Pointer[map[netip.AddrPort]bool] // addresses that nothing reaches; nil: none
	dead *fault.Link                             // to each of these
}

// lay puts a cable between a socket and its node.
func lay(t agent.Transport) *cable {
	c := &cable{dead: fault.New(fault.Conditions{Loss: 1}, 0, 0)}
	c.Transport = agent.Emulate(t, func(to netip.AddrPort) *fault.Link {
		if cut := c.cut.Load(); cut != nil && (*cut)[to] {
			return c.dead
		}
		return nil
	})
	return c
}

// errOtherProcess is why the nodes of a fleet of processes cannot be disturbed but by Kill.
var errOtherProcess = errors.New("fleet: the links of other processes cannot be cut")

// Partition cuts every link between these nodes and all others, and mends all others: what is sent there from now on is
// lost. It fails if the nodes are processes of their own.
func (f *Fleet) Partition(nodes []int) error {
	side := fault.Links{Of: make([]bool, len(f.members)), Cut: true}
	for _, i := range nodes {
		side.Of[i] = true
	}
	cables := make([]*cable, len(f.members))
	for i, m := range f.members {
		r, ok := m.(*routine)
		if !ok {
			return errOtherProcess
		}
		cables[i] = r.cable
	}
	for i, c := range cables {
		cut := map[netip.AddrPort]bool{}
		for j, other := range cables {
			if side.Have(i, j) {
				cut[other.Addr()] = true
			}
		}
		c.cut.Store(&cut)
	}
	return nil
}

// Heal mends every link.
func (f *Fleet) Heal() error { return f.Partition(nil) }
