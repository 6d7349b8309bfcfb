package story_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
	"github.com/google/go-cmp/cmp"
)

// On the line A, B 2, C of equal nodes the first wins: at the start each leads itself; in round 1 its neighbours follow
// A and B 2, of which C has heard; in round 2 C has heard through B 2 of A. The crash at 5 shows after round 6.
func TestRounds(t *testing.T) {
	algo, err := bounded.New(bounded.Default(3))
	if err != nil {
		t.Fatal(err)
	}
	g, err := network.Generate("line:3", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		json bool
		want string
	}{
		{false, `# run
0 act A | leader leader=A distance=0
0 act "B 2" | leader leader="B 2" distance=0
0 act C | leader leader=C distance=0
1 act "B 2" | follower leader=A distance=1
1 act C | follower leader="B 2" distance=1
2 act C | follower leader=A distance=2
6 crash C
`},
		{true, `{"schema":"caucus.trace/1","run":["run"]}
{"time":0,"event":"act","node":"A","role":"leader","leader":"A","distance":0}
{"time":0,"event":"act","node":"B 2","role":"leader","leader":"B 2","distance":0}
{"time":0,"event":"act","node":"C","role":"leader","leader":"C","distance":0}
{"time":1,"event":"act","node":"B 2","role":"follower","leader":"A","distance":1}
{"time":1,"event":"act","node":"C","role":"follower","leader":"B 2","distance":1}
{"time":2,"event":"act","node":"C","role":"follower","leader":"A","distance":2}
{"time":6,"event":"crash","node":"C"}
`},
	} {
		for workers := 1; workers <= 2; workers++ {
			var b strings.Builder
			w := story.NewWriter(&b, c.json, names(), &story.Story{Run: []string{"run"}})
			cfg := sim.Config{Graph: g, StableFor: 5, Workers: workers,
				Faults: []sim.Fault{{At: 5, Kind: sim.Crash, Nodes: []int{2}}},
				Watch:  func(h *story.Step) bool { w.Write(h); return true }}
			if _, err := engine.Run(context.Background(), algo, &bounded.Spec, cfg); err != nil || w.Err() != nil {
				t.Fatal(err, w.Err())
			}
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Errorf("%d workers, -want +got:\n%s", workers, diff)
			}
		}
	}
}

// Who watches may end a run of rounds.
func TestRoundsEnd(t *testing.T) {
	algo, err := bounded.New(bounded.Default(3))
	if err != nil {
		t.Fatal(err)
	}
	g, err := network.Generate("line:3", 1)
	if err != nil {
		t.Fatal(err)
	}
	for last := range 6 {
		seen := ""
		r, err := engine.Run(context.Background(), algo, &bounded.Spec,
			sim.Config{Graph: g, StableFor: 5, Watch: func(h *story.Step) bool {
				seen += strconv.Itoa(int(h.Leader))
				return len(seen) <= last
			}})
		if want := []int{0, 0, 0, 1, 1, 2}[last]; err != nil || r.Rounds != want || seen != "123121"[:last+1] ||
			r.Outcomes[0].Role != caucus.Leader {
			t.Errorf("after %d: %v, %d rounds, seen %s", last, err, r.Rounds, seen)
		}
	}
}
