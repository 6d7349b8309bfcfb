package operate

import (
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/agent/probe"
)

// Each fault is found and named, and a node in order has none.
func TestExamine(t *testing.T) {
	now := time.Now()
	well := func() *agent.Status {
		return &agent.Status{
			State: "running", LastRound: now, Period: time.Second, Expiry: 3, Counters: agent.Counters{Rounds: 100},
			Neighbours: []agent.Neighbour{{Peer: "b:1", Live: true, Hears: true, Heard: now, Period: time.Second}},
		}
	}
	if found := examine(well(), now); len(found) > 0 {
		t.Errorf("a node in order: %+v", found)
	}
	for want, spoil := range map[string]func(s *agent.Status, n *agent.Neighbour){
		"last round is 4s old": func(s *agent.Status,
			_ *agent.Neighbour) {
			s.LastRound = now.Add(-4 * time.Second)
		},
		"none of them hears it": func(s *agent.Status, _ *agent.Neighbour) { s.Unheard = true },
		"must not act: 1 neighbour": func(s *agent.Status, _ *agent.Neighbour) {
			s.Short, s.Lacks = true,
				"1 neighbour"
		},
		"must not act: resigned":    func(s *agent.Status, _ *agent.Neighbour) { s.Withdrawn = "resigned" },
		"cannot be kept: disk full": func(s *agent.Status, _ *agent.Neighbour) { s.Trouble = "disk full" },
		"keys protect nothing":      func(s *agent.Status, _ *agent.Neighbour) { s.Unsealed = "accept" },
		"check disk fails": func(s *agent.Status,
			_ *agent.Neighbour) {
			s.Checks = []probe.Result{{Name: "disk"}}
		},
		"two nodes have the ID 7": func(s *agent.Status,
			_ *agent.Neighbour) {
			s.Duplicates = []agent.Duplicate{{ID: 7}}
		},
		"peer b:1 does not fit: key": func(_ *agent.Status, n *agent.Neighbour) { n.Refused = "key" },
		"does not hear this node":    func(_ *agent.Status, n *agent.Neighbour) { n.Hears = false },
		"has never been heard": func(_ *agent.Status, n *agent.Neighbour) {
			n.Live, n.Heard = false,
				time.Time{}
		},
		"is silent since":             func(_ *agent.Status, n *agent.Neighbour) { n.Live = false },
		"40 % of the datagrams of b:": func(_ *agent.Status, n *agent.Neighbour) { n.Loss = 0.4 },
		"has the period 2s, 1s here":  func(_ *agent.Status, n *agent.Neighbour) { n.Period = 2 * time.Second },
		"20 of 100 rounds were late":  func(s *agent.Status, _ *agent.Neighbour) { s.Counters.LateRounds = 20 },
		"from addresses that are no": func(s *agent.Status, _ *agent.Neighbour) {
			s.Counters.Dropped = map[string]uint64{"unknown-sender": 11}
		},
		"1 of 3 hooks have failed": func(s *agent.Status,
			_ *agent.Neighbour) {
			s.Hooks = &act.Counts{Runs: 3, Failures: 1}
		},
	} {
		s := well()
		spoil(s, &s.Neighbours[0])
		if found := examine(s, now); len(found) != 1 || !strings.Contains(found[0].What, want) ||
			found[0].Remedy == "" {
			t.Errorf("%+v, want %q", found, want)
		}
	}
}

// As JSON a node in order has an empty list, and of several groups each finding has its group.
func TestDiagnosis(t *testing.T) {
	var out strings.Builder
	for _, list := range [][]finding{{}, {{Group: "water", What: "it is <late>", Remedy: "wait"}}} {
		if err := (diagnosis{"caucus.doctor/1", "a", list}).write(&out, true, true); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"schema":"caucus.doctor/1","node":"a","findings":[]}` +
		`{"schema":"caucus.doctor/1","node":"a","findings":[{"group":"water","what":"it is <late>","remedy":"wait"}]}`
	if got := strings.NewReplacer("\n", "", "  ", "", `": `, `":`).Replace(out.String()); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
