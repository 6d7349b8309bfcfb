package study

import (
	"context"
	"math"
	"testing"

	"caucus.example/caucus/internal/results"
)

// On a network that stands still every count is exact before strengths change for the first time, and again before they
// change next; a tree has one way to the leader, so that all ways of collecting are one. Every member has the
// directive by then that its leader has had for as many seconds as the region is deep.
func TestRegions(t *testing.T) {
	x := Regions{Scenarios: []string{"scale-free"}, Seeds: 1, seconds: 150}
	rows, err := x.run(context.Background(), "scale-free", 1)
	if err != nil {
		t.Fatal(err)
	}
	value := func(series, metric string, at float64) (v float64) {
		v = math.NaN()
		for _, r := range rows {
			if r.Series == series && r.Metric == metric && (r.X == at || r.X != r.X && at != at) {
				v = r.Value
			}
		}
		return v
	}
	for k := range len(boundedAlgorithms) * len(regionWays) {
		s := x.series(k)
		for _, at := range []float64{100, 150} {
			if wrong, informed := value(s, "miscounted", at), value(s, "informed", at); wrong > 1e-9 || informed != 1 {
				t.Errorf("%s after %g s: %g miscounted, %g informed", s, at, wrong, informed)
			}
		}
		if at := value(s, "seconds until exact", 100); !(at > 5 && at < 45) {
			t.Errorf("%s: exact %g s after the change", s, at)
		}
		other := x.series(k - k%len(regionWays))
		mean := func(series string) float64 { return value(series, "miscounted, mean", results.None) }
		near := 1e-9
		if k%len(regionWays) >= 2 { // by lengths: the way is there a round sooner or later than by hops
			near = 0.02 * mean(other)
		}
		if a, b := mean(s), mean(other); !(a > 0) || math.Abs(a-b) > near {
			t.Errorf("%s: %g miscounted, %s: %g", s, a, other, b)
		}
	}
}

// The counts are off for the 13 seconds after a change.
func TestUntilExact(t *testing.T) {
	var seen []knowledge
	for second := range 210 {
		var k knowledge
		if second >= 100 && second < 113 || second >= 205 {
			k.wrong = 1
		}
		seen = append(seen, k)
	}
	if got := untilExact(seen, 100); got != 13 {
		t.Errorf("exact after %g s, want 13", got)
	}
	if got := untilExact(seen[:113], 100); got != 13 {
		t.Errorf("exact after %g s, want 13", got)
	}
}

// What is drawn is the mean of a run over the seconds that stand at one place, and then that of the runs.
func TestFold(t *testing.T) {
	var rows results.Rows
	for _, seed := range []uint64{1, 2} {
		for second := 101.0; second <= 140; second++ {
			rows = append(rows, results.Row{Series: "a, b", Seed: seed, X: second, Value: second * float64(seed)})
		}
	}
	list := fold(rows, func(r *results.Row) (float64, bool) { return math.Ceil(r.X/20) * 20, r.X > 110 })
	if len(list) != 2 || list[0].X != 120 || list[0].Value != 115.5*1.5 || list[1].X != 140 ||
		list[1].Value != 130.5*1.5 || list[0].Mean.N != 2 {
		t.Errorf("%+v", list)
	}
	for _, f := range (Regions{Seeds: 2}).charts("random", rows) {
		t.Errorf("%s, of rows that no chart is of", f.Name)
	}
}
