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
	"caucus.example/caucus/sim"
)

// boundedStudy is the runs of the experiment, by scenario.
type boundedStudy struct {
	Bounded
	runs map[string][]BoundedRun
}

// Report evaluates the results of the sweep.
func (b Bounded) Report(version string, runs []BoundedRun) *Report {
	s := &boundedStudy{b, map[string][]BoundedRun{}}
	for _, r := range runs {
		s.runs[r.Scenario] = append(s.runs[r.Scenario], r)
	}
	r := &Report{Experiment: "bounded-election", Version: version, Options: b.Sweep(version).Options}
	for _, name := range b.Scenarios {
		switch name {
		case "scale-free":
			s.settling(r)
		default:
			s.instabilities(r, name)
		}
		s.order(r, name)
		r.Files = append(r.Files, s.seriesCSV(r, name), s.seedsCSV(r, name))
		r.Files = append(r.Files, charts(name, s.chart(name))...)
		r.Files = append(r.Files, s.snapshots(name)...)
	}
	r.Facts = append(r.Facts, Option{"runs", fmt.Sprint(len(runs))})
	return r
}

// at describes the instability of an algorithm after second t over the runs of a scenario.
func (s *boundedStudy) at(name string, algorithm, t int) Mean {
	runs := s.runs[name]
	values := make([]float64, len(runs))
	for k := range runs {
		values[k] = runs[k].instability(algorithm, t)
	}
	return MeanOf(values)
}

// over describes the mean instability from second a to the end, over the runs of a scenario.
func (s *boundedStudy) over(name string, algorithm, a int) Mean {
	var means []float64
	for k := range s.runs[name] {
		sum := 0.0
		for t := a; t <= boundedSeconds; t++ {
			sum += s.runs[name][k].instability(algorithm, t)
		}
		means = append(means, sum/float64(boundedSeconds-a+1))
	}
	return MeanOf(means)
}

// instabilities sets the mean instability over the run, and over all after the first 100 s, beside what is published.
func (s *boundedStudy) instabilities(r *Report, name string) {
	for k, a := range boundedAlgorithms {
		for _, part := range []struct {
			from int
			what string
		}{{1, "whole run"}, {101, "after 100 s"}} {
			c := Comparison{Quantity: name + ": instability, " + part.what, Variant: a.published, Measured: s.over(name, k, part.from)}
			if name == "random" {
				c.Published = &Published{boundedPaper, "published data, random, " + part.what, boundedRandom[a.published][min(part.from-1, 1)]}
			}
			r.Comparisons = append(r.Comparisons, c)
		}
	}
}

