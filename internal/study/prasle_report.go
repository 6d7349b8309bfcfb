package study

import (
	"fmt"
	"math"
	"slices"

	"caucus.example/caucus/internal/picture"
	"gonum.org/v1/gonum/stat"
)

// What the paper and its published code report, read off the text and the figures.
var praslePaper = "Conard, Ebnenasir, 2021"

func praslePublished(where string, value float64) *Published {
	return &Published{praslePaper, where, value}
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
	r := &Report{Experiment: "prasle", Version: version, Options: p.options()}
	s.compareSizes(r)
	s.compareRounds(r)
	s.findings(r)
	s.files(r)
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
		for _, c := range []struct {
			n     int
			where string
			value float64
		}{{10, "about 0.5 s at 10 nodes with the best K, T = 0.05 s", 0.5}, {40, "under 2 s at 40 nodes with the best K, T = 0.05 s", 2}} {
			if j := s.network(name, c.n); j != nil && len(j.curve("size")[0].Seconds) > 0 {
				r.Comparisons = append(r.Comparisons, Comparison{fmt.Sprintf("seconds, %d nodes, best K = %d", c.n, j.BestK), variant,
					praslePublished(c.where, c.value), MeanOf(j.curve("size")[0].Seconds)})
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
			r.Comparisons = append(r.Comparisons, Comparison{"seconds for each node, best K", variant, praslePublished("slope, at most", most), Mean{N: len(x), Value: slope}})
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
			r.Comparisons = append(r.Comparisons, Comparison{"seconds for one more K, 40 nodes", s.variant(c.name), praslePublished("figures over K", c.value), Mean{N: s.Runs, Value: j.slope("k", j.Diameter, 1)}})
		}
	}
	if j := s.network("ring", 40); j != nil && j.curve("t") != nil {
		r.Comparisons = append(r.Comparisons, Comparison{fmt.Sprintf("seconds for 0.05 s more T, 40 nodes, K = %d", j.Diameter+3), s.variant("ring"), praslePublished("figures over T, K = 23", 1.3), Mean{N: s.Runs, Value: j.slope("t", 0, 0.05)}})
	}
	if j := s.network("mesh", 10); j != nil && len(j.curve("size")[0].Sent) > 0 {
		p := j.curve("size")[0]
		for _, c := range []struct {
			what   string
			values []float64
		}{{"sent and received", sum(p.Sent, p.Received)}, {"sent", p.Sent}} {
			r.Comparisons = append(r.Comparisons, Comparison{"packets " + c.what + ", 10 nodes", s.variant("mesh"), praslePublished("55 to 60 packets", 57.5), MeanOf(c.values)})
		}
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
			r.Notes = append(r.Notes, fmt.Sprintf("%s of 40: messages change by %.1f %% over K and by %.1f %% over T.", s.variant(j.Topology), 100*j.spread("k"), 100*j.spread("t")))
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
				r.Notes = append(r.Notes, fmt.Sprintf("agreement under loss, %s of %d, %s:%s", j.Topology, j.Nodes, variant, text))
			}
		}
	}
	for _, j := range s.jobs {
		for k := 0; k+len(prasleFaults) <= len(j.Recovery); k += len(prasleFaults) {
			text := ""
			for _, x := range j.Recovery[k : k+len(prasleFaults)] {
				text += "  " + x.Fault + " " + x.show()
			}
			r.Notes = append(r.Notes, fmt.Sprintf("rounds to recover, %s of %d, %s:%s", j.Topology, j.Nodes, j.Recovery[k].Algo, text))
		}
	}
	r.Facts = append(r.Facts, Option{"runs", fmt.Sprint(runs)}, Option{"failed", fmt.Sprint(failed)}, Option{"failed-below-diameter", fmt.Sprint(short)}, Option{"misfit-time", fmt.Sprintf("%.4f", worst)})
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

