package alternate_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"caucus"
	"caucus/algo/alternate"
	"caucus/algo/ring"
	"caucus/algo/ring/worst"
	"caucus/sim"
	"caucus/topology"
)

func cycle(t *testing.T) ring.Cycle {
	c, err := alternate.FromArgs(caucus.Args{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	g, err := topology.Generate(fmt.Sprintf("ring:%d", len(ids)), 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Graph, cfg.IDs = g, ids
	r, err := sim.RunEvents(context.Background(), cycle(t), &alternate.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// permute calls f with every order of ids[from:].
func permute(ids []caucus.ID, from int, f func()) {
	if from == len(ids)-1 {
		f()
		return
	}
	for k := from; k < len(ids); k++ {
		ids[from], ids[k] = ids[k], ids[from]
		permute(ids, from+1, f)
		ids[from], ids[k] = ids[k], ids[from]
	}
}

// Every ring of 8, one ID fixed at node 0: at least a step, the lap and the announcement, 24; at most 8(4+2) = 48
// messages, F_4 = 8; mean by an independent simulation.
func TestAllRingsOfEight(t *testing.T) {
	least, most, sum, rings := int64(math.MaxInt64), int64(0), int64(0), 0
	ids := worst.Increasing(8)
	permute(ids, 1, func() {
		r := run(t, ids, sim.Config{})
		least, most, sum, rings = min(least, r.Messages), max(most, r.Messages), sum+r.Messages, rings+1
	})
	if rings != 5040 || least != 24 || most != 48 {
		t.Errorf("%d rings: %d to %d messages, want 5040: 24 to 48", rings, least, most)
	}
	if mean := fmt.Sprintf("%.3f", float64(sum)/float64(rings)); mean != "37.417" {
		t.Errorf("mean %s, want 37.417", mean)
	}
}

// The worst ring of 8: 4 steps eliminate. With other delays as well, since a candidate's messages cannot
// overtake what it depends on.
func TestWorst(t *testing.T) {
	for _, delays := range []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay} {
		for seed := range uint64(20) {
			if r := run(t, worst.Cycle(8, cycle(t)), sim.Config{Delays: delays, Seed: seed}); r.Messages != 48 {
				t.Errorf("%s delays, seed %d: %d messages, want 48", delays, seed, r.Messages)
			}
		}
	}
}
