package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
)

// moStudy is the results of all graphs, to be read by experiment and variant.
type moStudy struct {
	Mo
	rows     []results.Row
	variants []moVariant
	means    []results.Point // of what is not measured by round
	runs     []*wide         // one for each variant and graph
}

// moPart is one of the three experiments.
type moPart struct {
	name      string                     // of files
	title     string                     // and of metrics
	published map[int]*results.Published // by K
	waves     *results.Published
}

var moParts = []moPart{
	{"clean", "clean start", moClean, dattaClean},
	{"fake", "fake leader", moFake, dattaFake},
	{"lost", "lost leader", nil, nil},
}

// find evaluates the rows.
func (m Mo) find(r *Report) {
	whole := results.Pick(r.Rows, func(x *results.Row) bool { return math.IsNaN(x.X) })
	s := &moStudy{Mo: m, rows: r.Rows, variants: m.variants(), means: results.Points(whole), runs: widen(whole)}
	for _, p := range moParts {
		for k := 1; k <= min(3, m.MostK); k++ {
			for _, lessEq := range []bool{false, true} {
				r.Comparisons = append(r.Comparisons, s.compare(p, moVariant{k, lessEq}))
			}
		}
		r.Comparisons = append(r.Comparisons, s.compare(p, moVariant{}))
	}
	fits := s.fit(r)
	s.insisting(r)
	s.theorem(r)
	s.lemmas(r)
	s.charts(r, fits)
}

// compare sets one mean beside the published one.
func (s *moStudy) compare(p moPart, v moVariant) results.Comparison {
	c := results.Comparison{Quantity: p.title, Variant: v.String(), Measured: s.rounds(p, v)}
	if v.k == 0 {
		c.Published = p.waves
	} else {
		c.Published = p.published[v.k]
	}
	return c
}

// insisting sets fake leaders that are planted for several rounds beside the same published numbers.
func (s *moStudy) insisting(r *Report) {
	var of []string
	for _, more := range moInsists {
		p := moPart{title: moInsisting(s.FakeAt + more), published: moFake, waves: dattaFake}
		var lt, le []results.Comparison
		for k := 2; k <= min(3, s.MostK); k++ {
			lt = append(lt, s.compare(p, moVariant{k, false}))
			le = append(le, s.compare(p, moVariant{k, true}))
			r.Comparisons = append(r.Comparisons, lt[k-2], le[k-2])
		}
		r.Comparisons = append(r.Comparisons, s.compare(p, moVariant{}))
		of = append(of, fmt.Sprintf("until t = %d lt %.1f %%, le %.1f %%", s.FakeAt+more, 100*Misfit(lt),
			100*Misfit(le)))
	}
	r.Notes = append(r.Notes, fmt.Sprintf("A fake leader that is planted in every round from t = %d, deviation: %s.",
		s.FakeAt, strings.Join(of, "; ")))
}

func (s *moStudy) rounds(p moPart, v moVariant) results.Mean {
	return results.Measured(s.means, v.String(), moNet, p.title+": rounds", results.None).Mean
}

// sum adds up a metric of the elections from both starts over all graphs and some variants, and finds its least value.
func (s *moStudy) sum(metric string, want func(moVariant) bool) (sum, least int) {
	least = math.MaxInt
	for _, v := range s.variants {
		for _, w := range s.runs {
			for _, p := range moParts[:2] {
				if x, ok := w.of[p.title+": "+metric]; ok && w.Series == v.String() && want(v) {
					sum, least = sum+int(x), min(least, int(x))
				}
			}
		}
	}
	return sum, least
}

func anyVariant(moVariant) bool { return true }

// fit says which comparison of distance and reach is nearer to the published numbers: in each experiment, and in
// all of them together.
func (s *moStudy) fit(r *Report) (lessEq bool) {
	misfit := func(cmp string, titles ...string) float64 {
		var own []results.Comparison
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
		of = append(of, fmt.Sprintf("%s lt %.1f %%, le %.1f %%", p.title, 100*misfit("lt", p.title),
			100*misfit("le", p.title)))
		titles = append(titles, p.title)
	}
	lt, le := misfit("lt", titles...), misfit("le", titles...)
	best := moVariant{1, le < lt}.cmp()
	r.Notes = append(r.Notes, fmt.Sprintf("mabf-cmp %s fits the published numbers better: root mean square deviation "+
		"lt %.1f %%, le %.1f %% (%s).",
		best, 100*lt, 100*le, strings.Join(of, "; ")))
	r.fact("graphs", s.Graphs,
		"depth", fmt.Sprintf("%.4g", s.depth().Value), "fits", best,
		"misfit-lt", fmt.Sprintf("%.3f", lt), "misfit-le", fmt.Sprintf("%.3f", le))
	return le < lt
}

