package check

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/recursive"
	"caucus.example/caucus/algo/aggregate/sparse"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/story"
)

// Every counterexample happens in the simulator as the checker shows it, row by row, and ends as it says.
func TestCounterexamplesInSimulator(t *testing.T) {
	t.Parallel()
	count := 0
	see := func(algo caucus.Rounds[cell, cell], cfg Config) {
		t.Helper()
		networks := []*caucus.Network{parse(t, "2-3"), parse(t, "2-3 3-4 2-4:2 strengths=1,2,1")}
		if raced {
			networks = networks[:1]
		}
		for _, net := range networks {
			cfg.Networks = []*caucus.Network{net}
			count += seeReplays(t, algo, check2(t, algo, cfg), net)
		}
	}
	for _, b := range broken {
		see(b.algo, Config{Daemons: []Daemon{Synchronous, Paced, Distributed}})
		see(b.algo, Config{Daemons: Daemons, Start: Clean})
		see(b.algo, Config{Start: Clean, Faults: Faults{Crash: 1}})
		see(b.algo, Config{Daemons: []Daemon{Central}, Start: Clean, Faults: Faults{Corrupt: 1}})
		see(b.algo, Config{Daemons: []Daemon{Central}, Faults: Faults{Crash: 1}})
		cfg := Config{Networks: []*caucus.Network{parse(t, "2-3")}, Model: Messages, Start: Clean,
			Faults: Faults{Loss: 1, Corrupt: 1, Crash: 1}}
		count += seeReplays(t, b.algo, check2(t, b.algo, cfg), cfg.Networks[0])
	}
	cfg := Config{Networks: []*caucus.Network{parse(t, "2-3")}, Model: Messages, Start: Clean, Faults: Faults{Loss: 2}}
	lossy := impatient{fixture{hops: 2}}
	count += seeReplays(t, lossy, check2(t, lossy, cfg), cfg.Networks[0])
	if count < 50 && !(raced && count > 20) {
		t.Errorf("only %d counterexamples", count)
	}
}

// So do those of algorithms of the registry, some of whose states the search does not tell apart.
func TestKnownCounterexamplesInSimulator(t *testing.T) {
	t.Parallel()
	zero, errZero := bounded.New(bounded.Config{Radius: 2, DistFirst: true})
	hasty := bounded.Default(2)
	hasty.Heartbeat = 2
	paced, errPaced := bounded.New(hasty)
	restarting, errRestart := recursive.New(recursive.Config{Radius: 2, Restart: true})
	choice, errSparse := sparse.New(sparse.Config{Grain: 4, Uids: sparse.Strength})
	if err := errors.Join(errZero, errPaced, errRestart, errSparse); err != nil {
		t.Fatal(err)
	}
	count := known(t, zero, Config{Networks: []*caucus.Network{parse(t, "2-3:0 3-4")}, Daemons: Classical})
	count += known(t, paced, Config{Networks: []*caucus.Network{parse(t, "2-3 2-4 strengths=1,2,1")},
		Daemons: []Daemon{Paced}, Counter: 1})
	count += known(t, restarting, Config{Networks: []*caucus.Network{parse(t, "2-3")}, Daemons: []Daemon{Central},
		Counter: 24, MaxStates: 1 << 18})
	count += known(t, choice, Config{Networks: []*caucus.Network{parse(t, "2-3 strengths=2,1")},
		Daemons: []Daemon{Central}, Start: Clean, Faults: Faults{Corrupt: 1}})
	count += known(t, waves.Waves{}, Config{Networks: []*caucus.Network{parse(t, "2-3 2-4")}, Daemons: Classical,
		Start: Clean, Faults: Faults{Crash: 1}})
	if count < 6 {
		t.Errorf("only %d counterexamples", count)
	}
}

// Of states that it does not tell apart the search knows only whether they are right. Which of them it is told may lead
// to others before all is as it is for ever: in a loop with the second lap, at an end when all nodes have acted.
func TestStatesThatAreNotToldApart(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		algo          recursive.Config
		net           string
		cfg           Config
		loop, moments int
	}{
		{algo: recursive.Config{Radius: 2, Restart: true, LargeID: true}, net: "2-3 2-4",
			cfg: Config{Daemons: []Daemon{Distributed}}, loop: 2, moments: 5},
		{algo: recursive.Config{Radius: 3, Memory: true}, net: "2-3:2", loop: -1, moments: 2, cfg: Config{
			Daemons: []Daemon{Synchronous}, Mute: []fault.Links{{Only: [][2]int{{0, 1}}}}, Ghosts: 1, Counter: 2}},
	} {
		algo, err := recursive.New(x.algo)
		if err != nil {
			t.Fatal(err)
		}
		net := parse(t, x.net)
		x.cfg.Networks, x.cfg.MaxStates, x.cfg.Workers = []*caucus.Network{net}, 40_000, 1
		rep, err := Rounds(t.Context(), algo, x.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if seeReplays(t, algo, rep, x.cfg.Heard(net)) == 0 {
			t.Fatalf("%s: nothing is wrong", x.net)
		}
		told := rep.Rows[0].Unfair.Counterexample.Trace
		if told.Loop != x.loop || len(told.Moments()) != x.moments {
			t.Errorf("%s\n%s", x.net, told.Table())
		}
	}
}

