package experiment

import (
	"fmt"
	"io"
	"math"
	"strings"

	"caucus/plot"
)

// familyStudy is the jobs of the experiment, sorted.
type familyStudy struct {
	Family
	runs   map[string][]*FamilyRun
	trials []*FamilyTrial
}

// Report evaluates the results of the sweep.
func (f Family) Report(version string, jobs []FamilyJob) *Report {
	s := &familyStudy{f, map[string][]*FamilyRun{}, nil}
	for _, j := range jobs {
		if j.Trial != nil {
			s.trials = append(s.trials, j.Trial)
		}
		if j.Run != nil {
			s.runs[j.Run.Scenario] = append(s.runs[j.Run.Scenario], j.Run)
		}
	}
	r := &Report{Experiment: "family", Version: version, Options: f.Sweep(version).Options, Table: [][]string{}}
	if len(f.Scenarios) > 0 {
		r.Table = append(r.Table, familyColumns)
	}
	for _, name := range f.Scenarios {
		for a := range familyAlgorithms {
			r.Table = append(r.Table, s.row(r, name, a))
		}
		for k := 1; k < len(familyFaults); k++ {
			r.Files = append(r.Files, charts(name+"-"+fileName(familyFaults[k].name), s.chart(name, k))...)
		}
	}
	r.Files = append(r.Files, s.seedsCSV(r))
	r.Facts = []Option{{"runs", fmt.Sprint(len(f.Scenarios) * f.Seeds)}, {"trials", fmt.Sprint(len(s.trials))}}
	if len(f.Scenarios) > 0 {
		r.Notes = append(r.Notes,
			fmt.Sprintf("Times are in seconds until the election has stabilised: from a clean start, after a crash of all that lead or a fake leader told to one node in ten at %d s, after the end at %d s of a partition from %d s on, and from a clean start with messages lost. \"never\": not within %d s; (k/n): in so many runs, whose mean it is.",
				familyAt, familyHeal, familyAt, familyLimit),
			"scale-free stands still: stabilised is when, to the end, nobody changes and everybody names a leader that runs and leads. In random and edge nothing rests: there it is when the 10 s and the 50 s that follow are as calm as 95 % of all such stretches of the same run without fault.")
	}
	s.worst(r)
	return r
}

func fileName(fault string) string {
	return strings.NewReplacer(" %", "", " ", "-").Replace(fault)
}

var familyColumns = []string{"SCENARIO", "ALGORITHM", "INSTABILITY", "START", "CRASH", "FAKE", "PARTITION", "LOSS 10 %", "LOSS 30 %", "LOSS 50 %", "LEADERS", "MESSAGES", "BYTES"}

// row measures an algorithm on a scenario: a line of the table, and a comparison for each of its numbers.
func (s *familyStudy) row(r *Report, name string, a int) []string {
	line := []string{name, familyAlgorithms[a].title}
	add := func(what, format string, values []float64) Mean {
		m := MeanOf(values)
		r.Comparisons = append(r.Comparisons, Comparison{Quantity: name + ": " + what, Variant: familyAlgorithms[a].title, Measured: m})
		if format != "" {
			line = append(line, fmt.Sprintf(format, m.Value))
		}
		return m
	}
	over := func(value func(*FamilyRun) float64) (list []float64) {
		for _, run := range s.runs[name] {
			list = append(list, value(run))
		}
		return list
	}
	calm := func(run *FamilyRun) *FamilyElection { return &run.Elections[0][a] }
	add("instability", "%.4f", over(func(run *FamilyRun) float64 { return calm(run).instability(0) }))
	for k, fault := range familyFaults {
		var took []float64
		for _, run := range s.runs[name] {
			if t := run.stabilised(k, a); t != never {
				took = append(took, float64(t))
			}
		}
		all := len(s.runs[name])
		what := "seconds to stabilise, " + fault.name
		if k == 0 {
			what = "seconds to stabilise from a clean start"
		}
		add(what+": share of runs that do", "", over(func(run *FamilyRun) float64 {
			if run.stabilised(k, a) == never {
				return 0
			}
			return 1
		}))
		switch {
		case len(took) == 0:
			line = append(line, "never")
		case len(took) < all:
			line = append(line, fmt.Sprintf("%.1f (%d/%d)", add(what, "", took).Value, len(took), all))
		default:
			add(what, "%.1f", took)
		}
		if strings.HasPrefix(fault.name, "loss") {
			add(fmt.Sprintf("instability after %d s, %s", familyAt, fault.name), "", over(func(run *FamilyRun) float64 { return run.Elections[k][a].instability(familyAt) }))
		}
	}
	rounds := func(run *FamilyRun) float64 { return float64(run.Nodes * familySeconds) }
	add("leaders", "%.1f", over(func(run *FamilyRun) float64 { return calm(run).leaders() }))
	add("messages per node and round", "%.2f", over(func(run *FamilyRun) float64 { return float64(calm(run).Messages) / rounds(run) }))
	add("bytes per node and round", "%.0f", over(func(run *FamilyRun) float64 { return float64(calm(run).Bytes) / rounds(run) }))
	return line
}

