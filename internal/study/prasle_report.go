package study

import (
	"fmt"
	"math"
	"strings"

	"caucus.example/caucus/internal/picture"
	"gonum.org/v1/gonum/stat"
)

// prasleClaim is what the paper reports, in its text or read off its figures.
func prasleClaim(where string, value float64, as Claim) *Published {
	return &Published{"Conard, Ebnenasir, 2021", where, value, as, 0}
}

// prasleStudy is the results of all jobs on one kind of network.
type prasleStudy struct {
	Prasle
	net    string       // sim or udp
	beside *prasleStudy // the same, simulated; nil if this is
	jobs   []PrasleJob
}

// Report evaluates the results of the sweep.
func (p Prasle) Report(version string, jobs []PrasleJob) *Report {
	s := &prasleStudy{Prasle: p, net: "sim", jobs: jobs}
	r := &Report{Experiment: "prasle", Version: version, Options: p.options(), Rows: s.rows()}
	s.compareSizes(r)
	s.compareRounds(r)
	s.findings(r)
	s.charts(r)
	return r
}

// network finds the points of a topology and size; nil if that over size was not measured.
func (s *prasleStudy) network(name string, n int) *PrasleJob {
	for k := range s.jobs {
		if j := &s.jobs[k]; j.Topology == name && j.Nodes == n && j.curve("size") != nil {
			return j
		}
	}
	return nil
}

// curve is the points of a job that belong to a curve.
func (j *PrasleJob) curve(of string) []PraslePoint {
	var list []PraslePoint
	for _, p := range j.Points {
		if p.Of == of {
			list = append(list, p)
		}
	}
	return list
}

// variant names a topology in a comparison, and the kind of network where there are two.
func (s *prasleStudy) variant(name string) string {
	if s.beside == nil && s.net == "sim" {
		return name
	}
	return name + ", " + s.net
}

func (s *prasleStudy) compareSizes(r *Report) {
	for _, name := range s.Topologies {
		variant := s.variant(name)
		for _, n := range []int{10, 40} {
			claim := prasleClaim("about 0.5 s at 10 nodes with the best K, T = 0.05 s", 0.5, About)
			switch {
			case n == 40 && name == "line": // the paper could not evaluate lines beyond 30
				continue
			case n == 40:
				claim = prasleClaim("under 2 s at 40 nodes with the best K, T = 0.05 s", 2, Limit)
			}
			if j := s.network(name, n); j != nil && len(j.curve("size")[0].Seconds) > 0 {
				r.Comparisons = append(r.Comparisons, Comparison{fmt.Sprintf("seconds, %d nodes, best K = %d", n, j.BestK), variant,
					claim, MeanOf(j.curve("size")[0].Seconds)})
			}
		}
		var x, y []float64
		for _, j := range s.jobs {
			if c := j.curve("size"); j.Topology == name && len(c) > 0 && len(c[0].Seconds) > 0 {
				x, y = append(x, float64(j.Nodes)), append(y, MeanOf(c[0].Seconds).Value)
			}
		}
		if len(x) > 1 {
			most := 0.02
			if name == "line" || name == "ring" {
				most = 0.04
			}
			_, slope := stat.LinearRegression(x, y, nil, false)
			r.Comparisons = append(r.Comparisons, Comparison{"seconds for each node, best K", variant,
				prasleClaim("slope, at most", most, Limit), Mean{N: len(x), Value: slope}})
		}
	}
}

// compareRounds compares what K and T cost on the networks of which the paper tells it, and the messages.
func (s *prasleStudy) compareRounds(r *Report) {
	for _, c := range []struct {
		name  string
		value float64
	}{{"ring", 0.1}, {"mesh", 0.07}} {
		if j := s.network(c.name, 40); j != nil && j.curve("k") != nil {
			r.Comparisons = append(r.Comparisons, Comparison{"seconds for one more K, 40 nodes", s.variant(c.name),
				prasleClaim("figures over K", c.value, About), Mean{N: s.Runs, Value: j.slope("k", j.Diameter, 1)}})
		}
	}
	if j := s.network("ring", 40); j != nil && j.curve("t") != nil {
		r.Comparisons = append(r.Comparisons, Comparison{fmt.Sprintf("seconds for 0.05 s more T, 40 nodes, K = %d", j.Diameter+3), s.variant("ring"),
			prasleClaim("figures over T, K = 23", 1.3, About), Mean{N: s.Runs, Value: j.slope("t", 0, 0.05)}})
	}
	if j := s.network("mesh", 10); j != nil && len(j.curve("size")[0].Sent) > 0 {
		// Its charts count sent and received, the paper says, "so approximately 55-60": each packet once.
		r.Comparisons = append(r.Comparisons, Comparison{"packets sent, 10 nodes", s.variant("mesh"),
			prasleClaim("55 to 60 packets", 57.5, About), MeanOf(j.curve("size")[0].Sent)})
	}
}

