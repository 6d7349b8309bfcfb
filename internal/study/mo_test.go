package study

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"github.com/google/go-cmp/cmp"
)

// small is the experiment on graphs of 80 nodes, about 12 hops long.
func small(graphs int) Mo {
	m := NewMo(graphs, 7)
	m.Topology, m.Fooled, m.MostK = "rgg:n=80,radius=0.25,box=2x0.4", 8, 4
	return m
}

// moRuns is the rows of an experiment that are not measured by round, one for each variant and graph.
func moRuns(t *testing.T, m Mo) map[string][]*wide {
	t.Helper()
	study := m.Study()
	rows, err := study.Do(context.Background(), jobs.Setting{})
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]*wide{}
	for _, w := range widen(slices.Concat(rows...)) {
		if math.IsNaN(w.X) {
			list[w.Series] = append(list[w.Series], w)
		}
	}
	return list
}

// By hand: T_1 = T_0+0+1+1; with K = 2 T_2 = T_1+1+2+1, T_3 = T_1+1+3+1, T_4 = T_2+2+4+1; with K = 1 T_x = x(x+1).
func TestLatest(t *testing.T) {
	for k, want := range map[int][]int{1: {0, 2, 6, 12, 20, 30}, 2: {0, 2, 6, 7, 13, 14}, 9: {0, 2, 6, 7, 8, 9}} {
		if diff := cmp.Diff(want, latest(k, 5)); diff != "" {
			t.Errorf("K = %d: %s", k, diff)
		}
	}
}

// Theorem 1 holds for lt from both starts, and so do the lemmas for both comparisons.
func TestMoProved(t *testing.T) {
	m := small(4)
	all := moRuns(t, m)
	for _, v := range m.variants() {
		for g, w := range all[v.String()] {
			for _, part := range []string{"clean start", "fake leader"} {
				of := func(metric string) float64 { return w.of[part+": "+metric] }
				if v.k > 0 && !v.lessEq && (of(moChecked) != 80 || of(moExceeded) > 0 || of(moSlack) < 0 ||
					of("slack of the graph") < 0) {
					t.Errorf("graph %d, %s, %s: %+v", g, v, part, w.of)
				}
				if v.k > 0 && (of(moEstimates) < 80 || of(moBelow) > 0) {
					t.Errorf("graph %d, %s, %s: %+v", g, v, part, w.of)
				}
			}
			if last, life := w.of["fake leader: "+moFakeLast], w.of["fake leader: "+moFakeLife]; v.k > 0 &&
				(life == 0 || last == 0 || last > life) {
				t.Errorf("graph %d, %s: %+v", g, v, w.of)
			}
		}
	}
}

