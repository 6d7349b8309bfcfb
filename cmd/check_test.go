package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/registry"
)

// seconds of a table vary.
var seconds = regexp.MustCompile(`\d+\.\d\d\n`)

func TestCheckGolden(t *testing.T) {
	for _, c := range []struct {
		name, args string
		code       int
	}{
		{"check-verified", "check --algo bounded --param radius=2 --param heartbeat=0 --param clamp=off --nodes 2",
			exitOK},
		{"check-violated", "check --algo bounded --faithful paper --param radius=2 --network 2-3:0 --unsafe --daemon " +
			"synchronous", exitFailed},
		{"check-crash",
			"check --algo prasle --faithful paper --start clean --faults crash=1 --nodes 3 --daemon central",
			exitFailed},
		{"check-corrupt", "check --algo sparse --param grain=4 --start clean --faults corrupt=1 --nodes 2 --daemon " +
			"central", exitFailed},
		{"check-replay", "check --algo prasle --faithful paper --network 2-3 --replay act^3;crash^2", exitFailed},
		{"check-events", "check --algo as-far --nodes 3", exitOK},
		{"check-one-way", "check --algo bounded --param radius=2 --param heartbeat=0 --param clamp=off --nodes 2 " +
			"--daemon central " +
			"--fault kind:^loss,^rate:^1,^links:^[2->3]", exitFailed},
		{"check-restart", "check --algo elect-min --restart 4 --nodes 2 --faults crash=1", exitOK},
		{"check-paced", "check --algo bounded --param radius=2 --param heartbeat=2 --strengths 1 --counter 1 " +
			"--daemon synchronous,phased,paced", exitFailed},
		{"check-hunted", "check --algo bounded --param radius=2 --strengths 1 --counter 1 --daemon central " +
			"--nodes 3 --max-states 20k", exitFailed},
		{"check-walks", "check --algo bounded --param radius=2 --param heartbeat=0 --param clamp=off --counter 1 " +
			"--topology grid:3x4 --walks 200 --seed 2", exitUndecided},
	} {
		words := strings.Fields(c.args)
		for k := range words {
			words[k] = strings.ReplaceAll(words[k], "^", " ")
		}
		code, out, logs := caucusRun(t, words...)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d\n%s", c.name, code, c.code, logs)
		}
		golden(t, c.name, seconds.ReplaceAllString(out, "SECONDS\n"))
	}
}

// The one-line replay below a counterexample shows it again, for each shape of flags that it may need.
func TestCheckReplay(t *testing.T) {
	for _, args := range []string{
		"check --algo sparse --param grain=4 --nodes 2 --daemon central",
		"check --algo waves --nodes 2 --strengths 1 --counter 2 --daemon central --unfair",
		"check --algo bounded --param radius=2 --param heartbeat=2 --nodes 3 --strengths 1 --counter 1 --daemon paced",
	} {
		code, out, _ := caucusRun(t, strings.Fields(args)...)
		trace, replay := lastTrace(t, out)
		if code != exitFailed {
			t.Fatalf("%s: exit %d\n%s", args, code, out)
		}
		flags, network, ok := strings.Cut(strings.TrimPrefix(replay, "caucus "), " --network '")
		if !ok {
			t.Fatalf("no network in %q", replay)
		}
		code, again, _ := caucusRun(t, append(strings.Fields(flags), "--network", strings.TrimSuffix(network, "'"))...)
		if second, _ := lastTrace(t, again); code != exitFailed || second != trace {
			t.Errorf("%s\nexit %d, shows\n%s\ninstead of\n%s", replay, code, second, trace)
		}
		simulated(t, out, trace)
	}
}

