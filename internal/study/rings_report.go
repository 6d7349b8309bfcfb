package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"caucus.example/caucus/internal/picture"
)

// ringRow is what was measured of one algorithm.
type ringRow struct {
	ringCase
	costs []RingCost // by size
}

// mean is over random rings.
func (w *ringRow) mean(size int) Mean {
	var values []float64
	for _, m := range w.costs[size].Random {
		values = append(values, float64(m))
	}
	return MeanOf(values)
}

// most is the largest number of messages on a ring of a size, and on which: rather one that was made than a random one.
func (w *ringRow) most(size int) (messages int64, order string) {
	c := w.costs[size]
	for k, m := range c.Made {
		if m > messages {
			messages, order = m, ringOrders[k].name
		}
	}
	if m := slices.Max(c.Random); m > messages {
		messages, order = m, "random"
	}
	return messages, order
}

// Report evaluates the results of the sweep.
func (r Rings) Report(version string, costs []RingCost) *Report {
	sizes := r.sizes()
	var rows []ringRow
	for k, c := range ringCases() {
		row := ringRow{c, make([]RingCost, len(sizes))}
		for job := k; job < len(costs); job += len(ringCases()) {
			_, n := r.job(job)
			row.costs[slices.Index(sizes, n)] = costs[job]
		}
		rows = append(rows, row)
	}
	out := &Report{Experiment: "rings", Version: version, Options: r.Sweep(version).Options}
	for _, oneWay := range []bool{false, true} {
		own := slices.DeleteFunc(slices.Clone(rows), func(w ringRow) bool { return w.oneWay != oneWay })
		out.Tables = append(out.Tables, ringTable(own, sizes))
		name := "rings-" + map[bool]string{false: "two-way", true: "one-way"}[oneWay]
		out.Files = append(out.Files, charts(name, r.chart(own, sizes, oneWay))...)
	}
	r.compare(out, rows, sizes)
	r.bounds(out, rows, sizes)
	out.Files = append(out.Files, out.csv("rings.csv",
		[]string{"algorithm", "one_way", "n", "bound", "bound_exact", "worst", "worst_on", "mean", "sd", "std_err", "rings", "mean_formula", "mean_exact"},
		func(row func(...any)) {
			for k := range rows {
				rows[k].write(sizes, row)
			}
		}))
	return out
}

// ringTable is one of the lecture's tables, at the largest size and those 8 and 64 times smaller.
func ringTable(rows []ringRow, sizes []int) Table {
	t := Table{Title: "One way", Columns: []string{"algorithm", "bound"}}
	if !rows[0].oneWay {
		t.Title = "Two directions"
	}
	var shown []int
	for k := len(sizes) - 1; k >= 0 && len(shown) < 3; k -= 3 {
		shown = append([]int{k}, shown...)
	}
	for _, k := range shown {
		n := fmt.Sprintf("n=%d", sizes[k])
		t.Columns = append(t.Columns, n+" bound", "worst", "mean")
	}
	t.Columns = append(t.Columns, "mean/n log n")
	for i := range rows {
		w := &rows[i]
		line := []any{w.name, w.bound.text}
		for _, k := range shown {
			most, _ := w.most(k)
			line = append(line, w.bound.at(sizes[k]), most, rounded(w.mean(k).Value, 1))
		}
		last := len(sizes) - 1
		n := float64(sizes[last])
		t.Rows = append(t.Rows, append(line, rounded(w.mean(last).Value/n/math.Log2(n), 3)))
	}
	return t
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
func (r Rings) compare(out *Report, rows []ringRow, sizes []int) {
	for _, w := range rows {
		if !w.ringCase.mean.exact || w.constant {
			continue
		}
		for k, n := range sizes {
			out.Comparisons = append(out.Comparisons, Comparison{
				Quantity: fmt.Sprintf("messages, n=%d", n), Variant: w.name, Measured: w.mean(k),
				Published: &Published{"Santoro, chapter 3", "average, " + w.ringCase.mean.text, rounded(w.ringCase.mean.of(float64(n)), 3)},
			})
		}
	}
}

// bounds says where a bound that is exact was attained, and whether one was exceeded.
func (r Rings) bounds(out *Report, rows []ringRow, sizes []int) {
	var attained []string
	exceeded := 0
	for i := range rows {
		w := &rows[i]
		if !w.bound.exact {
			continue
		}
		everywhere := true
		for k, n := range sizes {
			most, order := w.most(k)
			bound := math.Round(w.bound.of(float64(n)))
			if everywhere = everywhere && float64(most) == bound; float64(most) > bound {
				exceeded++
				out.Notes = append(out.Notes, fmt.Sprintf("%s, n = %d: %d messages on the ring %q, more than %s = %g.", w.name, n, most, order, w.bound.text, bound))
			}
		}
		if everywhere {
			attained = append(attained, w.name)
		}
	}
	out.Notes = append(out.Notes,
		"k is the largest index with F_k <= n, F = 2, 3, 5, 8, …; log is to base 2. A bound that ends in O(n) is shown without it.",
		"At every size the bound is attained by "+strings.Join(attained, ", ")+".")
	out.Violated = exceeded > 0
	out.Facts = append(out.Facts, Option{"sizes", fmt.Sprint(len(sizes))}, Option{"attained", fmt.Sprint(len(attained))}, Option{"exceeded", fmt.Sprint(exceeded)})
}

// chart has the means of all algorithms, and the worst rings found of each.
func (r Rings) chart(rows []ringRow, sizes []int, oneWay bool) *picture.Chart {
	c := &picture.Chart{
		Title:    "Messages of elections on rings of two directions",
		Subtitle: fmt.Sprintf("lines: mean of %d random rings; dashes: the worst ring that is known or was met", r.Rings),
		XLabel:   "nodes", YLabel: "messages", LogX: true, LogY: true,
	}
	if oneWay {
		c.Title = "Messages of elections on one-way rings"
	}
	x := make([]float64, len(sizes))
	for k, n := range sizes {
		x[k] = float64(n)
	}
	for i := range rows {
		w := &rows[i]
		mean, most := make([]float64, len(sizes)), make([]float64, len(sizes))
		for k := range sizes {
			m, _ := w.most(k)
			mean[k], most[k] = w.mean(k).Value, float64(m)
		}
		c.Series = append(c.Series, picture.Series{Name: w.name, X: x, Y: mean, Style: picture.LinePoints})
		if !w.constant {
			c.Series = append(c.Series, picture.Series{Name: w.name + ", worst", X: x, Y: most, Style: picture.Dashes, Like: len(c.Series)})
		}
	}
	return c
}

// write gives the lines of rings.csv.
func (w *ringRow) write(sizes []int, row func(...any)) {
	value := func(f ringFormula, n int) any {
		if f.of == nil {
			return ""
		}
		return f.of(float64(n))
	}
	for k, n := range sizes {
		most, order := w.most(k)
		m := w.mean(k)
		row(w.name, w.oneWay, n, value(w.bound, n), w.bound.exact, most, order, m.Value, m.SD, m.StdErr, m.N, value(w.ringCase.mean, n), w.ringCase.mean.exact)
	}
}
