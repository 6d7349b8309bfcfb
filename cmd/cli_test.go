package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write the golden files anew")

// runDocument is what run --json writes.
type runDocument struct {
	runHead
	Regions []struct {
		regionDocument
		Members []string `json:"members"`
	} `json:"regions"`
	Outcomes []nodeDocument `json:"outcomes"`
}

// caucusRun drives the program as its user does.
func caucusRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, logs bytes.Buffer
	code = run(args, &out, &logs)
	return code, strings.ReplaceAll(out.String(), version(), "VERSION"), logs.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; go test ./cmd -update writes it anew):\n%s", file, diff)
	}
}

func TestGolden(t *testing.T) {
	for _, c := range []struct{ name, args string }{
		{"run-geant", "run --algo bounded --topology geant2012 --radius 1500km"},
		{"run-scenario-geant", "run ../scenarios/geant.yaml"},
		{"run-scenario-partition", "run ../scenarios/partition.yaml"},
		{"run-scenario-ghost", "run ../scenarios/ghost.yaml"},
		{"run-scenario-energy", "run ../scenarios/energy.yaml"},
		{"run-grid-async", "run --topology grid:6x8 --radius 3 --timing async --strength random --seed 7"},
		{"run-json", "run --topology line:4 --radius 1 --json"},
		{"run-dry", "run --topology grid:3x3 --radius 2 --dry-run"},
		{"run-dry-faults", "run ../scenarios/partition.yaml --dry-run"},
		{"run-as-far", "run --algo as-far --topology ring:64"},
		{"run-as-far-json", "run --algo as-far --topology ring:5 --initiators 2 --delays exp --json"},
		{"run-help", "run --help"},
		{"list", "list"},
		{"list-bounded", "list bounded"},
		{"list-as-far", "list as-far"},
		{"list-json", "list --json"},
		{"list-help", "list --help"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, logs := caucusRun(t, strings.Fields(c.args)...)
			if code != exitOK {
				t.Fatalf("exit code %d\n%s", code, logs)
			}
			golden(t, c.name, out)
		})
	}
}

