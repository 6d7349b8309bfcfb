package itairodeh_test

import (
	"context"
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/rings/itairodeh"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, itairodeh.Algorithm{}, &itairodeh.Spec, ids, cfg)
}

// Equal IDs, many seeds, all kinds of delays: always one leader, an initiator, whom all know. With all initiating the
// places share the office about equally: on a ring of 5, 600 times each of 3000, give or take 4 standard deviations of
// 22.
func TestEqualIDs(t *testing.T) {
	ids := []caucus.ID{7, 7, 7, 7, 7}
	var won [5]int
	ties := 0
	for seed := range uint64(3000) {
		cfg := sim.Config{Seed: seed, Known: caucus.Known{Nodes: 5},
			Delays: []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}[seed%3]}
		leader := leaderOf(t, run(t, ids, cfg), 7)
		won[leader]++
		cfg.Initiators = []int{0, 2, 3}
		r := run(t, ids, cfg)
		if leader = leaderOf(t, r, 7); leader != 0 && leader != 2 && leader != 3 {
			t.Fatalf("seed %d: node %d leads, which did not initiate", seed, leader)
		}
		if r.Kinds[0] >= 2*5+2*5 { // two laps of at least two lots each
			ties++
		}
	}
	for i, k := range won {
		if k < 600-88 || k > 600+88 {
			t.Errorf("node %d leads %d times of 3000, want about 600", i, k)
		}
	}
	if ties == 0 {
		t.Error("no tie in 3000 elections")
	}
}

func leaderOf(t *testing.T, r *sim.Result, id caucus.ID) int {
	t.Helper()
	leader := -1
	for i, o := range r.Outcomes {
		if o.Leader != id || !o.Final || o.Role != caucus.Leader && o.Role != caucus.Follower ||
			o.Role == caucus.Leader && leader >= 0 {
			t.Fatalf("outcomes %+v", r.Outcomes)
		}
		if o.Role == caucus.Leader {
			leader = i
		}
	}
	if leader < 0 || !r.Converged {
		t.Fatalf("no leader, or not finished: %+v", r.Outcomes)
	}
	return leader
}

// As As Far, n·H_n + n messages, and two more laps for each round but the first: the largest of n lots
// from 1 to n is drawn once with probability about 1-1/e, hence 1/(e-1) further rounds.
func TestMean(t *testing.T) {
	const n, rings = 64, 500
	ids, h, sum := make([]caucus.ID, n), 0.0, 0.0
	for i := range n {
		ids[i] = 1
		h += 1 / float64(i+1)
	}
	for seed := range uint64(rings) {
		sum += float64(run(t, ids, sim.Config{Seed: seed, Known: caucus.Known{Nodes: n}}).Messages)
	}
	if mean, want := sum/rings, n*h+n+2*n/(math.E-1); math.Abs(mean/want-1) > 0.05 {
		t.Errorf("mean %.1f messages, want about %.1f", mean, want)
	}
}

// Each node knows how far its leader is, which is all that can be known where IDs are equal.
func TestAway(t *testing.T) {
	g, err := network.Generate("ring:6", 1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.NewEvents(itairodeh.Algorithm{}, &itairodeh.Spec,
		sim.Config{Graph: g, IDs: []caucus.ID{1, 1, 1, 1, 1, 1}, Known: caucus.Known{Nodes: 6}})
	if err != nil {
		t.Fatal(err)
	}
	for e.Step() {
	}
	leader := leaderOf(t, e.Result(), 1)
	for i := range 6 {
		if away := e.State((leader + i) % 6).Away; away != uint32(i) {
			t.Errorf("%d to the right of the leader: %d links", i, away)
		}
	}
}

// It needs to know n, and does not need distinct IDs.
func TestNeeds(t *testing.T) {
	g, err := network.Generate("ring:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range []int{0, 3} {
		if _, err := engine.RunEvents(context.Background(), itairodeh.Algorithm{}, &itairodeh.Spec,
			sim.Config{Graph: g, Known: caucus.Known{Nodes: told}}); err == nil {
			t.Errorf("a ring of 4 whose nodes are told %d is not refused", told)
		}
	}
}
