package flood_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func run(t interface{ Fatal(...any) }, a flood.Algorithm, cfg sim.Config) *sim.Result {
	spec := &flood.Spec
	if a.Changes {
		spec = &flood.ChangesSpec
	}
	r, err := engine.RunEvents(context.Background(), a, spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// network draws a connected graph: a tree and some more edges.
func networkOf(t *rapid.T, n int) *network.Graph {
	var edges []network.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, network.Edge{A: int32(i), B: int32(rapid.IntRange(0, i-1).Draw(t, "parent"))})
	}
	for range rapid.IntRange(0, 2*n).Draw(t, "extra") {
		edges = append(edges, network.Edge{A: int32(rapid.IntRange(0, n-1).Draw(t, "a")),
			B: int32(rapid.IntRange(0, n-1).Draw(t, "b"))})
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func diameter(g *network.Graph) int {
	d := int32(0)
	for i := range g.Len() {
		d = max(d, slices.Max(network.Hops(g, i)))
	}
	return int(d)
}

// With a bound D on the diameter, whatever the network, IDs, delays and initiators, the least ID
// leads, or the greatest. Flooding in rounds takes 2mD messages and, with unit delays, at most
// 2D rounds, D if all begin at once.
func TestElects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "n")
		cfg := sim.Config{Graph: networkOf(t, n), Seed: rapid.Uint64().Draw(t, "seed")}
		exact := diameter(cfg.Graph)
		cfg.Known.Diameter = exact + rapid.IntRange(0, 2).Draw(t, "slack")
		for _, id := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t, "ids") {
			cfg.IDs = append(cfg.IDs, caucus.ID(id))
		}
		cfg.Initiators = rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID[int]).Draw(t, "initiators")
		algo := flood.Algorithm{Changes: rapid.Bool().Draw(t, "changes"), Max: rapid.Bool().Draw(t, "max")}
		cfg.Delays = rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(t,
			"delays")
		if algo.Changes && cfg.Delays == sim.ExponentialDelay {
			cfg.Delays = sim.UnitDelay
		}
		want := slices.Min(cfg.IDs)
		if algo.Max {
			want = slices.Max(cfg.IDs)
		}
		r := run(t, algo, cfg)
		for i, o := range r.Outcomes {
			if !o.Final || o.Leader != want || (o.Role == caucus.Leader) != (cfg.IDs[i] == want) {
				t.Fatalf("node %d ends with %+v, want %d", i, o, want)
			}
		}
		m, d := cfg.Graph.Edges(), cfg.Known.Diameter
		switch {
		case !algo.Changes && r.Messages != int64(2*m*d):
			t.Fatalf("%d messages, want 2mD = %d", r.Messages, 2*m*d)
		case algo.Changes && r.Messages < int64(2*m-n+1):
			t.Fatalf("%d messages cannot have reached everybody over %d edges", r.Messages, m)
		}
		if cfg.Delays == sim.UnitDelay && !algo.Changes {
			everybody := cfg
			everybody.Initiators = nil
			if time := run(t, algo, everybody).Time; time != float64(d) || r.Time > float64(2*d) {
				t.Fatalf("time %g with all initiators, %g with %v; want D = %d and at most twice that", time, r.Time,
					cfg.Initiators, d)
			}
		}
	})
}

// On a line whose IDs rise from one end, each ID that a node hears is better than the one before
// if the node hears its neighbours' first: the worst case of flood-changes. With the least as only
// initiator nothing but its ID is ever told.
func TestChanges(t *testing.T) {
	const n = 16
	g, err := network.Generate("line:16", 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Graph: g, Known: caucus.Known{Diameter: n - 1}}
	// All tell their own ID: 2(n-1) messages. Then node i hears i smaller IDs one after the other, and all
	// but the last node pass each of them on: 1 + 2 + … + n-2.
	if r := run(t, flood.Algorithm{Changes: true}, cfg); r.Messages != 2*(n-1)+(n-2)*(n-1)/2 {
		t.Errorf("%d messages, want %d", r.Messages, 2*(n-1)+(n-2)*(n-1)/2)
	}
	// One initiator, the least: its ID runs once along the line.
	cfg.Initiators = []int{0}
	if r := run(t, flood.Algorithm{Changes: true}, cfg); r.Messages != n-1 || r.Time != float64(n-1)+2*(n-1)+0.5 {
		t.Errorf("%d messages in %g, want %d", r.Messages, r.Time, n-1)
	}
}

// The bound matters: one that is too small makes several leaders, and nobody notices.
func TestBoundTooSmall(t *testing.T) {
	g, err := network.Generate("line:9", 1)
	if err != nil {
		t.Fatal(err)
	}
	ids := []caucus.ID{1, 9, 8, 7, 6, 5, 4, 3, 2}
	r := run(t, flood.Algorithm{}, sim.Config{Graph: g, IDs: ids, Known: caucus.Known{Diameter: 7}})
	leaders := 0
	for _, o := range r.Outcomes {
		if o.Role == caucus.Leader {
			leaders++
		}
	}
	if leaders != 2 {
		t.Errorf("%d leaders, want 2", leaders)
	}
}

func TestAlone(t *testing.T) {
	alone := sim.Config{Graph: &network.Graph{Off: []int{0, 0}}, Known: caucus.Known{Diameter: 1}}
	for _, changes := range []bool{false, true} {
		if r := run(t, flood.Algorithm{Changes: changes}, alone); r.Outcomes[0].Role != caucus.Leader ||
			!r.Outcomes[0].Final {
			t.Errorf("changes %v: %+v", changes, r.Outcomes[0])
		}
	}
}

func TestRefused(t *testing.T) {
	g, err := network.Generate("line:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	known := caucus.Known{Diameter: 3}
	for says, cfg := range map[string]sim.Config{
		`known.diameter: found "nothing", allowed: a bound on the diameter in hops`: {Graph: g},
		`known.delay: found "nothing", allowed: a bound on how long a message travels`: {Graph: g, Known: known,
			Delays: sim.ExponentialDelay},
		"distinct IDs; nodes 1 and 3 both have ID 7": {Graph: g, Known: known,
			IDs: []caucus.ID{7, 8, 7, 9}},
		`a connected network: not connected: no path from node "1" to node "2`: {
			Graph: &network.Graph{Off: []int{0, 0, 0}}, Known: known},
	} {
		_, err := engine.RunEvents(context.Background(), flood.Algorithm{Changes: true}, &flood.ChangesSpec, cfg)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
