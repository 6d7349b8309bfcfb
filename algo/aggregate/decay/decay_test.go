package decay_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// Property: in every timing and from any state the regions become those of Bounded Election with a radius of lifetime-1
// hops.
func TestAgainstBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "n")
		g := algotest.Network(t, n, 0, 1)
		cfg := sim.Config{Graph: g, Workers: 1, Seed: 3,
			Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t, "timing")}
		for range n {
			cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 3).Draw(t, "strength")))
		}
		lifetime := rapid.IntRange(2, 8).Draw(t, "lifetime")
		d, err := decay.New(decay.Config{Lifetime: lifetime})
		if err != nil {
			t.Fatal(err)
		}
		b, err := bounded.New(bounded.Config{Radius: float64(lifetime - 1)})
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.NewRounds(d, &decay.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		reference, err := engine.NewRounds(b, &bounded.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer reference.Close()
		r.Step()
		for i := range n {
			c := decay.Claim{Strength: rapid.SampledFrom([]float64{0, 1, 9, math.NaN()}).Draw(t, "wrong strength"),
				Lead: caucus.ID(rapid.IntRange(0, n+2).Draw(t, "wrong lead")), Left: rapid.Uint16().Draw(t, "left")}
			r.Inject(i, c, c)
		}
		for range 150 {
			r.Step()
			reference.Step()
		}
		want := reference.Outcomes()
		for i, o := range r.Outcomes() {
			if o.Leader != want[i].Leader || o.Role != want[i].Role {
				t.Fatalf("node %d: %+v, Bounded Election %+v", i+1, o, want[i])
			}
			if left := int(r.State(i).Left); left != lifetime-int(want[i].Distance) {
				t.Fatalf("node %d: %d rounds left at %g hops", i+1, left, want[i].Distance)
			}
		}
	})
}

// Nobody renews a fake claim: with n rounds to live its copies are gone after n rounds, and not before on a
// network that can pass it on so long.
func TestFakeExpires(t *testing.T) {
	g, err := network.Generate("ring:9", 1)
	if err != nil {
		t.Fatal(err)
	}
	const lifetime = 30
	d, err := decay.New(decay.Config{Lifetime: lifetime})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.NewRounds(d, &decay.Spec, sim.Config{Graph: g, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Step()
	fake := decay.Claim{Strength: 5, Lead: 77, Left: lifetime}
	r.Inject(0, fake, fake)
	for round := 1; round <= lifetime; round++ {
		r.Step()
		alive := false
		for _, o := range r.Outcomes() {
			alive = alive || o.Leader == 77
		}
		if alive != (round < lifetime) {
			t.Fatalf("round %d: fake alive: %v", round, alive)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, lifetime := range []int{-1, 0, 65536} {
		if _, err := decay.New(decay.Config{Lifetime: lifetime}); err == nil {
			t.Errorf("lifetime %d is accepted", lifetime)
		}
	}
}
