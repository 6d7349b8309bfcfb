package registry

import (
	"context"
	"fmt"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"pgregory.net/rapid"
)

// variant is an algorithm with parameters that are not its defaults.
type variant struct {
	Entry
	args caucus.Args
}

// ringVariants lists the algorithms that are for rings, with every choice of their parameters.
func ringVariants(t *testing.T) map[string]variant {
	variants := map[string]variant{}
	for _, e := range All {
		if e.Spec.Needs.Topology != caucus.Ring {
			continue
		}
		choices := []map[string]string{nil}
		for _, p := range e.Spec.Params {
			choices = nil
			for _, c := range p.Choices {
				choices = append(choices, map[string]string{p.Name: c})
			}
		}
		for _, c := range choices {
			args, err := e.Spec.Resolve("", c)
			if err != nil {
				t.Fatal(err)
			}
			name := e.Spec.Name
			for _, v := range c {
				name += " " + v
			}
			variants[name] = variant{e, args}
		}
	}
	if len(variants) < 15 {
		t.Fatalf("only %d algorithms for rings", len(variants))
	}
	return variants
}

// Property: whatever the IDs, initiators and delays, the election on a ring ends, exactly one node leads, all know
// which, and it is that of least ID if the algorithm promises it.
func TestRingElections(t *testing.T) {
	for name, v := range ringVariants(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.OneOf(rapid.IntRange(3, 10), rapid.IntRange(20, 60)).Draw(t, "n")
				g, err := network.Generate(fmt.Sprintf("ring:%d", n), 1)
				if err != nil {
					t.Fatal(err)
				}
				if !v.Spec.Needs.Labels {
					g.Labels = nil
				}
				cfg := sim.Config{Graph: g, IDs: drawIDs(t, n), Known: caucus.Known{Nodes: n},
					Seed: rapid.Uint64().Draw(t, "seed"),
					Delays: rapid.SampledFrom([]sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}).Draw(
						t, "delays")}
				if !rapid.Bool().Draw(t, "all initiate") {
					cfg.Initiators = rapid.SliceOfN(rapid.IntRange(0, n-1), 1, n).Draw(t, "initiators")
				}
				r, err := v.Simulate(context.Background(), v.args, cfg)
				if err != nil {
					t.Fatal(err)
				}
				if err := elected(r, cfg.IDs, v.Spec); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func drawIDs(t *rapid.T, n int) []caucus.ID {
	var ids []caucus.ID
	for _, id := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, 1000), n, n, rapid.ID[uint64]).Draw(t, "ids") {
		ids = append(ids, caucus.ID(id))
	}
	return ids
}

// elected says what is wrong with the end of an election by an algorithm that terminates.
func elected(r *sim.Result, ids []caucus.ID, s *caucus.Spec) error {
	if !r.Converged {
		return fmt.Errorf("not finished after %d messages", r.Messages)
	}
	leader := -1
	least := ids[0]
	for i, o := range r.Outcomes {
		least = min(least, ids[i])
		if o.Role != caucus.Leader {
			continue
		}
		if leader >= 0 {
			return fmt.Errorf("nodes %d and %d both lead", leader, i)
		}
		leader = i
	}
	if leader < 0 {
		return fmt.Errorf("nobody leads: %+v", r.Outcomes)
	}
	for i, o := range r.Outcomes {
		if o.Leader != ids[leader] || !o.Final || i != leader && o.Role != caucus.Follower {
			return fmt.Errorf("node %d ends with %+v, the leader has ID %d", i, o, ids[leader])
		}
	}
	if s.LeastID && ids[leader] != least {
		return fmt.Errorf("ID %d leads, the least is %d", ids[leader], least)
	}
	return nil
}
