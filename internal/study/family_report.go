package study

import (
	"fmt"
	"io"
	"math"
	"strings"

	"caucus.example/caucus/internal/picture"
)

// familyStudy is the jobs of the experiment, sorted.
type familyStudy struct {
	Family
	runs   map[string][]*FamilyRun
	trials []*FamilyTrial
	means  []Comparison // all that the tables have
}

// Report evaluates the results of the sweep.
func (f Family) Report(version string, jobs []FamilyJob) *Report {
	s := &familyStudy{Family: f, runs: map[string][]*FamilyRun{}}
	for _, j := range jobs {
		if j.Trial != nil {
			s.trials = append(s.trials, j.Trial)
		}
		if j.Run != nil {
			s.runs[j.Run.Scenario] = append(s.runs[j.Run.Scenario], j.Run)
		}
	}
	r := &Report{Experiment: "family", Version: version, Options: f.Sweep(version).Options}
	main := Table{Title: fmt.Sprintf("Undisturbed runs, and seconds to stabilise (never: not within %d s; (k/n): the mean of the k runs that do)", familyLimit), Columns: familyColumns}
	loss := Table{Title: fmt.Sprintf("Instability after the first %d s, by messages lost", familyAt), Columns: []string{"scenario", "algorithm", "none", "10 %", "30 %", "50 %"}}
	for _, name := range f.Scenarios {
		for a := range familyAlgorithms {
			main.Rows = append(main.Rows, s.row(name, a))
			loss.Rows = append(loss.Rows, s.lossRow(name, a))
		}
		for k := 1; k < len(familyFaults); k++ {
			r.Files = append(r.Files, charts(name+"-"+fileName(familyFaults[k].name), s.chart(name, k))...)
		}
	}
	if len(f.Scenarios) > 0 {
		r.Tables = []Table{main, loss}
		r.Files = append(r.Files, s.seedsCSV(r), s.meansCSV(r))
	}
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

var familyColumns = []string{"scenario", "algorithm", "instability", "start", "crash", "fake", "partition", "loss 10 %", "loss 30 %", "loss 50 %", "leaders", "messages", "bytes"}

// mean takes the mean of a quantity over the runs of a scenario, those apart that have none.
func (s *familyStudy) mean(name, what string, a int, value func(*FamilyRun) (x float64, ok bool)) Mean {
	var values []float64
	for _, run := range s.runs[name] {
		if x, ok := value(run); ok {
			values = append(values, x)
		}
	}
	m := MeanOf(values)
	s.means = append(s.means, Comparison{Quantity: name + ": " + what, Variant: familyAlgorithms[a].title, Measured: m})
	return m
}

// row measures an algorithm on a scenario.
func (s *familyStudy) row(name string, a int) []any {
	line := []any{name, familyAlgorithms[a].title}
	add := func(what string, digits int, value func(e *FamilyElection, nodeRounds float64) float64) {
		m := s.mean(name, what, a, func(run *FamilyRun) (float64, bool) {
			return value(&run.Elections[0][a], float64(run.Nodes*familySeconds)), true
		})
		line = append(line, rounded(m.Value, digits))
	}
	add("instability", 4, func(e *FamilyElection, _ float64) float64 { return e.instability(0) })
	for k, fault := range familyFaults {
		m := s.mean(name, "seconds to stabilise, "+fault.name, a, func(run *FamilyRun) (float64, bool) {
			t := run.stabilised(k, a)
			return float64(t), t != never
		})
		switch all := len(s.runs[name]); {
		case m.N == 0:
			line = append(line, "never")
		case m.N < all:
			line = append(line, fmt.Sprintf("%.1f (%d/%d)", m.Value, m.N, all))
		default:
			line = append(line, rounded(m.Value, 1))
		}
	}
	add("leaders", 1, func(e *FamilyElection, _ float64) float64 { return e.leaders() })
	add("messages per node and round", 2, func(e *FamilyElection, all float64) float64 { return float64(e.Messages) / all })
	add("bytes per node and round", 0, func(e *FamilyElection, all float64) float64 { return float64(e.Bytes) / all })
	return line
}

// lossRow measures how restless an algorithm is without loss and with it.
func (s *familyStudy) lossRow(name string, a int) []any {
	line := []any{name, familyAlgorithms[a].title}
	for k, fault := range familyFaults {
		if k > 0 && !strings.HasPrefix(fault.name, "loss") {
			continue
		}
		m := s.mean(name, fmt.Sprintf("instability after %d s, %s", familyAt, fault.name), a, func(run *FamilyRun) (float64, bool) {
			return run.Elections[k][a].instability(familyAt), true
		})
		line = append(line, rounded(m.Value, 4))
	}
	return line
}

// meansCSV has the numbers of the tables with their spread. N is in how many runs the election stabilised.
func (s *familyStudy) meansCSV(r *Report) File {
	return r.csv("means.csv", []string{"quantity", "algorithm", "mean", "sd", "std_err", "n"}, func(row func(...any)) {
		for _, c := range s.means {
			if m := c.Measured; m.N > 0 {
				row(c.Quantity, c.Variant, m.Value, m.SD, m.StdErr, m.N)
			} else {
				row(c.Quantity, c.Variant, "", "", "", 0)
			}
		}
	})
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
func (s *familyStudy) chart(name string, fault int) *picture.Chart {
	c := &picture.Chart{
		Title:    fmt.Sprintf("%s, %s", name, familyFaults[fault].name),
		Subtitle: fmt.Sprintf("share of nodes that name no leader that runs and leads; mean over %s", plural(len(s.runs[name]), "run")),
		XLabel:   "seconds", YLabel: "astray",
	}
	first := 0
	if !strings.HasPrefix(familyFaults[fault].name, "loss") {
		first = familyAt - 10
		c.Marks = append(c.Marks, picture.Mark{X: familyAt, Label: familyFaults[fault].name})
	}
	if from := familyFaults[fault].from; from > familyAt {
		c.Marks = append(c.Marks, picture.Mark{X: float64(from), Label: "end"})
	}
	for a := range familyAlgorithms {
		series := picture.Series{Name: familyAlgorithms[a].title}
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
