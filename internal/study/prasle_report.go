package study

import (
	"fmt"
	"math"
	"strings"

	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
	"gonum.org/v1/gonum/stat"
)

// prasleClaim is what the paper reports, in its text or read off its figures.
func prasleClaim(where string, value float64, as results.Claim) *results.Published {
	return &results.Published{Paper: "Conard, Ebnenasir, 2021", Where: where, Value: value, Claim: as}
}

// prasleStudy is the results of all jobs on one kind of network.
type prasleStudy struct {
	Prasle
	net    string       // sim or udp
	beside *prasleStudy // the same, simulated; nil if this is
	tasks  []prasleTask
	means  map[praslePlace]*results.Point
}

// praslePlace is where a mean belongs.
type praslePlace struct {
	results.Row
	nowhere bool
}

func placeOf(r results.Row, metric string) praslePlace {
	p := praslePlace{r, math.IsNaN(r.X)}
	if p.Metric, p.Seed, p.Value = metric, 0, 0; p.nowhere {
		p.X = 0
	}
	return p
}

// find evaluates the rows: what is published beside each kind of network, and where there are two, these beside each
// other.
func (p Prasle) find(r *Report, tasks []prasleTask) {
	s := &prasleStudy{Prasle: p, net: "sim", tasks: tasks, means: map[praslePlace]*results.Point{}}
	all := results.Points(r.Rows)
	for k := range all {
		s.means[placeOf(all[k].Row, all[k].Metric)] = &all[k]
	}
	if p.UDP == nil {
		s.compareSizes(r)
		s.compareRounds(r)
		s.findings(r)
		s.charts(r, all)
		return
	}
	udp := *s
	udp.net, udp.beside = "udp", s
	r.Tables = append(r.Tables, udp.timeTable(), udp.lossTable(), udp.recoveryTable())
	for _, kind := range []*prasleStudy{s, &udp} {
		kind.compareSizes(r)
		kind.compareRounds(r)
	}
	udp.besideEachOther(r)
	udp.charts(r, all)
}

// prasleSample is what the runs of a job on one kind of network have given.
type prasleSample struct {
	of          [4]results.Mean // of the runs that ended well
	runs, well  int
	later       float64      // simulated under loss: share of runs that have ended well one round later
	jittered    results.Mean // simulated
	late, again int
	timers      float64
}

func (s *prasleStudy) sample(t *prasleTask, net string) (x prasleSample) {
	mean := func(quantity string) results.Point {
		if p := s.means[placeOf(t.row(net), t.metric(quantity))]; p != nil {
			return *p
		}
		return results.Point{}
	}
	x.late, x.again, x.timers = int(mean(lateRuns).Value), int(mean(againRuns).Value), mean(timersAre).Value
	switch {
	case t.of == "loss":
		x.runs = int(mean(lossRuns).Value)
		x.well = int(math.Round(mean(agreeing).Value * float64(x.runs)))
		x.later = mean(agreeingLater).Value
		return x
	case t.curved():
		for k, q := range prasleQuantities {
			x.of[k] = mean(q.name).Mean
		}
		x.runs = mean(prasleQuantities[took].name).Runs
	default:
		x.of[took], x.runs, x.jittered = mean(recovering).Mean, mean(recovering).Runs, mean(jitteredRounds).Mean
	}
	x.well = x.of[took].N
	return x
}

// bestK is the K of a task: of that over size the least that all simulated runs succeed with.
func (s *prasleStudy) bestK(t *prasleTask) int {
	if p := s.means[placeOf(t.row("sim"), t.metric("K"))]; p != nil {
		return int(p.Value)
	}
	return t.k
}

// each goes through the jobs of which there are runs.
func (s *prasleStudy) each(do func(t *prasleTask, x prasleSample)) {
	for k := range s.tasks {
		if x := s.sample(&s.tasks[k], s.net); x.runs > 0 {
			do(&s.tasks[k], x)
		}
	}
}

