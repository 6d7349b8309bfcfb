package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key is drawn, anew each time, into a file that only its owner reads and that is never replaced; an agent takes it
// and names it without telling it.
func TestKeygen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if code, out, errs := caucusRun(t, "keygen", "-o", file); code != exitOK || !strings.HasPrefix(out, "key=") {
		t.Fatal(code, out, errs)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info, err)
	}
	text, _ := os.ReadFile(file)
	if code, _, errs := caucusRun(t, "keygen", "-o", file); code != exitMisuse ||
		!strings.Contains(errs, "is there already") {
		t.Error(code, errs)
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Error("the key was replaced")
	}
	if _, out, _ := caucusRun(t, "keygen"); out == string(text) || len(out) != len(text) {
		t.Errorf("%q and %q", out, text)
	}
	id := strings.Fields(string(text))[2]
	secret := strings.Split(string(text), "\n")[1]
	config := configFile(t, "name: a\nkey-file: "+file+"\n")
	code, out, errs := caucusRun(t, "agent", "--config", config, "--dry-run")
	if code != exitOK || !strings.Contains(out, "keys="+id) || strings.Contains(out+errs, secret) {
		t.Error(code, out, errs)
	}
}
