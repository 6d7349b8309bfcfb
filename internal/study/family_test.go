package study

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/scenarios"
	"github.com/google/go-cmp/cmp"
)

// smallFamily is the experiment on 40 nodes: a tree, and walkers that hear each other within 200.
func smallFamily(names ...string) Family {
	text := map[string]string{
		"scale-free": "version: 1\nalgo: bounded\ntopology: ba:n=40,m=1\nlayout: spring:0.1\nmetric: distance\nradius: 5\nstrength: degree\ntiming: async\nfaults:\n  - {at: 5, kind: strength, source: id}\n",
		"random":     "version: 1\nalgo: bounded\nwalkers:\n  - {nodes: 40, motion: levy, speed: 2}\narena: 800x800\nrange: 200\nradius: 400\nstrength: random\ntiming: async\n",
	}
	return Family{Scenarios: names, Seeds: 1, open: func(name string, seed uint64) (*scenario.Run, error) {
		s, err := scenario.Parse(name, []byte(text[name]))
		if err != nil {
			return nil, err
		}
		return s.Resolve()
	}}
}

// smallResults is the experiment on both, which several tests look at.
var smallResults = sync.OnceValues(func() ([]FamilyJob, error) {
	f := smallFamily("scale-free", "random")
	f.Trials = 12
	return f.Sweep("test").Do(context.Background(), Setting{})
})

