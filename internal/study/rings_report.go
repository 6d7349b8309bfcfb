package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
)

// find evaluates the rows.
func (r Rings) find(out *Report) {
	t := &ringStudy{Rings: r, sizes: r.sizes(), most: map[ringPlace]ringMost{}}
	t.means = results.Points(results.Pick(out.Rows,
		func(p *results.Row) bool { return p.Metric == "messages" && p.Network == "random" }))
	slices.SortStableFunc(t.means, func(a, b results.Point) int { return a.N - b.N }) // the largest jobs come first
	for i := range out.Rows {
		if p := &out.Rows[i]; p.Metric == "messages" {
			if at := (ringPlace{p.Series, p.N}); p.Value > t.most[at].messages {
				t.most[at] = ringMost{p.Value, p.Network}
			}
		}
	}
	for _, oneWay := range []bool{false, true} {
		own := results.Pick(ringCases(), func(c *ringCase) bool { return c.oneWay == oneWay })
		out.Tables = append(out.Tables, t.table(own))
		name := "rings-" + map[bool]string{false: "two-way", true: "one-way"}[oneWay]
		out.Files = append(out.Files, charts(name, t.chart(own, oneWay))...)
	}
	t.compare(out)
	t.bounds(out)
}

// ringStudy is the means over random rings and the worst rings, rather one that was made than a random one.
type ringStudy struct {
	Rings
	sizes []int
	means []results.Point
	most  map[ringPlace]ringMost
}

type ringPlace struct {
	algorithm string
	n         int
}

type ringMost struct {
	messages float64
	order    string
}

// mean is over the random rings of a size.
func (t *ringStudy) mean(algorithm string, n int) results.Mean {
	for k := range t.means {
		if p := &t.means[k]; p.Series == algorithm && p.N == n {
			return p.Mean
		}
	}
	return results.Mean{}
}

// table is one of the lecture's tables, at the largest size and those 8 and 64 times smaller.
func (t *ringStudy) table(cases []ringCase) Table {
	out := Table{Title: "One way", Columns: []string{"algorithm", "bound"}}
	if !cases[0].oneWay {
		out.Title = "Two directions"
	}
	var shown []int
	for k := len(t.sizes) - 1; k >= 0 && len(shown) < 3; k -= 3 {
		shown = append([]int{t.sizes[k]}, shown...)
		out.Columns = append(out.Columns, "", "", "")
	}
	for k, n := range shown {
		copy(out.Columns[2+3*k:], []string{fmt.Sprintf("n=%d bound", n), "worst", "mean"})
	}
	out.Columns = append(out.Columns, "mean/n log n")
	for _, c := range cases {
		line := []any{c.name, c.bound.text}
		for _, n := range shown {
			line = append(line, c.bound.at(n), int64(t.most[ringPlace{c.name, n}].messages),
				rounded(t.mean(c.name, n).Value, 1))
		}
		last := t.sizes[len(t.sizes)-1]
		n := float64(last)
		out.Rows = append(out.Rows, append(line, rounded(t.mean(c.name, last).Value/n/math.Log2(n), 3)))
	}
	return out
}

// at is the value of a formula, nil if there is none.
func (f ringFormula) at(n int) any {
	if f.of == nil {
		return nil
	}
	return int64(math.Round(f.of(float64(n))))
}

func rounded(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale) / scale
}

// compare sets the means beside those that are known exactly.
func (t *ringStudy) compare(out *Report) {
	for _, c := range ringCases() {
		if !c.mean.exact || c.constant {
			continue
		}
		for _, n := range t.sizes {
			out.Comparisons = append(out.Comparisons, results.Comparison{
				Quantity: fmt.Sprintf("messages, n=%d", n), Variant: c.name, Measured: t.mean(c.name, n),
				Published: &results.Published{Paper: "Santoro, chapter 3", Where: "average, " + c.mean.text,
					Value: rounded(c.mean.of(float64(n)), 3), Claim: results.Exact},
			})
		}
	}
}

// bounds says where a bound that is exact was attained, and whether one was exceeded.
func (t *ringStudy) bounds(out *Report) {
	var attained []string
	exceeded := 0
	for _, c := range ringCases() {
		if !c.bound.exact {
			continue
		}
		everywhere := true
		for _, n := range t.sizes {
			most := t.most[ringPlace{c.name, n}]
			bound := math.Round(c.bound.of(float64(n)))
			if everywhere = everywhere && most.messages == bound; most.messages > bound {
				exceeded++
				out.Notes = append(out.Notes, fmt.Sprintf("%s, n = %d: %g messages on the ring %q, more than %s = %g.",
					c.name, n, most.messages, most.order, c.bound.text, bound))
			}
		}
		if everywhere {
			attained = append(attained, c.name)
		}
	}
	out.Notes = append(out.Notes,
		"k is the largest index with F_k <= n, F = 2, 3, 5, 8, …; log is to base 2. A bound that ends in O(n) is "+
			"shown without it.",
		"At every size the bound is attained by "+strings.Join(attained, ", ")+".")
	out.Violated = exceeded > 0
	out.fact("sizes", len(t.sizes),
		"attained", len(attained), "exceeded", exceeded)
}

// chart has the means of all algorithms, and the worst rings found of each.
func (t *ringStudy) chart(cases []ringCase, oneWay bool) *picture.Chart {
	c := &picture.Chart{
		Title: "Messages of elections on rings of two directions",
		Subtitle: fmt.Sprintf("lines: mean of %d random rings; dashes: the worst ring that is known or was met",
			t.Rings.Rings),
		XLabel: "nodes", YLabel: "messages", LogX: true, LogY: true,
	}
	if oneWay {
		c.Title = "Messages of elections on one-way rings"
	}
	for _, w := range cases {
		own := results.Pick(t.means, func(p *results.Point) bool { return p.Series == w.name })
		look{x: bySize, style: picture.LinePoints}.add(c, own)
		if w.constant {
			continue
		}
		for k := range own {
			own[k].Value = t.most[ringPlace{w.name, own[k].N}].messages
		}
		look{x: bySize, style: picture.Dashes, name: func(p *results.Point) string { return p.Series + ", worst" },
			like: bySeries}.add(c, own)
	}
	return c
}