// A counterexample that is written to a file, of rounds and of events, is carried out again from there, and that writes
// the same file.
func TestCheckTrace(t *testing.T) {
	for _, args := range []string{
		"--algo prasle --faithful paper --start clean --faults crash=1 --daemon central --network 2-3",
		"--algo waves --start clean --model messages --faults crash=1 --daemon central --unfair --network", // 2-3 2-4
		"--algo bully --faults crash=1,loss=1 --network 2-3",
		"--algo prob-as-far --faults corrupt=1 --counter 1 --topology ring:3",
	} {
		words := strings.Fields(args)
		if words[len(words)-1] == "--network" {
			words = append(words, "2-3 2-4")
		}
		for _, ending := range []string{".txt", ".jsonl"} {
			dir := t.TempDir()
			first, second := filepath.Join(dir, "a"+ending), filepath.Join(dir, "b"+ending)
			code, out, logs := caucusRun(t, append([]string{"check", "--trace", first}, words...)...)
			if code != exitFailed {
				t.Fatalf("%s: exit %d, %s", args, code, logs)
			}
			replay := []string{"check", "--replay", first, "--trace", second}
			for k := 0; k < len(words); k++ {
				switch words[k] {
				case "--algo", "--faithful", "--network", "--topology":
					replay = append(replay, words[k], words[k+1])
				}
			}
			code, again, logs := caucusRun(t, replay...)
			_, table, _ := strings.Cut(again, "\n")
			table, _, _ = strings.Cut(table, "verdict=")
			if code != exitFailed || !strings.Contains(out, table) {
				t.Errorf("%s%s: exit %d, %s\n%s\nof\n%s", args, ending, code, logs, again, out)
			}
			a, errA := os.ReadFile(first)
			b, errB := os.ReadFile(second)
			steps := func(text []byte) string { // without what was run
				lines := strings.Split(string(text), "\n")
				return strings.Join(lines[slices.IndexFunc(lines,
					func(l string) bool { return l[0] != '#' && !strings.Contains(l, "schema") }):], "\n")
			}
			if errA != nil || errB != nil || steps(a) != steps(b) {
				t.Errorf("%s: %v, %v\n%s\nreplayed\n%s", args, errA, errB, a, b)
			}
		}
	}
}

// simulated runs the second line below a counterexample, which shows the same table and draws it.
func simulated(t *testing.T, out, trace string) {
	t.Helper()
	at := strings.Index(out, " --replay '")
	line := out[strings.LastIndex(out[:at], "\n")+1:]
	line, _, _ = strings.Cut(line, "\n")
	parts := strings.Split(line, "'") // caucus check --algo … --network ' … ' --replay ' … ' --diagram FILE
	if len(parts) != 5 {
		t.Fatalf("a line of another form: %s", line)
	}
	words := strings.Fields(strings.TrimPrefix(parts[0], "caucus "))
	file := filepath.Join(t.TempDir(), strings.Fields(parts[4])[1])
	words = append(append(words, parts[1]), "--replay", parts[3], "--diagram", file)
	code, shown, logs := caucusRun(t, words...)
	if _, rest, _ := strings.Cut(shown, "\n"); code != exitFailed ||
		!strings.HasPrefix(rest, trace+"\nverdict=violated steps=") {
		t.Errorf("%s\nexit %d, %s, shows\n%s\ninstead of\n%s", line, code, logs, shown, trace)
	}
	picture, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(picture), "simulated") || !strings.Contains(string(picture), "<svg") {
		t.Errorf("%s: %v, %d bytes", line, err, len(picture))
	}
}

// lastTrace cuts the table of a counterexample and its replay out of the text.
func lastTrace(t *testing.T, out string) (trace, replay string) {
	t.Helper()
	_, rest, ok := strings.Cut(out, "\ncounterexample, ")
	if !ok {
		t.Fatalf("no counterexample in\n%s", out)
	}
	lines := strings.Split(rest, "\n")
	for k, line := range lines {
		if strings.HasPrefix(line, "caucus check") {
			return strings.Join(lines[1:k], "\n"), line
		}
	}
	t.Fatalf("no replay in\n%s", out)
	return "", ""
}

func TestCheckJSON(t *testing.T) {
	code, out, logs := caucusRun(t, "check", "--algo", "bounded", "--faithful", "paper", "--param", "radius=2",
		"--network", "2-3:0", "--unsafe", "--json")
	var d checkDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != exitFailed {
		t.Fatalf("exit %d, %v\n%s", code, err, logs)
	}
	if d.Schema != "caucus.check/2" || d.Verdict != "violated" || len(d.Rows) != 4 || d.Options["radius"] != "2" ||
		d.Options["start"] != "any" || d.Options["faults"] != "none" {
		t.Errorf("%+v", d)
	}
	r := d.Rows[0]
	if r.Fair == nil || r.Fair.Story == nil || r.FairFails != 1 || r.Rounds != nil ||
		!strings.HasPrefix(r.Fair.Replay, "caucus check --algo bounded --faithful paper") {
		t.Errorf("%+v", r)
	}
}