func familyResults(t *testing.T, f Family, workers int) []FamilyJob {
	t.Helper()
	jobs, err := f.Sweep("test").Do(context.Background(), Setting{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// series repeats values: 3, 1 is three seconds of 1.
func series(pairs ...int) (out []int) {
	for k := 0; k < len(pairs); k += 2 {
		out = append(out, slices.Repeat([]int{pairs[k+1]}, pairs[k])...)
	}
	return out
}

// At rest is the second after which nothing is wrong, counted from the fault; a later flicker postpones it.
func TestAtRest(t *testing.T) {
	for _, c := range []struct {
		changes, astray []int
		want            int
	}{
		{series(40, 0), series(40, 0), 0},
		{series(9, 1, 31, 0), series(40, 0), 0}, // before the fault
		{series(10, 0, 7, 2, 23, 0), series(40, 0), 7},
		{series(40, 0), series(10, 0, 12, 5, 18, 0), 12}, // a ghost is followed in peace
		{series(12, 0, 1, 1, 7, 0, 1, 1, 19, 0), series(40, 0), 11},
		{series(39, 0, 1, 1), series(40, 0), never},
		{series(40, 0), series(40, 1), never},
	} {
		e := FamilyElection{Changes: c.changes, Astray: c.astray, Live: 10}
		if got := e.atRest(10, 20); got != c.want {
			t.Errorf("%v %v: %d, want %d", c.changes, c.astray, got, c.want)
		}
	}
}

// A run that is never at rest, with two changes every second, is calm again when that is all there is.
func TestAsCalm(t *testing.T) {
	usual := FamilyElection{Changes: series(familySeconds, 2), Astray: series(familySeconds, 1), Live: 100}
	want := calm{{.2, .1}, {1, .5}}
	if diff := cmp.Diff(want, usual.calmness(), cmp.AllowUnexported(struct{ changes, astray float64 }{})); diff != "" {
		t.Fatal(diff)
	}
	for _, c := range []struct {
		changes, astray []int
		want            int
	}{
		{usual.Changes, usual.Astray, 0},
		{series(100, 2, 30, 9, 190, 2), usual.Astray, 30},
		{usual.Changes, series(100, 1, 17, 20, 203, 1), 17},
		{series(100, 2, 5, 9, 20, 2, 5, 9, 190, 2), usual.Astray, 30}, // not the lull between
		{series(100, 2, 220, 3), usual.Astray, never},
		{series(100, 2, 121, 3, 99, 2), usual.Astray, never}, // too late
	} {
		e := FamilyElection{Changes: c.changes, Astray: c.astray, Live: 100}
		if got := e.asCalm(100, want); got != c.want {
			t.Errorf("%v %v: %d, want %d", c.changes, c.astray, got, c.want)
		}
	}
}

// Of 1 to 20 the 19 least are 95 %.
func TestPercentile95(t *testing.T) {
	var values []float64
	for k := 20; k >= 1; k-- {
		values = append(values, float64(k))
	}
	if got := percentile95(values); got != 19 {
		t.Errorf("%g, want 19", got)
	}
	if got := percentile95([]float64{3}); got != 3 {
		t.Errorf("%g, want 3", got)
	}
}

// Every fault does what it is to do, to each algorithm, on a network that stands and on one that moves.
func TestFamilyFaults(t *testing.T) {
	jobs, err := smallResults()
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range jobs[:2] {
		r := job.Run
		for a, algo := range familyAlgorithms {
			at := func(fault string) *FamilyElection {
				return &r.Elections[slices.IndexFunc(familyFaults, func(f familyFault) bool { return f.name == fault })][a]
			}
			none, crash, fake := at("none"), at("crash"), at("fake leader")
			name := r.Scenario + ", " + algo.title
			if none.Live != 40 || none.Messages != r.Elections[0][0].Messages || none.Bytes <= none.Messages || fake.Bytes != 0 {
				t.Errorf("%s: %d live, %d messages, %d bytes", name, none.Live, none.Messages, none.Bytes)
			}
			if led := none.Leaders[familyAt-1]; crash.Live != 40-led || led == 0 {
				t.Errorf("%s: %d of 40 live after a crash of %d", name, crash.Live, led)
			}
			if !slices.Equal(none.Changes[:familyAt], fake.Changes[:familyAt]) || none.Astray[familyAt]+3 > fake.Astray[familyAt] {
				t.Errorf("%s: %d astray before the fake, %d after", name, none.Astray[familyAt], fake.Astray[familyAt])
			}
			if slices.Equal(none.Changes, at("loss 50 %").Changes) {
				t.Errorf("%s: a loss of half of all messages does not show", name)
			}
			if r.Rests {
				if got := r.stabilised(0, a); got == never || got == 0 {
					t.Errorf("%s: stabilised after %d s", name, got)
				}
			}
		}
		if p := r.Elections[3][0]; slices.Equal(p.Changes, r.Elections[0][0].Changes) {
			t.Errorf("%s: the partition does not show", r.Scenario)
		}
	}
}

// A trial depends on its number alone.
func TestFamilySearch(t *testing.T) {
	f := Family{Trials: 4}
	jobs := familyResults(t, f, 1)
	if diff := cmp.Diff(jobs, familyResults(t, f, 2)); diff != "" {
		t.Error(diff)
	}
	f.Trials = 2
	if diff := cmp.Diff(jobs[:2], familyResults(t, f, 2)); diff != "" {
		t.Error(diff)
	}
}

// The report of a small run: its table, its numbers and its files.
func TestFamilyReport(t *testing.T) {
	f := smallFamily("scale-free", "random")
	f.Trials = 12
	jobs, err := smallResults()
	if err != nil {
		t.Fatal(err)
	}
	r := f.Report("test", jobs)
	if len(r.Tables) != 2 || len(r.Tables[0].Rows) != 2*len(familyAlgorithms) || len(r.Tables[0].Rows[0]) != len(familyColumns) || len(r.Tables[1].Rows[5]) != 6 {
		t.Errorf("tables %v", r.Tables)
	}
	var text, doc bytes.Buffer
	if err := r.Text(&text); err != nil || !strings.Contains(text.String(), "bounded (artefact)") || !strings.Contains(text.String(), "Search, changes") {
		t.Errorf("%v: %s", err, text.String())
	}
	if err := r.JSON(&doc); err != nil || !json.Valid(doc.Bytes()) {
		t.Errorf("%v: %s", err, doc.String())
	}
	for _, file := range r.AllFiles() {
		if strings.HasSuffix(file.Name, ".png") {
			continue // as the .svg, but slow
		}
		var out bytes.Buffer
		if err := file.Write(&out); err != nil || out.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", file.Name, out.Len(), err)
		}
	}
}

// In the scenario that the search found, Bounded Election changes leaders more than ten times as often as sparse
// choice, and takes 60 rounds, one for each node of the ring but one, where sparse choice takes 3.
func TestBoundedWorse(t *testing.T) {
	file, err := scenarios.Files.ReadFile("bounded-worse.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, body, _ := strings.Cut(string(file), "\nversion:"); "version:"+body != worseScenario(290) {
		t.Errorf("the file is not trial 290:\n%s", worseScenario(290))
	}
	trial, err := tryWorse(context.Background(), 290)
	if err != nil {
		t.Fatal(err)
	}
	if ratios := trial.ratios(2); trial.Settled[0] != 60 || trial.Settled[2] != 3 || ratios[0] < 10 || ratios[1] != 20 {
		t.Errorf("%+v, ratios %v", trial, ratios)
	}
}

func TestWorseRatios(t *testing.T) {
	trial := FamilyTrial{Changes: []float64{4, 2, 0, 1}, Settled: []int{30, 20, 0, never}}
	for other, want := range map[int][2]float64{1: {2, 1.5}, 2: {math.NaN(), math.NaN()}, 3: {math.NaN(), math.NaN()}, 4: {math.NaN(), math.NaN()}} {
		if got := trial.ratios(other); !cmp.Equal(got[:], want[:], cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })) {
			t.Errorf("algorithm %d: %v, want %v", other, got, want)
		}
	}
	trial.Settled[0] = never
	if got := trial.ratios(1); got[1] != 12 {
		t.Errorf("never: %v", got)
	}
	trial.Changes[0], trial.Settled[0] = .5, 9
	if got := trial.ratios(1); got[0] == got[0] || got[1] == got[1] {
		t.Errorf("next to nothing: %v", got)
	}
}
