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
	means    []Point
}

// moPart is one of the three experiments.
type moPart struct {
	name      string // of files
	title     string
	of        func(*MoRun) *MoElection
	published map[int]*Published // by K
	waves     *Published
}

var moParts = []moPart{
	{"clean", "clean start", func(r *MoRun) *MoElection { return &r.Clean }, moClean, dattaClean},
	{"fake", "fake leader", func(r *MoRun) *MoElection { return &r.Fake }, moFake, dattaFake},
	{"lost", "lost leader", func(r *MoRun) *MoElection { return &r.Lost }, nil, nil},
}

// Report evaluates the results of the sweep.
func (m Mo) Report(version string, graphs []MoGraph) *Report {
	s := &moStudy{Mo: m, graphs: graphs, variants: m.variants()}
	r := &Report{Experiment: "mo", Version: version, Options: m.Sweep(version).Options, Rows: s.rows()}
	s.means = points(r.Rows)
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
	s.charts(r, fits)
	return r
}

// compare sets one mean beside the published one.
func (s *moStudy) compare(p moPart, v moVariant) Comparison {
	c := Comparison{Quantity: p.title, Variant: v.String(), Measured: s.rounds(p, v)}
	if v.k == 0 {
		c.Published = p.waves
	} else {
		c.Published = p.published[v.k]
	}
	return c
}

func (s *moStudy) rounds(p moPart, v moVariant) Mean {
	return measured(s.means, v.String(), moNet, p.title+": rounds", none).Mean
}

// moNet is the kind of network of all rows.
const moNet = "rgg"

// rows has the rounds of every election, and by round its leaders and followers; one that has ended keeps its last value
// until the last of its variant has.
func (s *moStudy) rows() (rows []Row) {
	add := func(v moVariant, g int, x float64, metric string, value int) {
		rows = append(rows, Row{v.String(), moNet, s.nodes(), uint64(g + 1), x, metric, float64(value)})
	}
	for g := range s.graphs {
		add(moVariant{}, g, none, "depth", s.graphs[g].Depth)
		add(moVariant{}, g, none, "edges", s.graphs[g].Edges)
	}
	for _, p := range moParts {
		for i, v := range s.variants {
			longest := 0
			for e := range s.elections(p, v) {
				longest = max(longest, len(e.Agree), len(e.Leaders))
			}
			for g := range s.graphs {
				e := p.of(&s.graphs[g].Runs[i])
				add(v, g, none, p.title+": rounds", e.Rounds)
				if v.k > 0 && p.name != "lost" {
					add(v, g, none, p.title+": nodes later than Theorem 1", e.Bound.Exceeded)
					add(v, g, none, p.title+": least slack of a node", e.Bound.Slack)
					add(v, g, none, p.title+": slack of the graph", e.Bound.Last)
				}
				for t := range longest {
					add(v, g, float64(t), p.title+": "+moFollow, e.Agree[min(t, len(e.Agree)-1)])
					add(v, g, float64(t), p.title+": "+moLead, e.Leaders[min(t, len(e.Leaders)-1)])
				}
			}
		}
	}
	return rows
}

const (
	moFollow = "followers of the node that wins"
	moLead   = "nodes that lead"
)

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
	r.Facts = append(r.Facts, Option{"graphs", fmt.Sprint(len(s.graphs))},
		Option{"depth", fmt.Sprintf("%.4g", s.depth().Value)}, Option{"fits", best},
		Option{"misfit-lt", fmt.Sprintf("%.3f", lt)}, Option{"misfit-le", fmt.Sprintf("%.3f", le)})
	return le < lt
}

func (s *moStudy) depth() Mean {
	return measured(s.means, moVariant{}.String(), moNet, "depth", none).Mean
}

// bounds adds up the tests of Theorem 1 for a variant.
func (s *moStudy) bounds(p moPart, v moVariant) Bound {
	sum := Bound{Slack: math.MaxInt}
	for e := range s.elections(p, v) {
		sum.Checked += e.Bound.Checked
		sum.Exceeded += e.Bound.Exceeded
		sum.Slack = min(sum.Slack, e.Bound.Slack)
	}
	return sum
}

