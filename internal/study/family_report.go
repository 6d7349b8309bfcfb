package study

import (
	"fmt"
	"io"
	"math"
	"strings"

	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
)

// familyStudy is the means of all runs.
type familyStudy struct {
	Family
	means []results.Point
}

// find evaluates the rows.
func (f Family) find(r *Report) {
	s := &familyStudy{f, results.Points(results.Pick(r.Rows,
		func(x *results.Row) bool { return x.Network != worseNetwork }))}
	main := Table{Title: fmt.Sprintf("Undisturbed runs, and seconds to stabilise (never: not within %d s; (k/n): the "+
		"mean of the k runs that do)", familyLimit), Columns: familyColumns}
	loss := Table{Title: fmt.Sprintf("Instability after the first %d s, by messages lost", familyAt),
		Columns: []string{"scenario", "algorithm", "none", "10 %", "30 %", "50 %"}}
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
	r.fact("runs", len(f.Scenarios)*f.Seeds, "trials", f.Trials)
	if len(f.Scenarios) > 0 {
		r.Notes = append(r.Notes,
			fmt.Sprintf("Times are in seconds until the election has stabilised: from a clean start, after a crash "+
				"of all that lead or a fake leader told to one node in ten at %d s, after the end at %d s of a "+
				"partition from %d s on, and from a clean start with messages lost. \"never\": not within %d s; "+
				"(k/n): in so many runs, whose mean it is.",
				familyAt, familyHeal, familyAt, familyLimit),
			"scale-free stands still: stabilised is when, to the end, nobody changes and everybody names a leader "+
				"that runs and leads. In random and edge nothing rests: there it is when the 10 s and the 50 s that "+
				"follow are as calm as 95 % of all such stretches of the same run without fault.")
	}
	worstTrials(r)
}

func fileName(fault string) string {
	return strings.NewReplacer(" %", "", " ", "-").Replace(fault)
}

var familyColumns = []string{"scenario", "algorithm", "instability", "start", "crash", "fake", "partition", "loss 10 %",
	"loss 30 %", "loss 50 %", "leaders", "messages", "bytes"}

// rows has what a seed gives: the measures of each election by fault, and the share of nodes astray by second. A time
// that is never is none.
func (run *familyRun) rows() results.Rows {
	out := recorder{Row: results.Row{Network: run.scenario, N: run.nodes, Seed: run.seed}}
	for k, fault := range familyFaults {
		for a := range familyAlgorithms {
			e, all := &run.elections[k][a], float64(run.nodes*familySeconds)
			out.Series, out.X = familyAlgorithms[a].title, results.None
			add := func(metric string, value float64) { out.add(metric+", "+fault.name, value) }
			add("seconds to stabilise", orNone(run.stabilised(k, a)))
			add("instability", e.instability(0))
			add(familyCalm, e.instability(familyAt))
			add("leaders", e.led())
			add("messages", float64(e.messages)/all)
			if k == 0 {
				add("bytes", float64(e.bytes)/all)
			}
			for t, lost := range e.astray {
				out.X = float64(t + 1)
				add("astray", min(1, float64(lost)/float64(e.live)))
			}
		}
	}
	return out.rows
}

// familyCalm is instability without the start.
var familyCalm = fmt.Sprintf("instability after %d s", familyAt)

// mean finds a mean over the runs of a scenario.
func (s *familyStudy) mean(name string, a int, metric, fault string) results.Point {
	return results.Measured(s.means, familyAlgorithms[a].title, name, metric+", "+fault, results.None)
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

// led is the mean number of nodes that lead, after the first 100 s.
func (e *familyElection) led() float64 {
	sum := 0
	for _, l := range e.leaders[familyAt:] {
		sum += l
	}
	return float64(sum) / float64(len(e.leaders)-familyAt)
}

// chart shows what share of the nodes is astray or changes its leader under a fault.
func (s *familyStudy) chart(name string, fault int) *picture.Chart {
	c := &picture.Chart{
		Title: fmt.Sprintf("%s, %s", name, familyFaults[fault].name),
		Subtitle: fmt.Sprintf("share of nodes that name no leader that runs and leads; mean over %s",
			plural(s.Seeds, "run")),
		XLabel: "seconds", YLabel: "astray",
	}
	first := 0
	if !strings.HasPrefix(familyFaults[fault].name, "loss") {
		first = familyAt - 10
		c.Marks = append(c.Marks, picture.Mark{X: familyAt, Label: familyFaults[fault].name})
	}
	if from := familyFaults[fault].from; from > familyAt {
		c.Marks = append(c.Marks, picture.Mark{X: float64(from), Label: "end"})
	}
	look{}.add(c, results.Pick(s.means, func(p *results.Point) bool {
		return p.Network == name && p.Metric == "astray, "+familyFaults[fault].name && p.X > float64(first)
	}))
	return c
}

// worstTrials reports the trials of the search on which Bounded Election does worst.
func worstTrials(r *Report) {
	var trials []map[string]*wide // by algorithm
	for _, w := range widen(results.Pick(r.Rows, func(x *results.Row) bool { return x.Network == worseNetwork })) {
		if w.Series == worseAlgorithms[0].title {
			trials = append(trials, map[string]*wide{})
		}
		trials[len(trials)-1][w.Series] = w
	}
	best, file := 1.0, ""
	for _, other := range worseAlgorithms[1:] {
		for m := range worseMetrics {
			most, worst, worse, compared := math.Inf(-1), (map[string]*wide)(nil), 0, 0
			for _, t := range trials {
				x := ratio(t[worseAlgorithms[0].title], t[other.title], m)
				if math.IsNaN(x) {
					continue
				}
				compared++
				if x > 1 {
					worse++
				}
				if x > most {
					worst, most = t, x
				}
			}
			if worst == nil {
				continue
			}
			own, metric := worst[worseAlgorithms[0].title], worseMetrics[m].metric
			trial, said := int(own.Seed)-1, fmt.Sprintf("%.3g and %.3g", own.of[metric], worst[other.title].of[metric])
			if math.IsNaN(own.of[metric]) {
				said = fmt.Sprintf("not within the run and %.3g", worst[other.title].of[metric])
			}
			r.Notes = append(r.Notes, fmt.Sprintf("Search, %s: bounded is worse than %s in %d of %d trials; most in "+
				"trial %d, by a factor of %.2f (%s).",
				metric, other.title, worse, compared, trial, most, said))
			r.fact("worse-"+[]string{"changes", "rounds"}[m]+"-"+other.title, fmt.Sprintf("%d:%.3f", trial, most))
			if most > best {
				best, file = most, worseScenario(trial)
			}
		}
	}
	if file != "" {
		r.Files = append(r.Files, File{"bounded-worse.yaml", func(out io.Writer) error {
			_, err := io.WriteString(out, "# "+r.study.Echo()+"\n"+file)
			return err
		}})
	}
}
