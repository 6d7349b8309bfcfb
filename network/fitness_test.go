package network

import (
	"math"
	"strings"
	"testing"
)

// By hand: (4·0.5 + 2·1 + 2·0.25 + 2·(1-0.75))/10 = 0.5 and (4·1 + 2·0 + 2·0.5 + 2·1)/10 = 0.7; the battery alone.
func TestFitness(t *testing.T) {
	g, err := Generate("line:2", 1)
	if err != nil {
		t.Fatal(err)
	}
	g.Attrs = map[string][]string{"battery": {"0.5", "1"}, "cpu": {"1", "0"}, "memory": {"0.25", "0.5"},
		"load": {"0.75", "0"}}
	for source, want := range map[string][2]float64{
		"fitness": {0.5, 0.7}, "fitness:cpu=0,memory=0,load=0": {0.5, 1}, "fitness:battery=0,memory=0,load=0": {1, 0},
	} {
		got, err := Strengths(g, source, 1)
		if err != nil || math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v (%v)", source, got, want, err)
		}
	}
	for source, says := range map[string]string{
		"fitness:speed=1": `found "speed=1"`, "fitness:cpu=-1": `found "cpu=-1"`,
		"fitness:battery=0,cpu=0,memory=0,load=0": "not all 0",
	} {
		if _, err := Strengths(g, source, 1); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", source, err)
		}
	}
	g.Attrs["load"][1] = "1.5"
	if _, err := Strengths(g, "fitness", 1); err == nil ||
		!strings.Contains(err.Error(), `load of node "2": found "1.5"`) {
		t.Errorf("%v", err)
	}
	delete(g.Attrs, "load")
	if _, err := Strengths(g, "fitness", 1); err == nil || !strings.Contains(err.Error(), `"load"`) {
		t.Errorf("%v", err)
	}
}

// Ranks are whole numbers from 1 to 254, all of them in the long run; strengths are 255 less the rank.
func TestRankStrengths(t *testing.T) {
	g, err := Generate("line:20000", 1)
	if err != nil {
		t.Fatal(err)
	}
	strengths, err := Strengths(g, "rank", 3)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[float64]bool{}
	for _, s := range strengths {
		if s != math.Trunc(s) || s < 1 || s > 254 {
			t.Fatalf("strength %g", s)
		}
		seen[s] = true
	}
	if len(seen) != 254 {
		t.Errorf("%d different strengths, want 254", len(seen))
	}
}
