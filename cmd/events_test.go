package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// caucusWith drives the program with something on its standard input.
func caucusWith(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, logs bytes.Buffer
	code = runFrom(strings.NewReader(stdin), args, &out, &logs)
	return code, strings.ReplaceAll(out.String(), version(), "VERSION"), logs.String()
}

const smallRing = "run --algo as-far --topology ring:5 --ids random --seed 2"

func shown(out string) int { return strings.Count(out, " | ") - strings.Count(out, " | sends") }

// As many events are shown as are asked for, and q ends the run, undecided. Without more
// commands it goes to the end.
func TestStep(t *testing.T) {
	for _, c := range []struct {
		stdin string
		code  int
		shown int // of 5 wake-ups and 15 arrivals: see TestTraceReplayDiagram
	}{
		{"q\n", exitUndecided, 1}, {"\nq\n", exitUndecided, 2}, {"3\nq\n", exitUndecided, 4},
		{"3\n\nx\n2\nq\n", exitUndecided, 7},
		{"r\n", exitOK, 20}, {"", exitOK, 20}, {"\n\n", exitOK, 20}, {"1000\nq\n", exitOK, 20},
	} {
		code, out, logs := caucusWith(t, c.stdin, append(strings.Fields(smallRing), "--step")...)
		if code != c.code || shown(out) != c.shown {
			t.Errorf("%q: exit %d with %d events shown, want %d with %d\n%s%s", c.stdin, code, shown(out), c.code,
				c.shown, out, logs)
		}
		if strings.Contains(c.stdin, "x") && !strings.Contains(out, `found "x"; Enter: next event`) {
			t.Errorf("%q: no help\n%s", c.stdin, out)
		}
	}
}

// The IDs are 4, 2, 3, 1, 5: they go 1, 2, 1, 5 and 1 hops, and the notification 5.
//
// A trace, replayed without its scheduler, ends in the same trace; and a diagram is drawn.
func TestTraceReplayDiagram(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	run := func(args string) string {
		t.Helper()
		code, out, logs := caucusRun(t, append(strings.Fields(smallRing), strings.Fields(args)...)...)
		if code != exitOK {
			t.Fatalf("%s: exit %d\n%s%s", args, code, out, logs)
		}
		return out[strings.LastIndex(out, "trace="):]
	}
	want := run("--scheduler random --trace " + file("a.txt") + " --diagram " + file("a.svg"))
	for _, next := range []string{"b.jsonl", "c.txt"} {
		if got := run("--replay " + file("a.txt") + " --trace " + file(next)); got != want {
			t.Errorf("%s: %s, want %s", next, got, want)
		}
	}
	if got := run("--replay " + file("b.jsonl")); got != want {
		t.Errorf("from JSON lines: %s, want %s", got, want)
	}
	events := func(name string) string {
		text, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "\n") // without what was run
		return rest
	}
	if events("a.txt") != events("c.txt") || strings.Count(events("a.txt"), "\n") != 21 {
		t.Errorf("traces differ:\n%s\n%s", events("a.txt"), events("c.txt"))
	}
	if svg := events("a.svg"); !strings.Contains(svg, "As Far (as it can) on ring:5: 1 leader, 15 messages") ||
		!strings.Contains(svg, "(ID 1)") {
		t.Error("the diagram lacks its title or IDs")
	}
	code, _, logs := caucusRun(t, append(strings.Fields(smallRing), "--replay", file("a.txt"), "--initiators", "2,")...)
	if code != exitMisuse || !strings.Contains(logs, "the record is of another run") ||
		!strings.Contains(logs, "a.txt:") {
		t.Errorf("another run replayed: exit %d, %s", code, logs)
	}
}

// A run that goes on for ever stops once nothing has changed for so long; its trace, replayed, stops there as well,
// with the messages that are on their way then.
func TestReplayOfRestartStops(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "a.txt")
	args := []string{"run", "--algo", "minfind", "--topology", "ring:7", "--restart", "6", "--stable-for", "30",
		"--fault", "at: 2, kind: crash, nodes: [2]", "--fault", "at: 7, kind: restart, nodes: [2], keep: true"}
	last := func(more ...string) string {
		code, out, logs := caucusRun(t, append(slices.Clone(args), more...)...)
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, logs)
		}
		return out[strings.LastIndex(out, "converged="):]
	}
	if want, got := last("--trace", trace), last("--replay", trace); got != want {
		t.Errorf("replayed: %swas: %s", got, want)
	}
}

