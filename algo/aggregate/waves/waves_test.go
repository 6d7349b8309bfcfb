package waves_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func start(t interface{ Fatal(...any) }, cfg sim.Config) *engine.Rounds[waves.Place, waves.Place] {
	cfg.Workers = 1
	r, err := engine.NewRounds(waves.Waves{}, &waves.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Property: in every timing, from clean and corrupted states, all follow the smallest ID of their component by a tree
// of fewest hops, and stay.
func TestWaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 16).Draw(t, "n")
		g := algotest.Network(t, n, 0, 1)
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		cfg := sim.Config{Graph: g, Seed: 4, Timing: rapid.SampledFrom(
			[]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t, "timing")}
		for _, rank := range rapid.Permutation(order).Draw(t, "ids") {
			cfg.IDs = append(cfg.IDs, caucus.ID(10+rank))
		}
		r := start(t, cfg)
		defer r.Close()
		if rapid.Bool().Draw(t, "corrupt") {
			r.Step()
			pool := rapid.SampledFrom(append([]caucus.ID{0, 1, 2, 3, 99}, cfg.IDs...))
			for i := range n {
				p := waves.Place{From: cfg.IDs[i], Lead: pool.Draw(t, "lead"), Parent: pool.Draw(t, "parent"),
					Level: rapid.Uint32Range(0, 6).Draw(t, "level"), Blocked: rapid.Bool().Draw(t, "blocked")}
				r.Inject(i, p, p)
			}
		}
		for range 20*n + 40 {
			r.Step()
		}
		parts := network.FindComponents(g)
		for range 20 {
			for i := range n {
				best := i
				for j := range n {
					if parts.Label[j] == parts.Label[i] && cfg.IDs[j] < cfg.IDs[best] {
						best = j
					}
				}
				if s := r.State(i); s.Lead != cfg.IDs[best] || s.Level != uint32(network.Hops(g, best)[i]) {
					t.Fatalf("node %d: %+v, should be %d hops below %d", cfg.IDs[i], s, network.Hops(g, best)[i],
						cfg.IDs[best])
				}
			}
			r.Step()
		}
	})
}

// A tree grows one level in three rounds: on a line of n nodes in lock-step the last, n-1 hops from the first, follows
// it after about 3(n-1) rounds, as Spec.Cost says.
func TestThreeRoundsPerLevel(t *testing.T) {
	for _, n := range []int{10, 20, 40} {
		g, _, err := network.Build(n, line(n))
		if err != nil {
			t.Fatal(err)
		}
		r := start(t, sim.Config{Graph: g})
		defer r.Close()
		round := 0
		for r.State(n-1).Lead != 1 {
			r.Step()
			round++
			if round > 10*n {
				t.Fatalf("line of %d: no agreement after %d rounds", n, round)
			}
		}
		if round < 3*n-5 || round > 3*n+5 {
			t.Errorf("line of %d: agreement after %d rounds", n, round)
		}
	}
}

func line(n int) (edges []network.Edge) {
	for i := range n - 1 {
		edges = append(edges, network.Edge{A: int32(i), B: int32(i + 1), W: 1})
	}
	return edges
}

// The tree of a dead root is taken apart: nobody follows it any more, though all did.
func TestLeaderLost(t *testing.T) {
	g, err := network.Generate("grid:5x5", 1)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, sim.Config{Graph: g, Faults: []sim.Fault{{At: 60, Kind: sim.Crash, Nodes: []int{0}}}})
	defer r.Close()
	for round := 1; round <= 160; round++ {
		r.Step()
		for i, o := range r.Outcomes() {
			if i > 0 && (round == 60 && o.Leader != 1 || round == 160 && o.Leader != 2) {
				t.Fatalf("round %d, node %d: %+v", round, i+1, o)
			}
		}
	}
}