// curve goes through the points of one curve of a network.
func (s *prasleStudy) curve(of, name string, n int, do func(t *prasleTask, x prasleSample)) {
	s.each(func(t *prasleTask, x prasleSample) {
		if t.of == of && t.name == name && t.graph.Len() == n {
			do(t, x)
		}
	})
}

// variant names a topology in a comparison, and the kind of network where there are two.
func (s *prasleStudy) variant(name string) string {
	if s.UDP == nil {
		return name
	}
	return name + ", " + s.net
}

func (s *prasleStudy) compareSizes(r *Report) {
	for _, name := range s.Topologies {
		variant := s.variant(name)
		for _, n := range []int{10, 40} {
			claim := prasleClaim("about 0.5 s at 10 nodes with the best K, T = 0.05 s", 0.5, results.About)
			switch {
			case n == 40 && name == "line": // the paper could not evaluate lines beyond 30
				continue
			case n == 40:
				claim = prasleClaim("under 2 s at 40 nodes with the best K, T = 0.05 s", 2, results.Limit)
			}
			s.curve("size", name, n, func(t *prasleTask, x prasleSample) {
				if x.well > 0 {
					r.Comparisons = append(r.Comparisons, results.Comparison{
						Quantity: fmt.Sprintf("seconds, %d nodes, best K = %d", n, s.bestK(t)),
						Variant:  variant, Published: claim, Measured: x.of[took]})
				}
			})
		}
		var x, y []float64
		for _, n := range s.Sizes {
			s.curve("size", name, n, func(_ *prasleTask, p prasleSample) {
				if p.well > 0 {
					x, y = append(x, float64(n)), append(y, p.of[took].Value)
				}
			})
		}
		if len(x) > 1 {
			most := 0.02
			if name == "line" || name == "ring" {
				most = 0.04
			}
			_, slope := stat.LinearRegression(x, y, nil, false)
			r.Comparisons = append(r.Comparisons, results.Comparison{
				Quantity: "seconds for each node, best K", Variant: variant,
				Published: prasleClaim("slope, at most", most, results.Limit),
				Measured:  results.Mean{N: len(x), Value: slope}})
		}
	}
}

// compareRounds compares what K and T cost on the networks of which the paper tells it, and the messages.
func (s *prasleStudy) compareRounds(r *Report) {
	add := func(quantity, name string, claim *results.Published, m results.Mean) {
		r.Comparisons = append(r.Comparisons, results.Comparison{Quantity: quantity,
			Variant: s.variant(name), Published: claim, Measured: m})
	}
	for _, c := range []struct {
		name  string
		value float64
	}{{"ring", 0.1}, {"mesh", 0.07}} {
		if slope, _, ok := s.slope("k", c.name, 1); ok {
			add("seconds for one more K, 40 nodes", c.name, prasleClaim("figures over K", c.value, results.About),
				results.Mean{N: s.Runs, Value: slope})
		}
	}
	if slope, k, ok := s.slope("t", "ring", 0.05); ok {
		add(fmt.Sprintf("seconds for 0.05 s more T, 40 nodes, K = %d", k), "ring",
			prasleClaim("figures over T, K = 23", 1.3, results.About),
			results.Mean{N: s.Runs, Value: slope})
	}
	s.curve("size", "mesh", 10, func(_ *prasleTask, x prasleSample) {
		if x.well > 0 {
			// Its charts count sent and received, the paper says, "so approximately 55-60": each packet once.
			add("packets sent, 10 nodes", "mesh", prasleClaim("55 to 60 packets", 57.5, results.About), x.of[sent])
		}
	})
}

// slope is how much longer the runs take for so much more of K or T on a network of 40, over the points without failed
// runs whose K covers the diameter. ok is false if there are none; k is the last K.
func (s *prasleStudy) slope(of, name string, by float64) (slope float64, k int, ok bool) {
	var x, y []float64
	s.curve(of, name, 40, func(t *prasleTask, p prasleSample) {
		if k, ok = t.k, true; t.k >= t.diameter && p.well == p.runs {
			x, y = append(x, t.x()), append(y, p.of[took].Value)
		}
	})
	if len(x) > 1 {
		_, slope = stat.LinearRegression(x, y, nil, false)
	}
	return slope * by, k, ok
}

