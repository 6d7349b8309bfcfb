package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReproduceFamily(t *testing.T) {
	dir := t.TempDir()
	code, out, logs := caucusRun(t, "reproduce", "family", "--seeds", "0", "--search", "25", "-o", dir)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	golden(t, "reproduce-family", out)
	worse := filepath.Join(dir, "bounded-worse.yaml")
	if text, err := os.ReadFile(worse); err != nil || !strings.HasPrefix(string(text), "# caucus ") {
		t.Fatalf("%s, %v", text, err)
	}
	if code, _, logs := caucusRun(t, "run", worse); code != exitOK {
		t.Errorf("the scenario that was found: exit %d: %s", code, logs)
	}
}

func TestReproduceFamilyRefusals(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--seeds", "x"}, `seeds: found "x", allowed: a whole number from 0 to 100000`},
		{[]string{"--seeds", "0", "--search", "0"}, `search: found "0"`},
		{[]string{"--search", "-1"}, `search: found "-1"`},
		{[]string{"--scenario", "rando"}, `scenario: found "rando"`},
	} {
		if code, _, logs := caucusRun(t, append([]string{"reproduce", "family"}, c.args...)...); code != exitMisuse ||
			!strings.Contains(logs, c.want) {
			t.Errorf("%q: exit %d, stderr %s", c.args, code, logs)
		}
	}
}