func TestCheckRefuses(t *testing.T) {
	for args, says := range map[string]string{
		"--algo bouned":                          `did you mean "bounded"?`,
		"--daemon centrel":                       `did you mean "central"?`,
		"--nodes 7":                              "1 to 6",
		"--algo as-far --nodes 2":                "3 or more for rings",
		"--class rigns":                          `did you mean "rings"?`,
		"--strengths 1,-2":                       `"-2"`,
		"--lengths 0 --param radius=2":           "assumes edge lengths > 0",
		"--network 2-3 --topology line:3":        "together with --topology",
		"--topology ring:13":                     "1 to 12 nodes",
		"--algo as-far --topology ring:13":       "1 to 12 nodes",
		"--walks 0":                              "1 or more",
		"--walks -3":                             "1 or more",
		"--algo as-far --network 2-3":            "assumes the topology ring",
		"--param radius":                         "name=value",
		"--start dirty":                          "any, clean",
		"--model mail":                           "shared, messages",
		"--max-states 12":                        "1000 or more",
		"--param heartbeat=0 --param radius=inf": "radius",
		"--ghosts 9":                             "0 to 3",
		"--corrupted 9":                          "0 to 8",
		"--corrupted 4 --nodes 3":                "0 to 3: no network has more nodes",
		"--corrupted 1 --start clean":            "nothing with --start clean",
		"--corrupted 1 --model messages":         "nothing in the message model",
		"--algo as-far --corrupted 1":            "nothing: as-far is an algorithm of the events shape",
		"--faults crsh=1":                        `did you mean "crash"?`,
		"--faults loss=1":                        "in the message model",
		"--algo as-far --two-way":                "nothing: as-far is an algorithm of the events shape",
		"--restart 4":                            "only event algorithms have it",
		"--algo elect-min --restart 3":           "from 4 to 1e6 rounds",
		"--algo torus --restart 4":               "relies on the topology torus, which a crash breaks",
		"--faults crash=1 --daemon paced":        "synchronous, central, locally, distributed",
		"--algo as-far --daemon central":         "of the events shape",
		"--algo as-far --model messages":         "of the events shape",
		"--max-initiators 1":                     "of the rounds shape",
		"--fifo=false":                           "of the rounds shape",
		"--model messages --daemon distributed":  "central, the only one",
		"--max-memory 1k":                        "1M or more bytes",
		"--diagram x.svg":                        "none without --replay",
		"--algo waves --replay act":              "one: give --network",
		"--algo waves --network 2-3 --replay go": "act, again, begin, corrupt",
		"--algo waves --network 2-3 --replay act --diagram x.txt":         ".svg, .png or .pdf",
		"--algo waves --network 2-3 --diagram x.svg --replay=":            "replay",
		"--algo waves --network 2-3 --replay act --diagram nowhere/x.svg": "nowhere",
	} {
		code, out, logs := caucusRun(t, append([]string{"check"}, strings.Fields(args)...)...)
		if code != exitMisuse || !strings.Contains(logs, says) {
			t.Errorf("check %s: exit %d, %q and %q; should say %s", args, code, out, logs, says)
		}
	}
}

func TestCheckRefusesLinks(t *testing.T) {
	for _, c := range []struct{ faults, fault, says string }{
		{"none", "kind: crash, nodes: [2]", "kind: loss, of links; faults of nodes are numbers"},
		{"none", "kind: loss, rate: 0.5, links: [2-3]", "with --faults loss=N"},
		{"none", "at: 3, kind: loss, rate: 1", "no time"},
		{"none", "kind: loss, rate: 1, links: [2->9]", "of nodes that there are"},
		{"none", "kind: loss, rate: 1, nodes: [9], way: out", `node "9" does not exist`},
		{"none", "kind: loss, rate: 1, way: out", "way is of nodes that are listed"},
		{"none", "kind: loss, links: [2->3]", "needs rate"},
		{"loss=1", "kind: loss, rate: 1, links: [2->3]", "in the message model"},
	} {
		code, _, logs := caucusRun(t, "check", "--algo", "waves", "--nodes", "3", "--faults", c.faults, "--fault",
			c.fault)
		if code == exitOK || code == exitFailed && c.faults == "none" || !strings.Contains(logs, c.says) {
			t.Errorf("%s: exit %d, %q, should say %q", c.fault, code, logs, c.says)
		}
	}
}

