package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/scenario"
)

// TestMain lets this test binary stand in for caucus, so that `up --processes` finds an
// executable that can run an agent.
func TestMain(m *testing.M) {
	if conf := os.Getenv("CAUCUS_TEST_AS_NATS"); conf != "" {
		os.Exit(serveNATS(conf))
	}
	if os.Getenv("CAUCUS_TEST_AS_PROGRAM") == "1" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	_ = flag.Set("test.parallel", "4") // many wait, for agents
	debug.SetGCPercent(400)            // most of what short runs allocate is soon forgotten
	os.Exit(m.Run())
}

type upReport struct {
	Schema  string
	Options map[string]string
	Settled float64 `json:"settled_s"`
	Agreed  bool
	Killed  *struct {
		Node      string
		Led       bool
		Members   []string
		Reelected float64 `json:"reelected_ms"`
		Periods   float64
		Heirs     []struct {
			Leader  string
			Members int
		}
	}
	Regions []struct {
		Leader  string
		Members []string
		Term    uint64
	}
	Live      int
	Datagrams uint64
	Messages  agent.MessageCounters
	Emulated  fault.Counts
}

func upJSON(t testing.TB, args ...string) upReport {
	t.Helper()
	var out, logs bytes.Buffer
	if code := run(append([]string{"up", "--json"}, args...), &out, &logs); code != 0 {
		t.Fatalf("exit %d: %s", code, logs.String())
	}
	var r upReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	return r
}