// slope is how much longer the runs take for so much more of K or T, over the points without failed runs from a least K
// on.
func (j *PrasleJob) slope(of string, least int, by float64) float64 {
	var x, y []float64
	for _, p := range j.curve(of) {
		if p.K < least || p.Failed > 0 || len(p.Seconds) == 0 {
			continue
		}
		at := p.T
		if of == "k" {
			at = float64(p.K)
		}
		x, y = append(x, at), append(y, MeanOf(p.Seconds).Value)
	}
	if len(x) < 2 {
		return 0
	}
	_, slope := stat.LinearRegression(x, y, nil, false)
	return slope * by
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
	for _, j := range s.jobs {
		for _, p := range j.Points {
			if p.K >= j.Diameter && len(p.Seconds) > 0 {
				worst = max(worst, math.Abs(MeanOf(p.Seconds).Value/((float64(p.K)+extra)*p.T)-1))
			}
		}
	}
	return worst
}

// messageNotes tells what K and T change about the messages.
func (s *prasleStudy) messageNotes(r *Report) {
	for _, j := range s.jobs {
		if j.Nodes == 40 && j.curve("k") != nil {
			r.Notes = append(r.Notes,
				fmt.Sprintf("%s of 40: messages change by %.1f %% over K and by %.1f %% over T.",
					s.variant(j.Topology), 100*j.spread("k"), 100*j.spread("t")))
		}
	}
}

func (s *prasleStudy) findings(r *Report) {
	runs, failed, short := 0, 0, 0
	for _, j := range s.jobs {
		for _, p := range j.Points {
			n := len(p.Seconds) + p.Failed
			runs, failed = runs+n, failed+p.Failed
			if p.K < j.Diameter {
				short += p.Failed
			}
		}
	}
	worst := s.misfit()
	r.Notes = append(r.Notes, fmt.Sprintf("%d runs of the reliable variant, %d failed (not all decided for the best), %d of those with K below the diameter; failed runs are in no mean.", runs, failed, short))
	r.Notes = append(r.Notes, fmt.Sprintf("With K from the diameter on a run takes %s: means differ by at most %.1f %% from that. So a T of 0.05 s makes one more K cost 0.05 s; "+
		"what is published for K fits T of 0.07 to 0.1 s, and what is published for T fits the formula.", s.formula(), 100*worst))
	s.messageNotes(r)
	for _, j := range s.jobs {
		for _, variant := range []string{"reliable", "unreliable", "hardened"} {
			text := ""
			for _, l := range j.Loss {
				if l.Variant == variant {
					text += fmt.Sprintf("  %.0f %%: %.3f", 100*l.Rate, float64(l.Success)/float64(l.Runs))
				}
			}
			if text != "" {
				r.Notes = append(r.Notes,
					fmt.Sprintf("agreement under loss, %s of %d, %s:%s",
						j.Topology, j.Nodes, variant, text))
			}
		}
	}
	for _, j := range s.jobs {
		for k := 0; k+len(prasleFaults) <= len(j.Recovery); k += len(prasleFaults) {
			text := ""
			for _, x := range j.Recovery[k : k+len(prasleFaults)] {
				text += "  " + x.Fault + " " + x.show()
			}
			r.Notes = append(r.Notes,
				fmt.Sprintf("rounds to recover, %s of %d, %s:%s",
					j.Topology, j.Nodes, j.Recovery[k].Algo, text))
		}
	}
	r.Facts = append(r.Facts, Option{"runs", fmt.Sprint(runs)}, Option{"failed", fmt.Sprint(failed)},
		Option{"failed-below-diameter", fmt.Sprint(short)}, Option{"misfit-time", fmt.Sprintf("%.4f", worst)})
}

// show is the mean and, where not all runs recovered, how many did.
func (x *PrasleRecovery) show() string {
	if x.Recovered == 0 {
		return "never"
	}
	text := fmt.Sprintf("%.1f", MeanOf(x.Rounds).Value)
	if x.Recovered < x.Runs {
		text += fmt.Sprintf(" (in %d of %d)", x.Recovered, x.Runs)
	}
	return text
}

// spread is by how much the mean number of messages varies along a curve, over the points without failed runs.
func (j *PrasleJob) spread(of string) float64 {
	least, most := math.Inf(1), 0.0
	for _, p := range j.curve(of) {
		if p.Failed == 0 && len(p.Sent) > 0 {
			m := MeanOf(p.Sent).Value
			least, most = min(least, m), max(most, m)
		}
	}
	if most == 0 {
		return 0
	}
	return most/least - 1
}