// formula is the length of a run.
func (s *prasleStudy) formula() string {
	if s.Rounds == "artefact" {
		return "(K+3)·T, K + 1 listening rounds of which the first lasts three times as long"
	}
	return "K·T"
}

// misfit is how far the mean of a point with a K from the diameter on is at most from the formula, as a share.
func (s *prasleStudy) misfit() (worst float64) {
	extra := 0.0
	if s.Rounds == "artefact" {
		extra = 3
	}
	s.each(func(t *prasleTask, x prasleSample) {
		if k := s.bestK(t); t.curved() && k >= t.diameter && x.well > 0 {
			worst = max(worst, math.Abs(x.of[took].Value/((float64(k)+extra)*t.t.Seconds())-1))
		}
	})
	return worst
}

// messageNotes tells what K and T change about the messages.
func (s *prasleStudy) messageNotes(r *Report) {
	for _, name := range s.Topologies {
		spread, found := map[string]float64{}, false
		for _, of := range []string{"k", "t"} {
			least, most := math.Inf(1), 0.0
			s.curve(of, name, 40, func(_ *prasleTask, x prasleSample) {
				if found = true; x.well == x.runs {
					least, most = min(least, x.of[sent].Value), max(most, x.of[sent].Value)
				}
			})
			if most > 0 {
				spread[of] = most/least - 1
			}
		}
		if found {
			r.Notes = append(r.Notes, fmt.Sprintf("%s of 40: messages change by %.1f %% over K and by %.1f %% over T.",
				s.variant(name), 100*spread["k"], 100*spread["t"]))
		}
	}
}

// failures counts the runs of the curves, those that failed, and those that failed with a K below the diameter.
func (s *prasleStudy) failures() (runs, failed, short int) {
	s.each(func(t *prasleTask, x prasleSample) {
		if t.curved() {
			runs, failed = runs+x.runs, failed+x.runs-x.well
			if s.bestK(t) < t.diameter {
				short += x.runs - x.well
			}
		}
	})
	return runs, failed, short
}

func (s *prasleStudy) findings(r *Report) {
	runs, failed, short := s.failures()
	worst := s.misfit()
	r.Notes = append(r.Notes, fmt.Sprintf("%d runs of the reliable variant, %d failed (not all decided for the "+
		"best), %d of those with K below the diameter; failed runs are in no mean.", runs, failed, short))
	r.Notes = append(r.Notes, fmt.Sprintf("With K from the diameter on a run takes %s: means differ by at most %.1f "+
		"%% from that. So a T of 0.05 s makes one more K cost 0.05 s; "+
		"what is published for K fits T of 0.07 to 0.1 s, and what is published for T fits the formula.", s.formula(),
		100*worst))
	s.messageNotes(r)
	s.inWords(r, func(t *prasleTask) bool { return t.of == "loss" }, "agreement under loss, %s of %d, %s:",
		func(t *prasleTask, x prasleSample) string {
			return fmt.Sprintf("  %.0f %%: %.3f", 100*t.rate, float64(x.well)/float64(x.runs))
		})
	s.inWords(r, func(t *prasleTask) bool { return t.of != "loss" && !t.curved() }, "rounds to recover, %s of %d, %s:",
		func(t *prasleTask, x prasleSample) string {
			return "  " + t.of + " " + x.show()
		})
	r.fact("runs", runs, "failed", failed,
		"failed-below-diameter", short, "misfit-time", fmt.Sprintf("%.4f", worst))
}

// inWords makes a note of each network and algorithm, with a few words on each of its jobs that is wanted.
func (s *prasleStudy) inWords(r *Report, want func(*prasleTask) bool, title string,
	say func(*prasleTask, prasleSample) string) {
	last := ""
	s.each(func(t *prasleTask, x prasleSample) {
		if !want(t) {
			return
		}
		head := fmt.Sprintf(title, t.name, t.graph.Len(),
			strings.TrimPrefix(t.title, map[bool]string{true: "prasle "}[t.of == "loss"]))
		if head != last {
			r.Notes = append(r.Notes, head)
		}
		last = head
		r.Notes[len(r.Notes)-1] += say(t, x)
	})
}

