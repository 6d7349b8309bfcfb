package asfar_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"caucus"
	"caucus/algo/asfar"
	"caucus/sim"
	"caucus/topology"
	"pgregory.net/rapid"
)

// ring of n nodes, in which right of node i is node i+1.
func ring(t interface{ Fatal(...any) }, n int) *topology.Graph {
	var edges []topology.Edge
	for i := range n {
		edges = append(edges, topology.Edge{A: int32(i), B: int32((i + 1) % n), W: math.NaN()})
	}
	g, _, err := topology.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	g.Labels = make([]caucus.Label, len(g.Nbr))
	for i := range n {
		for k := g.Off[i]; k < g.Off[i+1]; k++ {
			g.Labels[k] = caucus.Left
			if int(g.Nbr[k]) == (i+1)%n {
				g.Labels[k] = caucus.Right
			}
		}
	}
	return g
}

func run(t interface{ Fatal(...any) }, cfg sim.Config) *sim.Result {
	r, err := sim.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every ring of 8, one ID fixed at node 0: fewest 3·8-1 = 23, most 8·9/2+8 = 44, on
// average 8·H_8+8 = 29.743 messages.
func TestAllRingsOfEight(t *testing.T) {
	g := ring(t, 8)
	least, most, sum, rings := int64(math.MaxInt64), int64(0), int64(0), 0
	ids := []caucus.ID{1, 2, 3, 4, 5, 6, 7, 8}
	permute(ids, 1, func() {
		r := run(t, sim.Config{Graph: g, IDs: ids})
		least, most, sum, rings = min(least, r.Messages), max(most, r.Messages), sum+r.Messages, rings+1
	})
	if rings != 5040 || least != 23 || most != 44 {
		t.Errorf("%d rings: %d to %d messages, want 5040: 23 to 44", rings, least, most)
	}
	if mean := fmt.Sprintf("%.3f", float64(sum)/float64(rings)); mean != "29.743" {
		t.Errorf("mean %s, want 29.743", mean)
	}
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

// IDs increasing in the direction of travel: n(n+1)/2+n messages, the last to
// be decided n rounds after the start and known to all n later. Decreasing: 3n-1.
func TestWorstAndBest(t *testing.T) {
	for _, c := range []struct{ n, worst, best int64 }{{8, 44, 23}, {16, 152, 47}, {64, 2144, 191}} {
		up, down := make([]caucus.ID, c.n), make([]caucus.ID, c.n)
		for i := range c.n {
			up[i], down[i] = caucus.ID(i+1), caucus.ID(c.n-i)
		}
		g := ring(t, int(c.n))
		for _, d := range []struct {
			ids  []caucus.ID
			want int64
		}{{up, c.worst}, {down, c.best}} {
			r := run(t, sim.Config{Graph: g, IDs: d.ids})
			if r.Messages != d.want || r.Kinds[ring.Elect] != d.want-c.n || r.Kinds[ring.Notify] != c.n {
				t.Errorf("n=%d IDs %d…: %d messages %v, want %d, the last %d of them notifications", c.n, d.ids[0], r.Messages, r.Kinds, d.want, c.n)
			}
			if r.Time != float64(2*c.n) {
				t.Errorf("n=%d: %g units of time, want 2n", c.n, r.Time)
			}
		}
	}
}

// Property: whatever the IDs, initiators and delays, all end with the least ID as their leader. The
// number of messages with all nodes initiating does not depend on the delays.
func TestElectsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 20).Draw(t, "n")
		ids := rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t, "ids")
		cfg := sim.Config{Graph: ring(t, n), Seed: rapid.Uint64().Draw(t, "seed"),
			Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(t, "delays")}
		least := caucus.ID(ids[0])
		for _, id := range ids {
			cfg.IDs = append(cfg.IDs, caucus.ID(id))
			least = min(least, caucus.ID(id))
		}
		everybody := run(t, cfg)
		unit := cfg
		unit.Delays = sim.UnitDelay
		if want := run(t, unit).Messages; everybody.Messages != want {
			t.Fatalf("%d messages with %s delays, %d with unit delays", everybody.Messages, cfg.Delays, want)
		}
		cfg.Initiators = rapid.SliceOfN(rapid.IntRange(0, n-1), 1, n).Draw(t, "initiators")
		for _, r := range []*sim.Result{everybody, run(t, cfg)} {
			if !r.Converged {
				t.Fatal("not finished")
			}
			for i, o := range r.Outcomes {
				role := caucus.Follower
				if cfg.IDs[i] == least {
					role = caucus.Leader
				}
				if o.Leader != least || !o.Final || o.Role != role {
					t.Fatalf("node %d ends with %+v, want %s of %d, final", i, o, role, least)
				}
			}
		}
	})
}

// Its assumptions are checked: it needs a labelled ring and distinct IDs.
func TestRefused(t *testing.T) {
	unlabelled := ring(t, 4)
	unlabelled.Labels = nil
	star, _, err := topology.Build(4, []topology.Edge{{A: 0, B: 1, W: 1}, {A: 0, B: 2, W: 1}, {A: 0, B: 3, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]sim.Config{
		"no labels": {Graph: unlabelled},
		"no ring":   {Graph: star},
		"twins":     {Graph: ring(t, 4), IDs: []caucus.ID{1, 2, 1, 3}},
		"initiator": {Graph: ring(t, 4), Initiators: []int{4}},
		"delays":    {Graph: ring(t, 4), Delays: "long"},
		"faults":    {Graph: ring(t, 4), Faults: []sim.Fault{{Kind: sim.Crash}}},
	} {
		if _, err := sim.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg); err == nil {
			t.Errorf("%s: not refused", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

func TestDomain(t *testing.T) {
	w := caucus.World{IDs: []caucus.ID{1, 2, 9}, Counter: 1}
	states, messages := asfar.Algorithm{}.Domain(&w)
	if states.Len != 4*4*2 || messages.Len != 4*2 {
		t.Fatalf("%d states and %d messages", states.Len, messages.Len)
	}
	s, m := map[asfar.State]bool{}, map[asfar.Msg]bool{}
	for k := range states.Len {
		s[states.At(k)] = true
	}
	for k := range messages.Len {
		m[messages.At(k)] = true
	}
	if len(s) != 32 || len(m) != 8 {
		t.Errorf("%d distinct states and %d distinct messages", len(s), len(m))
	}
}
