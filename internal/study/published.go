package study

import (
	"fmt"
	"math"
	"strings"

	"caucus.example/caucus/internal/results"
)

// The numbers of Mo et al., by K: mean rounds until all nodes agree for good, each of 10 graphs, without a spread.
var (
	moClean = map[int]*results.Published{1: moPaper("clean start", 115), 2: moPaper("clean start", 36),
		3: moPaper("clean start", 28)}
	moFake = map[int]*results.Published{2: moPaper("fake leader at t = 10", 52),
		3: moPaper("fake leader at t = 10", 40)}
	// What the same paper reports for the algorithm of Datta, Larmore and Vemula.
	dattaClean = moPaper("clean start, after Datta et al.", 41)
	dattaFake  = moPaper("fake leader at t = 10, after Datta et al.", 53)
)

func moPaper(where string, value float64) *results.Published {
	return &results.Published{Paper: "Mo, Audrito, Dasgupta, Beal, IFAC 2020", Where: "simulations, " + where,
		Value: value, Claim: results.Sampled, Of: 10}
}

// Misfit is the root mean square of the relative deviations from what is published, over the comparisons that have one.
func Misfit(list []results.Comparison) float64 {
	sum, n := 0.0, 0
	for _, c := range list {
		if d, ok := c.Deviation(); ok {
			sum, n = sum+d*d, n+1
		}
	}
	return math.Sqrt(sum / float64(n))
}

// comparisonTable is for people.
func comparisonTable(list []results.Comparison) Table {
	t := Table{Columns: strings.Split("quantity,algorithm,published,as,measured,error,difference,in errors,verdict",
		",")}
	for _, c := range list {
		line := []any{c.Quantity, c.Variant, nil, nil, significant(c.Measured.Value, 4), nil, nil, nil, nil}
		if p := c.Published; p != nil {
			line[2], line[3] = number(p.Value), p.String()
		}
		if e := c.Error(); e > 0 {
			line[5] = significant(e, 2)
		}
		if d, ok := c.Deviation(); ok {
			line[6] = fmt.Sprintf("%+.1f %%", 100*d)
		}
		if d, ok := c.Difference(); ok {
			line[7] = fmt.Sprintf("%+.1f", d)
		}
		if v := c.Verdict(); v != "" {
			line[8] = v
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// significant gives so many digits of x, or all before the point if there are more.
func significant(x float64, digits int) string {
	if x >= math.Pow10(digits) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.*g", digits, x)
}

// summary has the comparisons.
func summary(list []results.Comparison) *results.Table {
	return &results.Table{
		Columns: results.Columns("quantity:text algorithm:text published:real published_as:text paper:text " +
			"where:text mean:real sd:real " +
			"std_err:real runs:whole error:real difference_in_errors:real verdict:text"),
		Rows: func(row func(...any)) {
			for _, c := range list {
				value, p, errors := results.None, c.Published, results.None
				if p == nil {
					p = &results.Published{}
				} else {
					value = p.Value
				}
				if d, ok := c.Difference(); ok {
					errors = d
				}
				m := c.Measured
				row(c.Quantity, c.Variant, value, p.String(), p.Paper, p.Where, m.Value, m.SD, m.StdErr, m.N, c.Error(),
					errors, c.Verdict())
			}
		},
	}
}

// The numbers of Pianini, Casadei and Viroli, from the data that they published with the paper, of 200 seeds.
var (
	// Mean instability in the scenario random: over the run, and after the first 100 s.
	boundedRandom = map[string][2]float64{
		"recursive": {.0744, .0725}, "classic": {.0891, .0882}, "proposed": {.0555, .0550},
	}
	// Scale-free: seconds after the changes of strength at 100 to 500 s until the mean instability is below 0.01.
	boundedSettled = map[string][5]float64{
		"recursive": {54, 47, 28, 54, 51}, "classic": {36, 39, 39, 36, 39}, "proposed": {21, 29, 21, 21, 29},
	}
)

func boundedPaper(where string, value float64) *results.Published {
	return &results.Published{Paper: "Pianini, Casadei, Viroli, ACSOS 2022", Where: "published data, " + where,
		Value: value, Claim: results.Sampled, Of: 200}
}
