package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus/internal/picture"
)

// moStudy is the results of all graphs, to be read by experiment and variant.
type moStudy struct {
	Mo
	graphs   []MoGraph
	variants []moVariant
}

// moPart is one of the three experiments.
type moPart struct {
	name      string // of files
	title     string
	of        func(*MoRun) *MoElection
	published map[int]Published // by K
	waves     *Published
}

var moParts = []moPart{
	{"clean", "clean start", func(r *MoRun) *MoElection { return &r.Clean }, moClean, &dattaClean},
	{"fake", "fake leader", func(r *MoRun) *MoElection { return &r.Fake }, moFake, &dattaFake},
	{"lost", "lost leader", func(r *MoRun) *MoElection { return &r.Lost }, nil, nil},
}

// Report evaluates the results of the sweep.
func (m Mo) Report(version string, graphs []MoGraph) *Report {
	s := &moStudy{m, graphs, m.variants()}
	r := &Report{Experiment: "mo", Version: version, Options: m.Sweep(version).Options}
	for _, p := range moParts {
		for k := 1; k <= min(3, m.MostK); k++ {
			for _, lessEq := range []bool{false, true} {
				r.Comparisons = append(r.Comparisons, s.compare(p, moVariant{k, lessEq}))
			}
		}
		r.Comparisons = append(r.Comparisons, s.compare(p, moVariant{}))
	}
	fits := s.fit(r)
	s.theorem(r)
	s.lemmas(r)
	s.files(r, fits)
	return r
}

// compare sets one mean beside the published one.
func (s *moStudy) compare(p moPart, v moVariant) Comparison {
	c := Comparison{Quantity: p.title, Variant: v.String(), Measured: s.rounds(p, v)}
	if v.k == 0 {
		c.Published = p.waves
	} else if pub, ok := p.published[v.k]; ok {
		c.Published = &pub
	}
	return c
}

func (s *moStudy) rounds(p moPart, v moVariant) Mean {
	var rounds []float64
	for e := range s.elections(p, v) {
		rounds = append(rounds, float64(e.Rounds))
	}
	return MeanOf(rounds)
}

// elections goes through the graphs.
func (s *moStudy) elections(p moPart, v moVariant) func(func(*MoElection) bool) {
	return func(yield func(*MoElection) bool) {
		at := 0
		for s.variants[at] != v {
			at++
		}
		for g := range s.graphs {
			if !yield(p.of(&s.graphs[g].Runs[at])) {
				return
			}
		}
	}
}

// fit says which comparison of distance and reach is nearer to the published numbers: in each experiment, and in
// all of them together.
func (s *moStudy) fit(r *Report) (lessEq bool) {
	misfit := func(cmp string, titles ...string) float64 {
		var own []Comparison
		for _, c := range r.Comparisons {
			if strings.HasSuffix(c.Variant, " "+cmp) && slices.Contains(titles, c.Quantity) {
				own = append(own, c)
			}
		}
		return Misfit(own)
	}
	var of []string
	var titles []string
	for _, p := range moParts[:2] {
		of = append(of, fmt.Sprintf("%s lt %.1f %%, le %.1f %%", p.title, 100*misfit("lt", p.title), 100*misfit("le", p.title)))
		titles = append(titles, p.title)
	}
	lt, le := misfit("lt", titles...), misfit("le", titles...)
	best := moVariant{1, le < lt}.cmp()
	r.Notes = append(r.Notes, fmt.Sprintf("mabf-cmp %s fits the published numbers better: root mean square deviation lt %.1f %%, le %.1f %% (%s).",
		best, 100*lt, 100*le, strings.Join(of, "; ")))
	r.Facts = append(r.Facts, Option{"graphs", fmt.Sprint(len(s.graphs))}, Option{"depth", fmt.Sprintf("%.4g", s.depth().Value)}, Option{"fits", best},
		Option{"misfit-lt", fmt.Sprintf("%.3f", lt)}, Option{"misfit-le", fmt.Sprintf("%.3f", le)})
	return le < lt
}

