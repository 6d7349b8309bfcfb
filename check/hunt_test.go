package check

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
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

// Where few nodes are corrupt, nothing is hunted: a hunt would begin with more of them, and tell of what they do.
func TestNoHuntOfFew(t *testing.T) {
	for corrupted, want := range map[int]int{0: 1, 1: 0, 2: 0, 3: 1} {
		row := check2(t, broken[2].algo, Config{Networks: []*caucus.Network{parse(t, "2-3 3-4")}, Daemons: Daemons[:1],
			MaxStates: 1, Corrupted: corrupted, Walks: 300}).Rows[0]
		if row.Hunted != want || row.Hunted+row.Undecided != 1 || corrupted%3 != 0 && row.Hunt.Walks != 0 {
			t.Errorf("%d corrupted: %+v", corrupted, row)
		}
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
		rep, err = Rounds(t.Context(), e, Config{Networks: []*caucus.Network{parse(t, "2-3")}, Model: Messages,
			Daemons: []Daemon{Central}, Workers: 1, Counter: 1, MaxStates: 1000, Start: Clean})
		if err != nil || rep.Rows[0].Fair.Fails != 1 {
			t.Errorf("heartbeat %d, messages: %v %+v", heartbeat, err, rep)
		}
	}
}

// On twelve nodes a hunt finds what goes wrong, the same whoever hunts, and nothing where all is right.
func TestHuntOnTwelveNodes(t *testing.T) {
	type bid = bounded.Candidacy
	made := func(heartbeat int) *bounded.Election {
		c := bounded.Default(2)
		c.Heartbeat, c.Clamp = heartbeat, heartbeat > 0
		e, err := bounded.New(c)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, name := range []string{"line:12", "ring:12", "grid:3x4", "clique:12"} {
		g, err := network.Generate(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		net := FromGraph(g, nil)
		hunt := func(what string, algo caucus.Rounds[bid, bid], d Daemon, wrong bool) {
			t.Helper()
			cfg := Config{Networks: []*caucus.Network{net}, Daemons: []Daemon{d}, Counter: 1, Ghosts: 1,
				Walks: portionOfWalks + 1}
			rep, err := Rounds(t.Context(), algo, cfg)
			if err != nil {
				t.Fatal(err)
			}
			row := rep.Rows[0]
			if found := row.Hunted == 1; found != wrong || found == (row.Undecided == 1) {
				t.Errorf("%s, %s, %s: %+v", what, name, d, row)
			}
			if cfg.Workers = 1; name != "line:12" {
				return
			}
			alone, err := Rounds(t.Context(), algo, cfg)
			if err != nil {
				t.Fatal(err)
			}
			a, b := &alone.Rows[0], &row
			if a.Configurations != b.Configurations || a.Hunt != b.Hunt ||
				wrong && a.Fair.Counterexample.Trace.Script() != b.Fair.Counterexample.Trace.Script() {
				t.Errorf("%s, %s, %s: other workers find something else: %+v, %+v", what, name, d, a, b)
			}
		}
		hunt("heartbeats", made(3), Central, true)
		hunt("heartbeats", made(3), Synchronous, false)
		for _, d := range []Daemon{Synchronous, Central, Distributed} {
			hunt("no heartbeat", made(0), d, false)
			hunt("follows ghosts", deaf{made(0)}, d, true)
		}
	}
}

// deaf is an algorithm that keeps what it holds where that is the best that it has heard of: its own old state counts.
type deaf struct{ *bounded.Election }

func (a deaf) Round(l *caucus.Local, s *bounded.Candidacy, in caucus.Inbox[bounded.Candidacy]) bounded.Candidacy {
	in.Msgs, in.Dist = append(slices.Clone(in.Msgs), *s), append(slices.Clone(in.Dist), 0)
	return a.Election.Round(l, s, in)
}

// A hunt ends when it is told to.
func TestHuntStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Rounds(ctx, newIndependent(false), Config{Networks: []*caucus.Network{parse(t, "2-3")}, MaxStates: 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// Of the walks that are left none is begun.
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = Rounds(ctx, newIndependent(false), Config{Networks: []*caucus.Network{parse(t, "2-3")}, MaxStates: 1,
		Daemons: []Daemon{Central}, Walks: 1e12})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
