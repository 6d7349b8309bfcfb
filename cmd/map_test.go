package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A map says that a run has not settled and who is followed without leading, closes the rows of a torus by stubs, cuts
// nothing off above it, and is drawn of events, too.
func TestMapTellsTheTruth(t *testing.T) {
	for args, want := range map[string][]string{
		"--topology rgg:n=200,degree=8 --radius 3 --rounds 3 --stable-for 0": {
			"not settled, 19 leaders, 15 of them do not lead", "shown as after round 3"},
		"--topology rgg:n=200,degree=8 --radius 3":            {"settled in round", " regions<"},
		"--algo mega-merger --topology grid:3x4":              {"1 region<"},
		"--topology ring:8 --radius 2 --rounds 1":             {"not settled, "},
		"--algo recursive --topology torus:4x5 --metric hops": {"torus:4x5"},
	} {
		file := filepath.Join(t.TempDir(), "map.svg")
		_, _, logs := caucusRun(t, append(strings.Fields("run --map "+file), strings.Fields(args)...)...)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s: %v %s", args, err, logs)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s: no %q in the map:\n%.600s", args, w, text)
			}
		}
		if strings.Contains(string(text), "…") {
			t.Errorf("%s: something is cut off", args)
		}
	}
}
