package loudest_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/outside/loudest"
)

func election(t *testing.T, reach string) *loudest.Election {
	t.Helper()
	args, err := loudest.Spec.Resolve("", map[string]string{"reach": reach})
	if err != nil {
		t.Fatal(err)
	}
	e, err := loudest.New(args)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// On a line of seven with strengths 0 to 6 and a reach of 2, node 7 covers 6 and 5, and 4 is the strongest of the rest.
func TestLine(t *testing.T) {
	g, err := network.Generate("line:7", 1)
	if err != nil {
		t.Fatal(err)
	}
	result, err := engine.Run(t.Context(), election(t, "2"), &loudest.Spec,
		sim.Config{Graph: g, Strengths: []float64{0, 1, 2, 3, 4, 5, 6}, StableFor: 5})
	if err != nil {
		t.Fatal(err)
	}
	want := []caucus.ID{1, 4, 4, 4, 7, 7, 7}
	for i, o := range result.Outcomes {
		if o.Leader != want[i] {
			t.Errorf("node %d follows %d, want %d", i+1, o.Leader, want[i])
		}
	}
}

// Every execution, from every state that a corruption can leave, on every network of up to three nodes; with
// the longer reach, of which there are more states, they are all of one strength.
func TestStabilises(t *testing.T) {
	for reach, strengths := range map[string][]float64{"1": {1, 2}, "2": {1}} {
		var networks []*caucus.Network
		for n := 1; n <= 3; n++ {
			networks = append(networks, check.Networks(check.Connected, n,
				check.Assignments{Strengths: strengths, Lengths: []float64{1}})...)
		}
		report, err := check.Rounds(t.Context(), election(t, reach),
			check.Config{Networks: networks, Ghosts: 1, Counter: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range report.Rows {
			if row.Networks == 0 || row.Undecided > 0 || row.Closed < row.Networks || row.Fair.Fails > 0 {
				t.Errorf("reach %s, %s: %d networks, %d undecided, %d closed, %d do not converge",
					reach, row.Daemon, row.Networks, row.Undecided, row.Closed, row.Fair.Fails)
			}
		}
	}
}
