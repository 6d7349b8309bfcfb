package engine

import (
	"slices"
	"testing"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/recursive"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// leaderless runs Bounded Election in a timing, and crashes the leader after 40 periods.
func leaderless(t *testing.T, topology string, timing sim.Timing, seed uint64, more ...sim.Fault) *RoundRun {
	t.Helper()
	g, err := network.Generate(topology, seed)
	if err != nil {
		t.Fatal(err)
	}
	strengths := make([]float64, g.Len())
	strengths[0], strengths[1] = 2, 1
	election, err := bounded.New(bounded.Default(1e6))
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewRoundRun(columns.OfNodes(election), &bounded.Spec, sim.Config{Graph: g, Strengths: strengths,
		Seed:   seed,
		Timing: timing, StableFor: 1000,
		Faults: append(more, sim.Fault{Kind: sim.Expiry, Rounds: 3}, sim.Fault{Kind: sim.Crash, At: 40,
			Nodes: []int{0}})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// A beat crosses the network in one wave, so that all miss it together: three periods and the rest of one after the
// crash, instead of three and one for every two hops.
func TestAlignedReelection(t *testing.T) {
	for _, topology := range []string{"ring:20", "line:10", "grid:6x6", "clique:8"} {
		for seed := range uint64(5) {
			e := leaderless(t, topology, sim.Aligned, seed)
			for range 80 {
				e.Step()
			}
			r := e.Result()
			if took := r.SettledAt - 40; took > 5 {
				t.Errorf("%s, seed %d: settled %d periods after the crash, want at most 5", topology, seed, took)
			}
			for i, o := range r.Outcomes {
				if i > 0 && o.Leader != 2 {
					t.Errorf("%s, seed %d: node %d follows %d, want 2", topology, seed, i, o.Leader)
				}
			}
		}
	}
}

// At rest each node speaks once a period, in this timing as in others.
func TestAlignedAtRest(t *testing.T) {
	e := leaderless(t, "grid:6x6", sim.Aligned, 1)
	const periods, ends = 20, 2 * 60 // 60 edges
	for range 15 {
		e.Step()
	}
	before := e.Result().Messages
	for range periods {
		e.Step()
	}
	if sent := e.Result().Messages - before; sent < ends*(periods-1) || sent > ends*(periods+1) {
		t.Errorf("%d messages in %d periods, want %d each", sent, periods, ends)
	}
}

// News that gets lost is asked for, so that rounds stay aligned and a leader that dies is missed nearly as soon as
// without loss; on a ring, where all comes by one way, a part of the nodes a few rounds later.
func TestAlignedAsksForNews(t *testing.T) {
	for _, topology := range []string{"ring:20", "line:10", "grid:6x6", "clique:8"} {
		var took []int
		for seed := range uint64(9) {
			e := leaderless(t, topology, sim.Aligned, seed, sim.Fault{Kind: sim.Loss, Rate: 0.1})
			for range 80 {
				e.Step()
			}
			took = append(took, e.Result().SettledAt-40)
		}
		slices.Sort(took)
		most := 6
		if topology == "ring:20" {
			most = 9
		}
		if took[4] > most {
			t.Errorf("%s: settled %v periods after the crash, want at most %d in the median", topology, took, most)
		}
	}
}

// An algorithm that tells of no news keeps its phases, over bad links, too.
func TestAlignedWithoutNews(t *testing.T) {
	g, err := network.Generate("ring:20", 1)
	if err != nil {
		t.Fatal(err)
	}
	election, err := recursive.New(recursive.Config{Radius: 30})
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewRoundRun(columns.OfNodes(election), &recursive.Spec, sim.Config{Graph: g,
		Strengths: make([]float64, g.Len()), Seed: 1, Timing: sim.Aligned, StableFor: 1000,
		Faults: []sim.Fault{{Kind: sim.Loss, Rate: 0.1}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	for range 60 {
		e.Step()
	}
	for i, o := range e.Result().Outcomes {
		if o.Leader != 1 {
			t.Errorf("node %d follows %d, want 1", i, o.Leader)
		}
	}
}

// Links that lose so much that asking does not help in time are not followed: nodes keep their phases, as in async,
// and still agree.
func TestAlignedOnLossyLinks(t *testing.T) {
	e := leaderless(t, "grid:6x6", sim.Aligned, 1, sim.Fault{Kind: sim.Loss, Rate: 0.4})
	for range 15 {
		e.Step()
	}
	gap := 0.0
	for p, at := range e.aligned.last {
		gap = max(gap, at-e.aligned.last[0], e.aligned.last[0]-at)
		if p == 0 {
			gap = 0
		}
	}
	if gap < 0.25 {
		t.Errorf("the last rounds of all nodes are within %.2f periods: aligned", gap)
	}
	for range 60 {
		e.Step()
	}
	for i, o := range e.Result().Outcomes {
		if i > 0 && o.Leader != 2 {
			t.Errorf("node %d follows %d, want 2", i, o.Leader)
		}
	}
}
