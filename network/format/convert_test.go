package format

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/network"
)

// TestEverySampleConverts: what was read from any format is the same when it has been written in each that can be
// written, and read again: nodes, their names, places and attributes, edges and weights.
func TestEverySampleConverts(t *testing.T) {
	converts := func(what string, g *network.Graph) {
		for _, f := range Writable() {
			if diff := convertDiff(g, f); diff != "" {
				t.Errorf("%s as %s: %.2000s", what, f, diff)
			}
		}
	}
	for _, c := range small {
		g, _ := read(t, c.file, c.text, Options{})
		converts(c.what, g)
	}
	paths, err := filepath.Glob(filepath.Join(shared, "..", "cases", "files", "*"))
	if err != nil {
		t.Fatal(err)
	}
	formats, err := filepath.Glob(filepath.Join(shared, "formats", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, path := range append(paths, formats...) {
		base := filepath.Base(path)
		if ofTraces[filepath.Base(filepath.Dir(path))] || base == "facts.json" || base == "README.md" ||
			filepath.Ext(base) == ".tij" {
			continue
		}
		g, _, err := ReadFile(path, "", Options{Lenient: true})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		read++
		converts(path, g)
	}
	if _, err := os.Stat(shared); err == nil && read < 40 {
		t.Errorf("only %d files of %s read", read, shared)
	}
}

// sameAttrs compares attributes, of which some get underscores added when they are written.
func sameAttrs(a, b map[string][]string) bool {
	plain := func(m map[string][]string) (all []string) {
		for name, values := range maps.All(m) {
			all = append(all, strings.TrimRight(name, "_")+"\x00"+strings.Join(values, "\x00"))
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(plain(a), plain(b))
}
