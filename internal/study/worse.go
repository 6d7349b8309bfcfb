package study

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// The search for networks on which Bounded Election does worse than another draws small scenarios, trial by trial: a
// topology, its lengths, strengths, IDs, radius, timing, and in half of them a change of all strengths.

// Times of a trial, in rounds.
const (
	worseRounds = 240 // in all
	worseSwitch = 120 // when the strengths change
	worseCalm   = 10  // how long the final state must last
)

// worseAlgorithms are compared, Bounded Election first, all with their defaults. mo takes the radius in hops as its
// max-reach.
var worseAlgorithms = []familyAlgorithm{
	{title: "bounded", name: "bounded", radius: "radius"},
	{title: "recursive", name: "recursive", radius: "radius"},
	{title: "sparse", name: "sparse", radius: "grain"},
	{title: "mo", name: "mo"},
}

// Metrics of a trial. Its rows have the series of the algorithm and, since no seed is 0, the number of the trial from
// 1.
const (
	worseNetwork = "search"
	worseChanges = "changes of leader per node"
	worseSettled = "rounds until the final state" // from the start or the change of strengths; none: not within the run
)

// worseScenario is the scenario file of a trial. What depends on chance is drawn from the number of the trial alone.
func worseScenario(trial int) string {
	draw := caucus.NewRand(1, "worse", uint64(trial))
	pick := func(list ...string) string { return list[draw.IntN(len(list))] }
	between := func(a, b int) int { return a + draw.IntN(b-a+1) }
	var topology, metric, radius string
	switch pick("line", "ring", "grid", "ba", "rgg") {
	case "line":
		topology = fmt.Sprintf("line:%d", between(8, 64))
	case "ring":
		topology = fmt.Sprintf("ring:%d", between(8, 64))
	case "grid":
		topology = fmt.Sprintf("grid:%dx%d", between(2, 8), between(2, 8))
	case "ba":
		topology = fmt.Sprintf("ba:n=%d,m=%d", between(8, 64), between(1, 2))
	default:
		topology = fmt.Sprintf("rgg:n=%d,degree=%d,connected", between(16, 64), between(6, 8))
	}
	if metric = "hops"; strings.HasPrefix(topology, "rgg") {
		metric = pick("hops", "distance")
	}
	if radius = strconv.Itoa(between(1, 8)); metric == "distance" {
		radius = "0." + strconv.Itoa(between(15, 60))
	}
	text := fmt.Sprintf("version: 1\nname: bounded-worse\n\nalgo: bounded\ntopology: %s\nmetric: %s\nradius: "+
		"%s\nids: %s\nstrength: %s\n\ntiming: %s\nrounds: %d\nstable-for: 0\nseed: %d\ngraph-seed: %d\n",
		topology, metric, radius, pick("increasing", "decreasing", "random"), pick("id", "random", "degree"),
		pick("sync", "async", "jittered"), worseRounds, trial+1, trial+1)
	if draw.IntN(2) == 0 {
		text += fmt.Sprintf("\nfaults:\n  - {at: %d, kind: strength, source: %s}\n", worseSwitch,
			pick("id", "random", "degree"))
	}
	return text
}

// tryWorse runs a trial.
func tryWorse(ctx context.Context, trial int) (results.Rows, error) {
	s, err := scenario.Parse(fmt.Sprintf("trial %d", trial), []byte(worseScenario(trial)))
	if err != nil {
		return nil, err
	}
	r, err := s.Resolve()
	if err != nil {
		return nil, err
	}
	out := recorder{Row: results.Row{Network: worseNetwork, N: r.Config.Graph.Len(), Seed: uint64(trial + 1),
		X: results.None}}
	err = compareWorse(ctx, r, &out)
	return out.rows, err
}

// compareWorse runs a scenario with each of the algorithms. Those that take no strengths are left out where these
// change.
func compareWorse(ctx context.Context, r *scenario.Run, out *recorder) error {
	cfg := r.Config
	cfg.Workers, cfg.Every = 1, 1
	place := placesOf(&cfg)
	from := 0
	for _, f := range cfg.Faults {
		from = max(from, int(f.At))
	}
	for k := range worseAlgorithms {
		a := &worseAlgorithms[k]
		if a.radius == "" && from > 0 {
			continue
		}
		e, err := a.start(cfg, r.Get("radius"), worseReach(r))
		if err != nil {
			return err
		}
		f := familyElection{}
		for round := 0; round < cfg.MaxRounds && ctx.Err() == nil; round++ {
			e.Step()
			f.astray = append(f.astray, astray(e, place))
		}
		f.read(e.Result())
		e.Close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		out.Series = a.title
		out.add(worseChanges, f.instability(0)*float64(cfg.MaxRounds))
		out.add(worseSettled, orNone(f.atRest(from, cfg.MaxRounds-from-worseCalm)))
	}
	return nil
}

// worseReach is the radius in hops, for an average edge.
func worseReach(r *scenario.Run) string {
	radius, _ := strconv.ParseFloat(r.Get("radius"), 64)
	mean := 1.0
	if lengths := r.Config.Lengths; len(lengths) > 0 {
		mean = results.MeanOf(lengths).Value
	}
	return strconv.Itoa(max(1, int(math.Round(radius/mean))))
}

// worseMetrics are those that are compared, with what Bounded Election must need for a trial to count: worse at next to
// nothing says nothing.
var worseMetrics = []struct {
	metric string
	least  float64
}{{worseChanges, 1}, {worseSettled, 10}}

// ratio says how much worse Bounded Election did than another (from 1) in a metric; none where that cannot be said,
// since the other does not settle or has nothing to do, or Bounded Election next to nothing. A Bounded Election that
// does not settle counts with all rounds it had.
func ratio(bounded, other *wide, m int) float64 {
	if other == nil || math.IsNaN(other.of[worseSettled]) {
		return results.None
	}
	own, x := bounded.of[worseMetrics[m].metric], other.of[worseMetrics[m].metric]
	if math.IsNaN(own) {
		own = worseRounds
	}
	if x > 0 && own >= worseMetrics[m].least {
		return own / x
	}
	return results.None
}
