package bully_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func run(t interface{ Fatal(...any) }, n int, cfg sim.Config) *sim.Result {
	g, err := network.Generate(fmt.Sprint("clique:", n), 1)
	if err != nil {
		t.Fatal(err)
	}
	a, err := bully.New(bully.Config{Heartbeat: 3, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Graph = g
	if cfg.StableFor == 0 {
		cfg.StableFor = 200
	}
	r, err := engine.RunEvents(context.Background(), a, &bully.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cost is the messages of elections: all but hello and heartbeats.
func cost(r *sim.Result) int64 {
	return r.Kinds[bully.Ask] + r.Kinds[bully.Answer] + r.Kinds[bully.Coordinator]
}

// The worst case, all alive and all ask: n(n-1)/2 questions, as many answers, n-1 to tell: n² - 1. When the leader has
// died and the next in rank notices, n - 2 and one question to the dead leader.
func TestPublishedMessages(t *testing.T) {
	for n := 2; n <= 20; n++ {
		all := run(t, n, sim.Config{})
		if got, want := cost(all), int64(n*n-1); got != want {
			t.Errorf("%d nodes: %d messages at the start, want n² - 1 = %d", n, got, want)
		}
		dead := run(t, n, sim.Config{Faults: []sim.Fault{{At: 50, Kind: sim.Crash, Nodes: []int{0}}}})
		if got, want := cost(dead)-cost(all), int64(n-2+1); got != want {
			t.Errorf("%d nodes: %d messages after the leader's death, want n - 2 and one to the dead = %d", n, got,
				want)
		}
		for i, o := range dead.Outcomes[1:] {
			if o.Leader != 2 || (o.Role == caucus.Leader) != (i == 0) {
				t.Errorf("%d nodes: node %d: %+v", n, i+2, o)
			}
		}
	}
}

// Property: with crashes, returns and lost messages in any order, all live nodes follow the best live node in the end.
func TestBully(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		cfg := sim.Config{Seed: rapid.Uint64().Draw(t, "seed"),
			Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay}).Draw(t, "delays")}
		down := make([]bool, n)
		for range n {
			cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 3).Draw(t, "strength")))
		}
		at := 0.0
		for range rapid.IntRange(0, 6).Draw(t, "faults") {
			at += float64(rapid.IntRange(1, 40).Draw(t, "after"))
			i := rapid.IntRange(0, n-1).Draw(t, "node")
			kind := sim.Crash
			if down[i] {
				kind = sim.Restart
			}
			down[i] = !down[i]
			cfg.Faults = append(cfg.Faults, sim.Fault{At: at, Kind: kind, Nodes: []int{i}})
		}
		if rapid.Bool().Draw(t, "loss") {
			cfg.Faults = append(cfg.Faults, sim.Fault{At: 0, Until: at + 30, Kind: sim.Loss, Rate: 0.3})
		}
		r := run(t, n, cfg)
		want := -1
		for i := range n {
			if !down[i] && (want < 0 || cfg.Strengths[i] > cfg.Strengths[want]) {
				want = i
			}
		}
		for i, o := range r.Outcomes {
			if !down[i] && o.Leader != caucus.ID(want+1) {
				t.Fatalf("node %d follows %d, the best live one is %d (down: %v)", i+1, o.Leader, want+1, down)
			}
		}
	})
}

// Late messages do no harm: a coordinator and a heartbeat of an old term change nothing, whoever sends them.
func TestLateMessages(t *testing.T) {
	a, _ := bully.New(bully.Config{Heartbeat: 3, Patience: 3})
	l := &caucus.Local{ID: 5, Degree: 2}
	old, present := rank.Pair{ID: 1}, rank.Pair{ID: 2}
	s := bully.State{Phase: bully.Idle, Term: 7, Leader: present, Peers: []rank.Pair{old, present}}
	for _, kind := range []uint8{bully.Coordinator, bully.Beat} {
		var out caucus.Outbox[bully.Msg]
		was := s
		was.Peers = slices.Clone(s.Peers)
		a.Receive(l, &s, 0, bully.Msg{Kind: kind, Term: 6, From: old}, &out)
		if s.Leader != present || s.Term != 7 || s.Phase != bully.Idle || len(out.Sends) > 0 {
			t.Errorf("kind %d: %+v became %+v and sent %v", kind, was, s, out.Sends)
		}
		a.Receive(l, &s, 0, bully.Msg{Kind: kind, Term: 8, From: old}, &out)
		if s.Leader != old || s.Term != 8 {
			t.Errorf("kind %d of the next term: %+v", kind, s)
		}
		s = was
	}
}
