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
	trials []*FamilyTrial
	means  []Point
}

// Report evaluates the results of the sweep.
func (f Family) Report(version string, jobs []FamilyJob) *Report {
	s := &familyStudy{Family: f}
	r := &Report{Experiment: "family", Version: version, Options: f.Sweep(version).Options}
	for _, j := range jobs {
		if j.Trial != nil {
			s.trials = append(s.trials, j.Trial)
		}
		if j.Run != nil {
			r.Rows = append(r.Rows, j.Run.rows()...)
		}
	}
	s.means = points(r.Rows)
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

// rows has what a seed gives: the measures of each election by fault, and the share of nodes astray by second. A time that
// is never is none.
func (run *FamilyRun) rows() (rows []Row) {
	for k, fault := range familyFaults {
		for a := range familyAlgorithms {
			e := &run.Elections[k][a]
			row := Row{Series: familyAlgorithms[a].title, Network: run.Scenario, N: run.Nodes, Seed: run.Seed, X: none}
			add := func(metric string, value float64) {
				row.Metric, row.Value = metric+", "+fault.name, value
				rows = append(rows, row)
			}
			seconds, all := none, float64(run.Nodes*familySeconds)
			if t := run.stabilised(k, a); t != never {
				seconds = float64(t)
			}
			add("seconds to stabilise", seconds)
			add("instability", e.instability(0))
			add(familyCalm, e.instability(familyAt))
			add("leaders", e.leaders())
			add("messages", float64(e.Messages)/all)
			if k == 0 {
				add("bytes", float64(e.Bytes)/all)
			}
			for t, lost := range e.Astray {
				row.X = float64(t + 1)
				add("astray", min(1, float64(lost)/float64(e.Live)))
			}
		}
	}
	return rows
}

// familyCalm is instability without the start.
var familyCalm = fmt.Sprintf("instability after %d s", familyAt)

// mean finds a mean over the runs of a scenario.
func (s *familyStudy) mean(name string, a int, metric, fault string) Point {
	return measured(s.means, familyAlgorithms[a].title, name, metric+", "+fault, none)
}

// row measures an algorithm on a scenario.
func (s *familyStudy) row(name string, a int) []any {
	quiet := func(metric string, digits int) any { return rounded(s.mean(name, a, metric, "none").Value, digits) }
	line := []any{name, familyAlgorithms[a].title, quiet("instability", 4)}
	for _, fault := range familyFaults {
		switch p := s.mean(name, a, "seconds to stabilise", fault.name); {
		case p.Mean.N == 0:
			line = append(line, "never")
		case p.Mean.N < p.Runs:
			line = append(line, fmt.Sprintf("%.1f (%d/%d)", p.Value, p.Mean.N, p.Runs))
		default:
			line = append(line, rounded(p.Value, 1))
		}
	}
	return append(line, quiet("leaders", 1), quiet("messages", 2), quiet("bytes", 0))
}

// lossRow measures how restless an algorithm is without loss and with it.
func (s *familyStudy) lossRow(name string, a int) []any {
	line := []any{name, familyAlgorithms[a].title}
	for k, fault := range familyFaults {
		if k == 0 || strings.HasPrefix(fault.name, "loss") {
			line = append(line, rounded(s.mean(name, a, familyCalm, fault.name).Value, 4))
		}
	}
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

// chart shows what share of the nodes is astray or changes its leader under a fault.
func (s *familyStudy) chart(name string, fault int) *picture.Chart {
	c := &picture.Chart{
		Title:    fmt.Sprintf("%s, %s", name, familyFaults[fault].name),
		Subtitle: fmt.Sprintf("share of nodes that name no leader that runs and leads; mean over %s", plural(s.Seeds, "run")),
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
	look{}.add(c, pick(s.means, func(p *Point) bool {
		return p.Network == name && p.Metric == "astray, "+familyFaults[fault].name && p.X > float64(first)
	}))
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
			r.Facts = append(r.Facts,
				Option{"worse-" + []string{"changes", "rounds"}[m] + "-" + title, fmt.Sprintf("%d:%.3f", worst.Trial, ratio)})
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
