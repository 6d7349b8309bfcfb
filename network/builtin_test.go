package network

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every embedded file must be listed, and attributed as the bytes that it is.
func TestBuiltins(t *testing.T) {
	attribution, err := os.ReadFile("data/ATTRIBUTION.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("data/*.graphml")
	if err != nil || len(files) != len(BuiltinNames()) {
		t.Errorf("%d files for the names %v (%v)", len(files), BuiltinNames(), err)
	}
	for _, name := range BuiltinNames() {
		data, file, ok := Builtin(name)
		if !ok || !bytes.Contains(data, []byte("<graphml")) {
			t.Errorf("%s: no GraphML", name)
		}
		line := fmt.Sprintf("| `%s` | `%s` |", name, file)
		if hash := fmt.Sprintf("%x", sha256.Sum256(data)); !bytes.Contains(attribution, []byte(line)) ||
			!bytes.Contains(attribution, []byte(hash)) {
			t.Errorf("data/ATTRIBUTION.md has no line %q with SHA-256 %s", line, hash)
		}
		original, err := os.ReadFile("../../shared/data/topologies/" + file)
		if err != nil {
			t.Logf("not compared with the original: %v", err)
		} else if !bytes.Equal(original, data) {
			t.Errorf("%s differs from the original", file)
		}
		if _, upper, ok := Builtin(strings.ToUpper(name)); !ok || upper != file {
			t.Errorf("%s is not found in capitals", name)
		}
	}
	if _, _, ok := Builtin("nowhere"); ok {
		t.Error("a topology called nowhere")
	}
}