// The examples of the issue: path of 7, unit edges, strengths 9 1 2 3 4 5 6, radius 3; peeling: node 1 takes
// 1 to 4, node 7 the rest. With lt the fourth node is out of reach of node 1, and 7 reaches only 5.
func TestRunPathOfSeven(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "path.graphml")
	text := `<graphml><key id="s" for="node" attr.name="power" attr.type="double"/><graph edgedefault="undirected">`
	for i, s := range []string{"9", "1", "2", "3", "4", "5", "6"} {
		text += `<node id="` + string(rune('a'+i)) + `"><data key="s">` + s + `</data></node>`
	}
	for i := range 6 {
		text += `<edge source="` + string(rune('a'+i)) + `" target="` + string(rune('b'+i)) + `"/>`
	}
	if err := os.WriteFile(file, []byte(text+"</graph></graphml>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for cmp, want := range map[string]string{"le": "aaaaggg", "lt": "aaadggg"} {
		code, out, logs := caucusRun(t, "run", "--topology", file, "--radius", "3", "--strength", "attribute:power",
			"--param", "radius-cmp="+cmp, "--json")
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, logs)
		}
		var d runDocument
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range d.Outcomes {
			got += n.Leader
		}
		if got != want || d.Settled != 3 {
			t.Errorf("%s: leaders %s settled in round %d, want %s in 3", cmp, got, d.Settled, want)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "null.csv")); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad.yaml")
	if err := os.WriteFile(bad, []byte("algo: bounded\ntopology: line:3\nfaults:\n  - {at: 3, kind: los}\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	exists := filepath.Join(dir, "exists.csv")
	if err := os.WriteFile(exists, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string // in stderr
	}{
		{[]string{"rn"}, 2, `unknown command "rn" for "caucus"`},
		{[]string{"rn"}, 2, "Did you mean this?\n\trun"},
		{[]string{"run", "--sed", "1"}, 2, "unknown flag: --sed; did you mean --seed?"},
		{[]string{"run", "--frobnicate", "1"}, 2, "unknown flag: --frobnicate; caucus run --help lists the flags"},
		{[]string{"run", "--topology", "line:3", "--csv", filepath.Join(dir, "null.csv"), "--force"}, 2,
			"allowed: a regular file"},
		{[]string{"run", "--topology", "line:3", "--csv", filepath.Join(dir, strings.Repeat("x", 251)+".csv")}, 1,
			"cannot write " + filepath.Join(dir, strings.Repeat("x", 251)+".csv") + ": file name too long"},
		{[]string{"status", "--addr", "http://127.0.0.1:7401"}, 2, `addr: found "http://127.0.0.1:7401", allowed: host:port`},
		{[]string{"status", "--addr", "localhost"}, 2, `addr: found "localhost", allowed: host:port`},
		{[]string{"status", "--addr", "a:1/b"}, 2, `addr: found "a:1/b", allowed: host:port`},
		{[]string{"up", "--profile", "lna"}, 2, `profile: found "lna", allowed: loopback, lan, wan; did you mean "lan"?`},
		{[]string{"run", "a", "b"}, 2, "accepts at most 1 arg(s), received 2"},
		{[]string{"run"}, 2, `topology: found "", allowed: a built-in name (geant2012), a generator (grid:20x50) or a file`},
		{[]string{"run", "no-such.yaml"}, 2, "no-such.yaml: no such file"},
		{[]string{"run", bad}, 2, bad + `:4: kind: found "los", allowed: crash`},
		{[]string{"run", "--topology", "abilene", "--radius", "3"}, 2, `radius: found "3", allowed: a length > 0 in km or m`},
		{[]string{"run", "--topology", "line:3", "--radius", "0"}, 2, `radius: found "0", allowed: a plain number > 0, or inf`},
		{[]string{"run", "--topology", "line:3", "--radius", "NaN"}, 2, `radius: found "NaN", allowed: a plain number > 0, or inf`},
		{[]string{"run", "--topology", "line:3", "--seed", "x"}, 2, `seed: found "x", allowed: a whole number`},
		{[]string{"run", "--topology", "line:3", "--param", "order"}, 2, `param: found "order", allowed: name=value`},
		{[]string{"run", "--topology", "line:3", "--param", "ordr=sid"}, 2, `parameter of bounded: found "ordr", allowed: radius, radius-cmp, order, clamp, hop-limit, heartbeat, nonce; did you mean "order"?`},
		{[]string{"run", "--topology", "line:3", "--fault", "kind: crash, nodes: [9]"}, 2, `node "9" does not exist`},
		{[]string{"run", "--topology", "line:3", "--fault", "kind: crash, nodes: ["}, 2, `fault:1: `},
		{[]string{"run", "--topology", "line:3", "--algo", "bonded"}, 2, `did you mean "bounded"?`},
		{[]string{"run", "--topology", "line:3", "--faithful", "paper"}, 2, `radius: found "inf", allowed: a finite length`},
		{[]string{"run", "--topology", "line:3", "--faithful", "paper", "--dry-run"}, 2, `radius: found "inf", allowed: a finite length`},
		{[]string{"run", "--topology", "grid:3x3", "--algo", "as-far"}, 2, `not a ring: node "2" has degree 3`},
		{[]string{"run", "--topology", "line:3", "--csv", exists}, 2,
			"a file that does not exist yet, or --force to replace it"},
		{[]string{"run", "--topology", "line:3", "--csv", filepath.Join(dir, "no", "a.csv")}, 2, "csv: stat"},
		{[]string{"run", "--topology", "line:3", "--csv", filepath.Join(dir, "a.csv"), "--samples",
			filepath.Join(dir, "a.csv")}, 2, "another file than csv"},
		{[]string{"run", "--topology", "line:20001", "--map", filepath.Join(dir, "a.png")}, 2, `map: found "20001 nodes", allowed: networks of at most 20000 nodes`},
		{[]string{"run", "--topology", "line:3", "--map", dir}, 2, "a file name that ends in .svg, .png or .pdf"},
		{[]string{"run", "--topology", "line:3", "--metric", "rtt", "--radius", "5ms"}, 2, `metric: found "rtt", allowed: hops, weight, distance: there is no network`},
		{[]string{"run", "--topology", "ring:3", "--algo", "as-far", "--fault", "kind: expiry, rounds: 3"}, 2, `faults[0].kind: found "expiry", allowed: all others, for an event algorithm`},
		{[]string{"run", "--topology", "ring:30", "--algo", "as-far", "--rounds", "10"}, 3,
			"the limit of 10 periods came before all messages had arrived"},
		{[]string{"run", "--topology", "line:50", "--rounds", "10"}, 3,
			"the limit of 10 rounds came before nothing had changed for 20 rounds"},
		{[]string{"run", "--topology", "line:50", "--rounds", "10", "--stable-for", "0"}, 3,
			"something has changed in the last of 10 rounds"},
		{[]string{"run", "--topology", "line:3", "--replay", ""}, 2, `replay: found "nothing", allowed: a trace`},
		{[]string{"run", "--topology", "line:3", "--radius", "100", "--faithful", "paper", "--fault",
			"kind: fake-leader, fake: 77, value: 9"}, 1,
			"3 of 3 nodes have no leader that leads: 1 follows #77, which does not lead"},
		{[]string{"run", "--topology", "line:3", "--radius", "100", "--faithful", "paper", "--fault",
			"kind: fake-leader, fake: 18446744073709551615, value: 9"}, 1,
			"1 follows #18446744073709551615, which does not lead"},
		{[]string{"list", "raft"}, 2, `algo: found "raft", allowed: bounded`},
	} {
		code, _, logs := caucusRun(t, c.args...)
		if code != c.code || !strings.Contains(logs, c.want) {
			t.Errorf("%q: exit %d, want %d; stderr\n%swant %s", c.args, code, c.code, logs, c.want)
		}
	}
	if text, err := os.ReadFile(exists); err != nil || string(text) != "mine" {
		t.Errorf("the existing file holds %q, %v", text, err)
	}
}

// Names that could steer a terminal or break the table are quoted.
func TestOddNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "odd.gml")
	text := "graph [ node [ id 1 label \"\x1b[31mred\" ] " +
		"node [ id 2 label \"two\nlines\" ] edge [ source 1 target 2 ] ]"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, verb := range [][]string{{"run", "--topology"}, {"graph", "info"}} {
		_, out, logs := caucusRun(t, append(verb, file)...)
		if strings.ContainsAny(out+logs, "\x1b") || !strings.Contains(out, `"\x1b[31mred"`) {
			t.Errorf("%q: %q", verb, out+logs)
		}
	}
}

