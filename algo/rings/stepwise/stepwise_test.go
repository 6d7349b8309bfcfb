package stepwise_test

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/stepwise"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

var four = []struct {
	ring.Cycle
	spec *caucus.Spec
	mean string // messages on all rings of eight, by an independent simulation
}{
	{stepwise.Alternate, &stepwise.AlternateSpec, "37.417"},
	{stepwise.UniAlternate, &stepwise.UniAlternateSpec, "37.417"},
	{stepwise.MinMax, &stepwise.MinMaxSpec, "37.422"},
	{stepwise.BiMinMax, &stepwise.BiMinMaxSpec, "37.417"},
}

func run(t *testing.T, algo ring.Cycle, spec *caucus.Spec, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, algo, spec, ids, cfg)
}

// Every ring of 8, one ID fixed at node 0: at least a step, the lap and the announcement, 24; at most 8(4+2) = 48
// messages, F_4 = 8.
func TestAllRingsOfEight(t *testing.T) {
	for _, c := range four {
		t.Run(c.spec.Name, func(t *testing.T) {
			ringtest.Eight(t, 24, 48, c.mean, func(ids []caucus.ID) *sim.Result {
				return run(t, c.Cycle, c.spec, ids, sim.Config{})
			})
		})
	}
}

// The worst ring of 8: 4 steps eliminate. With other delays as well, since a candidate's messages cannot
// overtake what it depends on.
func TestWorstOfAlternate(t *testing.T) {
	for _, delays := range []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay} {
		for seed := range uint64(20) {
			ids := worst.Cycle(8, stepwise.Alternate)
			cfg := sim.Config{Delays: delays, Seed: seed}
			if r := run(t, stepwise.Alternate, &stepwise.AlternateSpec, ids, cfg); r.Messages != 48 {
				t.Errorf("%s delays, seed %d: %d messages, want 48", delays, seed, r.Messages)
			}
		}
	}
}

// The values of UniAlternate meet as in Alternate, by other holders: the counts of the two are equal on every ring.
func TestUniAlternateCostsTheSame(t *testing.T) {
	ids := worst.Increasing(7)
	ringtest.Orders(ids, func() {
		both := run(t, stepwise.Alternate, &stepwise.AlternateSpec, ids, sim.Config{}).Messages
		if one := run(t, stepwise.UniAlternate, &stepwise.UniAlternateSpec, ids, sim.Config{}).Messages; one != both {
			t.Fatalf("%v: %d messages, two ways %d", ids, one, both)
		}
	})
}

// MinMax by hand on 3 1 4 2 5: smaller values go on in step 1, 1 to the node of 4 and 2 to that of 5; the larger in
// step 2, 2 to the node of 4. It comes home there; ID 2 leads.
func TestMinMaxIsNotTheLeast(t *testing.T) {
	r := run(t, stepwise.MinMax, &stepwise.MinMaxSpec, []caucus.ID{3, 1, 4, 2, 5}, sim.Config{})
	for i, o := range r.Outcomes {
		if o.Leader != 2 || (o.Role == caucus.Leader) != (i == 3) {
			t.Errorf("node %d: %+v", i, o)
		}
	}
	if r.Messages != 20 { // two steps, the lap and the announcement
		t.Errorf("%d messages, want 20", r.Messages)
	}
}

// Why BiMinMax does not change direction and rule in every step: on rising IDs one candidate is lost in a step.
func TestPlainAlternationIsQuadratic(t *testing.T) {
	const n = 64
	plain := ring.Cycle{{Out: caucus.Right}, {Out: caucus.Left, Max: true}}
	g, err := network.Generate("ring:64", 1)
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	for _, ids := range [][]caucus.ID{worst.Increasing(n), worst.Decreasing(n)} {
		r, err := engine.RunEvents(context.Background(), plain, &stepwise.BiMinMaxSpec, sim.Config{Graph: g, IDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, r.Messages)
		m := run(t, stepwise.BiMinMax, &stepwise.BiMinMaxSpec, ids, sim.Config{}).Messages
		if m > n*10 { // Steps(64) is 8
			t.Errorf("%d messages, at most %d", m, n*10)
		}
	}
	if most < n*n/2 {
		t.Errorf("%d messages with the plain rules, expected more than n²/2", most)
	}
}
