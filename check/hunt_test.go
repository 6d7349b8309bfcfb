package check

import (
	"context"
	"errors"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
)

// Where a mistake shows, from any state or from a clean start, a hunt finds it under the daemons under which the whole
// search does, and under no others.
func TestHunt(t *testing.T) {
	count := 0
	for _, b := range broken {
		for _, d := range Daemons {
			for _, start := range []Start{Anywhere, Clean} {
				cfg := Config{Daemons: []Daemon{d}, MaxStates: 1, Start: start, Walks: 300}
				row := check2(t, b.algo, cfg).Rows[0]
				switch fails := slices.Contains(b.fails, d) && (start == Anywhere || b.clean); {
				case !fails && (row.Hunted > 0 || row.Undecided != 1 || row.Hunt.Walks == 0 || row.Hunt.Met == 0):
					t.Errorf("%s, %s, %s: hunted down: %+v", b.name, d, start, row)
				case fails && (row.Hunted != 1 || row.Fair.Fails != 1 || row.Undecided != 0):
					t.Errorf("%s, %s, %s: %+v", b.name, d, start, row)
				case fails:
					checkTrace(t, b.name, d, start, row.Fair.Counterexample.Trace)
				}
				count += row.Hunted
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d found", count)
	}
}

// No heartbeat survives a daemon that lets a follower act more often between two beats than it waits for one, whatever
// it waits: a leader that pauses is to its neighbour what a dead one is. With two nodes a round of heartbeat+2 steps
// shows it, of which all but the last are the follower's. The counters make it too large to decide.
func TestNoHeartbeatSurvivesPauses(t *testing.T) {
	for _, heartbeat := range []int{1, 2, 3, 8, 15} {
		c := bounded.Default(2)
		c.Heartbeat = heartbeat
		e, err := bounded.New(c)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := Rounds(t.Context(), e, Config{Networks: []*caucus.Network{parse(t, "2-3")},
			Daemons: []Daemon{Central}, Workers: 1, Counter: 1, MaxStates: 1000, Start: Clean})
		if err != nil {
			t.Fatal(err)
		}
		row := rep.Rows[0]
		if row.Hunted != 1 {
			t.Errorf("heartbeat %d: %+v", heartbeat, row)
			continue
		}
		if s := row.Fair.Counterexample.Trace; s.Length() != heartbeat+2 {
			t.Errorf("heartbeat %d: %d steps: %s", heartbeat, s.Length(), s.Script())
		}
	}
}

// A hunt ends when it is told to.
func TestHuntStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Rounds(ctx, newIndependent(false), Config{Networks: []*caucus.Network{parse(t, "2-3")}, MaxStates: 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
