package hyperelect_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/hyperelect"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

func cube(t *testing.T, d int) *network.Graph {
	g, err := network.Generate(fmt.Sprint("hypercube:", d), 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t *testing.T, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), hyperelect.Algorithm{}, &hyperelect.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bound is 7n - (log n)² - 3 log n - 7.
func bound(d int) int64 { return int64(7<<d - d*d - 3*d - 7) }

func check(t *testing.T, d int, r *sim.Result, ids []caucus.ID) {
	t.Helper()
	if r.Messages > bound(d) || r.Kinds[hyperelect.Notify] != 1<<d-1 {
		t.Errorf("d=%d, IDs %v: %d messages %v, at most %d", d, ids, r.Messages, r.Kinds, bound(d))
	}
	for i, o := range r.Outcomes {
		if !o.Final || o.Leader != 1 || (o.Role == caucus.Leader) != (ids[i] == 1) {
			t.Errorf("d=%d, IDs %v: node %d ends with %+v", d, ids, i, o)
		}
	}
}

// All orders of IDs on up to 8 nodes, the least at node 0 (all nodes are alike): the bound is
// attained.
func TestSmallCubes(t *testing.T) {
	for d := range 4 {
		g, most := cube(t, d), int64(0)
		ids := make([]caucus.ID, 1<<d)
		for i := range ids {
			ids[i] = caucus.ID(i + 1)
		}
		permute(ids, 1, func() {
			r := run(t, sim.Config{Graph: g, IDs: ids})
			check(t, d, r, ids)
			most = max(most, r.Messages)
		})
		if most != bound(d) {
			t.Errorf("d=%d: at most %d messages, want %d", d, most, bound(d))
		}
	}
}

// permute calls f with every order of ids[from:].
func permute(ids []caucus.ID, from int, f func()) {
	if from >= len(ids)-1 {
		f()
		return
	}
	for k := from; k < len(ids); k++ {
		ids[from], ids[k] = ids[k], ids[from]
		permute(ids, from+1, f)
		ids[from], ids[k] = ids[k], ids[from]
	}
}

// Random orders and delays on up to 1024 nodes.
func TestBound(t *testing.T) {
	for d := 4; d <= 10; d++ {
		g, most := cube(t, d), int64(0)
		for trial := range uint64(10) {
			ids := make([]caucus.ID, 1<<d)
			for i := range ids {
				ids[i] = caucus.ID(i + 1)
			}
			rand := caucus.NewRand(trial, "order")
			for i := range ids {
				j := i + rand.IntN(len(ids)-i)
				ids[i], ids[j] = ids[j], ids[i]
			}
			cfg := sim.Config{Graph: g, IDs: ids, Seed: trial}
			if trial%2 == 1 {
				cfg.Delays, cfg.Initiators = sim.ExponentialDelay, []int{int(trial)%15 + 1}
			}
			r := run(t, cfg)
			check(t, d, r, ids)
			most = max(most, r.Messages)
		}
		t.Logf("d=%d: at most %d messages, bound %d", d, most, bound(d))
	}
}

// Unlabelled cubes, other networks and cubes with wrong labels are refused.
func TestRefused(t *testing.T) {
	unlabelled, wrong := cube(t, 3), cube(t, 3)
	unlabelled.Labels = nil
	wrong.Labels[wrong.Port(0, 1)] = caucus.Dimension(2)
	torus, err := network.Generate("torus:4x4", 1)
	if err != nil {
		t.Fatal(err)
	}
	for says, g := range map[string]*network.Graph{
		`the ports of topology "hypercube:3" are not labelled`:                         unlabelled,
		`edge "1" – "2" leads dimension 2 from one end and dimension 0 from the other`: wrong,
		`node "1" has a port with the label "east"; allowed: one each of dimension`:    torus,
	} {
		_, err := engine.RunEvents(context.Background(), hyperelect.Algorithm{}, &hyperelect.Spec, sim.Config{Graph: g})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
