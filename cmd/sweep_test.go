package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/internal/sweep"
)

// smallStudy is a study of 16 runs.
const smallStudy = `version: 1
scenario: {topology: "ring:${n}", metric: hops, strength: random, stable-for: 5}
grid: {n: [8, 12], radius: [1, 2]}
algorithms: [bounded, recursive]
seeds: 2
measures: [leaders, messages]
`

func studyFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "small.yaml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A table in both formats; nothing else stays but what says what was run.
func TestSweepFiles(t *testing.T) {
	file, dir := studyFile(t, smallStudy), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	code, out, logs := caucusRun(t, "sweep", file, "-o", at("r.csv"))
	if code != exitOK || !strings.Contains(out,
		"sweep name=small variables=n,radius points=4 algorithms=2 runs=16 shard=1/1\n") ||
		!strings.Contains(out, "Differences on the same seeds") {
		t.Fatalf("exit %d: %s%s", code, out, logs)
	}
	text, err := os.ReadFile(at("r.csv"))
	if err != nil || !strings.HasPrefix(string(text),
		"run,n,radius,algorithm,network,nodes,seed,round,measure,value\n1,8,1,bounded,ring:8,8,1,,leaders,") ||
		strings.Count(string(text), "\n") != 1+2*16 {
		t.Errorf("%v: %s", err, text)
	}
	var meta map[string]string
	if text, err := os.ReadFile(at("r.meta.json")); err != nil || json.Unmarshal(text, &meta) != nil ||
		meta["caucus.plan"] != smallStudy {
		t.Errorf("%s, %v", text, err)
	}
	for _, args := range []string{"-o " + at("1.parquet") + " --shard 1/2",
		"-o " + at("2.parquet") + " --shard 2/2 --workers 1", "-o " + at("whole.parquet")} {
		if code, _, logs := caucusRun(t, append([]string{"sweep", file}, strings.Fields(args)...)...); code != exitOK {
			t.Fatalf("%s: exit %d: %s", args, code, logs)
		}
	}
	if code, _, logs := caucusRun(t, "sweep", "merge", at("1.parquet"), "-o", at("m.parquet")); code != exitUndecided ||
		!strings.Contains(logs, "missing: 2/2") {
		t.Errorf("exit %d: %s", code, logs)
	}
	if code, _, logs := caucusRun(t, "sweep", "merge", at("2.parquet"), at("1.parquet"), "-o",
		at("m.parquet")); code != exitOK {
		t.Errorf("exit %d: %s", code, logs)
	}
	a, _ := os.ReadFile(at("whole.parquet"))
	if b, err := os.ReadFile(at("m.parquet")); err != nil || !bytes.Equal(a, b) {
		t.Errorf("merged: other bytes, %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 6 {
		t.Errorf("%v", files)
	}
	code, out, _ = caucusRun(t, "sweep", file, "--json")
	var d struct {
		Schema string
		Means  []sweep.Mean
	}
	if err := json.Unmarshal([]byte(out), &d); code != exitOK || err != nil || d.Schema != "caucus.sweep/1" ||
		len(d.Means) != 16 || d.Means[0].Mean == nil {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
	if code, out, logs = caucusRun(t, "sweep", file, "--dry-run", "-o", at("dry.csv")); code != exitOK ||
		!strings.Contains(out, "about ") || !strings.Contains(out, "after the time of 5 runs") {
		t.Errorf("exit %d: %s%s", code, out, logs)
	}
}

func TestSweepRefuses(t *testing.T) {
	file := studyFile(t, smallStudy)
	damaged := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(damaged, []byte("PAR1 is no table PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"sweep " + file + " -o r.txt", `output: found "r.txt", allowed: a file name that ends in .csv or .parquet`},
		{"sweep " + file + " -o " + file + ".csv/x.csv", "no such file"},
		{"sweep " + file + " --shard 3/2", `shard: found "3/2", allowed: part/parts`},
		{"sweep " + file + " --workers x", `workers: found "x"`},
		{"sweep " + studyFile(t, strings.Replace(smallStudy, "leaders,", "leader,", 1)), `measures: found "leader"`},
		{"sweep none.yaml", "none.yaml"},
		{"sweep merge " + file, `allowed: a .parquet file`},
		{"sweep merge " + damaged, "x.parquet: "},
	} {
		if code, _, logs := caucusRun(t, strings.Fields(c.args)...); code != exitMisuse ||
			!strings.Contains(logs, c.want) {
			t.Errorf("%s: exit %d: %s, want %q", c.args, code, logs, c.want)
		}
	}
}

// A part is what the flag says, else what a scheduler does.
func TestReadShard(t *testing.T) {
	for _, c := range []struct {
		flag, env, want string
	}{
		{"", "", "1/1"}, {"2/5", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=9", "2/5"},
		{"", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=9 SLURM_ARRAY_TASK_MIN=0", "8/9"},
		{"", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=9 SLURM_ARRAY_TASK_MIN=1", "7/9"},
		{"", "JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=4", "1/4"},
		{"", "JOB_COMPLETION_INDEX=0", ""}, {"0/3", "", ""}, {"x", "", ""}, {"1/0", "", ""},
	} {
		env := map[string]string{}
		for _, pair := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		s, err := readShard(c.flag, func(name string) string { return env[name] })
		if (err != nil) != (c.want == "") || err == nil && s.String() != c.want {
			t.Errorf("%+v: %s, %v", c, s, err)
		}
	}
}

// A shard that is asked to stop says "run me again", and the second call goes on; one that is killed loses no more than
// the run under way. Where a machine ends the shard before it is stopped, the shard is made longer.
func TestSweepAgain(t *testing.T) {
	for seeds := 30; !sweepAgain(t, seeds); seeds *= 4 {
		if seeds > 5000 {
			t.Fatal("every shard ends before it is stopped")
		}
	}
}

func sweepAgain(t *testing.T, seeds int) (stopped bool) {
	file := studyFile(t,
		strings.NewReplacer("[8, 12]", "[400, 500]", "seeds: 2", fmt.Sprint("seeds: ", seeds)).Replace(smallStudy))
	dir := t.TempDir()
	out := filepath.Join(dir, "1.parquet")
	args := []string{"sweep", file, "--shard", "1/2", "-o", out, "--workers", "1"}
	kept := func() int {
		text, _ := os.ReadFile(filepath.Join(out+".jobs", "journal.jsonl"))
		return bytes.Count(text, []byte("\n"))
	}
	last := 1
	for _, how := range []os.Signal{os.Interrupt, os.Kill} {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "CAUCUS_TEST_AS_PROGRAM=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); kept() < last+2 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		cmd.Process.Signal(how)
		err := cmd.Wait()
		if err == nil {
			return false
		}
		if code := cmd.ProcessState.ExitCode(); how == os.Interrupt && code != exitAgain {
			t.Fatalf("%v: exit %d, %v", how, code, err)
		}
		if last = kept(); last < 3 {
			t.Fatalf("%v: %d lines kept", how, last)
		}
	}
	// The third call goes on: it makes fewer runs than there are, and the table is that of a call without
	// interruptions.
	args = append(args[:len(args)-2], "--workers", "2")
	if code, _, logs := caucusRun(t, args...); code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if code, _, logs := caucusRun(t, append(args, "--force")...); code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	if want, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) || len(want) == 0 {
		t.Errorf("%d bytes after two interruptions, %d without, %v", len(got), len(want), err)
	}
	return true
}
