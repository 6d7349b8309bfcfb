package wbs_test

import (
	"context"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/wbs"
	"caucus.example/caucus/algo/kit/wait"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

func run(t *testing.T, a wbs.Algorithm, spec string, ids []caucus.ID, diameter int, faults ...sim.Fault) *sim.Result {
	g, err := network.Generate(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.RunEvents(context.Background(), a, &wbs.Spec,
		sim.Config{Graph: g, IDs: ids, Known: caucus.Known{Diameter: diameter}, Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A ring of 6 with least ID 3, D = 3: it starts after (D+1)·3 delays, D more until all know; every node tells its 2
// neighbours once: 2m = 12 messages.
func TestWait(t *testing.T) {
	ids := []caucus.ID{9, 4, 12, 3, 7, 20}
	r := run(t, wbs.Algorithm{}, "ring:6", ids, 3)
	if r.SettledAt != 4*3+3 || r.Messages != 12 {
		t.Errorf("settled after %d, want 15; %d messages, want 12", r.SettledAt, r.Messages)
	}
	for i, o := range r.Outcomes {
		if o.Leader != 3 || !o.Final {
			t.Errorf("node %d: %+v", ids[i], o)
		}
	}
	// The best is dead before it starts: the next one does.
	r = run(t, wbs.Algorithm{}, "ring:6", ids, 3, sim.Fault{At: 1, Kind: sim.Crash, Nodes: []int{3}})
	for i, o := range r.Outcomes {
		if i != 3 && o.Leader != 4 {
			t.Errorf("node %d: %+v", ids[i], o)
		}
	}
}

// Too short a unit, a quarter of a delay: the news of node 1 is still on its way when others start. Without repair
// several lead.
func TestTooShort(t *testing.T) {
	leaders := func(repair bool) (n int) {
		for _, o := range run(t, wbs.Algorithm{Unit: 0.25, Repair: repair}, "line:12", nil, 11).Outcomes {
			if o.Role == caucus.Leader {
				n++
			}
		}
		return n
	}
	if n := leaders(false); n < 2 {
		t.Errorf("%d leaders without repair", n)
	}
	if n := leaders(true); n != 1 {
		t.Errorf("%d leaders with repair", n)
	}
}

// An ID for which nobody can wait is no overflow: it waits for as long as a duration goes.
func TestLargeID(t *testing.T) {
	l := &caucus.Local{ID: 1 << 63, Known: caucus.Known{Diameter: 5, Delay: 1e9}}
	if w := wait.ByID(l, 0); w <= 0 {
		t.Errorf("waits %d", w)
	}
}