// rows has all runs: those of the curves over what varies along them, agreement over the share of messages lost, and
// recovery from each fault.
func (s *prasleStudy) rows() (rows []Row) {
	s.each(func(net string, j *PrasleJob) {
		row := Row{Series: net, Network: j.Topology, N: j.Nodes, X: none}
		add := func(metric string, values []float64, without int) {
			for k := range len(values) + without {
				row.Metric, row.Seed, row.Value = metric, 0, none
				if without == 0 { // else nobody has noted which runs are without
					row.Seed = uint64(k + 1)
				}
				if k < len(values) {
					row.Value = values[k]
				}
				rows = append(rows, row)
			}
		}
		one := func(metric string, value float64) {
			row.Metric, row.Seed, row.Value = metric, 0, value
			rows = append(rows, row)
		}
		one("edges", float64(j.Edges))
		one("diameter", float64(j.Diameter))
		for _, p := range j.Points {
			row.Series = fmt.Sprintf("%s: reliable, K = %d, T = %g s", net, p.K, p.T)
			row.X = map[string]float64{"size": float64(j.Nodes), "k": float64(p.K), "t": p.T}[p.Of]
			for _, q := range prasleQuantities {
				add(q.name+" over "+p.Of, q.of(p), p.Failed)
			}
			one("late runs over "+p.Of, float64(p.Late))
		}
		for _, l := range j.Loss {
			row.Series, row.X = net+": prasle "+l.Variant, l.Rate
			one("share of runs that agree", float64(l.Success)/float64(l.Runs))
			one("runs under loss", float64(l.Runs))
		}
		row.X = none
		for _, x := range j.Recovery {
			row.Series = net + ": " + x.Algo
			add("rounds to recover, "+x.Fault, x.Rounds, x.Runs-x.Recovered)
		}
	})
	return rows
}

// prasleQuantities are measured along the curves.
var prasleQuantities = []struct {
	name, label string
	of          func(PraslePoint) []float64
}{
	{"seconds", "seconds until the last node decides", func(p PraslePoint) []float64 { return p.Seconds }},
	{"messages", "messages sent", func(p PraslePoint) []float64 { return p.Sent }},
	{"received", "messages received", func(p PraslePoint) []float64 { return p.Received }},
	{"energy", "J a node", func(p PraslePoint) []float64 { return p.Joules }},
}

// charts draws the rows; those of simulations beside real ones in dashes.
func (s *prasleStudy) charts(r *Report) {
	means := points(r.Rows)
	for _, q := range prasleQuantities {
		if q.name == "received" {
			continue
		}
		for _, of := range []string{"size", "k", "t"} {
			c := s.chart(of, q.label)
			c.LogY = q.name == "messages" // a clique has twenty times as many as a ring
			for _, name := range s.Topologies {
				s.draw(c, name, pick(means, func(p *Point) bool {
					return p.Network == name && p.Metric == q.name+" over "+of && (of == "size" || p.N == s.largest())
				}))
			}
			r.Files = append(r.Files, charts(q.name+"-over-"+of, c)...)
		}
	}
	for _, name := range s.Topologies {
		c := s.lossChart(name)
		for _, variant := range []string{"reliable", "unreliable", "hardened"} {
			s.draw(c, variant, pick(means, func(p *Point) bool {
				return p.Network == name && p.Metric == "share of runs that agree" && strings.HasSuffix(p.Series, " "+variant)
			}))
		}
		r.Files = append(r.Files, charts("loss-"+name, c)...)
	}
}

// draw makes a line of points.
func (s *prasleStudy) draw(c *picture.Chart, name string, list []Point) {
	kind := func(net string) []Point {
		return pick(list, func(p *Point) bool { return strings.HasPrefix(p.Series, net+":") })
	}
	named := func(*Point) string { return name }
	look{name: named, style: picture.LinePoints, band: true}.add(c, kind(s.net))
	if s.beside != nil {
		look{name: func(*Point) string { return "" }, like: named, style: picture.Dashes}.add(c, kind(s.beside.net))
	}
}

// each calls f for every job, those of the other kind of network last.
func (s *prasleStudy) each(f func(net string, j *PrasleJob)) {
	for k := range s.jobs {
		f(s.net, &s.jobs[k])
	}
	if s.beside != nil {
		s.beside.each(f)
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
	x := map[string]string{"size": "nodes", "k": fmt.Sprintf("K, %d nodes", nodes), "t": fmt.Sprintf("T in seconds, %d nodes", nodes)}[of]
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
