package unpack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What need not end, or begin, is not read.
func TestOpen(t *testing.T) {
	for path, want := range map[string]string{os.DevNull: "a device", t.TempDir(): "a folder"} {
		want = `found "` + want + `", allowed: a regular file`
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
