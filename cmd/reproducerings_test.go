package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReproduceRings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	code, out, logs := caucusRun(t, "reproduce", "rings", "--max-n", "32", "--rings", "5", "-o", dir)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	golden(t, "reproduce-rings", out)
	if rows := readTable(t, dir, "means.csv"); len(rows) < 3*16 {
		t.Errorf("%d rows", len(rows))
	}
	for _, name := range []string{"rings-two-way.svg", "rings-one-way.png"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReproduceRingsRefusals(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--max-n", "7"}, `max-n: found "7", allowed: a whole number from 8 to 65536`},
		{[]string{"--max-n", "100000"}, `max-n: found "100000"`},
		{[]string{"--rings", "0"}, `rings: found "0", allowed: a whole number from 1 to 100000`},
		{[]string{"--seed", "x"}, `seed: found "x"`},
	} {
		if code, _, logs := caucusRun(t, append([]string{"reproduce", "rings"}, c.args...)...); code != exitMisuse ||
			!strings.Contains(logs, c.want) {
			t.Errorf("%q: exit %d, stderr %s", c.args, code, logs)
		}
	}
}

func TestReproduceGraphs(t *testing.T) {
	code, out, logs := caucusRun(t, "reproduce", "graphs", "--max-n", "32", "--runs", "2")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	golden(t, "reproduce-graphs", out)
	for _, c := range []struct{ flag, value, want string }{
		{"--max-n", "8", `max-n: found "8", allowed: a whole number from 16 to 16384`},
		{"--runs", "0", `runs: found "0"`},
	} {
		if code, _, logs := caucusRun(t, "reproduce", "graphs", c.flag, c.value); code != exitMisuse ||
			!strings.Contains(logs, c.want) {
			t.Errorf("%s %s: exit %d, stderr %s", c.flag, c.value, code, logs)
		}
	}
}
