package study

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
	"caucus.example/caucus/sim"
)

// find evaluates the rows.
func (b Bounded) find(r *Report) {
	means := results.Points(r.Rows)
	for _, name := range b.Scenarios {
		own := results.Pick(means, func(p *results.Point) bool { return p.Network == name })
		if name == "scale-free" {
			settling(r)
		} else {
			instabilities(r, name, own)
			order(r, name, own)
		}
		for k := range b.Curves {
			if c := &b.Curves[k]; c.Scenario == name {
				c.beside(r, results.Pick(own, func(p *results.Point) bool { return p.Metric == "instability" }))
			}
		}
		r.Files = append(r.Files, charts(name, b.chart(name, own))...)
		r.Files = append(r.Files, b.snapshots(name)...)
	}
	r.fact("runs", len(b.Scenarios)*b.Seeds)
}

// instabilities sets the mean instability over the parts of the run beside what is published.
func instabilities(r *Report, name string, means []results.Point) {
	for _, a := range boundedAlgorithms {
		for i, part := range boundedParts {
			what := "instability, " + part.what
			c := results.Comparison{Quantity: name + ": " + what, Variant: a.published,
				Measured: results.Measured(means, a.published, name, what, results.None).Mean}
			if name == "random" {
				c.Published = boundedPaper("random, "+part.what, boundedRandom[a.published][i])
			}
			r.Comparisons = append(r.Comparisons, c)
		}
	}
}

// settled is how many seconds after a switch the mean over some runs is below 0.01 for the first time after it rose; 0
// if it never did, and 100 if it is not below until the next switch. A run has its instability after each second.
func settled(runs [][]float64, at int) float64 {
	risen := false
	for t := at + 1; t <= min(at+100, boundedSeconds); t++ {
		mean := 0.0
		for _, r := range runs {
			mean += r[t-1] / float64(len(runs))
		}
		risen = risen || mean >= 0.01
		if risen && mean < 0.01 {
			return float64(t - at)
		}
	}
	if !risen {
		return 0
	}
	return 100
}

// settling measures how long the elections take that a change of strengths sets off. Its error is that of 200
// samples of the runs, drawn with replacement.
func settling(r *Report) {
	for k, a := range boundedAlgorithms {
		var all [][]float64
		for i := range r.Rows {
			if x := &r.Rows[i]; x.Network == "scale-free" && x.Series == a.published && x.Metric == "instability" {
				if x.X == 1 {
					all = append(all, nil)
				}
				all[len(all)-1] = append(all[len(all)-1], x.Value)
			}
		}
		for i, at := range []int{100, 200, 300, 400, 500} {
			m := results.Mean{N: len(all), Value: settled(all, at)}
			if m.N > 1 {
				var again []float64
				for b := range 200 {
					rand := caucus.NewRand(1, "bootstrap", uint64(k), uint64(at), uint64(b))
					sample := make([][]float64, len(all))
					for j := range sample {
						sample[j] = all[rand.IntN(len(all))]
					}
					again = append(again, settled(sample, at))
				}
				m.StdErr = results.MeanOf(again).SD
				m.SD = m.StdErr * math.Sqrt(float64(m.N))
			}
			r.Comparisons = append(r.Comparisons, results.Comparison{
				Quantity: fmt.Sprintf("scale-free: seconds to settle after %d s", at), Variant: a.published,
				Measured:  m,
				Published: boundedPaper(fmt.Sprintf("scale-free, after %d s", at), boundedSettled[a.published][i]),
			})
		}
	}
}

// order counts the seconds after the first 100 in which the mean curves are not in the order proposed < recursive <
// classic, and in which proposed is not the lowest.
func order(r *Report, name string, means []results.Point) {
	other, notLowest := 0, 0
	var curves [3][]results.Point
	for k, a := range boundedAlgorithms {
		curves[k] = results.Pick(means, func(p *results.Point) bool {
			return p.Series == a.published && p.Metric == "instability" && p.X > 100
		})
	}
	for t := range curves[0] {
		recursive, classic, proposed := curves[0][t].Value, curves[1][t].Value, curves[2][t].Value
		if !(proposed < recursive && recursive < classic) {
			other++
		}
		if proposed >= min(recursive, classic) {
			notLowest++
		}
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s: in %d of the %d seconds after the first 100 the means are not in the "+
		"order proposed < recursive < classic, in %d proposed is not the lowest.",
		name, other, boundedSeconds-100, notLowest))
	r.fact(name+"-out-of-order", other,
		name+"-proposed-not-lowest", notLowest)
}

// chart shows the three algorithms over time, with one standard deviation to both sides.
func (b Bounded) chart(name string, means []results.Point) *picture.Chart {
	c := &picture.Chart{
		Title: "Instability over time, " + name,
		Subtitle: fmt.Sprintf("share of the last 10 rounds in which a node's leader changed; mean over %s, bands: "+
			"one standard deviation; set-up of the %s", plural(b.Seeds, "run"), b.Faithful),
		XLabel: "seconds", YLabel: "instability",
		Source: "After the experiments of Pianini, Casadei, Viroli, ACSOS 2022.",
	}
	look{band: true}.add(c, results.Pick(means, func(p *results.Point) bool { return p.Metric == "instability" }))
	if name == "scale-free" {
		for i, label := range []string{"id", "random", "degree", "id", "random"} {
			c.Marks = append(c.Marks, picture.Mark{X: float64(100 * (i + 1)), Label: label})
		}
	}
	return c
}

// snapshotTimes are when the network of the first seed is drawn, in seconds: before each change of strengths, or in the
// midst of the movement.
var snapshotTimes = map[string][]int{"scale-free": {99, 199, 299}, "random": {300}, "edge": {300}}

func (b Bounded) snapshots(name string) []File {
	var files []File
	pictures := sync.OnceValues(func() ([]*picture.Map, error) { return b.snapshot(name) })
	for i, at := range snapshotTimes[name] {
		for k, a := range boundedAlgorithms {
			file := fmt.Sprintf("%s-%s-%ds.png", name, a.published, at)
			files = append(files, File{file, func(out io.Writer) error {
				maps, err := pictures()
				if err != nil {
					return err
				}
				return maps[i*len(boundedAlgorithms)+k].Write(out, file)
			}})
		}
	}
	return files
}

// snapshot runs the first seed again and takes a picture of each algorithm at each of the times.
func (b Bounded) snapshot(name string) ([]*picture.Map, error) {
	runs, elections, err := b.start(name, 1)
	if err != nil {
		return nil, err
	}
	defer stopAll(elections)
	var maps []*picture.Map
	done := 0
	for _, at := range snapshotTimes[name] {
		if err := sim.Together(context.Background(), at-done, elections...); err != nil {
			return nil, err
		}
		done = at
		for k, e := range elections {
			maps = append(maps, snap(runs[k], e.Result(), name, boundedAlgorithms[k].published, at))
		}
	}
	return maps, nil
}

// snap is a picture of a run after so many seconds.
func snap(run *scenario.Run, r *sim.Result, name, algorithm string, at int) *picture.Map {
	m := &picture.Map{Graph: r.Graph, Names: run.Names, Outcomes: r.Outcomes, Live: r.Live, Subtitle: "seed 1"}
	says := m.Words()
	if !run.Endless() && !run.Rested(r.Converged, r.SettledAt, r.Rounds) {
		says = "not settled, " + says
	}
	m.Title = fmt.Sprintf("%s%s, %s, after %d s: %s", strings.ToUpper(name[:1]), name[1:], algorithm, at, says)
	return m
}
