package study

import (
	"fmt"
	"math"
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
		r.Files = append(r.Files, x.charts(name, r.Rows)...)
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

// charts draw by how much the leaders of each election are wrong as time goes by, each way of collecting a line, and
// how a directive spreads, which is the same for all ways.
func (x Regions) charts(name string, rows []results.Row) (list []File) {
	over, many := "mean over "+plural(x.Seeds, "run"), x.Seeds > 1
	if many {
		over += ", shaded: one standard deviation"
	}
	for _, a := range boundedAlgorithms {
		c := &picture.Chart{
			Title:    fmt.Sprintf("Members miscounted over time: %s, %s", a.published, name),
			Subtitle: fmt.Sprintf("share of all members in the %d s before; %s", regionsWords, over),
			XLabel:   "seconds", YLabel: "share miscounted",
		}
		own := fold(rows, func(r *results.Row) (float64, bool) {
			block := math.Ceil(r.X/regionsWords) * regionsWords
			return block, r.Network == name && r.Metric == "miscounted" && r.X > regionsFrom &&
				regionElection(r.Series) == a.published
		})
		look{band: many, name: func(p *results.Point) string { return regionWay(p.Series) }}.add(c, own)
		list = append(list, charts(name+"-miscounted-"+a.published, c)...)
	}
	c := &picture.Chart{
		Title:    "How a directive spreads, " + name,
		Subtitle: fmt.Sprintf("share of members that have it, from the %dth second on; %s", regionsFrom, over),
		XLabel:   "seconds since it was given", YLabel: "share informed",
	}
	own := fold(rows, func(r *results.Row) (float64, bool) {
		since := math.Mod(r.X-1, regionsWords)
		return since, r.Network == name && r.Metric == "informed" && r.X > regionsFrom &&
			regionWay(r.Series) == regionWays[0].title
	})
	look{band: many, name: func(p *results.Point) string { return regionElection(p.Series) }}.add(c, own)
	return append(list, charts(name+"-informed", c)...)
}

func regionElection(series string) string { return strings.Split(series, ", ")[0] }
func regionWay(series string) string      { return strings.Split(series, ", ")[1] }

// fold takes the mean of the rows of each run that are put at the same place, and then over the runs.
func fold(rows []results.Row, place func(*results.Row) (x float64, wanted bool)) []results.Point {
	type run struct {
		series string
		seed   uint64
		x      float64
	}
	places := map[run]int{}
	var sums results.Rows
	var counts []float64
	for i := range rows {
		r := rows[i]
		var wanted bool
		if r.X, wanted = place(&r); !wanted {
			continue
		}
		at, ok := places[run{r.Series, r.Seed, r.X}]
		if !ok {
			at = len(sums)
			places[run{r.Series, r.Seed, r.X}] = at
			sums, counts = append(sums, r), append(counts, 0)
			sums[at].Value = 0
		}
		sums[at].Value += r.Value
		counts[at]++
	}
	for k := range sums {
		sums[k].Value /= counts[k]
	}
	return results.Points(sums)
}
