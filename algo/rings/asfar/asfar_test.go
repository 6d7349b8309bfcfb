package asfar_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// ring of n nodes, in which right of node i is node i+1.
func ring(t interface{ Fatal(...any) }, n int) *network.Graph {
	g, err := network.Generate(fmt.Sprintf("ring:%d", n), 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t interface{ Fatal(...any) }, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg)
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
	ringtest.Orders(ids, func() {
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
			if r.Messages != d.want || r.Kinds[asfar.Elect] != d.want-c.n || r.Kinds[asfar.Notify] != c.n {
				t.Errorf("n=%d IDs %d…: %d messages %v, want %d, the last %d of them notifications", c.n, d.ids[0],
					r.Messages, r.Kinds, d.want, c.n)
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
			Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(t,
				"delays")}
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
	star, _, err := network.Build(4, []network.Edge{{A: 0, B: 1, W: 1}, {A: 0, B: 2, W: 1}, {A: 0, B: 3, W: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]sim.Config{
		"no labels": {Graph: unlabelled},
		"no ring":   {Graph: star},
		"twins":     {Graph: ring(t, 4), IDs: []caucus.ID{1, 2, 1, 3}},
		"initiator": {Graph: ring(t, 4), Initiators: []int{4}},
		"delays":    {Graph: ring(t, 4), Delays: "long"},
		"faults":    {Graph: ring(t, 4), Faults: []sim.Fault{{Kind: sim.Expiry, Rounds: 3}}},
	} {
		if _, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg); err == nil {
			t.Errorf("%s: not refused", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

func TestDomain(t *testing.T) {
	w := caucus.World{IDs: []caucus.ID{1, 2, 9}, Counter: 1}
	states, messages := asfar.Algorithm{}.Domain(&w)
	if states.Len != 4*4*4*4*4 || messages.Len != 4*2 {
		t.Fatalf("%d states and %d messages", states.Len, messages.Len)
	}
	s, m := map[asfar.State]bool{}, map[asfar.Msg]bool{}
	for k := range states.Len {
		s[states.At(k)] = true
	}
	for k := range messages.Len {
		m[messages.At(k)] = true
	}
	if len(s) != 1024 || len(m) != 8 {
		t.Errorf("%d distinct states and %d distinct messages", len(s), len(m))
	}
}

// Woken by a smaller ID, a node does not send its own: one initiator, the least, makes n messages and
// n announcements. Woken by a larger one it does: IDs falling to the right from the initiator, every node stops the ID
// before it, the last goes round.
func TestWoken(t *testing.T) {
	const n = 16
	for name, c := range map[string]struct {
		ids  []caucus.ID
		want int64
	}{"by the least": {worst.Increasing(n), 2 * n}, "by the largest": {worst.Decreasing(n), n - 1 + 2*n}} {
		if r := run(t, sim.Config{Graph: ring(t, n), IDs: c.ids, Initiators: []int{0}}); r.Messages != c.want {
			t.Errorf("%s: %d messages, want %d", name, r.Messages, c.want)
		}
	}
}

// Two directions: with ports that all lead one way round it costs what one-way As Far costs; directions drawn at
// random, about (√2/2)·n·H_n + O(n), 314 at n = 64 by an independent simulation.
func TestTwoDirections(t *testing.T) {
	const n, rings = 64, 1500
	g := ring(t, n)
	sum := [2]float64{}
	for seed := range uint64(rings) {
		ids, rand := worst.Increasing(n), caucus.NewRand(seed, "ring")
		for i := n - 1; i > 0; i-- {
			j := rand.IntN(i + 1)
			ids[i], ids[j] = ids[j], ids[i]
		}
		for k, way := range []asfar.Way{asfar.ByFirstPort, asfar.Random} {
			r, err := engine.RunEvents(context.Background(), asfar.Algorithm{Way: way}, &asfar.Probabilistic,
				sim.Config{Graph: g, IDs: ids, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			sum[k] += float64(r.Messages)
		}
	}
	h := 0.0
	for i := range n {
		h += 1 / float64(i+1)
	}
	// All but two first ports of the generated ring lead to the left.
	if mean, want := sum[0]/rings, n*h+n; math.Abs(mean/want-1) > 0.05 {
		t.Errorf("first ports: mean %.1f, want about n·H_n + n = %.1f", mean, want)
	}
	if mean := sum[1] / rings; math.Abs(mean-314) > 2 {
		t.Errorf("random: mean %.1f, want 314", mean)
	}
}

// Of two IDs that meet, the smaller is handled first and the larger stopped, whichever came first; and what one port
// brings twice at one moment is not lost.
func TestMeeting(t *testing.T) {
	for _, c := range []struct {
		in   []caucus.Send[asfar.Msg]
		sent string
	}{
		{[]caucus.Send[asfar.Msg]{{Port: 0, Msg: asfar.Msg{ID: 5}}, {Port: 1, Msg: asfar.Msg{ID: 3}}},
			"[{0 {{} 0 3}}]"},
		{[]caucus.Send[asfar.Msg]{{Port: 1, Msg: asfar.Msg{ID: 5}}, {Port: 0, Msg: asfar.Msg{ID: 3}}},
			"[{1 {{} 0 3}}]"},
		{[]caucus.Send[asfar.Msg]{{Port: 1, Msg: asfar.Msg{ID: 3}}, {Port: 1, Msg: asfar.Msg{ID: 5}}},
			"[{0 {{} 0 3}}]"},
	} {
		a := asfar.Algorithm{Way: asfar.Random}
		l := &caucus.Local{ID: 9, Degree: 2}
		s := asfar.State{Min: 9}
		var out caucus.Outbox[asfar.Msg]
		for _, m := range c.in {
			a.Receive(l, &s, m.Port, m.Msg, &out)
		}
		if len(out.Sends) != 0 || len(out.Alarms) != 1 {
			t.Fatalf("%v: %d sends and %d alarms before the moment is over", c.in, len(out.Sends), len(out.Alarms))
		}
		a.Timer(l, &s, 0, &out)
		if got := fmt.Sprint(out.Sends); got != c.sent {
			t.Errorf("%v: sends %s, want %s", c.in, got, c.sent)
		}
	}
}