// With too few states nothing is decided, which is an exit code of its own.
func TestCheckLimit(t *testing.T) {
	for _, limit := range []string{"--max-states=1000", "--max-memory=1M"} {
		code, out, logs := caucusRun(t, "check", "--algo", "collect", "--nodes", "2", "--param", "max-distance=3",
			"--daemon", "central", limit)
		if code != exitUndecided || !strings.Contains(out, "verdict=undecided") ||
			!strings.Contains(logs, "undecided: too large") {
			t.Errorf("%s: exit %d\n%s%s", limit, code, out, logs)
		}
	}
}

// Each line of the plan of --all is a command that stands.
func TestCheckPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the plan only")
	}
	for _, p := range registry.Plans() {
		var f checkFlags
		sub := checkCommand(&f)
		sub.SetContext(t.Context())
		if err := sub.ParseFlags(strings.Fields("--algo " + p.Algo + " " + p.Args)); err != nil {
			t.Errorf("%+v: %v", p, err)
			continue
		}
		if _, err := f.job(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestCheckAllOverwritesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "verdicts.md")
	if err := os.WriteFile(file, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := caucusRun(t, "check", "--all", "--output", file); code != exitMisuse {
		t.Errorf("exit %d", code)
	}
	if text, _ := os.ReadFile(file); string(text) != "mine" {
		t.Errorf("file holds %q", text)
	}
}

// The document of an event algorithm says what was promised, how time counts and what was drawn.
func TestCheckEventsJSON(t *testing.T) {
	for _, c := range []struct {
		args    string
		code    int
		promise string
		ticks   int
		draws   bool
		most    bool // a number of messages
	}{
		{"--algo minfind --nodes 2", exitOK, "rests", 0, false, true},
		{"--algo flood-changes --nodes 2", exitOK, "ends", 2, false, true},
		{"--algo itai-rodeh --nodes 3", exitOK, "ends", 0, true, false},
		{"--algo bully --nodes 2 --strengths 1", exitOK, "lasts", 2, false, false},
		{"--algo hyper-elect --nodes 4 --faults loss=1", exitFailed, "ends", 0, false, false},
	} {
		code, out, logs := caucusRun(t, append([]string{"check", "--json"}, strings.Fields(c.args)...)...)
		var d checkDocument
		if err := json.Unmarshal([]byte(out), &d); err != nil || code != c.code || d.Events == nil {
			t.Errorf("%s: exit %d, %v\n%s", c.args, code, err, logs)
			continue
		}
		e := d.Events
		if e.Promise != c.promise || e.Ticks != c.ticks || e.Draws != c.draws ||
			(e.Messages != nil && e.Fails == 0) != c.most || (e.Counterexample != nil) != (code == exitFailed) ||
			e.Unsafe > 0 {
			t.Errorf("%s: %+v", c.args, e)
		}
	}
}

// The checker takes executions for one that differ by what all terms have more; the simulator, which counts on, finds
// the messages of such a counterexample all the same: here both nodes have begun a term before the first is told.
func TestCheckCountsFromOrigin(t *testing.T) {
	code, out, logs := caucusRun(t, "check", "--algo", "bully", "--nodes", "2", "--strengths", "1", "--counter", "1",
		"--faults", "corrupt=1", "--max-states", "500k")
	if code != exitFailed || !strings.Contains(out, "message 3 from=2 Kind=3,Term=1,From.Rank=-1") ||
		!strings.Contains(out, "verdict=violated networks=2") {
		t.Errorf("exit %d: %s%s", code, out, logs)
	}
}
