package study

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
)

// Curve is what is published of a scenario second by second: means over runs, and their standard deviations.
type Curve struct {
	Scenario, File string
	times          []float64
	mean, sd       map[string][]float64 // by algorithm, as it is published
}

// publishedRuns is how many runs the published curves are means of.
const publishedRuns = 200

// longestCurve keeps a wrong file from taking all memory.
const longestCurve = 100_000

// ReadCurve reads a CSV file with the columns t, recursive, classic, proposed, and sd_ before each of these; others may
// stand beside them.
func ReadCurve(scenario, file string) (c Curve, err error) {
	f, err := os.Open(file)
	if err != nil {
		return c, err
	}
	defer f.Close()
	in := csv.NewReader(f)
	head, err := in.Read()
	if err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	c = Curve{Scenario: scenario, File: file, mean: map[string][]float64{}, sd: map[string][]float64{}}
	wanted := []string{"t"}
	for _, a := range boundedAlgorithms {
		wanted = append(wanted, a.published, "sd_"+a.published)
	}
	for _, name := range wanted {
		if !slices.Contains(head, name) {
			return c, fmt.Errorf("%s:1: found no column %q, allowed: %q", file, name, wanted)
		}
	}
	for line := 2; ; line++ {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err == nil && line > longestCurve {
			err = fmt.Errorf("more than %d lines", longestCurve)
		}
		if err != nil {
			return c, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		value := func(name string) (x float64) {
			text := row[slices.Index(head, name)]
			x, e := strconv.ParseFloat(text, 64)
			if (e != nil || math.IsNaN(x) || math.IsInf(x, 0)) && err == nil {
				err = fmt.Errorf("%s:%d: %w", file, line, caucus.Wrong(name, text, "a number"))
			}
			return x
		}
		c.times = append(c.times, value("t"))
		for _, a := range boundedAlgorithms {
			c.mean[a.published] = append(c.mean[a.published], value(a.published))
			c.sd[a.published] = append(c.sd[a.published], value("sd_"+a.published))
		}
		if err != nil {
			return c, err
		}
	}
}

// binSeconds is the width of the bins in which curves are judged: seconds that follow each other are not independent.
const binSeconds = 20

// worstBins is how many are shown.
const worstBins = 10

// beside sets our curves beside the published ones: second by second in a file, and in bins.
func (c *Curve) beside(r *Report, own []results.Point) {
	r.Files = append(r.Files, File{c.Scenario + "-curves.csv", c.table(own).CSV})
	bins := c.bins(r.Rows)
	within, square := 0, 0.0
	for _, b := range bins {
		d, _ := b.Difference()
		square += float64(d*d) / float64(len(bins))
		if math.Abs(d) <= 2 {
			within++
		}
	}
	slices.SortStableFunc(bins, func(a, b results.Comparison) int {
		x, _ := a.Difference()
		y, _ := b.Difference()
		return int(math.Copysign(1, math.Abs(y)-math.Abs(x)))
	})
	worst := comparisonTable(bins[:min(worstBins, len(bins))])
	worst.Title = fmt.Sprintf("%s: the bins of %d s that are farthest from the published curves", c.Scenario,
		binSeconds)
	r.Tables = append(r.Tables, worst)
	r.Notes = append(r.Notes, fmt.Sprintf("%s: of %d bins of %d s %d are within two errors of the published curves, "+
		"where chance alone would have about %.0f; the root mean square of the differences is %.1f errors.",
		c.Scenario, len(bins), binSeconds, within, 0.95*float64(len(bins)), math.Sqrt(square)))
	r.fact(c.Scenario+"-bins", len(bins), c.Scenario+"-bins-within", within)
}

// bins are the means over the seconds of a bin, of each algorithm. The error is that of both samples, with our spread
// of the runs' means, which the published data do not tell.
func (c *Curve) bins(rows []results.Row) (list []results.Comparison) {
	type place struct {
		algorithm string
		bin       int
	}
	sums, bySeed := map[place]float64{}, map[place]map[uint64]float64{}
	for k, t := range c.times {
		if t < 1 || t > boundedSeconds {
			continue
		}
		for _, a := range boundedAlgorithms {
			sums[place{a.published, int(t-1) / binSeconds}] += c.mean[a.published][k] / binSeconds
		}
	}
	for i := range rows {
		x := &rows[i]
		if x.Network != c.Scenario || x.Metric != "instability" || !(x.X >= 1) {
			continue
		}
		at := place{x.Series, int(x.X-1) / binSeconds}
		if bySeed[at] == nil {
			bySeed[at] = map[uint64]float64{}
		}
		bySeed[at][x.Seed] += x.Value / binSeconds
	}
	for bin := range boundedSeconds / binSeconds {
		for _, a := range boundedAlgorithms {
			at := place{a.published, bin}
			var values []float64
			for seed := range uint64(len(bySeed[at])) {
				values = append(values, bySeed[at][seed+1])
			}
			m := results.MeanOf(values)
			if m.N < 2 || m.SD == 0 {
				continue
			}
			list = append(list, results.Comparison{
				Quantity: fmt.Sprintf("instability, %d to %d s", bin*binSeconds+1, (bin+1)*binSeconds),
				Variant:  a.published, Measured: m,
				Published: &results.Published{Paper: "Pianini, Casadei, Viroli, ACSOS 2022", Where: c.File,
					Value: rounded(sums[at], 6), Claim: results.Sampled, Of: publishedRuns}})
		}
	}
	return list
}

// table has every second of both.
func (c *Curve) table(own []results.Point) *results.Table {
	return &results.Table{
		Columns: results.Columns("t:real algorithm:text published:real published_sd:real mean:real sd:real " +
			"runs:whole difference:real error:real in_errors:real"),
		Rows: func(row func(...any)) {
			for _, a := range boundedAlgorithms {
				for k, t := range c.times {
					m := results.Measured(own, a.published, c.Scenario, "instability", t).Mean
					if m.N == 0 {
						continue
					}
					d := m.Value - c.mean[a.published][k]
					e := math.Hypot(m.StdErr, c.sd[a.published][k]/math.Sqrt(publishedRuns))
					row(t, a.published, c.mean[a.published][k], c.sd[a.published][k], m.Value, m.SD, m.N, d, e, d/e)
				}
			}
		},
	}
}