// The test of the theorem can fail: K = 1 is later than the bound of K = 3 allows.
func TestBoundCanBeExceeded(t *testing.T) {
	m := small(1)
	w, err := m.network(0)
	if err != nil {
		t.Fatal(err)
	}
	slow := bids(moVariant{k: 1})
	slow.variant.k = 3
	e, err := slow.start(w, w.best, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.engine.Close()
	if err := e.finish(context.Background(), "test"); err != nil {
		t.Fatal(err)
	}
	if b := e.bound(0); b.exceeded == 0 || b.slack >= 0 || b.last >= 0 {
		t.Errorf("%+v", b)
	}
}

// The rounds are those that the simulator itself reports: from a clean start, and when the leader leaves a network at
// rest. Waves never rest: how long they take depends on the colours at the moment of the loss.
func TestMoRoundsAreTheSimulators(t *testing.T) {
	m := small(1)
	all := moRuns(t, m)
	for g := range m.Graphs {
		w, err := m.network(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range m.variants() {
			const late = 400
			run := all[v.String()][g]
			for what, want := range map[string]int{"clean": int(run.of["clean start: rounds"]),
				"lost": int(run.of["lost leader: rounds"]) + late} {
				cfg := sim.Config{Graph: w.graph, IDs: w.ids, Workers: 1, StableFor: 300}
				if what == "lost" {
					if v.k == 0 {
						continue
					}
					cfg.Faults = []sim.Fault{{At: late, Kind: sim.Leave, Nodes: []int{w.best}}}
				}
				r, err := simulate(v, cfg)
				if err != nil {
					t.Fatal(err)
				}
				if r.SettledAt != want {
					t.Errorf("graph %d, %s, %s: settled after %d rounds, the experiment says %d", g, v, what,
						r.SettledAt, want)
				}
			}
		}
	}
}

func simulate(v moVariant, cfg sim.Config) (*sim.Result, error) {
	if v.k == 0 {
		return engine.Run[waves.Place, waves.Place](context.Background(), waves.Waves{}, &waves.Spec, cfg)
	}
	algo, err := mo.New(mo.Config{K: v.k, LessEq: v.lessEq})
	if err != nil {
		return nil, err
	}
	return engine.Run[mo.Bid, mo.Bid](context.Background(), algo, &mo.Spec, cfg)
}

// Without a fooled node the second experiment is the first; with one it is not.
func TestFakeLeaderMatters(t *testing.T) {
	m := small(1)
	fooled := moRuns(t, m)
	m.Fooled = 0
	none := moRuns(t, m)
	for _, v := range m.variants() {
		run, other := none[v.String()][0], fooled[v.String()][0]
		if run.of["clean start: rounds"] != run.of["fake leader: rounds"] {
			t.Errorf("%s, nobody fooled: %v", v, run.of)
		}
		if v.k > 0 && other.of["fake leader: rounds"] == run.of["fake leader: rounds"] {
			t.Errorf("%s: eight fooled nodes change nothing", v)
		}
	}
}

// A fake leader that insists for no round is the one that is planted once, and insisting matters. Nobody follows it for
// longer than the lemma allows after it was planted last.
func TestFakeLeaderThatInsists(t *testing.T) {
	m := small(1)
	w, err := m.network(0)
	if err != nil {
		t.Fatal(err)
	}
	longer := 0
	for _, v := range []moVariant{{2, false}, {2, true}, {3, false}, {3, true}} {
		once := int(moRuns(t, m)[v.String()][0].of["fake leader: rounds"])
		before := 0
		for more := range 7 {
			e, err := bids(v).deceived(context.Background(), w, m.FakeAt, more)
			if err != nil {
				t.Fatal(err)
			}
			l := e.out.lemmas
			if more == 0 && e.out.rounds != once || l.begin != m.FakeAt+more || l.fakeLast > l.fakeLife {
				t.Errorf("%s, %d rounds more: %d rounds (planted once: %d), %+v", v, more, e.out.rounds, once, l)
			}
			if e.out.rounds > before && more > 0 {
				longer++
			}
			before = e.out.rounds
		}
	}
	if longer == 0 {
		t.Error("it never matters for how long")
	}
}

// IDs are distinct, from 2 up, random, and not in the order of places; graphs are connected and differ.
func TestMoNetwork(t *testing.T) {
	m := NewMo(2, 1)
	var best []int
	for g := range 2 {
		w, err := m.network(g)
		if err != nil {
			t.Fatal(err)
		}
		if w.graph.Len() != 500 || network.CheckConnected(w.graph) != nil || len(w.fooled) != 51 ||
			w.ids[w.fooled[0]] != fakeID+50 || w.ids[w.fooled[50]] != fakeID+100 {
			t.Errorf("graph %d: %d nodes, fooled %v", g, w.graph.Len(), w.fooled)
		}
		for id := fakeID + 1; id <= 501; id++ {
			if i, ok := w.node[id]; !ok || w.ids[i] != id {
				t.Fatalf("graph %d: no node has ID %d", g, id)
			}
		}
		wide := 0 // the generator's neighbours in the list are neighbours in the box
		for i := 1; i < 500; i++ {
			if math.Abs(w.graph.X[i]-w.graph.X[i-1]) > 0.5 {
				wide++
			}
		}
		if wide < 250 {
			t.Errorf("graph %d: %d of 499 steps from node to node are wide", g, wide)
		}
		for i := range 500 {
			for _, j := range w.graph.Neighbours(i) {
				if d := math.Hypot(w.graph.X[i]-w.graph.X[j], w.graph.Y[i]-w.graph.Y[j]); d > 0.25 {
					t.Fatalf("an edge of length %g", d)
				}
			}
		}
		best = append(best, w.best)
	}
	if best[0] == best[1] {
		t.Errorf("node %d has the best ID in both graphs", best[0])
	}
	m.Topology = "rgg:n=50,radius=1e-3"
	if _, err := m.network(0); err == nil || !strings.Contains(err.Error(), "none connected") {
		t.Errorf("error %v", err)
	}
}

// all is every byte that an experiment leaves.
func all(t *testing.T, m Mo, at jobs.Setting) map[string]string {
	t.Helper()
	study := m.Study()
	r, err := study.Run(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{"stdout": text.String()}
	for _, f := range r.AllFiles() {
		if strings.HasSuffix(f.Name, ".png") || strings.HasSuffix(f.Name, ".pdf") { // slow, and package plot tests them
			continue
		}
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		out[f.Name] = b.String()
		if f.Name == "meta.json" && !strings.Contains(b.String(), `"command": "`+study.Echo()+`"`) {
			t.Errorf("%s does not say what was run: %s", f.Name, b.String())
		}
	}
	return out
}

// Same bytes with 1 and 2 workers, and after a trip through the journal.
func TestMoBytes(t *testing.T) {
	m, dir := small(3), t.TempDir()
	want := all(t, m, jobs.Setting{Workers: 1, Dir: dir})
	if len(want) < 20 {
		t.Errorf("%d outputs", len(want))
	}
	for what, at := range map[string]jobs.Setting{"2 workers": {Workers: 2}, "journal": {Dir: dir}} {
		for name, text := range all(t, m, at) {
			if text != want[name] {
				t.Errorf("%s: %s differs", what, name)
			}
		}
	}
}

// studied gives made-up rows: rounds by variant and part, and other metrics of single runs.
func studied(m Mo, rounds func(v moVariant, part string) int, other ...results.Row) []results.Row {
	out := recorder{Row: results.Row{Network: moNet, N: 500, X: results.None}}
	for g := range m.Graphs {
		out.Seed = uint64(g + 1)
		for _, v := range m.variants() {
			out.Series = v.String()
			for _, p := range moParts {
				(&moElection{rounds: rounds(v, p.name) + g%2, leaders: []int{9, 1}, agree: []int{1, 9}}).record(&out,
					p.title)
			}
		}
	}
	for _, r := range other {
		out.Row = r
		out.Network, out.N, out.X = moNet, 500, results.None
		out.add(r.Metric, r.Value)
	}
	return out.rows
}

// What the report says of the fit follows the numbers, and a broken bound or lemma is a failure.
func TestMoReportFollowsTheNumbers(t *testing.T) {
	m := NewMo(4, 1)
	published := func(v moVariant, part string) int {
		return map[string]int{"clean1": 115, "clean2": 36, "clean3": 28, "fake2": 52,
			"fake3": 40}[fmt.Sprint(part, v.k)]
	}
	for _, fits := range []string{"lt", "le"} {
		report := func(other ...results.Row) (bool, map[string]string) {
			r := m.Study().Report(studied(m, func(v moVariant, part string) int {
				if v.cmp() == fits {
					return published(v, part)
				}
				return 2 * published(v, part)
			}, other...))
			return r.Violated, asMap(r.Facts)
		}
		if violated, facts := report(); facts["fits"] != fits || violated {
			t.Errorf("fits %s, want %s; violated %v", facts["fits"], fits, violated)
		}
		run := results.Row{Series: "K=2 lt", Seed: 4, Metric: "fake leader: " + moExceeded, Value: 1}
		if violated, facts := report(run); !violated || facts["theorem1-exceeded"] != "1" {
			t.Errorf("an exceeded bound: %v", facts)
		}
		run = results.Row{Series: "K=2 le", Seed: 2, Metric: "clean start: " + moBelow, Value: 1}
		if violated, facts := report(run); !violated {
			t.Errorf("a broken lemma: %v", facts)
		}
		run.Metric = "fake leader: " + moFakeLast
		life := run
		life.Metric, life.Value = "fake leader: "+moFakeLife, 0
		if violated, facts := report(run, life); !violated || facts["fakes-too-long"] != "1" {
			t.Errorf("a fake that lives too long: %v", facts)
		}
	}
}

// Sample 2, 4, 6: mean 4, standard deviation 2, standard error 2/sqrt(3); 8 lies 4 below, which is 2·sqrt(3) of them.
func TestComparison(t *testing.T) {
	c := results.Comparison{Measured: results.MeanOf([]float64{2, 4, 6}), Published: &results.Published{Value: 8}}
	if d, ok := c.Difference(); !ok || math.Abs(d+2*math.Sqrt(3)) > 1e-12 || c.Measured.Value != 4 ||
		math.Abs(c.Measured.SD-2) > 1e-12 || c.Measured.N != 3 {
		t.Errorf("difference %g, %+v", d, c.Measured)
	}
	// Deviations -1/2 and 1/4, and one with nothing to compare with.
	list := []results.Comparison{c, {Measured: results.Mean{Value: 10}, Published: &results.Published{Value: 8}},
		{Measured: results.Mean{Value: 99}}}
	if got, want := Misfit(list), math.Sqrt((1.0/4+1.0/16)/2); math.Abs(got-want) > 1e-12 {
		t.Errorf("misfit %g, want %g", got, want)
	}
	for _, c := range []results.Comparison{
		{Measured: results.MeanOf([]float64{1}), Published: &results.Published{Value: 8}},
		{Measured: results.MeanOf([]float64{1, 2})}, {Measured: results.MeanOf(nil)}} {
		if d, ok := c.Difference(); ok || math.IsNaN(c.Measured.StdErr) {
			t.Errorf("difference %g of %+v", d, c)
		}
	}
}

// A published mean of 4 runs has an error of its own: 2/sqrt(4) with the spread above, together sqrt(4/3 + 1). Bounds
// hold or do not, and of an approximation nobody knows how near it is.
func TestVerdicts(t *testing.T) {
	m := results.MeanOf([]float64{2, 4, 6})
	for _, c := range []struct {
		published *results.Published
		errors    float64
		verdict   string
	}{
		{&results.Published{Value: 8, Claim: results.Sampled, Of: 4}, -4 / math.Sqrt(4.0/3+1), "differs"},
		{&results.Published{Value: 6, Claim: results.Sampled, Of: 4}, -2 / math.Sqrt(4.0/3+1), "agrees"},
		{&results.Published{Value: 6, Claim: results.Exact}, -math.Sqrt(3), "agrees"},
		{&results.Published{Value: 4, Claim: results.Limit}, 0, "holds"},
		{&results.Published{Value: 3.9, Claim: results.Limit}, 0, "exceeded"},
		{&results.Published{Value: 8, Claim: results.About}, 0, ""},
		{nil, 0, ""},
	} {
		x := results.Comparison{Measured: m, Published: c.published}
		if d, _ := x.Difference(); math.Abs(d-c.errors) > 1e-12 || x.Verdict() != c.verdict {
			t.Errorf("%+v: %g errors, %q; want %g, %q", c.published, d, x.Verdict(), c.errors, c.verdict)
		}
		if share, ok := x.Deviation(); ok == (c.published == nil || c.published.Claim == results.Limit) {
			t.Errorf("%+v: deviates by %g", c.published, share)
		}
	}
}

// A cancelled job stops at once.
func TestMoCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := small(1).measure(ctx, 0); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("error %v", err)
	}
}
