package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigDiff(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	a := write("a", "name: a\nstate-dir: /no/such\n")
	b := write("b", "name: a\nstate-dir: /no/such\nperiod: 1s\npeers: ['x:1']\nlisten: ':7500'\nhttp: off\n")
	code, out, errs := caucusRun(t, "config", "diff", a, b)
	if want := "peers: SIGHUP\nperiod: SIGHUP\nlisten: restart\nhttp: restart\nreload=2 restart=2\n"; code != exitOK ||
		out != want {
		t.Errorf("%d %q %s", code, out, errs)
	}
	if code, out, _ := caucusRun(t, "config", "diff", b, b); code != exitOK || out != "reload=0 restart=0\n" {
		t.Error(code, out)
	}
	// The peers of an event algorithm are its ports.
	c, d := write("c", "name: a\nalgo: flood\nknown: {diameter: 3}\npeers: ['x:1']\n"),
		write("d", "name: a\nalgo: flood\nknown: {diameter: 3}\npeers: ['y:1']\n")
	if code, out, errs := caucusRun(t, "config", "diff", c, d); code != exitOK ||
		out != "peers: restart\nreload=0 restart=1\n" {
		t.Error(code, out, errs)
	}
	if code, _, errs := caucusRun(t, "config", "diff", a, write("e", "name: a\nalgo: none\n")); code != exitMisuse ||
		!strings.Contains(errs, "none") {
		t.Error(code, errs)
	}
	if code, out, errs := caucusRun(t, "config", "check", a); code != exitOK || !strings.Contains(out, "valid=true") {
		t.Error(code, out, errs)
	}
}