func known[S, M any](t *testing.T, algo caucus.Rounds[S, M], cfg Config) int {
	t.Helper()
	cfg.Ghosts, cfg.Workers = 1, 1
	rep, err := Rounds(t.Context(), algo, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return seeReplays(t, algo, rep, cfg.Networks[0])
}

func seeReplays[S, M any](t *testing.T, algo caucus.Rounds[S, M], rep *Report, net *caucus.Network) (count int) {
	t.Helper()
	for _, row := range rep.Rows {
		for _, c := range []Claim{row.Fair, row.Unfair} {
			if c.Counterexample == nil {
				continue
			}
			count++
			want := c.Counterexample.Trace
			got, err := Replay(algo, net, read(t, net, want.Script()))
			if err != nil {
				t.Errorf("%s, %s: %v\n%s\n%s", Describe(net), row.Daemon, err, want.Script(), want.Table())
				continue
			}
			if got.Wrong == "" || got.Table() != want.Table() || got.Script() != want.Script() {
				t.Errorf("%s, %s:\n%s\nthe checker shows\n%s\nthe simulator\n%s", Describe(net), row.Daemon,
					want.Script(), want.Table(), got.Table())
			}
		}
	}
	return count
}

// byID finds the nodes of a network by their IDs.
func byID(net *caucus.Network) func(string) (int, bool) {
	return func(name string) (int, bool) {
		id, err := strconv.ParseUint(name, 10, 64)
		i := slices.Index(net.IDs, caucus.ID(id))
		return i, err == nil && i >= 0
	}
}

func read(t testing.TB, net *caucus.Network, text string) *story.Story {
	t.Helper()
	s, err := story.Parse(text, byID(net))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReplayRefuses(t *testing.T) {
	net := parse(t, "2-3 3-4")
	right := broken[0].algo
	for text, says := range map[string]string{
		"jump 2":                                 "act, again, begin, corrupt",
		"begin 9 Lead=1":                         "a node of the network",
		"begin 2":                                "begin NODE fields",
		"begin 2 Lead":                           "field=value",
		"begin 2 Leed=1":                         `did you mean "Lead"?`,
		"begin 2 Hops=256":                       "Hops= and a value of uint8",
		"begin 2 Lead=1 says Lead=2":             "begin NODE fields [say fields]",
		"begin 2 Lead=1; begin 2 Lead=2":         "once for each node",
		"act":                                    "act NODE ...",
		"act 2 2":                                "each node once",
		"message 3 from=2":                       "after messages only",
		"hear 3 from=2 Lead=1":                   "after messages only",
		"messages; message 2 from=4":             "two neighbours",
		"crash 2; act 2":                         "nothing of a node that has crashed",
		"act 2; again 0; act 3":                  "again N, as the last",
		"act 3; again 0":                         "not at its end as after 0 steps",
		"act 2; again 5":                         "not at its end as after 5 steps",
		"again x":                                "again N",
		"act 2":                                  "goes on after its end",
		"wake 2; timer 2 #1":                     "act, begin, corrupt, crash",
		"begin 2 Lead=" + "99999999999999999999": "Lead= and a value of uint64",
	} {
		s, err := story.Parse(text, byID(net))
		if err == nil {
			_, err = Replay(right, net, s)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, should say %s", text, err, says)
		}
	}
	// A right algorithm comes right from anywhere; by hand: 3 hears of 2, 4 through 3.
	r, err := Replay(right, net, read(t, net, "begin 3 Lead=4; act 3; act 4"))
	if err != nil || r.Wrong != "" || r.Loop != -1 || r.Length() != 2 || r.Outcomes[2].Leader != 2 {
		t.Errorf("%v %+v", err, r)
	}
}

func FuzzReplay(f *testing.F) {
	net := parse(f, "2-3 3-4")
	for _, text := range []string{"begin 2 Lead=1,Hops=2 say -; act 2 3; again 0",
		"messages; hear 3 from=2 Lead=1; message 3 from=2; lost 4 from=3; corrupt 3 Lead=7; crash 2; act 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		again(t, net, text, func(s *story.Story) (*story.Story, error) { return Replay(broken[0].algo, net, s) })
	})
}

func FuzzReplayEvents(f *testing.F) {
	net, err := Parse("2-3 3-4 2-4 right=2>3")
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"initiators 2; wake 2; message 3 from=2 ID=2; crash 4",
		"initiators 2 3; begin 2 -; lost 3 from=2 ID=2; corrupt 3 Min=1; tick 3; timer 3 #1; again 2",
		"wake 2 draw=0/2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		again(t, net, text, func(s *story.Story) (*story.Story, error) {
			return ReplayEvents(asfar.Algorithm{}, &asfar.Spec, net, Config{Ghosts: 1}, s)
		})
	})
}

// again carries out a text, if it can be, and what is written of that: in one line, as a file and as JSON lines.
func again(t *testing.T, net *caucus.Network, text string, replay func(*story.Story) (*story.Story, error)) {
	s, err := story.Parse(text, byID(net))
	if err != nil {
		return
	}
	r, err := replay(s)
	if err != nil {
		return
	}
	names := r.Names(nil)
	for _, format := range []string{"line", "text", "json"} {
		var b bytes.Buffer
		if format == "line" {
			s, err = story.Parse(r.Script(), byID(net))
		} else if err = r.WriteAll(&b, format == "json", names); err == nil {
			s, err = story.Read("f", &b, byID(net))
		}
		if err != nil {
			t.Fatalf("%q as %s: %v", text, format, err)
		}
		if x, err := replay(s); err != nil || x.Table() != r.Table() || x.Script() != r.Script() {
			t.Errorf("%q is written as %q, which as %s shows %v", text, r.Script(), format, err)
		}
	}
}

// A loop has steps, and leads back to the same messages as well as to the same states.
func TestReplayEventsLoop(t *testing.T) {
	net := parse(t, circle3)
	for _, text := range []string{"initiators 2; wake 2; again 1",
		"initiators 2 3; wake 3; lost 4 from=3 ID=3; again 1"} {
		if _, err := ReplayEvents(asfar.Algorithm{}, &asfar.Spec, net, Config{}, read(t, net, text)); err == nil ||
			!strings.Contains(err.Error(), "of another run") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
