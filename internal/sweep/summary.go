package sweep

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// Summary is what the measurements say: a mean for each measure of each cell, and for each pair of algorithms at one
// point the difference on the same seeds.
type Summary struct {
	Variables   []string     `json:"variables"`
	Means       []Mean       `json:"means"`
	Differences []Difference `json:"differences"`
	Claims      []Claimed    `json:"claims"`

	byRound map[string]int // measurements of what is measured by round
}

// Mean is that of a measure of an algorithm at a point, with its 95 % interval by the bootstrap.
type Mean struct {
	Point     []any    `json:"point"`
	Algorithm string   `json:"algorithm"`
	Measure   string   `json:"measure"`
	After     *float64 `json:"after"` // the round of an event, of what is measured after each
	Runs      int      `json:"runs"`
	Valued    int      `json:"valued"` // runs that have a value
	Mean      *float64 `json:"mean"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`

	bySeed map[int64]float64
}

// Difference is how far the mean of another algorithm is above that of the first one of the study, over the seeds with
// which both have a value.
type Difference struct {
	Point     []any    `json:"point"`
	Algorithm string   `json:"algorithm"`
	Above     string   `json:"above"` // the first algorithm
	Measure   string   `json:"measure"`
	After     *float64 `json:"after"`
	Pairs     int      `json:"pairs"`
	Mean      float64  `json:"mean"`
	Low       float64  `json:"low"`
	High      float64  `json:"high"`
	Effect    *float64 `json:"effect"` // mean over the standard deviation of the differences
	P         float64  `json:"p"`
	Holm      float64  `json:"holm"` // p, corrected for the number of differences
}

// Summary takes the means, in the order of the rows. What is measured by round is left to other programs.
func (t *Table) Summary() (*Summary, error) {
	s := &Summary{Means: []Mean{}, Differences: []Difference{}, Claims: []Claimed{}, byRound: map[string]int{}}
	n := len(t.columns) - 7 // of run and variables
	for _, c := range t.columns[1:n] {
		s.Variables = append(s.Variables, c.Name)
	}
	places := map[string]int{}
	for _, row := range t.rows {
		measure := row[n+5].(string)
		if strings.HasSuffix(measure, "-by-round") {
			s.byRound[measure]++
			continue
		}
		key := fmt.Sprint(row[1:n+1], measure, row[n+4])
		at, ok := places[key]
		if !ok {
			at = len(s.Means)
			places[key] = at
			s.Means = append(
				s.Means,
				Mean{
					Point:     row[1:n],
					Algorithm: row[n].(string),
					Measure:   measure,
					After:     known(row[n+4]),
					bySeed:    map[int64]float64{},
				},
			)
		}
		m := &s.Means[at]
		m.Runs++
		if v := known(row[n+6]); v != nil {
			m.bySeed[row[n+3].(int64)] = *v
		}
	}
	for k := range s.Means {
		s.Means[k].finish()
	}
	s.compare()
	claims, err := scenario.ClaimsOf(t.Plan())
	if err != nil {
		return nil, err
	}
	list, err := t.Claims(claims)
	s.Claims = append(s.Claims, list...)
	return s, err
}

// known is a number; nil for none.
func known(cell any) *float64 {
	if x, ok := cell.(float64); ok && !math.IsNaN(x) {
		return &x
	}
	return nil
}

// values are those of a mean, by rising seed, as the rows have them.
func (m *Mean) values() []float64 {
	var list []float64
	for _, seed := range sortedSeeds(m.bySeed) {
		list = append(list, m.bySeed[seed])
	}
	return list
}

func sortedSeeds(bySeed map[int64]float64) []int64 { return slices.Sorted(maps.Keys(bySeed)) }

func (m *Mean) finish() {
	values := m.values()
	if m.Valued = len(values); m.Valued > 0 {
		mean := results.MeanOf(values).Value
		low, high := results.Interval(values)
		m.Mean, m.Low, m.High = &mean, &low, &high
	}
}

