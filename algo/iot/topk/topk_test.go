package topk_test

import (
	"math"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/algo/iot/topk"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func start(t interface{ Fatal(...any) }, k int, cfg sim.Config) *engine.Rounds[topk.View, topk.View] {
	e, err := topk.New(topk.Config{K: k, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 1
	r, err := engine.NewRounds(e, &topk.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Property: in every timing, from clean and corrupted states, every node ends with the k best of its component in
// order.
func TestTopK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 12).Draw(t, "n"), rapid.IntRange(1, topk.Most).Draw(t, "k")
		g := algotest.Network(t, n, 0, 1)
		cfg := sim.Config{Graph: g, Known: caucus.Known{Diameter: n},
			Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t, "timing")}
		for range n {
			cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 3).Draw(t, "strength")))
		}
		r := start(t, k, cfg)
		defer r.Close()
		if rapid.Bool().Draw(t, "corrupt") {
			r.Step()
			for i := range n {
				var v topk.View
				for j := range v.Best {
					v.Best[j] = topk.Entry{Age: rapid.Uint16Range(0, 40).Draw(t, "age"), Node: rank.Pair{
						ID:   caucus.ID(rapid.IntRange(0, n+2).Draw(t, "id")),
						Rank: rapid.SampledFrom([]float64{-9, -2, 0, 5, math.NaN()}).Draw(t, "rank")}}
				}
				r.Inject(i, v, v)
			}
		}
		for range 3*(n+2) + 4*n + 10 {
			r.Step()
		}
		parts := network.FindComponents(g)
		for i := range n {
			var want []int
			for j := range n {
				if parts.Label[j] == parts.Label[i] {
					want = append(want, j)
				}
			}
			slices.SortStableFunc(want, func(a, b int) int { return int(cfg.Strengths[b] - cfg.Strengths[a]) })
			v := r.State(i)
			for place, j := range want[:min(k, len(want))] {
				if v.Rank(caucus.ID(j+1)) != place+1 || v.Best[place].Node.Rank != -cfg.Strengths[j] {
					t.Fatalf("node %d: %+v, place %d is %d's", i+1, v.Best, place+1, j+1)
				}
			}
			for _, x := range v.Best[min(k, len(want)):] {
				if x.Node.Valid() {
					t.Fatalf("node %d: %+v beyond the %d best", i+1, x, k)
				}
			}
		}
	})
}

// When the leader dies every node goes over from it to the deputy, and to nobody else in between.
func TestDeputy(t *testing.T) {
	g, err := network.Generate("grid:4x5", 1)
	if err != nil {
		t.Fatal(err)
	}
	s := make([]float64, 20)
	for i := range s {
		s[i] = float64(i * 7 % 20)
	}
	s[11], s[4] = 100, 90
	r := start(t, 3, sim.Config{Graph: g, Strengths: s, Known: caucus.Known{Diameter: 7},
		Faults: []sim.Fault{{At: 40, Kind: sim.Crash, Nodes: []int{11}}}})
	defer r.Close()
	for range 40 {
		r.Step()
	}
	first, last := 0, 0
	for round := 1; round <= 3*(7+2)+3; round++ {
		r.Step()
		for i, o := range r.Outcomes() {
			if i == 11 {
				continue
			}
			switch o.Leader {
			case 5:
				if first == 0 {
					first = round
				}
			case 12:
				last = round
			default:
				t.Fatalf("round %d, node %d follows %d", round, i+1, o.Leader)
			}
		}
	}
	if first == 0 || last-first > 3 || last >= 3*(7+2)+3 {
		t.Errorf("the deputy is followed from round %d on, the dead leader until %d", first, last)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []topk.Config{{K: 0, Patience: 3}, {K: topk.Most + 1, Patience: 3}, {K: 1, Hops: -1, Patience: 3},
		{K: 1, Patience: 0}} {
		if _, err := topk.New(c); err == nil {
			t.Errorf("%+v accepted", c)
		}
	}
	e, err := topk.New(topk.Config{K: 3, Hops: 2, Patience: 3})
	if err != nil || e.Demands(caucus.Known{Diameter: 3}) == nil || e.Demands(caucus.Known{Diameter: 2}) != nil {
		t.Error("bound on the hops")
	}
}
