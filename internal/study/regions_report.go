package study

import (
	"fmt"
	"strings"

	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
)

// find sets the elections and the ways side by side.
func (x Regions) find(r *Report) {
	means := results.Points(r.Rows)
	main := Table{Title: "What leaders know of their regions, from the 100th second on",
		Columns: []string{"scenario", "election", "collected along", "miscounted %", "error", "informed %", "messages",
			"bytes"}}
	exact := Table{Title: "Seconds until every count is exact, after a change of strengths in scale-free",
		Columns: []string{"election", "collected along", "100 s", "200 s", "300 s", "400 s", "500 s"}}
	for _, name := range x.Scenarios {
		for k := range len(boundedAlgorithms) * len(regionWays) {
			series := x.series(k)
			election, ways, _ := strings.Cut(series, ", ")
			value := func(metric string) results.Point {
				return results.Measured(means, series, name, metric, results.None)
			}
			miscounted := value("miscounted, mean")
			main.Rows = append(main.Rows, []any{name, election, ways, rounded(100*miscounted.Value, 2),
				rounded(100*miscounted.Mean.StdErr, 2), rounded(100*value("informed, mean").Value, 2),
				rounded(value("messages").Value, 2), rounded(value("bytes").Value, 0)})
			if name == "scale-free" {
				line := []any{election, ways}
				for at := 100; at < boundedSeconds; at += 100 {
					p := results.Measured(means, series, name, "seconds until exact", float64(at))
					line = append(line, orMissing(p))
				}
				exact.Rows = append(exact.Rows, line)
			}
		}
		r.Files = append(r.Files, x.charts(name, means)...)
	}
	r.Tables = append(r.Tables, main)
	if len(exact.Rows) > 0 {
		r.Tables = append(r.Tables, exact)
	}
	r.fact("runs", len(x.Scenarios)*x.Seeds)
}

func orMissing(p results.Point) any {
	if p.Mean.N == 0 {
		return nil
	}
	return rounded(p.Value, 1)
}

// charts draw what is known after each second.
func (x Regions) charts(name string, means []results.Point) (list []File) {
	for _, metric := range []string{"miscounted", "informed"} {
		c := &picture.Chart{
			Title: fmt.Sprintf("Members %s over time, %s", metric, name),
			Subtitle: fmt.Sprintf("share of all members; mean over %s; a new directive every %d s", plural(x.Seeds,
				"run"), regionsWords),
			XLabel: "seconds", YLabel: "share " + metric,
		}
		look{}.add(c, results.Pick(means, func(p *results.Point) bool {
			return p.Network == name && p.Metric == metric
		}))
		list = append(list, charts(name+"-"+metric, c)...)
	}
	return list
}
