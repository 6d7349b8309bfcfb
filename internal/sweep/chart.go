package sweep

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// Drawn is a chart with the name of its file.
type Drawn struct {
	File string
	*picture.Chart
}

// checkCharts refuses what there is nothing to draw of.
func (s *Sweep) checkCharts() error {
	var measures []string
	for _, m := range s.measures {
		measures = append(measures, m.Name)
	}
	var over []string
	for _, column := range s.columns()[1 : 1+len(s.Variables)] {
		if column.Kind != results.Text {
			over = append(over, column.Name)
		}
	}
	over = append(over, "round")
	by := append(slices.Clone(s.Variables), "algorithm")
	for k := range s.Charts {
		c := &s.Charts[k]
		if !slices.Contains(measures, c.Measure) {
			return c.WrongName("measure", c.Measure, measures)
		}
		if c.Over != "" && !slices.Contains(over, c.Over) {
			return c.WrongName("over", c.Over, over)
		}
		if err := s.meant(&c.Where, c.Place); err != nil {
			return err
		}
		for _, name := range c.By {
			if !slices.Contains(by, name) {
				return c.WrongName("by", name, by)
			}
		}
	}
	return nil
}

// Charts draws what a plan wants of its measurements: means with their 95 % intervals by the bootstrap, or the share of
// runs that are below a value.
// Files without a name of their own are named after the table.
func (t *Table) Charts(table string, list []scenario.Chart) (drawn []Drawn, err error) {
	for k := range list {
		c := &list[k]
		name := strings.TrimSuffix(table, filepath.Ext(table)) + "-" + c.Measure
		if c.Over != "" {
			name += "-over-" + c.Over
		}
		if slices.ContainsFunc(drawn, func(d Drawn) bool { return d.File == name+".svg" }) {
			name += fmt.Sprint("-", k+1)
		}
		if name += ".svg"; c.File != "" {
			name = filepath.Join(filepath.Dir(table), c.File)
		}
		chart, err := t.chart(c)
		if err != nil {
			return nil, err
		}
		drawn = append(drawn, Drawn{name, chart})
	}
	return drawn, nil
}

// line is what a chart has of one group: the values at each place, or all of them.
type line struct {
	name   string
	values map[float64][]float64
}

func (t *Table) chart(c *scenario.Chart) (*picture.Chart, error) {
	out := &picture.Chart{Title: c.Measure, YLabel: c.Measure, XLabel: c.Over, LogX: c.LogX, LogY: c.LogY,
		Subtitle: "means of all runs, with 95 % intervals"}
	if c.Over == "" {
		out.XLabel, out.YLabel, out.Subtitle = c.Measure, "share of runs", "share of runs with at most this value"
	}
	if where := c.Where.String(); where != "" {
		out.Title += ", " + where
	}
	lines, err := t.lines(c)
	if c.Box {
		out.Subtitle = "boxes: the middle half of the runs, with the median; lines to the last within 1.5 times that"
		for _, l := range lines {
			out.Series = append(out.Series, l.boxes(len(out.Series))...)
		}
		return out, err
	}
	for _, l := range lines {
		s := picture.Series{Name: l.name, Style: picture.LinePoints}
		for _, x := range slices.Sorted(maps.Keys(l.values)) {
			if c.Over == "" {
				s.Style = picture.Line
				s.X, s.Y = distribution(l.values[x])
				continue
			}
			low, high := results.Interval(l.values[x])
			s.X, s.Y = append(s.X, x), append(s.Y, results.MeanOf(l.values[x]).Value)
			s.Lo, s.Hi = append(s.Lo, low), append(s.Hi, high)
		}
		if c.Over == "round" {
			s.Style = picture.Line
		}
		out.Series = append(out.Series, s)
	}
	return out, err
}

// boxes are those of a line, at each place, and the runs beyond them, in the look of the series after the first so
// many.
func (l *line) boxes(before int) []picture.Series {
	s := picture.Series{Name: l.name, Style: picture.Boxes}
	far := picture.Series{Style: picture.Points, Like: before + 1}
	for _, x := range slices.Sorted(maps.Keys(l.values)) {
		values := slices.Sorted(slices.Values(l.values[x]))
		low, high := results.Quantile(values, 0.25), results.Quantile(values, 0.75)
		reach := 1.5 * (high - low)
		within := results.Pick(values, func(v *float64) bool { return *v >= low-reach && *v <= high+reach })
		s.X, s.Y = append(s.X, x), append(s.Y, results.Quantile(values, 0.5))
		s.Lo, s.Hi = append(s.Lo, low), append(s.Hi, high)
		s.Least, s.Most = append(s.Least, within[0]), append(s.Most, within[len(within)-1])
		for _, v := range values {
			if v < low-reach || v > high+reach {
				far.X, far.Y = append(far.X, x), append(far.Y, v)
			}
		}
	}
	if far.X == nil {
		return []picture.Series{s}
	}
	return []picture.Series{s, far}
}

// lines groups the measurements in the order in which they come.
func (t *Table) lines(c *scenario.Chart) (list []*line, err error) {
	at := map[string]int{}
	for k, column := range t.columns {
		at[column.Name] = k
	}
	by := c.By
	if by == nil {
		by = t.open(c)
	}
	groups, some := map[string]*line{}, c.Where.String() != ""
	for _, row := range t.rows {
		value := known(row[at["value"]])
		if row[at["measure"]] != c.Measure || value == nil {
			continue
		}
		if some {
			if ok, err := c.Where.Hold(t.point(row)); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		var words []string
		for _, name := range by {
			if cell := fmt.Sprint(row[at[name]]); name == "algorithm" {
				words = append(words, cell)
			} else {
				words = append(words, name+" "+cell)
			}
		}
		name := strings.Join(words, ", ")
		l := groups[name]
		if l == nil {
			l = &line{name, map[float64][]float64{}}
			groups[name], list = l, append(list, l)
		}
		x, ok := 0.0, true
		if c.Over != "" {
			x, ok = numeric(row[at[c.Over]])
		}
		if ok {
			l.values[x] = append(l.values[x], *value)
		}
	}
	return list, nil
}

// point is the variables, and what they are in a row.
func (t *Table) point(row []any) (variables []string, at scenario.Values) {
	n := len(t.columns) - 7
	for k, column := range t.columns[1:n] {
		variables, at = append(variables, column.Name), append(at, fmt.Sprint(row[1+k]))
	}
	return variables, at
}

// open are the algorithm and the variables that have several values and are not what the chart is over.
func (t *Table) open(c *scenario.Chart) (by []string) {
	for k, column := range t.columns[:len(t.columns)-6] {
		if k == 0 || column.Name == c.Over {
			continue
		}
		if slices.ContainsFunc(t.rows, func(row []any) bool { return row[k] != t.rows[0][k] }) {
			by = append(by, column.Name)
		}
	}
	return by
}

func numeric(cell any) (float64, bool) {
	switch x := cell.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, x == x
	}
	return 0, false
}

// distribution is the share of values up to each of them, in steps.
func distribution(values []float64) (x, y []float64) {
	values = slices.Sorted(slices.Values(values))
	for k, v := range values {
		share := float64(k) / float64(len(values))
		x, y = append(x, v, v), append(y, share, share+1/float64(len(values)))
	}
	return x, y
}
