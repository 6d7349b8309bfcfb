package cmd

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/study"
	"github.com/spf13/cobra"
)

// What a folder has is told in other words without another run.
func TestReproduceMo(t *testing.T) {
	args := []string{"reproduce", "mo", "--graphs", "1", "-o", filepath.Join(t.TempDir(), "mo")}
	code, out, logs := caucusRun(t, args...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	golden(t, "reproduce-mo", out)
	code, out, logs = caucusRun(t, append(args, "--json")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	var d struct {
		Schema, Experiment string
		Options            map[string]any
		Comparisons        []struct {
			Quantity, Algorithm string
			Mean                float64
			Published           *struct {
				Value float64
				Paper string
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Schema != "caucus.reproduce/2" || d.Experiment != "mo" || d.Options["seed"] != 1.0 ||
		len(d.Comparisons) != 36 {
		t.Errorf("%+v", d)
	}
	if c := d.Comparisons[1]; c.Algorithm != "K=1 le" || c.Published == nil || c.Published.Value != 115 || c.Mean < 50 {
		t.Errorf("%+v", c)
	}
}

// readTable reads a table as other programs do, without an option, and looks whether the folder says what was run.
func readTable(t *testing.T, dir, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	meta, err := os.ReadFile(filepath.Join(dir, "meta.json"))
	if err != nil || !strings.Contains(string(meta), `"command": "caucus `+version()+` `) {
		t.Errorf("%s, %v", meta, err)
	}
	return rows
}

// The files of a sweep that is done are written by the same command again, and a proof that fails is exit code 1.
func TestReproduceFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	violated := false
	var f reproduceFlags
	cmd := &cobra.Command{RunE: func(cmd *cobra.Command, _ []string) error {
		batch := jobs.Batch{Name: "squares", Version: "1", Jobs: 4,
			Run: func(_ context.Context, job int) (results.Rows, error) {
				return results.Rows{{Metric: "square", Value: float64(job * job)}}, nil
			}}
		return reproduce(cmd, f, &study.Study{Batch: batch, Find: func(r *study.Report) {
			var squares []float64
			for _, row := range r.Rows {
				squares = append(squares, row.Value)
			}
			r.Violated, r.Facts = violated, []jobs.Option{{Name: "last", Value: fmt.Sprint(squares[3])}}
			r.Files = []study.File{{Name: "squares.txt",
				Write: func(w io.Writer) error { _, err := fmt.Fprintln(w, squares); return err }}}
		}})
	}}
	f.add(cmd)
	for _, violated = range []bool{false, false, true} {
		var out, logs bytes.Buffer
		cmd.SetArgs([]string{"-o", dir, "--workers", "2"})
		cmd.SetOut(&out)
		cmd.SetErr(&logs)
		if code := exitCode(cmd.ExecuteContext(t.Context())); (code == exitFailed) != violated ||
			code != exitOK && !violated {
			t.Errorf("exit %d, violated %v: %s", code, violated, logs.String())
		}
		if !strings.Contains(out.String(), "\nlast=9\n") {
			t.Errorf("stdout %s", out.String())
		}
		text, err := os.ReadFile(filepath.Join(dir, "squares.txt"))
		if err != nil || string(text) != "[0 1 4 9]\n" {
			t.Errorf("file %q, %v", text, err)
		}
		if files, _ := os.ReadDir(dir); len(files) != 8 { // the journal, four tables and two documents
			t.Errorf("%d files", len(files))
		}
	}
}

func TestReproduceRefusals(t *testing.T) {
	dir := t.TempDir()
	head := `{"journal":"caucus.journal/2","experiment":"mo","version":"` + version() +
		`","options":[{"name":"graphs","value":"7"}]}`
	journal := fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE([]byte(head)), head)
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
		{[]string{"-o", "-"}, `output folder: found "-", allowed: a folder`},
		{[]string{"-o", used}, `output folder: found "` + used + `"`},
		{[]string{"-o", filepath.Join(dir, "journal.jsonl")}, `journal.jsonl", allowed: a folder; this is a file`},
		{[]string{"--graphs", "0"}, `graphs: found "0", allowed: a whole number from 1 to 100000`},
		{[]string{"--graphs", "1e9"}, `graphs: found "1e9"`},
		{[]string{"--seed", "-1"}, `seed: found "-1"`},
		{[]string{"--workers", "x"}, `workers: found "x"`},
		{[]string{"more"}, "unknown command"},
	} {
		if code, _, logs := caucusRun(t, append([]string{"reproduce", "mo"}, c.args...)...); code != exitMisuse ||
			!strings.Contains(logs, c.want) {
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

func TestReproduceBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	code, out, logs := caucusRun(t, "reproduce", "bounded-election", "--scenario", "scale-free", "--seeds", "1", "-o",
		dir)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	golden(t, "reproduce-bounded", out)
	if rows := readTable(t, dir, "results.csv"); len(rows) != 1+3*(600+2) {
		t.Errorf("%d rows", len(rows))
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--scenario", "scalefree"},
			`scenario: found "scalefree", allowed: scale-free, random, edge; did you mean "scale-free"?`},
		{[]string{"--seeds", "0"}, `seeds: found "0", allowed: a whole number from 1 to 100000`},
		{[]string{"--faithful", "library"}, `faithful: found "library", allowed: artefact, paper`},
		{[]string{"--set", "walls"}, `set: found "walls", allowed: name=value of arena, walls`},
		{[]string{"--set", "seed=3"}, `set: found "seed=3"`},
		{[]string{"--set", "walls=bounce"}, `walls: found "bounce", allowed: stop, slide`},
		{[]string{"--set", "arena=1200x1200"}, `arena: found "1200x1200", allowed: none: a topology stands still`},
		{[]string{"--scenario", "random", "--set", "layout=spring:1"},
			`layout: found "spring:1", allowed: none: the places of a network that moves are its own`},
		{[]string{"--scenario", "random", "--set", "timing=sync"},
			`phases: found "x", allowed: nothing else than random`},
		{[]string{"--scenario", "random", "--set", "arena=10x10"},
			`place: found "box 5,5 to 1035,1035", allowed: a box inside the arena`},
	} {
		if code, _, logs := caucusRun(t, append([]string{"reproduce", "bounded-election"},
			c.args...)...); code != exitMisuse || !strings.Contains(logs, c.want) {
			t.Errorf("%q: exit %d, stderr %s", c.args, code, logs)
		}
	}
}
