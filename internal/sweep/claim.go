package sweep

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// Claimed is what a claim of the study comes to: for one that is about every run in all of them, else at one point.
type Claimed struct {
	Point     []any         `json:"point"` // of the run that says most; nil: there is none
	Algorithm string        `json:"algorithm"`
	Measure   string        `json:"measure"`
	After     *float64      `json:"after"`
	Formula   string        `json:"formula"`
	Kind      results.Claim `json:"as"`
	Of        int           `json:"of,omitempty"` // runs, of a published mean
	Source    string        `json:"source"`       // "": a hypothesis of the study
	Where     string        `json:"where,omitempty"`
	Value     *float64      `json:"value"` // at that point
	Measured  *float64      `json:"measured"`
	Runs      int           `json:"runs"` // that have a value
	Held      *int          `json:"held"` // of these, of what is said of every run
	Error     *float64      `json:"error"`
	InErrors  *float64      `json:"differenceInErrors"`
	Verdict   string        `json:"verdict"`
}

// checkClaims refuses claims about what is not measured.
func (s *Sweep) checkClaims() error {
	var measures []string
	for _, m := range s.measures {
		measures = append(measures, m.Name)
	}
	labels, err := s.labels()
	if err != nil {
		return err
	}
	known := slices.Concat([]string{"nodes", "seed"}, s.Variables, measures)
	for k := range s.Claims {
		c := &s.Claims[k]
		if !slices.Contains(measures, c.Measure) {
			return c.WrongName("measure", c.Measure, measures)
		}
		if c.Algorithm != "" && !slices.Contains(labels, c.Algorithm) {
			return c.WrongName("algorithm", c.Algorithm, labels)
		}
		for _, name := range c.Value.Names {
			if !slices.Contains(known, name) {
				return c.WrongName("value", name, known)
			}
		}
		if err := s.meant(&c.Where, c.Place); err != nil {
			return err
		}
	}
	return nil
}

// labels are what the table calls the algorithms: by their names, where only the scenario says which it is.
func (s *Sweep) labels() (list []string, err error) {
	for _, c := range s.Algorithms {
		if c.Label != "" || len(s.Claims) == 0 {
			list = append(list, c.Label)
			continue
		}
		for _, at := range s.Points {
			sc, err := s.Scenario(at, c, s.Seeds.First)
			if err != nil {
				return nil, err
			}
			if name := sc.Get("algo"); !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list, nil
}

// meant refuses conditions that no point of the plan meets; of a part of a plan they may be of another.
func (s *Sweep) meant(where *scenario.Conditions, place string) error {
	for _, at := range s.Points {
		if ok, err := where.Hold(s.Variables, at); ok || err != nil {
			return err
		}
	}
	if s.Part {
		return nil
	}
	return fmt.Errorf("%s: %w", place, caucus.Wrong("where", where.String(), "conditions that some point meets"))
}

// sample is what was measured in one run, beside what is claimed of it.
type sample struct {
	point           []any
	value, measured float64
}

// Claims sets what was measured beside what the study says of it.
func (t *Table) Claims(list []scenario.Claim) (all []Claimed, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	runs := t.runs()
	for k := range list {
		c := &list[k]
		groups, order, err := t.samples(c, runs)
		if err != nil {
			return nil, err
		}
		for _, name := range order {
			x := Claimed{Algorithm: name.algorithm, Measure: c.Measure, After: known(c.After), Formula: c.Value.Text,
				Kind: c.Kind, Of: c.Of, Source: c.Source, Where: c.Where.String()}
			x.judge(groups[name])
			all = append(all, x)
		}
	}
	return all, nil
}

// runs are the measurements that there is one of in each run, by run and name.
func (t *Table) runs() map[int64]map[string]float64 {
	n := len(t.columns) - 7
	runs := map[int64]map[string]float64{}
	for _, row := range t.rows {
		id := row[0].(int64)
		of := runs[id]
		if of == nil {
			of = map[string]float64{}
			runs[id] = of
			for k := 1; k < n; k++ {
				if x, ok := numeric(row[k]); ok {
					of[t.columns[k].Name] = x
				}
			}
			of["nodes"], of["seed"] = float64(row[n+2].(int64)), float64(row[n+3].(int64))
		}
		if value := known(row[n+6]); value != nil && known(row[n+4]) == nil {
			of[row[n+5].(string)] = *value
		}
	}
	return runs
}

// group is what a claim is judged by: an algorithm, and for a claim about a mean a point.
type group struct{ algorithm, point string }

// samples finds what a claim is about.
func (t *Table) samples(c *scenario.Claim, runs map[int64]map[string]float64) (groups map[group][]sample,
	order []group, err error) {
	n := len(t.columns) - 7
	groups = map[group][]sample{}
	for _, row := range t.rows {
		measured, after := known(row[n+6]), known(row[n+4])
		if row[n+5] != c.Measure || measured == nil || c.Algorithm != "" && row[n] != c.Algorithm ||
			(after == nil) != (c.After != c.After) || after != nil && *after != c.After {
			continue
		}
		if ok, err := c.Where.Hold(t.point(row)); err != nil {
			return nil, nil, err
		} else if !ok {
			continue
		}
		of := runs[row[0].(int64)]
		value := c.Value.Value(func(name string) float64 {
			if x, ok := of[name]; ok {
				return x
			}
			return math.NaN()
		})
		name := group{algorithm: row[n].(string)}
		if !everyRun(c.Kind) {
			name.point = fmt.Sprint(row[1:n])
		}
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], sample{row[1:n], value, *measured})
	}
	return groups, order, nil
}

