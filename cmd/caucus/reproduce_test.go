package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReproduceMo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	args := []string{"reproduce", "mo", "--graphs", "1", "-o", dir}
	code, out, logs := caucusRun(t, args...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	golden(t, "reproduce-mo", out)
	rows := readCSV(t, filepath.Join(dir, "clean.csv"), out)
	if len(rows) != 1+17 { // waves, and K from 1 to 8 with both comparisons
		t.Errorf("%d rows: %v", len(rows), rows)
	}
	// Done: the same command only evaluates, and any other is refused.
	code, again, logs := caucusRun(t, append(args, "--json")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	var d struct {
		Schema, Experiment string
		Options            map[string]string
		Comparisons        []struct {
			Quantity, Algorithm string
			Mean                float64
			Published           *struct {
				Value float64
				Paper string
			}
		}
	}
	if err := json.Unmarshal([]byte(again), &d); err != nil {
		t.Fatal(err)
	}
	if d.Schema != "caucus.reproduce/1" || d.Experiment != "mo" || d.Options["seed"] != "1" || len(d.Comparisons) != 21 {
		t.Errorf("%+v", d)
	}
	if c := d.Comparisons[1]; c.Algorithm != "K=1 le" || c.Published == nil || c.Published.Value != 115 || c.Mean < 50 {
		t.Errorf("%+v", c)
	}
	if file, err := os.ReadFile(filepath.Join(dir, "summary.json")); err != nil || !strings.HasPrefix(again, strings.ReplaceAll(string(file), version(), "VERSION")) {
		t.Errorf("--json and summary.json differ, %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("temporary files stay: %v", left)
	}
}

func TestReproduceRefusals(t *testing.T) {
	dir := t.TempDir()
	journal := `{"journal":"caucus.journal/1","experiment":"mo","version":"` + version() + `","options":[{"name":"graphs","value":"7"}]}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), []byte(journal), 0o644); err != nil {
		t.Fatal(err)
	}
	used := t.TempDir()
	if err := os.WriteFile(filepath.Join(used, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--graphs", "8", "-o", dir}, `graphs: found "8", allowed: 7, with which ` + dir + ` was begun`},
		{[]string{"-o", used}, `output folder: found "` + used + `"`},
		{[]string{"--graphs", "0"}, `graphs: found "0", allowed: a whole number from 1 to 100000`},
		{[]string{"--graphs", "1e9"}, `graphs: found "1e9"`},
		{[]string{"--seed", "-1"}, `seed: found "-1"`},
		{[]string{"--workers", "x"}, `workers: found "x"`},
		{[]string{"more"}, "unknown command"},
	} {
		if code, _, logs := caucusRun(t, append([]string{"reproduce", "mo"}, c.args...)...); code != exitMisuse || !strings.Contains(logs, c.want) {
			t.Errorf("%q: exit %d, stderr %s", c.args, code, logs)
		}
	}
	if now, err := os.ReadFile(filepath.Join(dir, "journal.jsonl")); err != nil || !bytes.Equal(now, []byte(journal)) {
		t.Errorf("the journal is now %q, %v", now, err)
	}
}

// Two of eight jobs in 10 s make 5 s each, 30 s for the six left; 4 s of these have passed since.
func TestRemaining(t *testing.T) {
	for _, c := range []struct {
		took, ago  time.Duration
		done, left int
		want       string
	}{
		{10 * time.Second, 4 * time.Second, 2, 6, "26s left"},
		{10 * time.Second, time.Minute, 2, 6, "0s left"},
		{10 * time.Second, 0, 0, 8, ""},
		{300 * time.Second, 0, 100, 30, "1m30s left"},
	} {
		if got := remaining(c.took, c.ago, c.done, c.left); got != c.want {
			t.Errorf("%v: %q", c, got)
		}
	}
}
