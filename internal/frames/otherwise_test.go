package frames

import (
	"fmt"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/check"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/story"
)

// What goes wrong is shown beside what comes of the same beginning and faults when somebody else picks what happens,
// and that is told by its name: of rounds, of rounds with messages, and of events.
func TestOtherwise(t *testing.T) {
	for _, c := range []struct {
		algo, faithful, network string
		cfg                     check.Config
		name                    string
		right                   bool
	}{
		{"prasle", "paper", "2-3:1 3-4:1 strengths=1,1,1", check.Config{Start: check.Clean, Model: check.Shared,
			Faults: check.Faults{Crash: 1}, Daemons: []check.Daemon{check.Central}}, "all at once", false},
		{"prasle", "paper", "2-3:1 strengths=1,1", check.Config{Start: check.Clean, Model: check.Shared,
			Faults: check.Faults{Crash: 1}, Daemons: []check.Daemon{check.Synchronous}}, "one after the other", false},
		{"prasle", "paper", "2-3:1 3-4:1 strengths=1,2,1", check.Config{Start: check.Clean, Model: check.Messages,
			Faults: check.Faults{Crash: 1}, Daemons: []check.Daemon{check.Central}},
			"all messages arrive and all act at once", false},
		{"mega-merger", "", "2-3:1 2-4:1 3-4:1", check.Config{Faults: check.Faults{Loss: 1}},
			"what was sent first arrives first", false},
		{"flood", "", "2-3:1 2-4:1 3-4:1", check.Config{Faults: check.Faults{Crash: 1}},
			"what was sent first arrives first", true},
		{"as-far", "", "2-3:1 2-4:1 3-4:1", check.Config{Faults: check.Faults{Loss: 1}}, "", false},
		{"yo-yo", "", "2-3:1 3-4:1", check.Config{Faults: check.Faults{Corrupt: 1}},
			"what was sent last arrives first", false},
	} {
		e, err := registry.Get(c.algo)
		if err != nil {
			t.Fatal(err)
		}
		args, err := e.Spec.Resolve(c.faithful, nil)
		if err != nil {
			t.Fatal(err)
		}
		net, err := check.Parse(c.network)
		if err != nil {
			t.Fatal(err)
		}
		c.cfg.Networks, c.cfg.Ghosts, c.cfg.MaxStates = []*caucus.Network{net}, 1, 1e6
		report, err := e.Check(t.Context(), args, c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		trial := Trial{&e, args, net, c.cfg}
		wrong, under := firstOf(report)
		if wrong == nil {
			t.Errorf("%s on %s: nothing is wrong", c.algo, c.network)
			continue
		}
		told, name := trial.Otherwise(wrong, under)
		if told == nil && c.name == "" {
			continue
		}
		if told == nil || !strings.HasSuffix(name, c.name) || (told.Wrong == "") != c.right {
			t.Errorf("%s on %s: %q, %+v\nof %s", c.algo, c.network, name, told, wrong.Script())
			continue
		}
		if faults(told) != faults(wrong) || told.Script() == wrong.Script() {
			t.Errorf("%s on %s: %s beside %s", c.algo, c.network, told.Script(), wrong.Script())
		}
	}
}

// Where time or chance choose as well, there is nothing to be set beside.
func TestNothingOtherwise(t *testing.T) {
	e, err := registry.Get("as-far")
	if err != nil {
		t.Fatal(err)
	}
	net, err := check.Parse("2-3:1 2-4:1 3-4:1")
	if err != nil {
		t.Fatal(err)
	}
	args, err := e.Spec.Resolve("", nil)
	if err != nil {
		t.Fatal(err)
	}
	trial := Trial{&e, args, net, check.Config{}}
	for _, script := range []string{"initiators 2; wake 2; timer 3 #1", "initiators 2; wake 2; message 3 #1 draw=1/2"} {
		x, err := story.Parse(script, func(name string) (int, bool) { return int(name[0] - '2'), true })
		if err != nil {
			t.Fatal(err)
		}
		x.IDs = net.IDs
		if told, name := trial.Otherwise(x, ""); told != nil {
			t.Errorf("%s: %s, %s", script, name, told.Script())
		}
	}
}

// faults counts those of a story.
func faults(s *story.Story) string {
	count := map[string]int{}
	for _, x := range s.Steps {
		if x.What == story.Crash || x.What == story.Corrupt || x.What == story.Lost {
			count[x.What]++
		}
	}
	return fmt.Sprint(count)
}

// firstOf is the counterexample of a report, and the daemon under which it is one.
func firstOf(report *check.Report) (*story.Story, check.Daemon) {
	if report.Events != nil {
		return report.Events.Counterexample, ""
	}
	for _, row := range report.Rows {
		if row.Fair.Counterexample != nil {
			return row.Fair.Counterexample.Trace, row.Daemon
		}
	}
	return nil, ""
}