// show is the mean and, where not all runs recovered, how many did.
func (x *prasleSample) show() string {
	if x.well == 0 {
		return "never"
	}
	text := fmt.Sprintf("%.1f", x.of[took].Value)
	if x.well < x.runs {
		text += fmt.Sprintf(" (in %d of %d)", x.well, x.runs)
	}
	return text
}

// charts draws the means; those of simulations beside real ones in dashes.
func (s *prasleStudy) charts(r *Report, means []results.Point) {
	for k, q := range prasleQuantities {
		if k == received {
			continue
		}
		for _, of := range []string{"size", "k", "t"} {
			c := s.chart(of, q.label)
			c.LogY = k == sent // a clique has twenty times as many as a ring
			for _, name := range s.Topologies {
				s.draw(c, name, results.Pick(means, func(p *results.Point) bool {
					return p.Network == name && p.Metric == q.name+" over "+of && (of == "size" || p.N == s.largest())
				}))
			}
			r.Files = append(r.Files, charts(q.name+"-over-"+of, c)...)
		}
	}
	for _, name := range s.Topologies {
		c := s.lossChart(name)
		for _, variant := range []string{"reliable", "unreliable", "hardened"} {
			s.draw(c, variant, results.Pick(means, func(p *results.Point) bool {
				return p.Network == name && p.Metric == agreeing+" under loss" && strings.HasSuffix(p.Series,
					" "+variant)
			}))
		}
		r.Files = append(r.Files, charts("loss-"+name, c)...)
	}
}

// draw makes a line of points.
func (s *prasleStudy) draw(c *picture.Chart, name string, list []results.Point) {
	kind := func(net string) []results.Point {
		return results.Pick(list, func(p *results.Point) bool { return strings.HasPrefix(p.Series, net+":") })
	}
	named := func(*results.Point) string { return name }
	look{name: named, style: picture.LinePoints, band: true}.add(c, kind(s.net))
	if s.beside != nil {
		look{name: func(*results.Point) string { return "" }, like: named, style: picture.Dashes}.add(c,
			kind(s.beside.net))
	}
}

// largest is the greatest number of nodes up to 40: that of the curves over K and T.
func (p Prasle) largest() (nodes int) {
	for _, n := range p.Sizes {
		if n <= 40 {
			nodes = max(nodes, n)
		}
	}
	return nodes
}

// chart is one of a quantity over size, or over K or T for the largest networks of up to 40 nodes.
func (s *prasleStudy) chart(of, label string) *picture.Chart {
	nodes := s.largest()
	x := map[string]string{"size": "nodes", "k": fmt.Sprintf("K, %d nodes", nodes),
		"t": fmt.Sprintf("T in seconds, %d nodes", nodes)}[of]
	c := &picture.Chart{Title: "PraSLE reliable: " + label, XLabel: x, YLabel: label,
		Subtitle: fmt.Sprintf("mean and standard deviation of up to %d runs; failed runs left out", s.Runs)}
	if s.beside != nil {
		c.Title = "PraSLE reliable on UDP: " + label
		c.Subtitle += "; dashes: simulated"
	}
	return c
}

// lossChart is one of the success of the variants on a topology.
func (s *prasleStudy) lossChart(name string) *picture.Chart {
	c := &picture.Chart{Title: fmt.Sprintf("Agreement on the best in a %s of %d", name, s.Faulty),
		XLabel: "share of messages lost", YLabel: "share of runs",
		Subtitle: "share of runs, at the deadline of 3(D+2)/2 rounds; reliable: when it ends, with that K"}
	if s.beside != nil {
		c.Title += ", on UDP"
		c.Subtitle += "; dashes: simulated"
	}
	return c
}