func (s *moStudy) depth() results.Mean {
	return results.Measured(s.means, moVariant{}.String(), moNet, "depth", results.None).Mean
}

// theorem reports Theorem 1, which is proved for lt, over all K and both starts.
func (s *moStudy) theorem(r *Report) {
	lt := func(v moVariant) bool { return v.k > 0 && !v.lessEq }
	checked, _ := s.sum(moChecked, lt)
	exceeded, _ := s.sum(moExceeded, lt)
	_, slack := s.sum(moSlack, lt)
	r.Violated = r.Violated || exceeded > 0
	r.Notes = append(r.Notes, fmt.Sprintf("Theorem 1 (lt, K = 1 to %d, clean start and fake leader): %d nodes "+
		"checked, %d later than T_x, least slack %s.",
		s.MostK, checked, exceeded, plural(slack, "round")))
	r.fact("theorem1-checked", checked,
		"theorem1-exceeded", exceeded, "theorem1-slack", slack)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// lemmas reports the two lemmas: over both starts and over the fake leaders.
func (s *moStudy) lemmas(r *Report) {
	checked, _ := s.sum(moEstimates, anyVariant)
	below, _ := s.sum(moBelow, anyVariant)
	fakes, long := 0, 0
	for _, w := range s.runs {
		if life, ok := w.of["fake leader: "+moFakeLife]; ok {
			if fakes++; w.of["fake leader: "+moFakeLast] > life {
				long++
			}
		}
	}
	r.Violated = r.Violated || below+long > 0
	r.Notes = append(r.Notes,
		fmt.Sprintf("Lemma on distances (lt and le): %d estimates checked, %d below min(d, t).", checked, below),
		fmt.Sprintf("Lemma on fake IDs (lt and le): %d fake leaders, %d of them followed for longer than 1 + max(R) "+
			"- min(d) rounds.", fakes, long))
	r.fact("estimates-checked", checked,
		"estimates-below", below,
		"fakes", fakes, "fakes-too-long", long)
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
	return fmt.Sprintf("%s of %s, mean depth %.1f hops; seed %d", plural(s.Graphs, "connected graph"), s.Topology,
		s.depth().Value, s.Seed)
}

const moSource = "After the simulations of Mo, Audrito, Dasgupta, Beal, IFAC 2020."

// curves draws a quantity for K = 1, 2, 3 and the colour waves, with one standard deviation to both sides.
func (s *moStudy) curves(p moPart, lessEq bool, what string) *picture.Chart {
	c := &picture.Chart{Title: fmt.Sprintf("%s%s: %s (mabf-cmp %s)", strings.ToUpper(p.title[:1]), p.title[1:], what,
		moVariant{1, lessEq}.cmp()),
		Subtitle: s.subtitle() + "; bands: one standard deviation", XLabel: "rounds", YLabel: what, Source: moSource}
	if p.name == "fake" {
		c.Marks = []picture.Mark{{X: float64(s.FakeAt), Label: plural(s.Fooled, "node") + " fooled"}}
	}
	for k := range min(3, s.MostK) + 1 {
		v := moVariant{k + 1, lessEq}
		if k == min(3, s.MostK) {
			v = moVariant{}
		}
		look{band: true}.add(c, results.Points(lasting(results.Pick(s.rows, func(r *results.Row) bool {
			return r.Metric == p.title+": "+what && r.Series == v.String()
		}))))
	}
	return c
}

// lasting is curves by round, of which one that has ended keeps its last value until the last of them has.
func lasting(rows []results.Row) []results.Row {
	longest := 0.0
	for i := range rows {
		longest = max(longest, rows[i].X)
	}
	var out []results.Row
	for i, r := range rows {
		if out = append(out, r); i == len(rows)-1 || rows[i+1].Seed != r.Seed {
			for r.X++; r.X <= longest; r.X++ {
				out = append(out, r)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b results.Row) int { return int(a.X - b.X) })
	return out
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
	c := &picture.Chart{Title: "What a larger K buys and costs (mabf-cmp " + moVariant{1, lessEq}.cmp() + ")",
		Subtitle: s.subtitle() + "; mean over graphs",
		XLabel:   "rounds to converge from a clean start", YLabel: "rounds to recover", LogX: true, LogY: true,
		Source: moSource}
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