// theorem reports Theorem 1, which is proved for lt, over all K and both starts.
func (s *moStudy) theorem(r *Report) {
	total := Bound{Slack: math.MaxInt}
	for _, p := range moParts[:2] {
		for _, v := range s.variants {
			if v.k == 0 || v.lessEq {
				continue
			}
			b := s.bounds(p, v)
			total.Checked += b.Checked
			total.Exceeded += b.Exceeded
			total.Slack = min(total.Slack, b.Slack)
		}
	}
	r.Violated = r.Violated || total.Exceeded > 0
	r.Notes = append(r.Notes, fmt.Sprintf("Theorem 1 (lt, K = 1 to %d, clean start and fake leader): %d nodes checked, %d later than T_x, least slack %s.",
		s.MostK, total.Checked, total.Exceeded, plural(total.Slack, "round")))
	r.Facts = append(r.Facts, Option{"theorem1-checked", fmt.Sprint(total.Checked)},
		Option{"theorem1-exceeded", fmt.Sprint(total.Exceeded)}, Option{"theorem1-slack", fmt.Sprint(total.Slack)})
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
	r.Facts = append(r.Facts, Option{"estimates-checked", fmt.Sprint(checked)},
		Option{"estimates-below", fmt.Sprint(below)},
		Option{"fakes", fmt.Sprint(fakes)}, Option{"fakes-too-long", fmt.Sprint(long)})
}

func (s *moStudy) charts(r *Report, fits bool) {
	for _, p := range moParts {
		for _, lessEq := range []bool{false, true} {
			name := p.name + "-" + moVariant{1, lessEq}.cmp()
			r.Files = append(r.Files, charts(name+"-agreement", s.curves(p, lessEq, moFollow))...)
			r.Files = append(r.Files, charts(name+"-leaders", s.curves(p, lessEq, moLead))...)
		}
	}
	r.Files = append(r.Files, charts("rounds", s.roundsChart())...)
	r.Files = append(r.Files, charts("tradeoff", s.tradeChart(fits))...)
}

func (s *moStudy) subtitle() string {
	return fmt.Sprintf("%s of %s, mean depth %.1f hops; seed %d", plural(len(s.graphs), "connected graph"), s.Topology, s.depth().Value, s.Seed)
}

const moSource = "After the simulations of Mo, Audrito, Dasgupta, Beal, IFAC 2020."

// curves draws a quantity for K = 1, 2, 3 and the colour waves, with one standard deviation to both sides.
func (s *moStudy) curves(p moPart, lessEq bool, what string) *picture.Chart {
	c := &picture.Chart{Title: fmt.Sprintf("%s%s: %s (mabf-cmp %s)", strings.ToUpper(p.title[:1]), p.title[1:], what, moVariant{1, lessEq}.cmp()),
		Subtitle: s.subtitle() + "; bands: one standard deviation", XLabel: "rounds", YLabel: what, Source: moSource}
	if p.name == "fake" {
		c.Marks = []picture.Mark{{X: float64(s.FakeAt), Label: plural(s.Fooled, "node") + " fooled"}}
	}
	for k := range min(3, s.MostK) + 1 {
		v := moVariant{k + 1, lessEq}
		if k == min(3, s.MostK) {
			v = moVariant{}
		}
		look{band: true}.add(c, pick(s.means, func(m *Point) bool {
			return m.Metric == p.title+": "+what && m.Series == v.String()
		}))
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
	c := &picture.Chart{Title: "Rounds until all agree for good, over K", Subtitle: s.subtitle() + "; mean over graphs",
		XLabel: "K", YLabel: "rounds", LogY: true, Source: moSource}
	for _, p := range moParts {
		lt, le := p.title+", lt", p.title+", le"
		for k := 1; k <= s.MostK; k++ {
			x := float64(k)
			line(c, lt, "", picture.LinePoints).put(x, s.rounds(p, moVariant{k, false}).Value)
			line(c, le, lt, picture.Dashes).put(x, s.rounds(p, moVariant{k, true}).Value)
			if pub := p.published[k]; pub != nil {
				line(c, p.title+", published", lt, picture.OpenPoints).put(x, pub.Value)
			}
		}
	}
	return c
}

// tradeChart sets the rounds to recover from each fault against the rounds to converge, one point for each K.
func (s *moStudy) tradeChart(lessEq bool) *picture.Chart {
	c := &picture.Chart{Title: "What a larger K buys and costs (mabf-cmp " + moVariant{1, lessEq}.cmp() + ")", Subtitle: s.subtitle() + "; mean over graphs",
		XLabel: "rounds to converge from a clean start", YLabel: "rounds to recover", LogX: true, LogY: true, Source: moSource}
	for _, p := range moParts[1:] {
		name := map[string]string{"fake": "from a fake leader", "lost": "from the loss of the leader"}[p.name]
		for k := 1; k <= s.MostK; k++ {
			v := moVariant{k, lessEq}
			recover := s.rounds(p, v).Value
			if p.name == "fake" {
				recover -= float64(s.FakeAt)
			}
			at := line(c, name, "", picture.LinePoints)
			at.put(s.rounds(moParts[0], v).Value, recover)
			at.Labels = append(at.Labels, fmt.Sprintf("K=%d", k))
		}
	}
	return c
}
