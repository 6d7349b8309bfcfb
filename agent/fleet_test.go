package agent

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/wire"
)

// patience is how long a test waits for what must happen. It says nothing about speed.
const patience = 30 * time.Second

// fleet is a set of agents in this process.
type fleet struct {
	t      testing.TB
	agents []*Agent
	ends   []chan error
	cancel context.CancelFunc
}

// edges of the networks in the tests, by node index.
type edges [][2]int

func clique(n int) edges {
	var e edges
	for i := range n {
		for j := range i {
			e = append(e, [2]int{i, j})
		}
	}
	return e
}

func line(n int) edges {
	var e edges
	for i := 1; i < n; i++ {
		e = append(e, [2]int{i - 1, i})
	}
	return e
}

// transports opens one transport per node.
type transports func(t testing.TB, n int) []Transport

func onLoopback(host string) transports {
	return func(t testing.TB, n int) []Transport {
		list := make([]Transport, n)
		for i := range list {
			tr, err := Listen(net.JoinHostPort(host, "0"))
			if err != nil {
				t.Skipf("no loopback address %s here: %v", host, err)
			}
			list[i] = tr
		}
		return list
	}
}

// configs gives nodes n1, n2, … with IDs 1, 2, …, strength 10 for the first, then 9 and so on.
func configs(list []Transport, links edges) []Config {
	cfgs := make([]Config, len(list))
	for i := range cfgs {
		cfgs[i] = Config{Name: fmt.Sprintf("n%d", i+1), ID: caucus.ID(i + 1), Strength: float64(max(0, 10-i)),
			Profile: "loopback", Transport: list[i]}
	}
	for _, e := range links {
		for _, d := range [][2]int{e, {e[1], e[0]}} {
			cfgs[d[0]].Peers = append(cfgs[d[0]].Peers, Peer{Addr: list[d[1]].Addr().String()})
		}
	}
	return cfgs
}

func election(t testing.TB) *bounded.Election {
	t.Helper()
	args, err := bounded.Spec.Resolve("", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := bounded.FromArgs(args)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// within is an election with a finite radius.
func within(t testing.TB, radius string) *bounded.Election {
	t.Helper()
	args, err := bounded.Spec.Resolve("", map[string]string{"radius": radius, "heartbeat": "6"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := bounded.FromArgs(args)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func newAgent(t testing.TB, cfg Config) *Agent {
	t.Helper()
	a, err := New(election(t), &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// launch starts one agent per configuration and stops them with the test.
func launch(t testing.TB, cfgs []Config) *fleet {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	f := &fleet{t: t, cancel: cancel}
	for _, c := range cfgs {
		f.add(ctx, newAgent(t, c))
	}
	t.Cleanup(f.stop)
	return f
}

func (f *fleet) add(ctx context.Context, a *Agent) {
	end := make(chan error, 1)
	f.agents = append(f.agents, a)
	f.ends = append(f.ends, end)
	go func() { end <- a.Run(ctx) }()
}

func (f *fleet) stop() {
	f.cancel()
	var all sync.WaitGroup
	for _, a := range f.agents {
		all.Go(a.Kill)
	}
	all.Wait()
	for _, end := range f.ends {
		if err := <-end; err != nil {
			f.t.Error(err)
		}
		end <- nil
	}
}

// await waits until the condition holds.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("did not happen within %v: %s", patience, what)
}

// agree waits until the given agents follow the named leader with one term, and gives it.
func agree(t testing.TB, leader string, agents ...*Agent) (term uint64) {
	t.Helper()
	await(t, "all follow "+leader+" in one term", func() bool { return agreed(leader, agents, &term) })
	return term
}

// agreed with leader "" means on any leader.
func agreed(leader string, agents []*Agent, term *uint64) bool {
	first := agents[0].Status()
	if leader == "" {
		leader = first.Leader
	}
	*term = first.Term
	for _, a := range agents {
		s := a.Status()
		if s.Leader != leader || s.Term == 0 || s.Term != first.Term || s.LeaderNonce != first.LeaderNonce ||
			s.Leads() != (s.Name == leader) {
			return false
		}
	}
	return true
}

// reopen listens where a dead agent did.
func reopen(t testing.TB, old Transport) Transport {
	t.Helper()
	tr, err := Listen(old.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// restart puts a new agent in place of one that has ended.
func restart(t testing.TB, f *fleet, i int, cfg Config) *Agent {
	t.Helper()
	a := newAgent(t, cfg)
	end := make(chan error, 1)
	f.agents[i], f.ends[i] = a, end
	go func() { end <- a.Run(context.Background()) }()
	return a
}

func encodeEnvelope(e *wire.Envelope) ([]byte, error) {
	var buf bytes.Buffer
	err := e.Encode(&buf)
	return buf.Bytes(), err
}