// everyRun tells whether a claim is about each run, not about their mean.
func everyRun(kind results.Claim) bool { return kind == results.Always || kind == results.Limit }

// judge says whether the claim is true of these runs.
func (x *Claimed) judge(list []sample) {
	x.Runs = len(list)
	if everyRun(x.Kind) {
		x.judgeEvery(list)
		return
	}
	var measured, values []float64
	for _, s := range list {
		measured, values = append(measured, s.measured), append(values, s.value)
	}
	m, value := results.MeanOf(measured), results.MeanOf(values).Value
	c := results.Comparison{Measured: m, Published: &results.Published{Value: value, Claim: x.Kind, Of: x.Of}}
	x.Point, x.Value, x.Measured, x.Verdict = list[0].point, &value, &m.Value, c.Verdict()
	if e := c.Error(); e > 0 {
		x.Error = &e
	}
	if d, ok := c.Difference(); ok {
		x.InErrors = &d
	} else if x.Kind == results.Exact || x.Kind == results.Sampled { // all runs are the same
		x.Verdict = map[bool]string{true: "agrees", false: "differs"}[m.Value == value]
	}
}

// dust is how far a number may be above another, as a share, by the rounding of formulas alone.
const dust = 1e-9

// judgeEvery counts the runs of which it is true. The one that is told is that farthest beyond what is claimed, or next
// to it.
func (x *Claimed) judgeEvery(list []sample) {
	held, worst := 0, math.Inf(-1)
	for k := range list {
		s := &list[k]
		off := (s.measured - s.value) / max(1, math.Abs(s.value))
		if x.Kind == results.Always {
			off = math.Abs(off)
		}
		if off <= dust {
			held++
		}
		if off > worst || k == 0 || off != off {
			worst, x.Point, x.Value, x.Measured = off, s.point, &s.value, &s.measured
		}
	}
	x.Held = &held
	if x.Verdict = "holds"; held < len(list) {
		x.Verdict = "exceeded"
		if x.Kind == results.Always {
			x.Verdict = "differs"
		}
	}
}

// Refuted tells whether a hypothesis of the study is not true. What somebody has published may be.
func (s *Summary) Refuted() bool {
	return slices.ContainsFunc(s.Claims, func(x Claimed) bool {
		return x.Source == "" && (x.Verdict == "exceeded" || x.Verdict == "differs")
	})
}

// claimColumns are those of the table of claims; one in which there is nothing is left out.
var claimColumns = strings.Split(
	"ALGORITHM,MEASURE,AFTER,CLAIM,AS,SOURCE,RUNS,AT,CLAIMED,MEASURED,ERROR,IN ERRORS,VERDICT", ",")

// claimsText writes what is claimed beside what was measured.
func (s *Summary) claimsText(out io.Writer) error {
	if len(s.Claims) == 0 {
		return nil
	}
	rows := [][]string{claimColumns}
	for k := range s.Claims {
		rows = append(rows, s.claimRow(&s.Claims[k]))
	}
	fmt.Fprintln(out, "\nWhat is claimed; of every run or a bound: in how many it is so, and the run that is farthest "+
		"beyond it, or next to it")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		for k, cell := range row {
			if slices.ContainsFunc(rows[1:], func(r []string) bool { return r[k] != "-" }) {
				fmt.Fprint(w, cell, "\t")
			}
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func (s *Summary) claimRow(x *Claimed) []string {
	runs, as, claim := fmt.Sprint(x.Runs), string(x.Kind), x.Formula
	if x.Held != nil {
		runs = fmt.Sprintf("%d of %d", *x.Held, x.Runs)
	}
	if x.Of > 0 {
		as = fmt.Sprintf("mean of %d", x.Of)
	}
	if x.Where != "" {
		claim += " where " + x.Where
	}
	var at []string
	for k, v := range x.Point {
		at = append(at, fmt.Sprint(s.Variables[k], "=", v))
	}
	return []string{x.Algorithm, x.Measure, number(x.After), claim, as, cmp.Or(x.Source, "this study"), runs,
		cmp.Or(strings.Join(at, " "), "-"), number(x.Value), number(x.Measured), number(x.Error), number(x.InErrors),
		cmp.Or(x.Verdict, "-")}
}
