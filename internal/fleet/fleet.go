// Package fleet runs one real agent per node of a network on one machine, as goroutines or as one
// operating-system process each on the loopback interface, or in one network namespace each, and
// watches whom they follow.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
)

// Edge is a neighbour of a node, the length of the edge to it, and its direction, if it has one.
type Edge struct {
	To     int
	Length float64
	Label  caucus.Label
}

// Config describes a fleet. Agents[i] needs no Listen, Peers or HTTP: they follow
// from Edges[i], which must hold every edge at both ends.
type Config struct {
	Agents []agent.Config
	Edges  [][]Edge
	// New makes an agent of a configuration, in this process.
	New func(agent.Config) (*agent.Agent, error)
	// Command, if not empty, is a program and its first arguments; with "--json --attached --config FILE"
	// after them it runs one agent until SIGTERM or the end of its standard input, as `caucus agent` does. Each node is
	// then a process of its own.
	Command []string
	// Namespaces gives each process a network namespace of its own as well, a host with one interface. This process
	// must have been started as Isolate says.
	Namespaces bool
	// Later are nodes that do not start before Begin tells them to; their neighbours know their addresses from the
	// beginning.
	Later []int
}

// Change is news of one node.
type Change struct {
	Node  int
	At    time.Time
	Lead  agent.Leadership
	Ended bool  // the node has ended; Lead is empty
	Err   error // why it ended, if nobody asked it to
}

// Fleet is a running fleet.
type Fleet struct {
	members []member
	held    map[int]*gate // nodes of Config.Later
	changes chan Change
	cancel  context.CancelFunc
	done    sync.WaitGroup
	remove  func()
}

// member is one node, in this process or in one of its own.
type member interface {
	// run is the life of the node; it tells every leadership and returns when the node has ended.
	run(ctx context.Context, tell func(agent.Leadership)) error
	kill() // as a crash would; run returns nil soon after
	halt() // ends it at once, where nobody outside needs to hear of it
	status(ctx context.Context) (*agent.Status, error)
}

// Start starts every node. They leave in an orderly way when ctx is done or Stop is called.
func Start(ctx context.Context, cfg Config) (*Fleet, error) {
	f := &Fleet{changes: make(chan Change, 16*len(cfg.Agents)), remove: func() {}, held: map[int]*gate{}}
	for _, i := range cfg.Later {
		f.held[i] = &gate{c: make(chan struct{})}
	}
	var err error
	if cfg.Namespaces && len(cfg.Command) == 0 {
		return nil, errors.New("fleet: Namespaces without Command")
	}
	if len(cfg.Command) > 0 {
		err = f.processes(cfg)
	} else {
		err = f.routines(cfg)
	}
	if err != nil {
		return nil, err
	}
	ctx, f.cancel = context.WithCancel(ctx)
	for i, m := range f.members {
		f.done.Go(func() {
			if !f.awaitBegin(ctx, i) {
				m.kill()
				return
			}
			err := m.run(ctx, func(l agent.Leadership) { f.tell(ctx, Change{Node: i, At: time.Now(), Lead: l}) })
			f.tell(ctx, Change{Node: i, At: time.Now(), Ended: true, Err: err})
		})
	}
	return f, nil
}

// gate is where a node waits for its start.
type gate struct {
	once sync.Once
	c    chan struct{}
}

// Begin starts a node that Config.Later holds back; others have started.
func (f *Fleet) Begin(node int) {
	if g := f.held[node]; g != nil {
		g.once.Do(func() { close(g.c) })
	}
}

// awaitBegin tells whether a node may start; false if the fleet ends before.
func (f *Fleet) awaitBegin(ctx context.Context, node int) bool {
	g := f.held[node]
	if g == nil {
		return true
	}
	select {
	case <-g.c:
		return true
	case <-ctx.Done():
		return false
	}
}

func (f *Fleet) tell(ctx context.Context, c Change) {
	select {
	case f.changes <- c:
	case <-ctx.Done():
	}
}

// Changes tells every change of every node. It must be read.
func (f *Fleet) Changes() <-chan Change { return f.changes }

// Kill ends a node without a word, as a crash would (SIGKILL where it is a process).
func (f *Fleet) Kill(node int) { f.members[node].kill() }

// Status asks a node. It fails if the node has ended.
func (f *Fleet) Status(ctx context.Context, node int) (*agent.Status, error) {
	return f.members[node].status(ctx)
}

// Halt ends the nodes that run in this process, all where they stand. Where they are more than the machine can carry,
// whoever has been told to end would wait long for its turn among them.
func (f *Fleet) Halt() {
	for _, m := range f.members {
		m.halt()
	}
}

// leaveIn is how long the nodes may take to leave before they are killed: on a machine that has too much to do, they
// would take long.
const leaveIn = 500 * time.Millisecond

// Stop lets every node leave and waits for them.
func (f *Fleet) Stop() {
	f.cancel()
	late := time.AfterFunc(leaveIn, func() {
		for _, m := range f.members {
			m.kill()
		}
	})
	f.done.Wait()
	late.Stop()
	f.remove()
}

// Peers gives the peers of a node, all at the given addresses.
func (c *Config) Peers(node int, addr []string) []agent.Peer {
	peers := make([]agent.Peer, len(c.Edges[node]))
	for k, e := range c.Edges[node] {
		peers[k] = agent.Peer{Addr: addr[e.To], Name: c.Agents[e.To].Name}
		if c.Agents[node].Metric == agent.Weight {
			peers[k].Length = e.Length
		}
		if e.Label != caucus.Unlabelled {
			peers[k].Label = e.Label.String()
		}
	}
	return peers
}

// freePorts finds n free UDP ports on 127.0.0.1. Somebody else may take one before it is used:
// whoever then finds it in use says so.
func freePorts(n int) ([]string, error) {
	addr := make([]string, n)
	for i := range addr {
		c, err := net.ListenPacket("udp4", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("no free UDP port: %w", err)
		}
		defer c.Close() // all stay open until all are found, so that they differ
		addr[i] = c.LocalAddr().String()
	}
	return addr, nil
}
