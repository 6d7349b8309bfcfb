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

// An experiment that is a study file runs as a sweep of that file does, whole or in part, and its claims hold.
func TestReproduceStudies(t *testing.T) {
	for _, s := range studies {
		only := "n <= 32"
		switch s.name {
		case "meshes", "tori":
			only = "b <= 8"
		case "hypercubes":
			only = "d <= 5"
		}
		args := []string{"reproduce", s.name, "--seeds", "2", "--only", only}
		code, out, logs := caucusRun(t, args...)
		if code != exitOK || !strings.Contains(out, "this study") {
			t.Fatalf("%s: exit %d: %s", s.name, code, logs)
		}
		golden(t, "reproduce-"+s.name, out[strings.Index(out, "What is claimed"):])
		code, text, _ := caucusRun(t, append(args, "--print")...)
		file := filepath.Join(t.TempDir(), s.name+".yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); code != exitOK || err != nil {
			t.Fatal(code, err)
		}
		if code, again, logs := caucusRun(t, "sweep", file); code != exitOK || again != out {
			t.Errorf("%s: the file that is printed: exit %d, %s", s.name, code, logs)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"trees --only m<4", `only: found "m", allowed: n, kind, start`},
		{"trees --only n<4", "these leave out every point"},
		{"trees --seeds 0", `seeds: found "0"`},
	} {
		code, _, logs := caucusRun(t, append([]string{"reproduce"}, strings.Fields(c.args)...)...)
		if code != exitMisuse || !strings.Contains(logs, c.want) {
			t.Errorf("%s: exit %d, stderr %s", c.args, code, logs)
		}
	}
}