// regionsAfterCrash is what the simulator, running the same algorithm, ends with when the
// node has crashed: by leader's name the members.
func regionsAfterCrash(t *testing.T, settings map[string]string, victim string) map[string][]string {
	t.Helper()
	s := scenario.New()
	for name, text := range settings {
		if err := s.Set(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if victim != "" {
		if err := s.AddFault("at: 0, kind: crash, nodes: [" + victim + "]"); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Entry.Simulate(context.Background(), r.Args, r.Config)
	if err != nil || !result.Converged {
		t.Fatalf("simulation: %v", err)
	}
	regions := map[string][]string{}
	for i, o := range result.Outcomes {
		if result.Live[i] {
			leader := r.Names.Name(o.Leader)
			regions[leader] = append(regions[leader], r.Names.Name(caucus.ID(i+1)))
		}
	}
	return regions
}

// The order (strength, id, distance) makes the result unique, so a fleet of real agents must end in
// the very regions that the simulator finds, before and after its largest leader is killed.
func TestUpAgreesWithSimulator(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings map[string]string
		flags    []string
	}{
		{"geant", map[string]string{"topology": "geant2012", "radius": "1000km"}, nil},
		{"grid in hops", map[string]string{"topology": "grid:4x5", "radius": "2", "strength": "id"}, nil},
		{"one process per node", map[string]string{"topology": "ring:6", "radius": "2", "strength": "random",
			"seed": "3"}, []string{"--processes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("CAUCUS_TEST_AS_PROGRAM", "1")
			// A period well above what a loaded machine under the race detector needs to schedule.
			flags := append([]string{"--kill", "leader@1s", "--period", "80ms", "--expiry", "8"}, c.flags...)
			for name, text := range c.settings {
				flags = append(flags, "--"+name, text)
			}
			r := upJSON(t, flags...)
			if r.Schema != "caucus.up/1" || !r.Agreed || r.Killed == nil || !r.Killed.Led || r.Datagrams == 0 {
				t.Fatalf("report %+v", r)
			}
			before := regionsAfterCrash(t, c.settings, "")
			if diff := cmp.Diff(before[r.Killed.Node], r.Killed.Members); diff != "" {
				t.Errorf("region of %s before (-simulator +fleet):\n%s", r.Killed.Node, diff)
			}
			for leader, members := range before {
				if len(members) > len(r.Killed.Members) {
					t.Errorf("killed the leader of %d, but %s leads %d", len(r.Killed.Members), leader, len(members))
				}
			}
			after := map[string][]string{}
			for _, x := range r.Regions {
				after[x.Leader] = x.Members
				if x.Term == 0 {
					t.Errorf("region of %s has no term", x.Leader)
				}
			}
			if diff := cmp.Diff(regionsAfterCrash(t, c.settings, r.Killed.Node), after); diff != "" {
				t.Errorf("regions after the kill (-simulator +fleet):\n%s", diff)
			}
			heirs := 0
			for _, h := range r.Killed.Heirs {
				heirs += h.Members
			}
			if want := len(r.Killed.Members) - 1; heirs != want || r.Killed.Reelected <= 0 {
				t.Errorf("%d heirs in %g ms, want %d", heirs, r.Killed.Reelected, want)
			}
		})
	}
}

// Event algorithms run as agents too; without a word about killing nobody is killed where a dead leader would not be
// replaced.
func TestUpEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   string
		known  string
		killed string // "": nobody
		leader string // in the end
	}{
		{"--algo minfind --topology grid:2x4 --strength id", "", "", "8"},
		{"--algo as-far --topology ring:6 --initiators 2", "", "", "1"},
		{"--algo mega-merger --topology grid:3x3 --restart 12 --kill leader@1s", "", "*", "*"},
		{"--algo bully --topology clique:5 --strength id --delay-bound 600ms --loss 10% --kill 5@1s", "delay:600ms",
			"5", "4"},
		{"--algo prasle-reliable --topology line:5 --strength id --period 150ms", "diameter:4,delay:600ms", "", "5"},
	} {
		r := upJSON(t, append([]string{"--period", "50ms"}, strings.Fields(c.args)...)...)
		if !r.Agreed || len(r.Regions) != 1 || c.leader != "*" && r.Regions[0].Leader != c.leader ||
			r.Regions[0].Term == 0 || r.Options["known"] != c.known {
			t.Errorf("%s: %+v", c.args, r)
		}
		if m := r.Messages; m.Sent == 0 || r.Killed == nil && (m.Received != m.Sent || m.Lost > 0) {
			t.Errorf("%s: messages %+v", c.args, m)
		}
		switch {
		case (r.Killed == nil) != (c.killed == ""):
			t.Errorf("%s: killed %+v", c.args, r.Killed)
		case r.Killed != nil && (!r.Killed.Led || c.killed != "*" && r.Killed.Node != c.killed ||
			r.Regions[0].Leader == r.Killed.Node):
			t.Errorf("%s: killed %+v, then %+v", c.args, r.Killed, r.Regions)
		}
	}
}

// The regions do not depend on what the links do: with loss, delay, duplicates and reordering real agents end in the
// very regions that the simulator finds on perfect links.
func TestUpOnBadLinks(t *testing.T) {
	t.Parallel()
	for _, topology := range []string{"line:8", "ring:10", "grid:3x4", "tree:10", "clique:10"} {
		t.Run(topology, func(t *testing.T) {
			t.Parallel()
			r := upJSON(t, "--topology", topology, "--radius", "2", "--strength", "random", "--seed", "3", "--period",
				"100ms", "--kill", "leader@2s",
				"--loss", "20%", "--delay", "10ms+-5ms", "--duplicate", "10%", "--reorder", "10%", "--expiry", "10",
				"--param", "heartbeat=10")
			settings := map[string]string{"topology": topology, "radius": "2", "strength": "random", "seed": "3"}
			after := map[string][]string{}
			for _, x := range r.Regions {
				after[x.Leader] = x.Members
			}
			if diff := cmp.Diff(regionsAfterCrash(t, settings, r.Killed.Node), after); diff != "" {
				t.Errorf("regions after the kill (-simulator +fleet):\n%s", diff)
			}
			if diff := cmp.Diff(regionsAfterCrash(t, settings, "")[r.Killed.Node], r.Killed.Members); diff != "" {
				t.Errorf("region before the kill (-simulator +fleet):\n%s", diff)
			}
			if e := r.Emulated; e.Sent != r.Datagrams || e.Lost == 0 || e.Doubled == 0 || e.HeldBack == 0 {
				t.Errorf("of %d datagrams: %+v", r.Datagrams, e)
			}
			if r.Options["links"] != "loss=20% delay=10ms±5ms duplicate=10% reorder=10% within=200ms seed=3" {
				t.Error(r.Options["links"])
			}
		})
	}
}

