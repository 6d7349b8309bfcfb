package cmd

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

// A link that closes a row or column of a torus does not go back over all others, whether or not the algorithm asks
// where its ports lead.
func TestMapOfTorus(t *testing.T) {
	file := filepath.Join(t.TempDir(), "torus.svg")
	caucusRun(t, strings.Fields("run --topology torus:8x8 --radius 3 --map "+file)...)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, m := range regexp.MustCompile(`d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)"`).FindAllSubmatch(text, -1) {
		var at [4]float64
		for i := range at {
			at[i], _ = strconv.ParseFloat(string(m[i+1]), 64)
		}
		links++
		if long := math.Hypot(at[2]-at[0], at[3]-at[1]); long > 150 { // points; rows and columns are some 92 apart
			t.Errorf("a link is %.0f points long", long)
		}
	}
	if links != 2*7*8+4*8 {
		t.Errorf("%d lines for 112 links inside and the two ends of 16 that close", links)
	}
}
