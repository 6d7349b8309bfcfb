package saturation_test

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

func spec(root bool) *caucus.Spec {
	if root {
		return &saturation.RootSpec
	}
	return &saturation.MinSpec
}

func run(t interface{ Fatal(...any) }, root bool, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), saturation.Algorithm{Root: root}, spec(root), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tree of n nodes: node i hangs on a random earlier one.
func tree(t *rapid.T, n int) *network.Graph {
	var edges []network.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, network.Edge{A: int32(i), B: int32(rapid.IntRange(0, i-1).Draw(t, "parent"))})
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Whatever the tree, IDs, delays and initiators, Elect-Min needs 3n + k* - 4 messages, of which
// n + k* - 2 wake up, n saturate and n - 2 spread the least ID; Elect-Root needs two more, and its
// leader is one of the two ends of an edge, the smaller.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		cfg := sim.Config{
			Graph: tree(t, n), Seed: rapid.Uint64().Draw(t, "seed"),
			Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(t,
				"delays"),
		}
		for _, id := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t, "ids") {
			cfg.IDs = append(cfg.IDs, caucus.ID(id))
		}
		cfg.Initiators = rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID[int]).Draw(t, "initiators")
		k := len(cfg.Initiators)
		for _, root := range []bool{false, true} {
			r := run(t, root, cfg)
			want := []int64{int64(n + k - 2), int64(n), int64(n - 2)}
			if root {
				want = append(want, 2)
			}
			if !slices.Equal(r.Kinds, want) {
				t.Fatalf("root %v: messages %v, want %v", root, r.Kinds, want)
			}
			// Of c bits for the kind and b for an ID: every message has the first; SATURATE of Elect-Min, TERMINATE
			// and ELECTION the second. (The lecture's count for Elect-Min leaves out the n - 2 IDs that TERMINATE must
			// carry.)
			c, b, carrying := int64(2), int64(bits.Len64(uint64(slices.Max(cfg.IDs)))), int64(2*n-2)
			if root {
				carrying = int64(n)
			}
			if got, want := r.Bits(spec(root), &cfg), c*r.Messages+b*carrying; got != want {
				t.Fatalf("root %v: %d bits, want %d", root, got, want)
			}
			leader := r.Outcomes[0].Leader
			if !root && leader != slices.Min(cfg.IDs) {
				t.Fatalf("Elect-Min elects %d of %v", leader, cfg.IDs)
			}
			leaders := 0
			for i, o := range r.Outcomes {
				if !o.Final || o.Leader != leader || (o.Role == caucus.Leader) != (cfg.IDs[i] == leader) {
					t.Fatalf("root %v: node %d ends with %+v", root, i, o)
				}
				if o.Role == caucus.Leader {
					leaders++
				}
			}
			if !r.Converged || leaders != 1 {
				t.Fatalf("root %v: %d leaders", root, leaders)
			}
		}
	})
}

// A node alone leads at once.
func TestAlone(t *testing.T) {
	for _, root := range []bool{false, true} {
		r := run(t, root, sim.Config{Graph: &network.Graph{Off: []int{0, 0}}})
		if o := r.Outcomes[0]; o.Role != caucus.Leader || !o.Final || o.Leader != 1 || r.Messages != 0 {
			t.Errorf("root %v: %+v after %d messages", root, o, r.Messages)
		}
	}
}

// On a path of n nodes saturation meets in the middle: with all initiators and unit delays the
// leader of Elect-Root is the smaller of the two middle nodes, and everything takes time O(D).
func TestPath(t *testing.T) {
	for _, n := range []int{2, 10, 64} {
		g, err := network.Generate(fmt.Sprint("line:", n), 1)
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, true, sim.Config{Graph: g})
		if got := r.Outcomes[0].Leader; got != caucus.ID(n/2) {
			t.Errorf("n=%d: node %d leads, want %d", n, got, n/2)
		}
		// n/2 to saturate, 1 to compare, n/2 - 1 to spread.
		if r.Time != float64(n) {
			t.Errorf("n=%d: %g units of time, want %d", n, r.Time, n)
		}
	}
}

func TestRefused(t *testing.T) {
	ring, err := network.Generate("ring:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	line, err := network.Generate("line:4", 1)
	if err != nil {
		t.Fatal(err)
	}
	for says, cfg := range map[string]sim.Config{
		"elect-min assumes the topology tree: not a tree: edge": {Graph: ring},
		"distinct IDs; nodes 1 and 3 both have ID 7":            {Graph: line, IDs: []caucus.ID{7, 8, 7, 9}},
	} {
		_, err := engine.RunEvents(context.Background(), saturation.Algorithm{}, &saturation.MinSpec, cfg)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
