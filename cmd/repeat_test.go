package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A trace of rounds says itself what was run, and that is run again; the first change that comes out otherwise is told.
func TestRepeatTrace(t *testing.T) {
	dir := t.TempDir()
	options := []string{"--topology", "grid:4x4", "--radius", "3", "--rounds", "60", "--stable-for", "0", "--fault",
		"at: 30, kind: crash, leaders: true"}
	for _, ending := range []string{".jsonl", ".parquet"} {
		file := filepath.Join(dir, "t"+ending)
		code, first, logs := caucusRun(t, append([]string{"run", "--trace", file}, options...)...)
		if code != exitOK {
			t.Fatal(logs)
		}
		code, again, logs := caucusRun(t, "run", "--replay", file)
		if again != first || code != exitOK || !strings.Contains(logs, "74 changes in 60 rounds the same") {
			t.Errorf("exit %d: %s\n%s, before\n%s", code, logs, again, first)
		}
		for what, c := range map[string]struct {
			args []string
			want string
		}{
			"radius": {[]string{"--radius", "2"}, "round 3, an outcome of 4, role: recorded follower, now leader"},
			"longer": {[]string{"--rounds", "61"}, "recorded round 60, the end, now round 61, the end"},
			"faults": {[]string{"--fault", "at: 20, kind: crash, nodes: [6]"},
				"next: recorded round 31, a stop of 6, now round 21, a stop of 6"},
		} {
			code, _, logs := caucusRun(t, append([]string{"run", "--replay", file}, c.args...)...)
			if code != exitFailed || !strings.Contains(logs, c.want) || !strings.Contains(logs, file+":") {
				t.Errorf("%s: exit %d: %s, want %s", what, code, logs, c.want)
			}
		}
	}
	file := filepath.Join(dir, "t.jsonl")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		string(whole[:2000]):                                        "allowed: a step as JSON",
		strings.TrimSpace(string(whole)) + " {}":                    "a step as JSON (more after it)",
		string(whole[:strings.LastIndex(string(whole), "{")]):       `no step "end"`,
		strings.Replace(string(whole), `"scenario"`, `"script"`, 1): `scenario: found ""`,
		"": "schema",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, logs := caucusRun(t, "run", "--replay", file)
		if code != exitMisuse || !strings.Contains(logs, want) ||
			!strings.Contains(logs, file) {
			t.Errorf("exit %d: %s, want %s", code, logs, want)
		}
	}
	table := filepath.Join(dir, "t.parquet")
	bytes, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	for k := 200; k < 260; k++ {
		bytes[k] ^= 0x55
	}
	if err := os.WriteFile(table, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"run", "view"} {
		code, _, logs := caucusRun(t, verb, "--replay", table)
		if code != exitMisuse || !strings.Contains(logs, table+": after row 0") {
			t.Errorf("%s: exit %d: %s", verb, code, logs)
		}
	}
	if code, _, logs := caucusRun(t, "run", "--topology", "ring:5", "--replay", "act 3; act 4"); code != exitMisuse ||
		!strings.Contains(logs, "the file of a trace") {
		t.Errorf("exit %d: %s", code, logs)
	}
}

// Of events a trace says itself what was run, too, whoever picked what comes next.
func TestRepeatEvents(t *testing.T) {
	for _, options := range []string{"--delays uniform --ids random", "--scheduler lifo"} {
		file := filepath.Join(t.TempDir(), "e.parquet")
		_, first, logs := caucusRun(t, append([]string{"run", "--algo", "as-far", "--topology", "ring:8", "--trace",
			file}, strings.Fields(options)...)...)
		_, again, more := caucusRun(t, "run", "--replay", file)
		last := func(out string) string { return out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:] }
		_, hash, _ := strings.Cut(last(first), "trace=")
		if hash == "" || !strings.Contains(last(again), "trace="+hash) {
			t.Errorf("%s: %s, again %s\n%s%s", options, last(first), last(again), logs, more)
		}
	}
}
