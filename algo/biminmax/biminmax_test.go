package biminmax_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"caucus"
	"caucus/algo/biminmax"
	"caucus/algo/ring"
	"caucus/algo/ring/worst"
	"caucus/sim"
	"caucus/topology"
)

func cycle(t *testing.T) ring.Cycle {
	c, err := biminmax.FromArgs(caucus.Args{})
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
	r, err := sim.RunEvents(context.Background(), cycle(t), &biminmax.Spec, cfg)
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

// Why not to change direction and rule in every step: on rising IDs one candidate is lost in a step.
func TestPlainAlternationIsQuadratic(t *testing.T) {
	const n = 64
	plain := ring.Cycle{{Out: caucus.Right}, {Out: caucus.Left, Max: true}}
	g, err := topology.Generate("ring:64", 1)
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	for _, ids := range [][]caucus.ID{worst.Increasing(n), worst.Decreasing(n)} {
		r, err := sim.RunEvents(context.Background(), plain, &biminmax.Spec, sim.Config{Graph: g, IDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, r.Messages)
		if m := run(t, ids, sim.Config{}).Messages; m > n*10 { // Steps(64) is 8
			t.Errorf("%d messages, at most %d", m, n*10)
		}
	}
	if most < n*n/2 {
		t.Errorf("%d messages with the plain rules, expected more than n²/2", most)
	}
}