// settled is how many seconds after a switch the mean over some runs is below 0.01 for the first time after it rose; 0
// if it never did, and 100 if it is not below until the next switch.
func settled(runs []*BoundedRun, algorithm, at int) float64 {
	risen := false
	for t := at + 1; t <= min(at+100, boundedSeconds); t++ {
		mean := 0.0
		for _, r := range runs {
			mean += r.instability(algorithm, t) / float64(len(runs))
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
func (s *boundedStudy) settling(r *Report) {
	all := s.runs["scale-free"]
	for k, a := range boundedAlgorithms {
		for i, at := range []int{100, 200, 300, 400, 500} {
			sample := make([]*BoundedRun, len(all))
			draw := func(pick func(j int) int) float64 {
				for j := range sample {
					sample[j] = &all[pick(j)]
				}
				return settled(sample, k, at)
			}
			m := Mean{N: len(all), Value: draw(func(j int) int { return j })}
			if m.N > 1 {
				var again []float64
				for b := range 200 {
					rand := caucus.NewRand(1, "bootstrap", uint64(k), uint64(at), uint64(b))
					again = append(again, draw(func(int) int { return rand.IntN(len(all)) }))
				}
				m.StdErr = MeanOf(again).SD
				m.SD = m.StdErr * math.Sqrt(float64(m.N))
			}
			r.Comparisons = append(r.Comparisons, Comparison{
				Quantity: fmt.Sprintf("scale-free: seconds to settle after %d s", at), Variant: a.published, Measured: m,
				Published: &Published{boundedPaper, fmt.Sprintf("published data, scale-free, after %d s", at), boundedSettled[a.published][i]},
			})
		}
	}
}

// order counts the seconds after the first 100 in which the mean curves are not in the order proposed < recursive <
// classic, and in which proposed is not the lowest.
func (s *boundedStudy) order(r *Report, name string) {
	if name == "scale-free" {
		return
	}
	other, notLowest := 0, 0
	for t := 101; t <= boundedSeconds; t++ {
		recursive, classic, proposed := s.at(name, 0, t).Value, s.at(name, 1, t).Value, s.at(name, 2, t).Value
		if !(proposed < recursive && recursive < classic) {
			other++
		}
		if proposed >= min(recursive, classic) {
			notLowest++
		}
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s: in %d of the %d seconds after the first 100 the means are not in the order proposed < recursive < classic, in %d proposed is not the lowest.",
		name, other, boundedSeconds-100, notLowest))
	r.Facts = append(r.Facts, Option{name + "-out-of-order", fmt.Sprint(other)}, Option{name + "-proposed-not-lowest", fmt.Sprint(notLowest)})
}

func (s *boundedStudy) seriesCSV(r *Report, name string) File {
	columns := []string{"second"}
	for _, a := range boundedAlgorithms {
		columns = append(columns, a.published+"_mean", a.published+"_sd")
	}
	return r.csv(name+".csv", columns, func(row func(...any)) {
		for t := 1; t <= boundedSeconds; t++ {
			line := []any{t}
			for k := range boundedAlgorithms {
				m := s.at(name, k, t)
				line = append(line, m.Value, m.SD)
			}
			row(line...)
		}
	})
}

func (s *boundedStudy) seedsCSV(r *Report, name string) File {
	return r.csv(name+"-seeds.csv", []string{"seed", "second", "recursive", "classic", "proposed"}, func(row func(...any)) {
		for k := range s.runs[name] {
			run := &s.runs[name][k]
			for t := 1; t <= boundedSeconds; t++ {
				row(run.Seed, t, run.instability(0, t), run.instability(1, t), run.instability(2, t))
			}
		}
	})
}

// chart shows the three algorithms over time, with one standard deviation to both sides.
func (s *boundedStudy) chart(name string) *picture.Chart {
	c := &picture.Chart{
		Title:    "Instability over time, " + name,
		Subtitle: fmt.Sprintf("share of the last 10 rounds in which a node's leader changed; mean over %s, bands: one standard deviation; set-up of the %s", plural(len(s.runs[name]), "run"), s.Faithful),
		XLabel:   "seconds", YLabel: "instability", Source: "After the experiments of Pianini, Casadei, Viroli, ACSOS 2022.",
	}
	for k, a := range boundedAlgorithms {
		series := picture.Series{Name: a.published}
		for t := 1; t <= boundedSeconds; t++ {
			m := s.at(name, k, t)
			series.X, series.Y = append(series.X, float64(t)), append(series.Y, m.Value)
			series.Lo, series.Hi = append(series.Lo, max(0, m.Value-m.SD)), append(series.Hi, m.Value+m.SD)
		}
		c.Series = append(c.Series, series)
	}
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

func (s *boundedStudy) snapshots(name string) []File {
	var files []File
	pictures := sync.OnceValues(func() ([]*picture.Map, error) { return s.snapshot(name) })
	for i, at := range snapshotTimes[name] {
		for k, a := range boundedAlgorithms {
			files = append(files, File{fmt.Sprintf("%s-%s-%ds.png", name, a.published, at), func(out io.Writer) error {
				maps, err := pictures()
				if err != nil {
					return err
				}
				return maps[i*len(boundedAlgorithms)+k].PNG(out)
			}})
		}
	}
	return files
}

// snapshot runs the first seed again and takes a picture of each algorithm at each of the times.
func (s *boundedStudy) snapshot(name string) ([]*picture.Map, error) {
	runs, elections, err := s.start(name, 1)
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
			r := e.Result()
			maps = append(maps, &picture.Map{Graph: r.Graph, Names: runs[k].Names, Outcomes: r.Outcomes, Live: r.Live,
				Title:    fmt.Sprintf("%s%s, %s, after %d s", strings.ToUpper(name[:1]), name[1:], boundedAlgorithms[k].published, at),
				Subtitle: fmt.Sprintf("seed 1; %s named", plural(len(sim.Regions(r.Outcomes)), "leader"))})
		}
	}
	return maps, nil
}