func (s *prasleStudy) files(r *Report) {
	r.Files = append(r.Files,
		r.csv("points.csv", []string{"net", "topology", "nodes", "diameter", "best_k", "curve", "k", "t", "runs", "failed", "late", "seconds", "seconds_sd", "sent", "sent_sd", "received", "joules_per_node"}, func(row func(...any)) {
			s.each(func(net string, j *PrasleJob) {
				for _, p := range j.Points {
					t, m := MeanOf(p.Seconds), MeanOf(p.Sent)
					row(net, j.Topology, j.Nodes, j.Diameter, j.BestK, p.Of, p.K, p.T, len(p.Seconds)+p.Failed, p.Failed, p.Late, t.Value, t.SD, m.Value, m.SD, MeanOf(p.Received).Value, MeanOf(p.Joules).Value)
				}
			})
		}),
		r.csv("loss.csv", []string{"net", "topology", "nodes", "variant", "loss", "runs", "late", "success"}, func(row func(...any)) {
			s.each(func(net string, j *PrasleJob) {
				for _, l := range j.Loss {
					row(net, j.Topology, j.Nodes, l.Variant, l.Rate, l.Runs, l.Late, l.Success)
				}
			})
		}),
		r.csv("recovery.csv", []string{"net", "topology", "nodes", "algorithm", "fault", "runs", "late", "recovered", "rounds", "rounds_sd"}, func(row func(...any)) {
			s.each(func(net string, j *PrasleJob) {
				for _, x := range j.Recovery {
					m := MeanOf(x.Rounds)
					row(net, j.Topology, j.Nodes, x.Algo, x.Fault, x.Runs, x.Late, x.Recovered, m.Value, m.SD)
				}
			})
		}))
	for _, q := range []struct {
		name, label string
		of          func(PraslePoint) []float64
	}{
		{"seconds", "seconds until the last node decides", func(p PraslePoint) []float64 { return p.Seconds }},
		{"messages", "messages sent", func(p PraslePoint) []float64 { return p.Sent }},
		{"energy", "J a node", func(p PraslePoint) []float64 { return p.Joules }},
	} {
		for _, of := range []string{"size", "k", "t"} {
			if c := s.chart(of, q.label, q.of); c != nil {
				c.LogY = q.name == "messages" // a clique has twenty times as many as a ring
				r.Files = append(r.Files, charts(q.name+"-over-"+of, c)...)
			}
		}
	}
	for k := range s.jobs {
		if c := s.lossChart(k); c != nil {
			j := &s.jobs[k]
			r.Files = append(r.Files, charts("loss-"+j.Topology, c)...)
		}
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

// chart draws a quantity over size, or over K or T for the largest networks of up to 40 nodes; nil if there is nothing
// to draw.
func (s *prasleStudy) chart(of, label string, values func(PraslePoint) []float64) *picture.Chart {
	nodes := s.largest()
	c := &picture.Chart{Title: "PraSLE reliable: " + label, Subtitle: fmt.Sprintf("mean and standard deviation of up to %d runs; failed runs left out", s.Runs),
		XLabel: map[string]string{"size": "nodes", "k": fmt.Sprintf("K, %d nodes", nodes), "t": fmt.Sprintf("T in seconds, %d nodes", nodes)}[of], YLabel: label}
	if s.beside != nil {
		c.Title = "PraSLE reliable on UDP: " + label
		c.Subtitle += "; dashes: simulated"
	}
	for _, name := range s.Topologies {
		line := s.series(name, of, nodes, values)
		if len(line.X) == 0 {
			continue
		}
		c.Series = append(c.Series, line)
		if s.beside != nil {
			same := s.beside.series(name, of, nodes, values)
			same.Name, same.Lo, same.Hi, same.Style, same.Like = "", nil, nil, picture.Dashes, len(c.Series)
			c.Series = append(c.Series, same)
		}
	}
	if len(c.Series) == 0 {
		return nil
	}
	return c
}

// series is the line of a topology.
func (s *prasleStudy) series(name, of string, nodes int, values func(PraslePoint) []float64) picture.Series {
	line := picture.Series{Name: name, Style: picture.LinePoints}
	for _, j := range s.jobs {
		if j.Topology != name || of != "size" && j.Nodes != nodes {
			continue
		}
		for _, p := range j.curve(of) {
			if v := values(p); len(v) > 0 {
				m := MeanOf(v)
				x := map[string]float64{"size": float64(j.Nodes), "k": float64(p.K), "t": p.T}[of]
				line.X, line.Y = append(line.X, x), append(line.Y, m.Value)
				// never below what there was
				line.Lo, line.Hi = append(line.Lo, max(slices.Min(v), m.Value-m.SD)), append(line.Hi, m.Value+m.SD)
			}
		}
	}
	return line
}

// lossChart draws the success of the variants in the network of a job; nil if that was not measured.
func (s *prasleStudy) lossChart(job int) *picture.Chart {
	j := &s.jobs[job]
	if len(j.Loss) == 0 {
		return nil
	}
	c := &picture.Chart{Title: fmt.Sprintf("Agreement on the best in a %s of %d", j.Topology, j.Nodes), Subtitle: "share of runs, at the deadline of 3(D+2)/2 rounds; reliable: when it ends, with that K",
		XLabel: "messages lost, percent", YLabel: "share of runs", Series: j.lossSeries(picture.LinePoints)}
	if s.beside == nil {
		return c
	}
	c.Title += ", on UDP"
	c.Subtitle += "; dashes: simulated"
	for _, same := range s.beside.jobs[job].lossSeries(picture.Dashes) {
		for k := range c.Series {
			if c.Series[k].Name == same.Name {
				same.Name, same.Like = "", k+1
				c.Series = append(c.Series, same)
				break
			}
		}
	}
	return c
}

// lossSeries is a line for each variant.
func (j *PrasleJob) lossSeries(style picture.Style) []picture.Series {
	var list []picture.Series
	for _, l := range j.Loss {
		if k := len(list) - 1; k < 0 || list[k].Name != l.Variant {
			list = append(list, picture.Series{Name: l.Variant, Style: style})
		}
		line := &list[len(list)-1]
		line.X, line.Y = append(line.X, 100*l.Rate), append(line.Y, float64(l.Success)/float64(l.Runs))
	}
	return list
}