// leaders is the mean number of nodes that lead, after the first 100 s.
func (e *FamilyElection) leaders() float64 {
	sum := 0
	for _, l := range e.Leaders[familyAt:] {
		sum += l
	}
	return float64(sum) / float64(len(e.Leaders)-familyAt)
}

// seedsCSV has each run, and -1 for never.
func (s *familyStudy) seedsCSV(r *Report) File {
	columns := []string{"scenario", "seed", "algorithm", "fault", "stabilised", "instability", "instability_after_100s", "astray_at_end", "leaders", "messages", "bytes"}
	return r.csv("family.csv", columns, func(row func(...any)) {
		for _, name := range s.Scenarios {
			for _, run := range s.runs[name] {
				for k, fault := range familyFaults {
					for a := range familyAlgorithms {
						e := &run.Elections[k][a]
						row(name, run.Seed, familyAlgorithms[a].title, fault.name, run.stabilised(k, a), e.instability(0), e.instability(familyAt),
							e.Astray[len(e.Astray)-1], e.leaders(), e.Messages, e.Bytes)
					}
				}
			}
		}
	})
}

// chart shows what share of the nodes is astray or changes its leader under a fault.
func (s *familyStudy) chart(name string, fault int) *plot.Chart {
	c := &plot.Chart{
		Title:    fmt.Sprintf("%s, %s", name, familyFaults[fault].name),
		Subtitle: fmt.Sprintf("share of nodes that name no leader that runs and leads; mean over %s", plural(len(s.runs[name]), "run")),
		XLabel:   "seconds", YLabel: "astray",
	}
	first := 0
	if !strings.HasPrefix(familyFaults[fault].name, "loss") {
		first = familyAt - 10
		c.Marks = append(c.Marks, plot.Mark{X: familyAt, Label: familyFaults[fault].name})
	}
	if from := familyFaults[fault].from; from > familyAt {
		c.Marks = append(c.Marks, plot.Mark{X: float64(from), Label: "end"})
	}
	for a := range familyAlgorithms {
		series := plot.Series{Name: familyAlgorithms[a].title}
		for t := first; t < familySeconds; t++ {
			share := 0.0
			for _, run := range s.runs[name] {
				e := &run.Elections[fault][a]
				share += float64(e.Astray[t]) / float64(e.Live*len(s.runs[name]))
			}
			series.X, series.Y = append(series.X, float64(t+1)), append(series.Y, min(share, 1))
		}
		c.Series = append(c.Series, series)
	}
	return c
}

// worst reports the trials of the search on which Bounded Election does worst.
func (s *familyStudy) worst(r *Report) {
	best, file := 1.0, ""
	for other := 1; other < len(worseAlgorithms); other++ {
		for m, what := range []string{"changes of leader per node", "rounds until the final state"} {
			worst, ratio, worse, compared := (*FamilyTrial)(nil), math.Inf(-1), 0, 0
			for _, t := range s.trials {
				x := t.ratios(other)[m]
				if math.IsNaN(x) {
					continue
				}
				compared++
				if x > 1 {
					worse++
				}
				if x > ratio {
					worst, ratio = t, x
				}
			}
			if worst == nil {
				continue
			}
			title := worseAlgorithms[other].title
			r.Notes = append(r.Notes, fmt.Sprintf("Search, %s: bounded is worse than %s in %d of %d trials; most in trial %d, by a factor of %.2f (%s).",
				what, title, worse, compared, worst.Trial, ratio, worst.describe(other, m)))
			r.Facts = append(r.Facts, Option{"worse-" + []string{"changes", "rounds"}[m] + "-" + title, fmt.Sprintf("%d:%.3f", worst.Trial, ratio)})
			if ratio > best {
				best, file = ratio, worseScenario(worst.Trial)
			}
		}
	}
	if file != "" {
		r.Files = append(r.Files, File{"bounded-worse.yaml", func(out io.Writer) error {
			_, err := io.WriteString(out, "# "+r.Echo()+"\n"+file)
			return err
		}})
	}
}

// describe gives the two numbers of a measure, Bounded Election's first.
func (t *FamilyTrial) describe(other, measure int) string {
	if measure == 0 {
		return fmt.Sprintf("%.3g and %.3g", t.Changes[0], t.Changes[other])
	}
	if t.Settled[0] == never {
		return fmt.Sprintf("not within the run and %d", t.Settled[other])
	}
	return fmt.Sprintf("%d and %d", t.Settled[0], t.Settled[other])
}
