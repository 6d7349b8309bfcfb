package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus/agent"
)

var tuneQuick = []string{"tune", "--topology", "grid:2x3", "--loss", "10%", "--delay", "20ms±5ms", "--success", "80%",
	"--periods", "50ms,20ms"}

// The output does not depend on the number of workers; the folder gets tables, charts and a configuration that agents
// take; and a second call finds everything done.
func TestTune(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tuned")
	code, out, logs := caucusRun(t, append(tuneQuick, "-o", dir, "--workers", "1")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	golden(t, "tune", out)
	if code, again, _ := caucusRun(t, append(tuneQuick, "--workers", "3")...); code != exitOK || again != out {
		t.Errorf("exit %d, with 3 workers\n%s\nwith 1\n%s", code, again, out)
	}
	for _, name := range []string{"results.csv", "means.csv", "meta.json", "tune.json", "times.svg", "times.png",
		"success.svg", "success.png", "journal.jsonl"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	config := filepath.Join(dir, "agent.yaml")
	if code, shown, logs := caucusRun(t, "agent", "--config", config, "--dry-run"); code != exitOK ||
		!strings.Contains(shown, "valid=true") || !strings.Contains(shown, "algo=prasle") {
		t.Errorf("exit %d: %s%s", code, shown, logs)
	}
	if text, err := os.ReadFile(config); err != nil || !strings.HasSuffix(out, string(text)) {
		t.Errorf("%v: %s is not the end of\n%s", err, text, out)
	}
	if code, again, logs := caucusRun(t, append(tuneQuick, "-o", dir)...); code != exitOK || again != out {
		t.Errorf("a second time: exit %d, %s", code, logs)
	}
	if code, _, logs := caucusRun(t, append(tuneQuick, "-o", dir, "--seed", "2")...); code != exitMisuse ||
		!strings.Contains(logs, `seed: found "2", allowed: 1`) {
		t.Errorf("another seed: exit %d, %s", code, logs)
	}
}

func TestTuneJSON(t *testing.T) {
	chart := filepath.Join(t.TempDir(), "times.png")
	code, out, logs := caucusRun(t, append(tuneQuick, "--json", "-o", chart)...)
	var d struct {
		Schema      string
		Options     map[string]any
		Recommended struct{ K, Runs, Succeeded int }
		Periods     []struct {
			T      float64
			Least  int
			Front  bool
			Points []struct{ K int }
		}
		Config string
	}
	if err := json.Unmarshal([]byte(out), &d); code != exitOK || err != nil {
		t.Fatalf("exit %d, %v: %s", code, err, logs)
	}
	if d.Schema != "caucus.tune/2" || d.Options["success"] != "80%" || d.Options["delay"] != "20ms±5ms" ||
		len(d.Periods) != 2 || d.Periods[0].T != 0.02 || d.Recommended.K != d.Periods[0].Least {
		t.Errorf("%+v", d)
	}
	if _, err := agent.Parse("agent.yaml", []byte(d.Config)); err != nil {
		t.Errorf("%v in\n%s", err, d.Config)
	}
	if info, err := os.Stat(chart); err != nil || info.Size() == 0 {
		t.Error(err)
	}
	if code, _, logs := caucusRun(t, append(tuneQuick, "-o", chart)...); code != exitMisuse ||
		!strings.Contains(logs, "--force to replace it") {
		t.Errorf("a chart that exists: exit %d, %s", code, logs)
	}
}

func TestTuneRefuses(t *testing.T) {
	apart := filepath.Join(t.TempDir(), "apart.edgelist")
	if err := os.WriteFile(apart, []byte("a b\nc d\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"", exitMisuse,
			`topology: found "", allowed: a built-in name (geant2012), a generator (grid:20x50) or a file`},
		{"--topology ring:5 --algo bounded", exitMisuse,
			`algo: found "bounded", allowed: hardened, unreliable, reliable, prasle, prasle-reliable`},
		{"--topology ring:5 --loss 100%", exitMisuse, `loss: found "100%", allowed: less than 100%`},
		{"--topology ring:5 --loss much", exitMisuse, `loss: found "much", allowed: a probability`},
		{"--topology ring:5 --delay 20", exitMisuse, `delay: found "20", allowed: a time from 0s to 1m`},
		{"--topology ring:5 --delay 5ms±6ms", exitMisuse, `delay: found "5ms±6ms"`},
		{"--topology ring:5 --delay 0s --algo reliable", exitMisuse, "at least 1us for the reliable variant"},
		{"--topology ring:5 --success 100%", exitMisuse, "a share from 50% to 99.999%"},
		{"--topology ring:5 --periods 10us", exitMisuse, "times from 1ms to 1h"},
		{"--topology ring:5 --delay 1m --periods 1ms", exitMisuse, "no less than a thousandth of the latency"},
		{"--topology ring:5 --runs some", exitMisuse, `runs: found "some"`},
		{"--topology ring:5 --workers x", exitMisuse, `workers: found "x"`},
		{"--topology ring:5 --energy send=3", exitMisuse, "such as 52.2mW"},
		{"--topology ring:5 --strength beauty", exitMisuse, `strength: found "beauty"`},
		{"--topology clique:300", exitMisuse, "at most 20000 edges"},
		{"--topology " + apart, exitMisuse, "apart.edgelist: "},
		{"--topology ring:8 --algo reliable --loss 30% --success 80%", exitFailed, "no K and T is enough"},
		{"--topology ring:8 --success 99.9% --runs 100 --periods 20ms", exitUndecided, "more --runs may decide it"},
	} {
		if code, _, logs := caucusRun(t, append([]string{"tune"}, strings.Fields(c.args)...)...); code != c.code ||
			!strings.Contains(logs, c.says) {
			t.Errorf("%s: exit %d, want %d: %s", c.args, code, c.code, logs)
		}
	}
}

// The table alone goes to standard output, and is the means.csv of the folder.
func TestTuneCSV(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tuned")
	code, out, logs := caucusRun(t, append(tuneQuick, "--csv", "-", "-o", dir)...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "means.csv")); err != nil || string(text) != out {
		t.Errorf("%v: %s\nbut in the folder\n%s", err, out, text)
	}
	if code, _, logs := caucusRun(t, append(tuneQuick, "--csv", "-", "--json")...); code != exitMisuse ||
		!strings.Contains(logs, `csv: found "-", allowed: a file, as --json takes standard output`) {
		t.Errorf("with --json: exit %d, %s", code, logs)
	}
}