// Nodes that hear nobody each lead themselves: that is no agreement.
func TestUpWithoutLinks(t *testing.T) {
	var out, logs bytes.Buffer
	code := run([]string{"up", "--topology", "clique:3", "--radius", "2", "--strength", "id", "--kill", "leader@100ms",
		"--period", "20ms", "--loss", "100%"}, &out, &logs)
	if want := "2 nodes hear none of their neighbours"; code != exitFailed || !strings.Contains(logs.String(), want) ||
		!strings.Contains(out.String(), "agreed=false agents=3 live=2") {
		t.Errorf("exit %d, %s%s; want %s", code, out.String(), logs.String(), want)
	}
}

func TestUpText(t *testing.T) {
	t.Parallel()
	var out, logs bytes.Buffer
	code := run([]string{"up", "--topology", "line:4", "--radius", "1", "--strength", "id", "--kill", "4@100ms",
		"--period", "50ms", "--expiry", "12"}, &out, &logs) // a busy machine makes nobody silent
	if code != 0 {
		t.Fatalf("exit %d: %s", code, logs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range map[int]string{
		0:              `^caucus \S+ up algo=bounded radius=1 .* strength=id seed=1 .* profile=loopback period=50ms expiry=12 links=perfect kill=4@100ms processes=false namespaces=false nodes=4 edges=3$`,
		1:              `^ +\d+\.\d\ds  settled: 2 regions$`,
		2:              `^REGION  LEADER  MEMBERS  FARTHEST  TERM  AGE +NODES$`,
		3:              `^1 +2 +2 +1 +\d+ +\d+\.\ds +1 2$`,
		4:              `^2 +4 +2 +1 +\d+ +\d+\.\ds +3 4$`,
		5:              `^ +\d+\.\d\ds  killed 4, leader of 2$`,
		6:              `^ +\d+\.\d\ds  re-elected in \d+ ms \(\d+\.\d periods\): 3 1$`,
		len(lines) - 1: `^agreed=true agents=4 live=3 regions=2 interrupted=false killed=4 reelected_ms=\d+\.\d periods=\d+\.\d\d datagrams=\d+ bytes=\d+ late_rounds=\d+ seconds=\d+\.\d\d$`,
	} {
		if !regexp.MustCompile(want).MatchString(lines[i]) {
			t.Errorf("line %d: %q\nwant %s", i+1, lines[i], want)
		}
	}
}

func TestUpRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--kill", "leader"}, `kill: found "leader", allowed: leader@TIME, NODE@TIME (such as leader@5s) or none`},
		{[]string{"--kill", "DEE@2s"}, `kill: no node "DEE" in geant2012; did you mean "DE"?`},
		{[]string{"--kill", "DE@soon"}, `kill: found "DE@soon", allowed: leader@TIME, NODE@TIME (such as leader@5s) or none`},
		{[]string{"--profile", "moon"}, `profile: found "moon", allowed: loopback, lan, wan`},
		{[]string{"--period", "0s"}, `period: found "0s"`},
		{[]string{"--radius", "0km"}, `radius: found "0`},
		{[]string{"--radius", "5"}, `radius: found "5"`},
		{[]string{"--topology", "nowhere"}, `topology`},
		{[]string{"--algo", "as-far", "--topology", "grid:3x3"}, `as-far assumes the topology ring: not a ring: node "2" has degree 3`},
		{[]string{"--algo", "as-far"}, `as-far assumes the topology ring`},
		{[]string{"--algo", "minfind", "--topology", "ring:4", "--metric", "rtt"}, `metric: found "rtt", allowed: hops or weight`},
		{[]string{"--algo", "minfind", "--topology", "ring:4", "--delay-bound", "1s"}, `delay-bound: found "1s", allowed: nothing: the algorithm minfind does not need it`},
		{[]string{"--algo", "bully", "--topology", "clique:3", "--delay-bound", "-1s"}, `delay-bound: found "-1s", allowed: a time > 0`},
		{[]string{"--algo", "prasle", "--topology", "ring:8", "--initiators", "1,"}, `initiators: found "1,", allowed: all: only event algorithms`},
		{[]string{"--algo", "bully", "--topology", "clique:3", "--loss", "100%"}, `delay-bound: found "none", allowed: a time: on links that deliver nothing`},
		{[]string{"--algo", "prasle-reliable", "--topology", "ring:8", "--param", "k=3"}, `k: found "3", allowed: at least the diameter, 4, or 0`},
		{[]string{"--algo", "brogo", "--topology", "ring:8", "--restart", "12"}, `restart: found "12", allowed: 0: brogo relies on`},
		{[]string{"--algo", "yo-yo", "--topology", "ring:8", "--restart", "3"}, `restart: found "3", allowed: 0, or from 4`},
		{[]string{"--algo", "prasle", "--topology", "ring:8", "--restart", "12"}, `restart: found "12", allowed: 0: only event algorithms have it`},
		{[]string{"--topology", "clique:300"}, `topology: found "clique:300: 300 nodes, 44850 edges", allowed: at most 2000 nodes and 20000 edges in a fleet`},
		{[]string{"--namespaces", "--topology", "line:1001"}, `topology: found "line:1001: 1001 nodes", allowed: at most 1000 nodes with --namespaces`},
		{[]string{"--loss", "120%"}, `caucus: loss: found "120%", allowed: a probability from 0 to 1`},
		{[]string{"--delay", "5ms±6ms"}, `caucus: delay: found "5ms±6ms", allowed: a time from 0s to 1m, or a time and how much it varies`},
		{[]string{"--rate", "10"}, `caucus: rate: found "10", allowed: bits per second`},
		{[]string{"--expiry", "-1"}, `expiry: found "-1", allowed: 1 to 1000 rounds`},
		{[]string{"--strength", "weight"}, `strength: found "weight"`},
	} {
		var out, logs bytes.Buffer
		code := run(append([]string{"up"}, c.args...), &out, &logs)
		if code != exitMisuse || !strings.Contains(logs.String(), c.want) || out.Len() > 0 {
			t.Errorf("%v: exit %d, %q, stdout %q; want exit 2 and %q", c.args, code, logs.String(), out.String(),
				c.want)
		}
	}
}

// The table of a fleet has a row for every node; the one that was killed follows nobody. It takes no file's place.
func TestUpCSV(t *testing.T) {
	file := filepath.Join(t.TempDir(), "nodes.csv")
	args := []string{"up", "--topology", "line:3", "--kill", "3@100ms", "--expiry", "12", "--csv", file}
	if code, _, logs := caucusRun(t, args...); code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	text, err := os.ReadFile(file)
	want := regexp.MustCompile("^name,id,role,leader,distance,strength,term\n" +
		"1,1,follower,2,1,1,\\d+\n2,2,leader,2,0,2,\\d+\n3,3,,,,1,\n$") // strengths are degrees
	if err != nil || !want.Match(text) {
		t.Errorf("%v: %s", err, text)
	}
	if code, _, logs := caucusRun(t, args...); code != exitMisuse || !strings.Contains(logs, "--force to replace it") {
		t.Errorf("again: exit %d, %s", code, logs)
	}
}