// Equal IDs are refused with the theorem. Run all the same, the states stay equal, all lead, and that is a failure.
func TestUnsafeTwins(t *testing.T) {
	ids := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(ids, []byte("# twins\n7\n7\n\n7 # each\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "--algo", "as-far", "--topology", "ring:3", "--ids", ids}
	if code, _, logs := caucusRun(t, args...); code != exitMisuse ||
		!strings.Contains(logs, "nodes 1 and 2 both have ID 7") || !strings.Contains(logs, "Angluin 1980") {
		t.Errorf("exit %d, %s", code, logs)
	}
	code, out, logs := caucusRun(t, append(args, "--unsafe")...)
	for _, want := range []string{
		"time 0  1, 2, 3: all {Min:7 Met:[0 0] End:{Role:undecided Leader:0}}\n",
		"time 1  1, 2, 3: all {Min:7 Met:[0 0] End:{Role:leader Leader:7}}\n",
		"time 2  1, 2, 3: all {Min:7 Met:[0 0] End:{Role:leader Leader:7}}\n",
		"1, 2, 3 were in equal states at every time",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if code != exitFailed || !strings.Contains(logs, "3 nodes lead where one should") {
		t.Errorf("exit %d, %s", code, logs)
	}
	// one initiator tells them apart
	_, out, _ = caucusRun(t, append(args, "--unsafe", "--initiators", "one")...)
	if !strings.Contains(out, "were no longer in equal states at time 0") {
		t.Errorf("one initiator:\n%s", out)
	}
}

// Results name nodes, not IDs, in whatever order IDs are given.
func TestIDs(t *testing.T) {
	dir := t.TempDir()
	for ids, leader := range map[string]string{"increasing": "1", "decreasing": "5", "random": "4",
		"30\n20\n50\n10\n40\n": "4"} {
		if strings.Contains(ids, "\n") {
			file := filepath.Join(dir, "ids")
			if err := os.WriteFile(file, []byte(ids), 0o644); err != nil {
				t.Fatal(err)
			}
			ids = file
		}
		code, out, logs := caucusRun(t, "run", "--algo", "as-far", "--topology", "ring:5", "--seed", "2", "--ids", ids,
			"--json")
		if code != exitOK {
			t.Fatalf("%s: %s", ids, logs)
		}
		var d runDocument
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatal(err)
		}
		if len(d.Regions) != 1 || d.Regions[0].Leader != leader || len(d.Regions[0].Members) != 5 {
			t.Errorf("%s: %+v, want %s to lead", ids, d.Regions, leader)
		}
		if sum := *d.Outcomes[0].Sent + *d.Outcomes[1].Sent + *d.Outcomes[2].Sent + *d.Outcomes[3].Sent +
			*d.Outcomes[4].Sent; sum != d.Messages {
			t.Errorf("%s: nodes sent %d messages of %d", ids, sum, d.Messages)
		}
	}
	for text, want := range map[string]string{
		"1\n2\n": ": 2 IDs for 5 nodes", "1\n2\n3\n4\n5\n6": ":6: more IDs than nodes; there are 5",
		"1\nx\n": `:2: id: found "x"`, "1\n2\n0\n4\n5": "node 3 has ID 0, which means that it has none; no deterministic algorithm",
	} {
		file := filepath.Join(dir, "wrong")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, _, logs := caucusRun(t, "run", "--algo", "as-far", "--topology", "ring:5", "--ids",
			file); code != exitMisuse || !strings.Contains(logs, want) {
			t.Errorf("%q: exit %d, %s", text, code, logs)
		}
	}
}

func TestEventsMisuse(t *testing.T) {
	for args, want := range map[string]string{
		"--algo as-far --events 0":                           `events: found "0"`,
		"--algo as-far --initiators 9":                       "found \"9\", allowed: all, one, 1 to 5",
		"--algo as-far --initiators 1,6":                     "found \"6\", allowed: all, one, a number, or names",
		"--algo as-far --scheduler lifo --delays exp":        `delays: found "exp"`,
		"--algo as-far --restart 3":                          `restart: found "3", allowed: 0, or from 4`,
		"--algo as-far --trace x.csv":                        "a file name that ends in .txt, .jsonl or .parquet",
		"--algo as-far --replay no-such":                     "no-such",
		"--algo as-far --step --json":                        `step: found "true"`,
		"--algo bounded --radius 2 --step":                   "only event algorithms",
		"--algo bounded --radius 2 --restart 5":              "only event algorithms",
		"--algo bounded --radius 2 --scheduler lifo":         "only event algorithms",
		"--algo bounded --radius 2 --initiators one":         "only event algorithms",
		"--algo bounded --radius 2 --delays exp":             "only event algorithms",
		"--algo bounded --radius 2 --fifo=false":             "only event algorithms",
		"--algo bounded --radius 2 --events 5":               "only event algorithms",
		"--algo as-far --topology ring:65 --diagram big.svg": "networks of at most 64 nodes",
	} {
		code, _, logs := caucusRun(t, append([]string{"run", "--topology", "ring:5"}, strings.Fields(args)...)...)
		if code != exitMisuse || !strings.Contains(logs, want) {
			t.Errorf("%s: exit %d, %s\nwant %s", args, code, logs, want)
		}
	}
	if code, _, logs := caucusRun(t, append(strings.Fields(smallRing), "--events", "9")...); code != exitUndecided ||
		!strings.Contains(logs, "limit of 9 events") {
		t.Errorf("exit %d, %s", code, logs)
	}
}

// After its leader has crashed, a ring elects again with the restart layer and not without.
func TestRestart(t *testing.T) {
	args := strings.Fields("run --algo as-far --topology ring:6 --stable-for 200 --fault " +
		"at:|30,|kind:|crash,|leaders:|true")
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "|", " ")
	}
	if code, _, logs := caucusRun(t, args...); code != exitFailed ||
		!strings.Contains(logs, "follows 1, which does not lead") {
		t.Errorf("without: exit %d, %s", code, logs)
	}
	if code, out, logs := caucusRun(t, append(args, "--restart", "15")...); code != exitOK ||
		!strings.Contains(out, "\n2       5 ") {
		t.Errorf("with: exit %d, %s%s", code, out, logs)
	}
}

// Itai–Rodeh elects among nodes of one ID, and the report names the node that leads.
func TestAnonymousRing(t *testing.T) {
	ids := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(ids, []byte("5\n5\n5\n5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		code, out, logs := caucusRun(t, "run", "--algo", "itai-rodeh", "--topology", "ring:4", "--ids", ids, "--seed",
			seed)
		if code != exitOK || !strings.Contains(out, "converged=true") || !strings.Contains(out, "leaders=1") {
			t.Errorf("seed %s: exit %d, %s%s", seed, code, out, logs)
		}
	}
}
