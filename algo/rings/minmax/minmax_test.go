package minmax_test

import (
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/rings/minmax"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, ringtest.Make(t, minmax.FromArgs), &minmax.Spec, ids, cfg)
}

// Every ring of 8, one ID fixed at node 0: at least a step, the lap and the announcement, 24; at most 8(4+2) = 48
// messages, F_4 = 8; mean by an independent simulation.
func TestAllRingsOfEight(t *testing.T) {
	ringtest.Eight(t, 24, 48, "37.422", func(ids []caucus.ID) *sim.Result { return run(t, ids, sim.Config{}) })
}

// By hand on 3 1 4 2 5: smaller values go on in step 1, 1 to the node of 4 and 2 to that of 5; the larger in step 2, 2 to
// the node of 4. It comes home there; ID 2 leads.
func TestNotTheLeast(t *testing.T) {
	r := run(t, []caucus.ID{3, 1, 4, 2, 5}, sim.Config{})
	for i, o := range r.Outcomes {
		if o.Leader != 2 || (o.Role == caucus.Leader) != (i == 3) {
			t.Errorf("node %d: %+v", i, o)
		}
	}
	if r.Messages != 20 { // two steps, the lap and the announcement
		t.Errorf("%d messages, want 20", r.Messages)
	}
}
