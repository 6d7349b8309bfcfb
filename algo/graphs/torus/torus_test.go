package torus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/torus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

type fataler interface{ Fatal(...any) }

func lattice(t fataler, rows, cols int) *network.Graph {
	g, err := network.Generate(fmt.Sprintf("torus:%dx%d", rows, cols), 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t fataler, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), torus.Algorithm{}, &torus.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func shuffled(seed uint64, n int) []caucus.ID {
	ids := make([]caucus.ID, n)
	for i := range ids {
		ids[i] = caucus.ID(i + 1)
	}
	rand := caucus.NewRand(seed, "order")
	for i := range ids {
		j := i + rand.IntN(n-i)
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}

// verdict says what is wrong with the end of a run.
func verdict(r *sim.Result) error {
	leaders := 0
	for i, o := range r.Outcomes {
		if o.Role == caucus.Leader {
			leaders++
		}
		if !o.Final || o.Leader != r.Outcomes[0].Leader || o.Leader == caucus.None {
			return fmt.Errorf("node %d ends with %+v, node 0 with %+v", i, o, r.Outcomes[0])
		}
	}
	if !r.Converged || leaders != 1 {
		return fmt.Errorf("%d leaders; finished: %v", leaders, r.Converged)
	}
	return nil
}

// Whatever the sides, IDs, delays and initiators: one leader, an initiator, whom all know.
func TestElects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(3, 12).Draw(t, "rows"), rapid.IntRange(3, 12).Draw(t, "cols")
		n := rows * cols
		cfg := sim.Config{
			Graph: lattice(t, rows, cols), Seed: rapid.Uint64().Draw(t, "seed"),
			IDs: shuffled(rapid.Uint64().Draw(t, "ids"), n),
			Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(t,
				"delays"),
		}
		if !rapid.Bool().Draw(t, "all initiate") {
			cfg.Initiators = rapid.SliceOfN(rapid.IntRange(0, n-1), 1, n).Draw(t, "initiators")
		}
		r := run(t, cfg)
		if err := verdict(r); err != nil {
			t.Fatal(err)
		}
		if cfg.Initiators != nil && !slices.ContainsFunc(cfg.Initiators,
			func(i int) bool { return r.Outcomes[i].Role == caucus.Leader }) {
			t.Fatalf("none of the initiators %v leads", cfg.Initiators)
		}
		if r.Kinds[torus.Notify] != int64(n+cols) {
			t.Fatalf("messages %v, want %d to notify", r.Kinds, n+cols)
		}
	})
}

// Every 32nd order of IDs, the least at node 0 (all nodes are alike), on the smallest torus.
func TestSmallest(t *testing.T) {
	g, ids := lattice(t, 3, 3), []caucus.ID{1, 2, 3, 4, 5, 6, 7, 8, 9}
	orders := 0
	permute(ids, 1, func() {
		if orders++; orders%32 != 0 {
			return
		}
		if err := verdict(run(t, sim.Config{Graph: g, IDs: ids})); err != nil {
			t.Fatal(ids, err)
		}
	})
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

// A candidate alone pays 4d a stage for d = 1, 2, … as long as the torus is larger than d, and with the first d that is
// not, a row and a column.
func TestOneInitiator(t *testing.T) {
	for _, c := range []struct{ rows, cols, tokens int }{
		{3, 3, 4 + 8 + 3 + 3},      // d = 1, 2, 4
		{4, 4, 4 + 8 + 4 + 4},      // d = 1, 2, 4
		{5, 5, 4 + 8 + 16 + 5 + 5}, // d = 1, 2, 4, 8
		{3, 6, 4 + 8 + 11 + 6 + 3}, // d = 4: east 4, south 3 to where it turned, west 4
		{6, 3, 4 + 8 + 11 + 3 + 6}, // d = 4: east 3 home, south 4, north 4
		{5, 12, 12 + 16 + 21 + 17}, // d = 8: east 8, south 5, west 8; d = 16
		{12, 5, 12 + 16 + 21 + 17}, // the same on its side
	} {
		r := run(t, sim.Config{Graph: lattice(t, c.rows, c.cols), Initiators: []int{7}})
		if r.Kinds[torus.Token] != int64(c.tokens) || r.Kinds[torus.Ask] != 0 || r.Outcomes[7].Role != caucus.Leader {
			t.Errorf("%d × %d: messages %v, want %d tokens", c.rows, c.cols, r.Kinds, c.tokens)
		}
	}
}

// Square tori, IDs in random order, in rows, and in rows backwards: messages grow as n, time as a side.
func TestLinear(t *testing.T) {
	for _, side := range []int{8, 16, 32, 64, 128} {
		g := lattice(t, side, side)
		n := g.Len()
		rows, backwards := make([]caucus.ID, n), make([]caucus.ID, n)
		for i := range n {
			rows[i], backwards[i] = caucus.ID(i+1), caucus.ID(n-i)
		}
		for name, ids := range map[string][]caucus.ID{"random": shuffled(1, n), "rows": rows, "backwards": backwards} {
			for _, delays := range []sim.Delays{sim.UnitDelay, sim.ExponentialDelay} {
				r := run(t, sim.Config{Graph: g, IDs: ids, Seed: 1, Delays: delays})
				if err := verdict(r); err != nil {
					t.Fatal(err)
				}
				t.Logf("side %d, %s, %s: %v = %.2f n, time %.0f", side, name, delays, r.Kinds,
					float64(r.Messages)/float64(n), r.Time)
				if r.Messages > int64(7*n) || delays == sim.UnitDelay && r.Time > float64(12*side) {
					t.Errorf("side %d, %s, %s: %d messages, more than 7n, or time %g", side, name, delays, r.Messages,
						r.Time)
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	mesh, err := network.Generate("grid:4x4", 1)
	if err != nil {
		t.Fatal(err)
	}
	twisted := lattice(t, 4, 4)
	for k, label := range twisted.Labels { // east has become south
		if label == caucus.East {
			twisted.Labels[k] = caucus.South
		}
	}
	for says, g := range map[string]*network.Graph{
		`node "1" has 2 labelled ports; allowed: one each of north, east, south, west`: mesh,
		`edge "1" – "2" leads south from one end and west from the other`:              twisted,
	} {
		_, err := engine.RunEvents(context.Background(), torus.Algorithm{}, &torus.Spec, sim.Config{Graph: g})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
