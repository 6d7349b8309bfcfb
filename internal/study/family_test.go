package study

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/scenarios"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// smallFamily is the experiment on 40 nodes: a tree, and walkers that hear each other within 200.
func smallFamily(names ...string) Family {
	text := map[string]string{
		"scale-free": "version: 1\nalgo: bounded\ntopology: ba:n=40,m=1\nlayout: spring:0.1\nmetric: " +
			"distance\nradius: 5\nstrength: degree\ntiming: async\nfaults:\n  - {at: 5, kind: strength, source: id}\n",
		"random": "version: 1\nalgo: bounded\nwalkers:\n  - {nodes: 40, motion: levy, speed: 2}\narena: " +
			"800x800\nrange: 200\nradius: 400\nstrength: random\ntiming: async\n",
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
var smallResults = sync.OnceValues(func() (list [2]*familyRun, err error) {
	f := smallFamily("scale-free", "random")
	for k, name := range f.Scenarios {
		if list[k], err = f.run(context.Background(), name, 1); err != nil {
			break
		}
	}
	return list, err
})

func trials(t *testing.T, n, workers int) []results.Rows {
	t.Helper()
	study := Family{Trials: n}.Study()
	rows, err := study.Do(context.Background(), jobs.Setting{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return rows
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
		e := familyElection{changes: c.changes, astray: c.astray, live: 10}
		if got := e.atRest(10, 20); got != c.want {
			t.Errorf("%v %v: %d, want %d", c.changes, c.astray, got, c.want)
		}
	}
}

// A run that is never at rest, with two changes every second, is calm again when that is all there is.
func TestAsCalm(t *testing.T) {
	usual := familyElection{changes: series(familySeconds, 2), astray: series(familySeconds, 1), live: 100}
	want := calm{{.2, .1}, {1, .5}}
	if diff := cmp.Diff(want, usual.calmness(), cmp.AllowUnexported(struct{ changes, astray float64 }{})); diff != "" {
		t.Fatal(diff)
	}
	for _, c := range []struct {
		changes, astray []int
		want            int
	}{
		{usual.changes, usual.astray, 0},
		{series(100, 2, 30, 9, 190, 2), usual.astray, 30},
		{usual.changes, series(100, 1, 17, 20, 203, 1), 17},
		{series(100, 2, 5, 9, 20, 2, 5, 9, 190, 2), usual.astray, 30}, // not the lull between
		{series(100, 2, 220, 3), usual.astray, never},
		{series(100, 2, 121, 3, 99, 2), usual.astray, never}, // too late
	} {
		e := familyElection{changes: c.changes, astray: c.astray, live: 100}
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
	runs, err := smallResults()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		for a, algo := range familyAlgorithms {
			at := func(fault string) *familyElection {
				return &r.elections[slices.IndexFunc(familyFaults,
					func(f familyFault) bool { return f.name == fault })][a]
			}
			none, crash, fake := at("none"), at("crash"), at("fake leader")
			name := r.scenario + ", " + algo.title
			if none.live != 40 || none.messages != r.elections[0][0].messages || none.bytes <= none.messages ||
				fake.bytes != 0 {
				t.Errorf("%s: %d live, %d messages, %d bytes", name, none.live, none.messages, none.bytes)
			}
			if led := none.leaders[familyAt-1]; crash.live != 40-led || led == 0 {
				t.Errorf("%s: %d of 40 live after a crash of %d", name, crash.live, led)
			}
			if !slices.Equal(none.changes[:familyAt], fake.changes[:familyAt]) ||
				none.astray[familyAt]+3 > fake.astray[familyAt] {
				t.Errorf("%s: %d astray before the fake, %d after", name, none.astray[familyAt], fake.astray[familyAt])
			}
			if slices.Equal(none.changes, at("loss 50 %").changes) {
				t.Errorf("%s: a loss of half of all messages does not show", name)
			}
			if r.rests {
				if got := r.stabilised(0, a); got == never || got == 0 {
					t.Errorf("%s: stabilised after %d s", name, got)
				}
			}
		}
		if p := r.elections[3][0]; slices.Equal(p.changes, r.elections[0][0].changes) {
			t.Errorf("%s: the partition does not show", r.scenario)
		}
	}
}

// A trial depends on its number alone.
func TestFamilySearch(t *testing.T) {
	four, same := trials(t, 4, 1), cmpopts.EquateNaNs()
	if diff := cmp.Diff(four, trials(t, 4, 2), same); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(four[:2], trials(t, 2, 2), same); diff != "" {
		t.Error(diff)
	}
}

// The report of a small run: its table, its numbers and its files.
func TestFamilyReport(t *testing.T) {
	f := smallFamily("scale-free", "random")
	f.Trials = 12
	runs, err := smallResults()
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.Concat(runs[0].rows(), runs[1].rows(), slices.Concat(trials(t, f.Trials, 0)...))
	r := f.Study().Report(rows)
	if len(r.Tables) != 2 || len(r.Tables[0].Rows) != 2*len(familyAlgorithms) ||
		len(r.Tables[0].Rows[0]) != len(familyColumns) || len(r.Tables[1].Rows[5]) != 6 {
		t.Errorf("tables %v", r.Tables)
	}
	var text, doc bytes.Buffer
	if err := r.Text(&text); err != nil || !strings.Contains(text.String(), "bounded (artefact)") ||
		!strings.Contains(text.String(), "Search, changes") {
		t.Errorf("%v: %s", err, text.String())
	}
	if err := r.JSON(&doc); err != nil || !json.Valid(doc.Bytes()) {
		t.Errorf("%v: %s", err, doc.String())
	}
	for _, file := range r.AllFiles() {
		if strings.HasSuffix(file.Name, ".png") || strings.HasSuffix(file.Name, ".pdf") {
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
	list := widen(trial)
	own, other := list[0], list[2]
	if own.of[worseSettled] != 60 || other.of[worseSettled] != 3 || ratio(own, other, 0) < 10 ||
		ratio(own, other, 1) != 20 {
		t.Errorf("%+v, %+v", own, other)
	}
}

func TestWorseRatios(t *testing.T) {
	trial := func(changes, settled float64) *wide {
		return &wide{of: map[string]float64{worseChanges: changes, worseSettled: settled}}
	}
	for _, c := range []struct {
		own, other *wide
		want       [2]float64
	}{
		{trial(4, 30), trial(2, 20), [2]float64{2, 1.5}},
		{trial(4, 30), trial(0, 0), [2]float64{results.None, results.None}},
		{trial(4, 30), trial(1, results.None), [2]float64{results.None, results.None}},
		{trial(4, 30), nil, [2]float64{results.None, results.None}},
		{trial(4, results.None), trial(2, 20), [2]float64{2, 12}},
		{trial(.5, 9), trial(2, 20), [2]float64{results.None, results.None}}, // next to nothing
	} {
		got := [2]float64{ratio(c.own, c.other, 0), ratio(c.own, c.other, 1)}
		if !cmp.Equal(got, c.want, cmpopts.EquateNaNs()) {
			t.Errorf("%+v and %+v: %v, want %v", c.own, c.other, got, c.want)
		}
	}
}
