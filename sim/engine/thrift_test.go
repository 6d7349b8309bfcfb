package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What is kept in less memory is what it was: strengths that are asked for, a packed network.
func TestThriftChangesNothing(t *testing.T) {
	entries := inRounds(t)
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(entries).Draw(t, "algorithm")
		args := configured(t, e, rapid.IntRange(0, len(variants[e.Spec.Name])).Draw(t, "variant"))
		cfg := drawRun(t)
		want, err := e.Simulate(t.Context(), args, cfg)
		if err != nil {
			t.Fatal(err)
		}
		listed, packed := cfg.Strengths, *cfg.Graph
		packed.Pack()
		cfg.Graph = &packed
		cfg.Strengths, cfg.StrengthBy = nil, func(i int) float64 { return listed[i] }
		got, err := e.Simulate(t.Context(), args, cfg)
		if err != nil {
			t.Fatal(err)
		}
		got.Graph = want.Graph
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s, %+v: %s", e.Spec.Name, cfg, d)
		}
		cfg.Strengths = listed
		if _, err := e.Simulate(t.Context(), args, cfg); err == nil {
			t.Fatal("strengths are taken as a list and by a rule")
		}
	})
}
