package study

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/internal/jobs"
)

// The same bytes with one worker and with two, in every file and the table.
func TestBoundedIsRepeatable(t *testing.T) {
	if testing.Short() {
		t.Skip("runs six elections of 600 s twice")
	}
	b := Bounded{Scenarios: []string{"scale-free"}, Seeds: 2, Faithful: "artefact"}
	var first map[string]string
	for _, workers := range []int{1, 2} {
		report, err := b.Study().Run(context.Background(), jobs.Setting{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range report.AllFiles() {
			if strings.HasSuffix(f.Name, "s.png") && !strings.HasSuffix(f.Name, "proposed-99s.png") {
				continue // one picture of the network is enough
			}
			var out bytes.Buffer
			if err := f.Write(&out); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			files[f.Name] = out.String()
		}
		if first == nil {
			first = files
		}
		for name, text := range files {
			if text != first[name] || text == "" {
				t.Errorf("%s: other bytes with %d workers", name, workers)
			}
		}
	}
}

// Every set-up of the experiment loads, with as many nodes as it says.
func TestBoundedSetUps(t *testing.T) {
	for _, c := range []struct {
		scenario, faithful string
		nodes              int
		radius             string // of Bounded Election: how it compares
	}{
		{"scale-free", "artefact", 1000, "lt"}, {"scale-free", "paper", 1000, "le"},
		{"random", "artefact", 1000, "lt"}, {"random", "paper", 1000, "le"},
		{"edge", "artefact", 1011, "lt"}, {"edge", "paper", 1000, "le"}, // 975 and 36, or 25
	} {
		runs, err := (Bounded{Faithful: c.faithful}).load(c.scenario, 3)
		if err != nil {
			t.Fatal(err)
		}
		for k, r := range runs {
			if n := r.Config.Graph.Len(); n != c.nodes || r.Entry.Spec.Name != boundedAlgorithms[k].name {
				t.Errorf("%s %s: %d nodes, %s", c.scenario, c.faithful, n, r.Entry.Spec.Name)
			}
		}
		if got := runs[2].Args.Text("radius-cmp"); got != c.radius {
			t.Errorf("%s %s: radius-cmp %s", c.scenario, c.faithful, got)
		}
		if strength := runs[0].Config.Strengths; c.scenario == "edge" && slices.Max(strength) != strength[c.nodes-1] {
			t.Errorf("the last fixed node is not the strongest")
		}
	}
}

// The three elections of a run see one network: they hear the same neighbours, whatever they say.
func TestBoundedSharesTheNetwork(t *testing.T) {
	b := Bounded{Faithful: "artefact"}
	_, elections, err := b.start("random", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer stopAll(elections)
	for range 20 {
		for _, e := range elections {
			e.Step()
		}
	}
	first := elections[0].Result()
	for _, e := range elections[1:] {
		r := e.Result()
		if r.Messages != first.Messages || !slices.Equal(r.Graph.Nbr, first.Graph.Nbr) || r.Messages == 0 {
			t.Errorf("%d and %d messages", first.Messages, r.Messages)
		}
	}
	// And it is the network that each would see alone.
	runs, err := b.load("random", 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg := runs[2].Config
	cfg.Workers, cfg.MaxRounds = 1, 20
	alone, err := runs[2].Entry.Simulate(context.Background(), runs[2].Args, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if together := elections[2].Result(); !slices.Equal(alone.Outcomes, together.Outcomes) {
		t.Error("another election alone")
	}
}

// settled: the mean is below 0.01 for the first time after it rose.
func TestSettled(t *testing.T) {
	run := func(from, to int) []float64 {
		r := make([]float64, boundedSeconds)
		for s := from; s <= to; s++ {
			r[s-1] = 0.02
		}
		return r
	}
	for _, c := range []struct {
		runs [][]float64
		want float64
	}{
		{[][]float64{run(105, 120)}, 21},
		{[][]float64{run(105, 120), run(110, 130)}, 31},               // mean 0.01 is not below
		{[][]float64{run(105, 120), run(300, 310), run(300, 310)}, 0}, // never rises
		{[][]float64{run(105, 250)}, 100},
	} {
		if got := settled(c.runs, 100); got != c.want {
			t.Errorf("settled after %g s, want %g", got, c.want)
		}
	}
}
