package study

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/internal/energy"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
	"caucus.example/caucus/registry"
	"caucus.example/caucus/registry/agents"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// 9 of 10 from 0.5550 to 0.9975 with 2.5 % on each side (Clopper and Pearson's own tables); none of n from 0 to 1 -
// alpha^(1/n).
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		succeeded, trials int
		alpha, low, high  float64
	}{
		{9, 10, 0.025, 0.5550, 0.9975},
		{5, 10, 0.025, 0.1871, 0.8129},
		{0, 100, 0.01, 0, 1 - math.Pow(0.01, 0.01)},
		{100, 100, 0.01, math.Pow(0.01, 0.01), 1},
	} {
		low, high := lowerBound(c.succeeded, c.trials, c.alpha), upperBound(c.succeeded, c.trials, c.alpha)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: from %.4f to %.4f, want from %.4f to %.4f", c.succeeded, c.trials, low, high, c.low,
				c.high)
		}
	}
}

// Property: with the lower bound for a probability, as many successes or more come in alpha of all samples, as the sum
// of the binomial distribution has it; and the bounds of failures mirror those of successes.
func TestBoundsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "trials")
		s := rapid.IntRange(1, n).Draw(t, "succeeded")
		alpha := rapid.Float64Range(1e-4, 0.1).Draw(t, "alpha")
		p, tail := lowerBound(s, n, alpha), 0.0
		choose := func(k int) float64 {
			a, _ := math.Lgamma(float64(n + 1))
			b, _ := math.Lgamma(float64(k + 1))
			c, _ := math.Lgamma(float64(n - k + 1))
			return a - b - c
		}
		for k := s; k <= n; k++ {
			tail += math.Exp(choose(k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		}
		if math.Abs(tail/alpha-1) > 1e-5 {
			t.Fatalf("%d of %d: %g in %g of samples, want %g", s, n, p, tail, alpha)
		}
		if q := 1 - upperBound(n-s, n, alpha); math.Abs(q-p) > 1e-9 {
			t.Fatalf("%d of %d: %g, from failures %g", s, n, p, q)
		}
	})
}

func TestTunePeriods(t *testing.T) {
	ms := time.Millisecond
	for delay, want := range map[time.Duration][]time.Duration{
		20 * ms: {5 * ms, 10 * ms, 20 * ms, 50 * ms, 100 * ms, 200 * ms},
		25 * ms: {10 * ms, 20 * ms, 50 * ms, 100 * ms, 200 * ms},
		0:       {ms, 2 * ms, 5 * ms, 10 * ms, 20 * ms},
	} {
		if got := TunePeriods(delay); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", delay, got, want)
		}
	}
	if list := TunePeriods(time.Minute); len(list) == 0 || slices.Max(list) > time.Hour {
		t.Errorf("one minute: %v", list)
	}
}

// Half as many runs as are given at most are enough to find a K that never fails sufficient.
func TestTuneLooks(t *testing.T) {
	for _, success := range []float64{0.5, 0.9, 0.999, 0.99999} {
		u := Tune{Success: success, Runs: TuneRuns(success)}
		looks := u.looks()
		alpha := (1 - tuneConfidence) / float64(len(looks))
		if !slices.IsSorted(looks) || looks[len(looks)-1] != u.Runs {
			t.Errorf("%g: looks %v", success, looks)
		}
		if n := u.Runs / 2; lowerBound(n, n, alpha) < success {
			t.Errorf("%g: %d runs without a failure prove %g", success, n, lowerBound(n, n, alpha))
		}
	}
}