// Whatever the number of workers, stdout is the same, byte for byte, and so are the files.
func TestWorkersDoNotShow(t *testing.T) {
	outputs := map[string]string{}
	for _, workers := range []string{"1", "2"} {
		dir := t.TempDir()
		code, out, logs := caucusRun(t, "run", "--topology", "rgg:n=600,degree=8", "--radius", "5", "--timing", "async",
			"--workers", workers, "--verify",
			"--fault", "at: 20, kind: crash, leaders: true", "--csv", filepath.Join(dir,
				"a.csv"), "--samples", filepath.Join(dir, "s.csv"))
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, logs)
		}
		if !strings.Contains(logs, "verified: trace") {
			t.Errorf("not verified: %s", logs)
		}
		all := out
		for _, name := range []string{"a.csv", "s.csv"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			all += string(text)
		}
		outputs[workers] = all
	}
	if diff := cmp.Diff(outputs["1"], outputs["2"]); diff != "" {
		t.Error(diff)
	}
}

func TestRunFiles(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	args := []string{"run", "--topology", "grid:3x4", "--radius", "2", "--csv", name("a.csv"), "--samples",
		name("s.csv"), "--every", "2", "--map", name("m.png")}
	if code, _, logs := caucusRun(t, args...); code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	code, out, _ := caucusRun(t, append(args, "--map", name("m.svg"), "--force")...)
	if code != exitOK {
		t.Fatalf("exit %d with --force", code)
	}
	rows := readCSV(t, name("a.csv"), out)
	if diff := cmp.Diff([]string{"name", "id", "role", "leader", "distance", "strength"}, rows[0]); diff != "" ||
		len(rows) != 13 {
		t.Errorf("%d rows; %s", len(rows), diff)
	}
	// In a 3x4 grid of degrees 2 3 3 2 / 3 4 4 3 / …, node 6 is the first of degree 4 and takes all
	// within two hops; 7 is one of them.
	if diff := cmp.Diff([]string{"6", "6", "leader", "6", "0", "4"}, rows[6]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"7", "7", "follower", "6", "1", "4"}, rows[7]); diff != "" {
		t.Error(diff)
	}
	if s := readCSV(t, name("s.csv"), out); len(s) < 5 || s[1][0] != "2" || s[2][0] != "4" || s[1][7] == "0" {
		t.Errorf("samples %v", s)
	}
	f, err := os.Open(name("m.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(name(".*")); len(left) > 0 {
		t.Errorf("temporary files stay: %v", left)
	}
}

