package prasle_test

import (
	"context"
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func election(t interface{ Fatal(...any) }, c prasle.Config) *prasle.Election {
	if c.Patience == 0 {
		c.Patience = 3
	}
	e, err := prasle.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func start(t interface{ Fatal(...any) }, c prasle.Config, cfg sim.Config) *engine.Rounds[prasle.Claim, prasle.Claim] {
	cfg.Workers = 1
	r, err := engine.NewRounds(election(t, c), &prasle.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Property: in every timing, from clean and corrupted states, all nodes of a component follow its best one, and stay.
func TestHardenedStabilises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		g := algotest.Network(t, n, 0, 1)
		cfg := sim.Config{Graph: g, Seed: 4, Known: caucus.Known{Diameter: n},
			Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t, "timing")}
		for range n {
			cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 3).Draw(t, "strength")))
		}
		r := start(t, prasle.Config{}, cfg)
		defer r.Close()
		if rapid.Bool().Draw(t, "corrupt") {
			r.Step()
			for i := range n {
				c := prasle.Claim{
					Leader: rank.Pair{Rank: rapid.SampledFrom([]float64{-9, -3, 0, 2, math.NaN()}).Draw(t, "rank"),
						ID: caucus.ID(rapid.IntRange(0, n+2).Draw(t, "leader"))},
					Epoch: rapid.SampledFrom([]uint32{0, 1, 7, math.MaxUint32 - 1, math.MaxUint32}).Draw(t, "epoch"),
					Age:   rapid.Uint16Range(0, 30).Draw(t, "age"),
				}
				r.Inject(i, c, c)
			}
		}
		// Every claim that is not true dies within the age limit; then D rounds, and twice that out of step.
		for range 3*(n+2) + 4*n + 10 {
			r.Step()
		}
		parts := network.FindComponents(g)
		for range 10 {
			for i, o := range r.Outcomes() {
				b := i
				for j := range n {
					if parts.Label[j] == parts.Label[i] && (cfg.Strengths[j] > cfg.Strengths[b] ||
						cfg.Strengths[j] == cfg.Strengths[b] && j < b) {
						b = j
					}
				}
				if o.Leader != caucus.ID(b+1) {
					t.Fatalf("node %d follows %d, not %d", i+1, o.Leader, b+1)
				}
			}
			r.Step()
		}
	})
}

// What happens in the middle of a run on a line of 20 of growing strength, K = D: who leads afterwards, and after how
// many rounds at most in the hardened variant; -1: never in the unreliable one, as published.
func TestForgetting(t *testing.T) {
	const n, at = 20, 60
	limit := election(t, prasle.Config{}).Limit(caucus.Known{Diameter: n - 1})
	if limit != 63 {
		t.Fatalf("limit %d, want 3·(19+2)", limit)
	}
	for _, c := range []struct {
		name   string
		fault  sim.Fault
		leader caucus.ID
		within int
	}{
		{"crash", sim.Fault{Kind: sim.Crash, Nodes: []int{n - 1}}, n - 1, limit + n + 3},
		{"ghost", sim.Fault{Kind: sim.FakeLeader, Nodes: []int{3}, Fake: 99, Value: 1000}, n, limit + n + 3},
		// an epoch: no waiting for old age
		{"worse rank", sim.Fault{Kind: sim.Strength, Nodes: []int{n - 1}, Value: 0}, n - 1, 2*n + 3},
	} {
		for _, unreliable := range []bool{false, true} {
			s := make([]float64, n)
			for i := range s {
				s[i] = float64(i + 1)
			}
			c.fault.At = at
			r := start(t, prasle.Config{Unreliable: unreliable},
				sim.Config{Graph: graph(t, "line:20"), Strengths: s, Known: caucus.Known{Diameter: n - 1},
					Faults: []sim.Fault{c.fault}})
			defer r.Close()
			for range at {
				r.Step()
			}
			for i, o := range r.Outcomes() {
				if o.Leader != n {
					t.Fatalf("%s: node %d follows %d before the fault", c.name, i+1, o.Leader)
				}
			}
			for range c.within {
				r.Step()
			}
			right := 0
			live := r.Result().Live
			for i, o := range r.Outcomes() {
				if live[i] && o.Leader == c.leader {
					right++
				}
			}
			want := n
			if c.fault.Kind == sim.Crash {
				want--
			}
			if unreliable {
				want = 0
			}
			if right != want {
				t.Errorf("%s, unreliable %v: %d nodes follow %d, want %d", c.name, unreliable, right, c.leader, want)
			}
		}
	}
}

// With delivery probability α the minimum needs about 1/α rounds a hop: on a line whose best node is at one end the
// last node follows after (n-1)/α rounds, in the mean of 200 runs.
func TestRoundsPerHop(t *testing.T) {
	const n, runs = 21, 200
	g, s := graph(t, "line:21"), make([]float64, n)
	s[0] = 1
	for _, loss := range []float64{0, 0.2, 0.5} {
		sum := 0
		for seed := range uint64(runs) {
			cfg := sim.Config{Graph: g, Strengths: s, Seed: seed, StableFor: 100, Workers: 1, MaxRounds: 2000}
			if loss > 0 {
				cfg.Faults = []sim.Fault{{Kind: sim.Loss, Rate: loss}}
			}
			r, err := engine.Run(context.Background(), election(t, prasle.Config{Unreliable: true}), &prasle.Spec, cfg)
			if err != nil || !r.Converged {
				t.Fatalf("%+v, %v", r, err)
			}
			sum += r.SettledAt
		}
		if perHop := float64(sum) / runs / (n - 1); math.Abs(perHop*(1-loss)-1) > 0.05 {
			t.Errorf("loss %g: %.3f rounds a hop, want %.3f", loss, perHop, 1/(1-loss))
		}
	}
}

// The hardened variant agrees and stays agreed under the loss that its patience is for.
func TestHardenedUnderLoss(t *testing.T) {
	for _, spec := range []string{"ring:20", "tree:31", "grid:4x5", "clique:10"} {
		g := graph(t, spec)
		s := ranks(g.Len(), 5)
		r := start(t, prasle.Config{}, sim.Config{Graph: g, Strengths: s, Known: caucus.Known{Diameter: diameter(g)},
			Faults: []sim.Fault{{Kind: sim.Loss, Rate: 0.3}}})
		defer r.Close()
		for round := range 400 {
			r.Step()
			if round < 100 {
				continue
			}
			for i, o := range r.Outcomes() {
				if o.Leader != best(s) {
					t.Fatalf("%s, round %d, node %d: %+v", spec, round, i+1, o)
				}
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []prasle.Config{{K: -1, Patience: 3}, {K: prasle.MaxHops + 1, Patience: 3}, {Patience: 0},
		{Patience: 17}} {
		if _, err := prasle.New(c); err == nil {
			t.Errorf("%+v accepted", c)
		}
	}
	if err := election(t, prasle.Config{K: 3}).Demands(caucus.Known{Diameter: 4}); err == nil {
		t.Error("K = 3 accepted for a diameter of 4")
	}
}