// compare sets the algorithms at a point beside the first that is there, measure by measure.
func (s *Summary) compare() {
	first := map[string]*Mean{}
	var p []float64
	for k := range s.Means {
		m := &s.Means[k]
		if given(m.Measure) {
			continue
		}
		key := fmt.Sprint(m.Point, m.Measure, number(m.After))
		a := first[key]
		if a == nil {
			first[key] = m
			continue
		}
		var differences []float64
		for _, seed := range sortedSeeds(m.bySeed) {
			if x, ok := a.bySeed[seed]; ok {
				differences = append(differences, m.bySeed[seed]-x)
			}
		}
		if len(differences) < 2 {
			continue
		}
		d := results.Paired(differences)
		s.Differences = append(
			s.Differences,
			Difference{Point: m.Point, Algorithm: m.Algorithm, Above: a.Algorithm, Measure: m.Measure, After: m.After,
				Pairs: d.N, Mean: d.Mean, Low: d.Low, High: d.High, Effect: known(d.Effect), P: d.P},
		)
		p = append(p, d.P)
	}
	for k, corrected := range results.Holm(p) {
		s.Differences[k].Holm = corrected
	}
}

// Text writes the tables.
func (s *Summary) Text(out io.Writer) error {
	if err := errors.Join(s.meansText(out), s.differencesText(out), s.claimsText(out)); err != nil {
		return err
	}
	for _, measure := range slices.Sorted(maps.Keys(s.byRound)) {
		fmt.Fprintf(out, "%s: %d measurements, which are in the table that -o writes, and in charts over round\n",
			measure, s.byRound[measure])
	}
	return nil
}

// head names what tells cells apart.
func (s *Summary) head() string {
	return strings.ToUpper(
		strings.Join(append(s.Variables[:len(s.Variables):len(s.Variables)], "algorithm", "measure", "after"), "\t"),
	)
}

func (s *Summary) meansText(out io.Writer) error {
	if len(s.Means) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\tRUNS\tMEAN\t95 %% INTERVAL\t\n", s.head())
	for _, m := range s.Means {
		if given(m.Measure) {
			continue
		}
		runs := fmt.Sprint(m.Runs)
		if m.Valued < m.Runs {
			runs = fmt.Sprintf("%d of %d", m.Valued, m.Runs)
		}
		fmt.Fprintf(
			w,
			"%s%s\t%s\t%s\t%s\t%s\t%s\t\n",
			point(m.Point),
			m.Algorithm,
			m.Measure,
			number(m.After),
			runs,
			number(m.Mean),
			interval(m.Low, m.High),
		)
	}
	return w.Flush()
}

func (s *Summary) differencesText(out io.Writer) error {
	if len(s.Differences) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(
		out,
		"\nDifferences on the same seeds; effect: mean over standard deviation; p: signs by coins, Holm's correction "+
			"for %d\n",
		len(s.Differences),
	)
	fmt.Fprintf(w, "%s\tABOVE\tPAIRS\tMEAN\t95 %% INTERVAL\tEFFECT\tP\tHOLM\t\n", s.head())
	for _, d := range s.Differences {
		fmt.Fprintf(
			w,
			"%s%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%.2g\t%.2g\t\n",
			point(d.Point),
			d.Algorithm,
			d.Measure,
			number(d.After),
			d.Above,
			d.Pairs,
			number(&d.Mean),
			interval(&d.Low, &d.High),
			number(d.Effect),
			d.P,
			d.Holm,
		)
	}
	return w.Flush()
}

func point(values []any) string {
	text := ""
	for _, v := range values {
		text += fmt.Sprint(v, "\t")
	}
	return text
}

func interval(low, high *float64) string {
	if low == nil {
		return "-"
	}
	return number(low) + " to " + number(high)
}

// number has four digits for people, or all before the point; - for none.
func number(x *float64) string {
	if x == nil {
		return "-"
	}
	if big := math.Abs(*x); big >= 1e4 && big < 1e15 {
		return fmt.Sprintf("%.0f", *x)
	}
	return fmt.Sprintf("%.4g", *x)
}