func (s *moStudy) depth() Mean {
	var depths []float64
	for _, g := range s.graphs {
		depths = append(depths, float64(g.Depth))
	}
	return MeanOf(depths)
}

// bounds adds up the tests of Theorem 1 for a variant.
func (s *moStudy) bounds(p moPart, v moVariant) Bound {
	sum := Bound{Slack: math.MaxInt, Last: math.MaxInt}
	for e := range s.elections(p, v) {
		sum.Checked += e.Bound.Checked
		sum.Exceeded += e.Bound.Exceeded
		sum.Slack, sum.Last = min(sum.Slack, e.Bound.Slack), min(sum.Last, e.Bound.Last)
	}
	return sum
}

// theorem reports Theorem 1, which is proved for lt, over all K and both starts.
func (s *moStudy) theorem(r *Report) {
	total := Bound{Slack: math.MaxInt, Last: math.MaxInt}
	for _, p := range moParts[:2] {
		for _, v := range s.variants {
			if v.k == 0 || v.lessEq {
				continue
			}
			b := s.bounds(p, v)
			total.Checked += b.Checked
			total.Exceeded += b.Exceeded
			total.Slack, total.Last = min(total.Slack, b.Slack), min(total.Last, b.Last)
		}
	}
	r.Violated = r.Violated || total.Exceeded > 0
	r.Notes = append(r.Notes, fmt.Sprintf("Theorem 1 (lt, K = 1 to %d, clean start and fake leader): %d nodes checked, %d later than T_x, least slack %s.",
		s.MostK, total.Checked, total.Exceeded, plural(total.Slack, "round")))
	r.Facts = append(r.Facts, Option{"theorem1-checked", fmt.Sprint(total.Checked)}, Option{"theorem1-exceeded", fmt.Sprint(total.Exceeded)}, Option{"theorem1-slack", fmt.Sprint(total.Slack)})
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// lemmas reports the two lemmas: over both starts and over the fake leaders.
func (s *moStudy) lemmas(r *Report) {
	checked, below, fakes, long := 0, 0, 0, 0
	for _, v := range s.variants {
		if v.k == 0 {
			continue
		}
		for _, p := range moParts[:2] {
			for e := range s.elections(p, v) {
				checked, below = checked+e.Lemmas.Checked, below+e.Lemmas.Below
				if p.name == "fake" {
					fakes++
					if e.Lemmas.FakeLast > e.Lemmas.FakeLife {
						long++
					}
				}
			}
		}
	}
	r.Violated = r.Violated || below+long > 0
	r.Notes = append(r.Notes,
		fmt.Sprintf("Lemma on distances (lt and le): %d estimates checked, %d below min(d, t).", checked, below),
		fmt.Sprintf("Lemma on fake IDs (lt and le): %d fake leaders, %d of them followed for longer than 1 + max(R) - min(d) rounds.", fakes, long))
	r.Facts = append(r.Facts, Option{"estimates-checked", fmt.Sprint(checked)}, Option{"estimates-below", fmt.Sprint(below)},
		Option{"fakes", fmt.Sprint(fakes)}, Option{"fakes-too-long", fmt.Sprint(long)})
}

func (s *moStudy) files(r *Report, fits bool) {
	for _, p := range moParts {
		r.Files = append(r.Files, s.runsCSV(r, p), s.curvesCSV(r, p))
	}
	r.Files = append(r.Files, s.tradeCSV(r), s.theoremCSV(r))
	for _, p := range moParts {
		for _, lessEq := range []bool{false, true} {
			name := p.name + "-" + moVariant{1, lessEq}.cmp()
			r.Files = append(r.Files, charts(name+"-agreement", s.curves(p, lessEq, "followers of the node that wins", agreement))...)
			r.Files = append(r.Files, charts(name+"-leaders", s.curves(p, lessEq, "nodes that lead", leaders))...)
		}
	}
	r.Files = append(r.Files, charts("rounds", s.roundsChart())...)
	r.Files = append(r.Files, charts("tradeoff", s.tradeChart(fits))...)
}

func (s *moStudy) runsCSV(r *Report, p moPart) File {
	return r.csv(p.name+".csv", []string{"graph", "graph_seed", "edges", "depth", "algorithm", "k", "cmp", "rounds"}, func(row func(...any)) {
		for g := range s.graphs {
			for i, v := range s.variants {
				x := &s.graphs[g]
				row(g, x.Seed, x.Edges, x.Depth, v.algorithm(), v.k, v.cmp(), p.of(&x.Runs[i]).Rounds)
			}
		}
	})
}

func (v moVariant) algorithm() string {
	if v.k == 0 {
		return "waves"
	}
	return "mo"
}

func (s *moStudy) curvesCSV(r *Report, p moPart) File {
	return r.csv(p.name+"-curves.csv", []string{"algorithm", "k", "cmp", "round", "leaders_mean", "leaders_sd", "agree_mean", "agree_sd"}, func(row func(...any)) {
		for _, v := range s.variants {
			lead, agree := s.curve(p, v, leaders), s.curve(p, v, agreement)
			for t := range max(len(lead), len(agree)) {
				l, a := lead[min(t, len(lead)-1)], agree[min(t, len(agree)-1)]
				row(v.algorithm(), v.k, v.cmp(), t, l.Value, l.SD, a.Value, a.SD)
			}
		}
	})
}

func (s *moStudy) tradeCSV(r *Report) File {
	return r.csv("tradeoff.csv", []string{"algorithm", "k", "cmp", "clean_mean", "clean_std_err", "fake_mean", "fake_std_err", "lost_mean", "lost_std_err"}, func(row func(...any)) {
		for _, v := range s.variants {
			line := []any{v.algorithm(), v.k, v.cmp()}
			for _, p := range moParts {
				m := s.rounds(p, v)
				line = append(line, m.Value, m.StdErr)
			}
			row(line...)
		}
	})
}

func (s *moStudy) theoremCSV(r *Report) File {
	return r.csv("theorem1.csv", []string{"start", "k", "cmp", "nodes_checked", "nodes_exceeded", "least_slack_of_a_node", "least_slack_of_a_graph"}, func(row func(...any)) {
		for _, p := range moParts[:2] {
			for _, v := range s.variants {
				if v.k > 0 {
					b := s.bounds(p, v)
					row(p.name, v.k, v.cmp(), b.Checked, b.Exceeded, b.Slack, b.Last)
				}
			}
		}
	})
}

func leaders(e *MoElection) []int   { return e.Leaders }
func agreement(e *MoElection) []int { return e.Agree }

// curve is a quantity over rounds, as mean and spread over the graphs. An election that has ended keeps its last value.
func (s *moStudy) curve(p moPart, v moVariant, of func(*MoElection) []int) []Mean {
	longest := 0
	for e := range s.elections(p, v) {
		longest = max(longest, len(of(e)))
	}
	curve := make([]Mean, longest)
	for t := range curve {
		var values []float64
		for e := range s.elections(p, v) {
			l := of(e)
			values = append(values, float64(l[min(t, len(l)-1)]))
		}
		curve[t] = MeanOf(values)
	}
	return curve
}

func (s *moStudy) subtitle() string {
	return fmt.Sprintf("%s of %s, mean depth %.1f hops; seed %d", plural(len(s.graphs), "connected graph"), s.Topology, s.depth().Value, s.Seed)
}

const moSource = "After the simulations of Mo, Audrito, Dasgupta, Beal, IFAC 2020."

// curves draws a quantity for K = 1, 2, 3 and the colour waves, with one standard deviation to both sides.
func (s *moStudy) curves(p moPart, lessEq bool, what string, of func(*MoElection) []int) *picture.Chart {
	c := &picture.Chart{Title: fmt.Sprintf("%s%s: %s (mabf-cmp %s)", strings.ToUpper(p.title[:1]), p.title[1:], what, moVariant{1, lessEq}.cmp()),
		Subtitle: s.subtitle() + "; bands: one standard deviation", XLabel: "rounds", YLabel: what, Source: moSource}
	if p.name == "fake" {
		c.Marks = []picture.Mark{{X: float64(s.FakeAt), Label: plural(s.Fooled, "node") + " fooled"}}
	}
	var list []moVariant
	for k := 1; k <= min(3, s.MostK); k++ {
		list = append(list, moVariant{k, lessEq})
	}
	list = append(list, moVariant{})
	curves, longest := make([][]Mean, len(list)), 0
	for i, v := range list {
		curves[i] = s.curve(p, v, of)
		longest = max(longest, len(curves[i]))
	}
	for i, v := range list {
		series := picture.Series{Name: v.String()}
		for t := range longest {
			m := curves[i][min(t, len(curves[i])-1)]
			series.X, series.Y = append(series.X, float64(t)), append(series.Y, m.Value)
			series.Lo, series.Hi = append(series.Lo, max(0, m.Value-m.SD)), append(series.Hi, min(float64(s.nodes()), m.Value+m.SD))
		}
		c.Series = append(c.Series, series)
	}
	return c
}

// nodes is how many there are in a graph.
func (s *moStudy) nodes() int {
	e := &s.graphs[0].Runs[0].Clean
	return e.Agree[len(e.Agree)-1]
}

// roundsChart shows the rounds of all experiments over K with what is published.
func (s *moStudy) roundsChart() *picture.Chart {
	c := &picture.Chart{Title: "Rounds until all agree for good, over K", Subtitle: s.subtitle() + "; mean over graphs", XLabel: "K", YLabel: "rounds", LogY: true, Source: moSource}
	for _, p := range moParts {
		c.Series = append(c.Series, s.overK(p, false))
		own := len(c.Series)
		lessEq := s.overK(p, true)
		lessEq.Style, lessEq.Like = picture.Dashes, own
		c.Series = append(c.Series, lessEq)
		if p.published == nil {
			continue
		}
		open := picture.Series{Name: p.title + ", published", Style: picture.OpenPoints, Like: own}
		for k := 1; k <= s.MostK; k++ {
			if pub, ok := p.published[k]; ok {
				open.X, open.Y = append(open.X, float64(k)), append(open.Y, pub.Value)
			}
		}
		c.Series = append(c.Series, open)
	}
	return c
}

func (s *moStudy) overK(p moPart, lessEq bool) picture.Series {
	series := picture.Series{Name: p.title + ", " + moVariant{1, lessEq}.cmp(), Style: picture.LinePoints}
	for k := 1; k <= s.MostK; k++ {
		series.X, series.Y = append(series.X, float64(k)), append(series.Y, s.rounds(p, moVariant{k, lessEq}).Value)
	}
	return series
}

// tradeChart sets the rounds to recover from each fault against the rounds to converge, one point for each K.
func (s *moStudy) tradeChart(lessEq bool) *picture.Chart {
	c := &picture.Chart{Title: "What a larger K buys and costs (mabf-cmp " + moVariant{1, lessEq}.cmp() + ")", Subtitle: s.subtitle() + "; mean over graphs",
		XLabel: "rounds to converge from a clean start", YLabel: "rounds to recover", LogX: true, LogY: true, Source: moSource}
	for _, p := range moParts[1:] {
		series := picture.Series{Name: "from a " + p.title, Style: picture.LinePoints}
		if p.name == "lost" {
			series.Name = "from the loss of the leader"
		}
		for k := 1; k <= s.MostK; k++ {
			v := moVariant{k, lessEq}
			recover := s.rounds(p, v).Value
			if p.name == "fake" {
				recover -= float64(s.FakeAt)
			}
			series.X, series.Y = append(series.X, s.rounds(moParts[0], v).Value), append(series.Y, recover)
			series.Labels = append(series.Labels, fmt.Sprintf("K=%d", k))
		}
		c.Series = append(c.Series, series)
	}
	return c
}