func tuneOf(t *testing.T, variant, spec string, loss float64) Tune {
	t.Helper()
	g, err := network.Generate(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	u := Tune{Variant: variant, Graph: g, Topology: spec, Strength: "rank",
		Links:   fault.Conditions{Loss: loss, Delay: 20 * time.Millisecond},
		Success: 0.9, Periods: []time.Duration{20 * time.Millisecond, 50 * time.Millisecond}, Runs: TuneRuns(0.9),
		Seed: 1, Energy: energy.CC2420}
	for i := range g.Len() {
		u.Diameter = max(u.Diameter, network.Eccentricity(g, i))
	}
	return u
}

func tuned(t *testing.T, u Tune, workers int) *TuneReport {
	t.Helper()
	found, err := u.Batch().Do(context.Background(), jobs.Setting{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return u.Report("test", found)
}

// Without loss: rounds that last longer than messages take carry news one hop each, so K = D is enough for the reliable
// variant, where all start at once; that there is news in the last round takes the farthest node one more, of 50 ms and
// 20/64 ms. In the others a hop takes from the delay to the delay and a round.
func TestTune(t *testing.T) {
	r := tuned(t, tuneOf(t, "reliable", "ring:10", 0), 1)
	if p := r.Found[1]; p.Least != 5 || math.Abs(p.point(5).Seconds-6*0.0503125) > 1e-9 || p.point(5).Low < 0.9 ||
		!p.Monotone {
		t.Errorf("reliable: %+v", p)
	}
	// Rounds of 20 ms are just long enough as well; of 5 ms it takes four for a hop.
	u := tuneOf(t, "reliable", "ring:10", 0)
	u.Periods = []time.Duration{5 * time.Millisecond, 20 * time.Millisecond}
	if r := tuned(t, u, 1); r.Found[0].Least != 20 || r.Found[1].Least != 5 || r.Best.T != u.Periods[1] {
		t.Errorf("reliable: %+v", r)
	}
	for _, variant := range []string{"unreliable", "hardened"} {
		u := tuneOf(t, variant, "ring:10", 0)
		r := tuned(t, u, 1)
		for k, p := range r.Found {
			most := int(math.Ceil(5*(1+20/(1000*p.T)))) + 1
			pt := p.point(p.Least)
			if p.Least < 5 || p.Least > most || pt.Verdict != Sufficient || pt.Low < 0.9 || pt.Seconds < 5*0.020 ||
				pt.P95 < pt.Seconds || pt.P95 > float64(p.Least)*p.T {
				t.Errorf("%s, T = %g: %+v", variant, p.T, pt)
			}
			if before := p.point(p.Least - 1); p.Least > 5 && (before == nil || before.Verdict == Sufficient) {
				t.Errorf("%s, T = %g: before the least K: %+v", variant, p.T, before)
			}
			if pt.Messages != float64(20*p.Least) { // two neighbours, ten nodes, K rounds
				t.Errorf("%s, T = %g: %g messages", variant, p.T, pt.Messages)
			}
			// The radio listens nearly all the time.
			if watts := pt.Joules / (float64(p.Least) * p.T); watts < 0.0560 || watts > 0.0575 {
				t.Errorf("%s, T = %g: %g W", variant, p.T, watts)
			}
			if !r.front(&r.Found[k]) {
				t.Errorf("%s: T = %g is not on the front", variant, p.T)
			}
		}
		if r.Best == nil || r.Best.T != u.Periods[0] { // shorter rounds are quicker
			t.Errorf("%s: %+v", variant, r.Best)
		}
	}
}

// The same on any number of workers, and all that is written can be.
func TestTuneWorkers(t *testing.T) {
	u := tuneOf(t, "hardened", "line:4", 0.1)
	one, three := tuned(t, u, 1), tuned(t, u, 3)
	if diff := cmp.Diff(one.Found, three.Found); diff != "" || !reflect.DeepEqual(one.Best, three.Best) {
		t.Error(diff)
	}
	for _, f := range one.Files() {
		var a, b bytes.Buffer
		if err := f.Write(&a); err != nil || a.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", f.Name, a.Len(), err)
		}
		for _, g := range three.Files() {
			if g.Name == f.Name && g.Write(&b) == nil && !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("%s differs", f.Name)
			}
		}
	}
}

// What is recommended is a configuration of an agent.
func TestTuneSnippet(t *testing.T) {
	r := tuned(t, tuneOf(t, "hardened", "line:4", 0.1), 0)
	cfg, err := agent.Parse("agent.yaml", []byte(r.Snippet()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, r.Snippet())
	}
	if cfg.Algo != "prasle" || cfg.Params["k"] != number(float64(r.Best.K)) || cfg.Period != r.Best.T ||
		cfg.Expiry != r.Best.Expiry || cfg.Expiry < 3 {
		t.Errorf("%+v", cfg)
	}
	// Rounds of the reliable variant are t times the delay that its nodes are told.
	r = tuned(t, tuneOf(t, "reliable", "line:4", 0), 0)
	if cfg, err = agent.Parse("agent.yaml", []byte(r.Snippet())); err != nil {
		t.Fatalf("%v in\n%s", err, r.Snippet())
	}
	if cfg.Algo != "prasle-reliable" || cfg.Params["t"] != "1" || cfg.Known.Diameter != 3 ||
		cfg.Known.Delay != r.Best.T {
		t.Errorf("%+v", cfg)
	}
	entry, err := registry.Get(cfg.Algo)
	if err != nil {
		t.Fatal(err)
	}
	args, err := entry.Spec.Resolve("", cfg.Params)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Of(entry, args, cfg); err != nil {
		t.Errorf("%v in\n%s", err, r.Snippet())
	}
}

// What was found of a T comes back from its rows as it was, verdicts included.
func TestTuneRows(t *testing.T) {
	u := tuneOf(t, "hardened", "ring:6", 0.1)
	p, err := u.search(context.Background(), u.Periods[1])
	if err != nil || len(p.Points) < 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	if diff := cmp.Diff(p, u.read(u.rows(&p))); diff != "" {
		t.Error(diff)
	}
}

// The reliable variant tells everything once, so that no number of rounds makes up for losses.
func TestTuneOutOfReach(t *testing.T) {
	r := tuned(t, tuneOf(t, "reliable", "ring:10", 0.2), 0)
	if r.Best != nil || r.Open() || !strings.HasPrefix(r.Answer(),
		"no K and T is enough for 90% success of the reliable variant on ring:10; the best of those tried is K = ") {
		t.Errorf("%+v: %s", r.Best, r.Answer())
	}
	u := tuneOf(t, "hardened", "ring:10", 0.1)
	u.Runs = 10
	if r := tuned(t, u, 0); r.Best != nil || !r.Open() || !strings.Contains(r.Answer(), "is known to be enough") {
		t.Errorf("%+v: %s", r.Best, r.Answer())
	}
	if r := u.Report("test", make([]results.Rows, 2)); len(r.Found) != 0 || r.Answer() != "nothing is known yet" {
		t.Errorf("nothing done: %+v", r)
	}
}

// A live leader is taken for dead if a neighbour is dropped after one lost message; the expiry that tune chooses is
// long enough.
func TestTuneExpiry(t *testing.T) {
	u := tuneOf(t, "hardened", "line:6", 0.2)
	for expiry, want := range map[int]Verdict{1: Insufficient, u.expiry(u.Periods[1]): Sufficient} {
		e, err := u.election(16, u.Periods[1], expiry)
		if err != nil {
			t.Fatal(err)
		}
		x := tuneTrial{tuneElection: e, point: TunePoint{Verdict: Promising}}
		if v, err := x.judge(context.Background(), true); err != nil || v != want {
			t.Errorf("expiry %d: %+v, %v", expiry, x.point, err)
		}
	}
	u.Links.Loss, u.Links.Jitter = 0, 20*time.Millisecond
	if got := u.expiry(20 * time.Millisecond); got != 5 { // 3, and 40 ms between an early message and a late one
		t.Errorf("expiry %d", got)
	}
}

// Success need not grow with K: where 5 and everything from 9 on are enough, 5 is found, and that there are exceptions.
// What is insufficient at first sight is not looked at thoroughly.
func TestTuneSearch(t *testing.T) {
	from9 := []int{9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	for _, c := range []struct {
		enough   []int
		close    int // this K and those after it are not insufficient at first sight
		least    int
		monotone bool
		thorough []int
	}{
		{from9, 9, 9, true, []int{9}},
		{from9, 7, 9, true, []int{7, 8, 10, 9}},
		{append([]int{5}, from9...), 9, 5, false, []int{9, 5}},
		{[]int{3, 4, 5, 6}, 3, 3, true, []int{3}},
		{[]int{10}, 10, 10, true, []int{10}},
		{[]int{20}, 20, 20, true, []int{20}},
		{nil, 21, 0, true, nil},
		{nil, 19, 0, true, []int{19, 20}},
	} {
		var thorough []int
		p := probes{3, func(k int, all bool) (Verdict, error) {
			if all && !slices.Contains(thorough, k) {
				thorough = append(thorough, k)
			}
			switch good := slices.Contains(c.enough, k); {
			case all && good:
				return Sufficient, nil
			case all:
				return Undecided, nil
			case !good && k < c.close:
				return Insufficient, nil
			}
			return Promising, nil
		}}
		least, monotone, err := p.search(20)
		if err != nil || least != c.least || monotone != c.monotone || !slices.Equal(thorough, c.thorough) {
			t.Errorf("%v, close from %d: least %d, monotone %v, thorough %v, %v", c.enough, c.close, least, monotone,
				thorough, err)
		}
	}
}

// An interrupted search tells what is done.
func TestTuneInterrupted(t *testing.T) {
	u := tuneOf(t, "unreliable", "line:3", 0)
	ctx, cancel := context.WithCancel(context.Background())
	found, err := u.Batch().Do(ctx, jobs.Setting{Workers: 1, Progress: func(done, _ int) {
		if done == 1 {
			cancel()
		}
	}})
	if r := u.Report("test", found); err == nil || len(r.Found) != 1 || r.Best == nil {
		t.Errorf("%v: %+v", err, r)
	}
}