// readCSV reads a file with a reader's defaults; what was run must stand beside it, as in the first line of out.
func readCSV(t *testing.T, file, out string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	echo, _, _ := strings.Cut(out, "\n")
	meta, err := os.ReadFile(metaName(file))
	var d struct {
		Command string
		Options map[string]any
	}
	if err != nil || json.Unmarshal(meta, &d) != nil || strings.ReplaceAll(d.Command, version(), "VERSION") != echo ||
		d.Options["seed"] != 1.0 {
		t.Errorf("beside %s: %s, %v", file, meta, err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A ghost as a leader, and names that look like something else, are quoted.
func TestCSVQuotes(t *testing.T) {
	code, text, logs := caucusRun(t, "run", "../scenarios/ghost.yaml", "--stable-for", "20", "--rounds", "30", "--csv",
		"-")
	if code == exitMisuse || !strings.Contains(text, "name,id,role,leader,distance,strength\n") || !strings.Contains(text, `,"#99",`) || strings.Contains(text, "\n#") {
		t.Errorf("exit %d: %s%s", code, text, logs)
	}
}

// The resolved scenario that --dry-run prints is one that can be run, with the same result.
func TestDryRunPrintsAScenario(t *testing.T) {
	code, text, logs := caucusRun(t, "run", "../scenarios/geant.yaml", "--seed", "5", "--radius", "900km", "--dry-run")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	file := filepath.Join(t.TempDir(), "dry.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, want, _ := caucusRun(t, "run", "../scenarios/geant.yaml", "--seed", "5", "--radius", "900km")
	_, got, logs := caucusRun(t, "run", file)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", logs, diff)
	}
}

// Chang and Roberts: n-1 messages of each ID at best … with IDs rising in the direction of travel, each
// ID but the least meets a smaller one only at node 1: node i travels n-i+1 hops, in all n(n+1)/2 elect
// messages and n of the announcement.
func TestAsFarCounts(t *testing.T) {
	code, out, logs := caucusRun(t, "run", "--algo", "as-far", "--topology", "ring:64", "--json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	var d runDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Kinds["elect"] != 64*65/2 || d.Kinds["notify"] != 64 || d.Messages != 64*65/2+64 {
		t.Errorf("kinds %v, %d messages", d.Kinds, d.Messages)
	}
	if len(d.Regions) != 1 || d.Regions[0].Leader != "1" || len(d.Regions[0].Members) != 64 {
		t.Errorf("regions %+v", d.Regions)
	}
}

// Every command says what it is for and ends its help with examples whose flags exist.
func TestHelp(t *testing.T) {
	var visit func(path []string, cmd *cobra.Command)
	visit = func(path []string, cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				visit(append(path[:len(path):len(path)], sub.Name()), sub)
			}
		}
		code, out, logs := caucusRun(t, append(path, "--help")...)
		if code != exitOK || logs != "" {
			t.Errorf("%v --help: exit %d, stderr %q", path, code, logs)
		}
		if cmd.Short == "" || cmd.Example == "" ||
			!strings.HasSuffix(strings.TrimSpace(out), strings.TrimSpace(cmd.Example)) {
			t.Errorf("%v: help does not end with examples", path)
		}
		for _, name := range regexp.MustCompile(`caucus `+strings.Join(path, " ")+`\b.*`).FindAllString(cmd.Example, -1) {
			for _, f := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(name, -1) {
				if cmd.Flags().Lookup(f[1]) == nil && cmd.InheritedFlags().Lookup(f[1]) == nil {
					t.Errorf("%v: example with the unknown flag --%s", path, f[1])
				}
			}
		}
	}
	root := newRootCommand()
	for _, sub := range root.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			visit([]string{sub.Name()}, sub)
		}
	}
}

func TestVersion(t *testing.T) {
	if code, out, _ := caucusRun(t, "--version"); code != exitOK || out != "caucus version VERSION\n" {
		t.Errorf("exit %d: %s", code, out)
	}
}
