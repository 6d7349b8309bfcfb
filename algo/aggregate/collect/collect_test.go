package collect_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/collect"
	"caucus.example/caucus/algo/aggregate/gradient"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// Property: from any state the regions become those of the gradient, which is tested against Dijkstra's algorithm, and
// every member of a region ends with the figures that a count over the whole network gives.
func TestRegionsKnowThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "n")
		g := algotest.Network(t, n, 12, 0.25)
		cfg := sim.Config{Graph: g, Lengths: g.Weight, Workers: 1, Seed: 2,
			Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous}).Draw(t, "timing")}
		for range n {
			cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 5).Draw(t, "strength")))
		}
		limit := rapid.SampledFrom([]float64{math.Inf(1), 2, 5}).Draw(t, "max-distance")
		e, err := collect.New(collect.Config{MaxDistance: limit})
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.NewRounds(e, &collect.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		r.Step()
		id := rapid.Map(rapid.IntRange(0, n+2), func(i int) caucus.ID { return caucus.ID(i) })
		for i := range n {
			wrong := collect.Region{Members: rapid.Uint32Range(0, 1000).Draw(t, "members"), Sum: math.NaN(), Max: 77}
			m := collect.Report{From: id.Draw(t, "from"), Dist: rapid.SampledFrom([]float64{0, 1, 30}).Draw(t, "dist"),
				Lead: id.Draw(t, "lead"), Parent: id.Draw(t, "parent"), Below: wrong, Whole: wrong}
			r.Inject(i, m, m)
		}
		for range 280 { // see gradient_test.go; then up and down again
			r.Step()
		}
		checkRegions(t, r, g, limit, cfg)
	})
}

func checkRegions(t *rapid.T, r *engine.Rounds[collect.Report, collect.Report], g *network.Graph, limit float64,
	cfg sim.Config) {
	e, err := gradient.New(gradient.Config{MaxDistance: limit})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := engine.NewRounds(e, &gradient.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for range 30 {
		plain.Step()
	}
	want := map[caucus.ID]collect.Region{}
	outcomes := plain.Outcomes()
	for i, o := range outcomes {
		w := want[o.Leader]
		want[o.Leader] = collect.Region{Members: w.Members + 1, Sum: w.Sum + cfg.Strengths[i],
			Max: max(w.Max, cfg.Strengths[i])}
	}
	for i, o := range r.Outcomes() {
		if o != outcomes[i] {
			t.Fatalf("node %d: %+v, gradient %+v", i+1, o, outcomes[i])
		}
		if got := r.State(i).Whole; o.Leader != caucus.None && got != want[o.Leader] {
			t.Fatalf("node %d hears %+v of region %d, want %+v", i+1, got, o.Leader, want[o.Leader])
		}
	}
}

// On the line 1-2-3-4-5 with strengths 3 1 0 1 3, node 3 is as far from both ends and follows the smaller ID.
func TestLine(t *testing.T) {
	g, err := network.Generate("line:5", 1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := collect.New(collect.Config{MaxDistance: math.Inf(1)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.NewRounds(e, &collect.Spec, sim.Config{Graph: g, Strengths: []float64{3, 1, 0, 1, 3}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 20 {
		r.Step()
	}
	for i, want := range []collect.Region{{Members: 3, Sum: 4, Max: 3}, {Members: 3, Sum: 4, Max: 3},
		{Members: 3, Sum: 4, Max: 3}, {Members: 2, Sum: 4, Max: 3}, {Members: 2, Sum: 4, Max: 3}} {
		if got := r.State(i).Whole; got != want {
			t.Errorf("node %d: %+v, want %+v", i+1, got, want)
		}
	}
}
