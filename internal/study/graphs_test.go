package study

import (
	"context"
	"slices"
	"testing"
)

// Up to 64 nodes every formula holds, but those that are known not to: the corner election of the
// literature needs fewer messages than this project's on large meshes.
func TestGraphs(t *testing.T) {
	g := Graphs{MaxNodes: 64, Runs: 3, Seed: 1}
	algos := map[string]int{}
	list, kinds := g.list(), map[string]contest{}
	for _, c := range contests() {
		kinds[c.algo] = c
	}
	for job := range list {
		rows, err := g.run(context.Background(), job, list[job])
		if err != nil {
			t.Fatal(err)
		}
		c := widen(rows)[0]
		algos[c.Series]++
		least, mean, most := c.of["messages, least"], c.of["messages, mean"], c.of["messages, most"]
		if least > most || mean < least || mean > most || c.of["ideal time, mean"] <= 0 {
			t.Errorf("%+v", c)
		}
		for _, f := range kinds[c.Series].formulas {
			if !f.holds(c) && f.text != "6(a+b) + 5n + k* - 16" && f.text != "2m + 5n log n + n + 1" {
				t.Errorf("%s on %s: %g to %g messages, %s = %g", c.Series, c.Network, least, most, f.text,
					c.of[f.metric()])
			}
		}
		if again, err := g.run(context.Background(), job, list[job]); err != nil || !slices.Equal(again, rows) {
			t.Errorf("job %d is not reproducible: %+v, then %+v, %v", job, rows, again, err)
		}
	}
	// Sizes 16, 32 and 64, all initiators and one.
	for algo, want := range map[string]int{"elect-min": 24, "mesh": 6, "hyper-elect": 6, "complete-elect": 6,
		"yo-yo": 30, "mega-merger": 30} {
		if algos[algo] != want {
			t.Errorf("%d jobs of %s, want %d", algos[algo], algo, want)
		}
	}
}

// A result outside a formula is noticed.
func TestHolds(t *testing.T) {
	for _, x := range []struct {
		exact bool
		value float64
		want  bool
	}{{false, 20, true}, {false, 19, false}, {true, 20, false}, {true, 10, false}} {
		f := formula{text: "f", exact: x.exact}
		w := &wide{of: map[string]float64{"messages, least": 10, "messages, most": 20, f.metric(): x.value}}
		if got := f.holds(w); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
	}
}
