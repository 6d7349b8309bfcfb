package study

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"caucus.example/caucus/internal/picture"
	"gonum.org/v1/gonum/stat"
)

// Row is one measurement. All that a study says, and every file and chart of it, comes from its rows.
type Row struct {
	Series  string  // what is compared: an algorithm, a variant
	Network string  // a scenario, a generator, the kind of a topology
	N       int     // nodes
	Seed    uint64  // of the run, or its number from 1 where one seed makes all; 0: no single run
	X       float64 // what the metric is measured over: a round, a second, K; none if there is no such thing
	Metric  string
	Value   float64 // none: this run has none, as the time of what never happens
}

// none is where there is no number: an empty cell.
var none = math.NaN()

// Point is what the rows that differ in nothing but the run have in common.
type Point struct {
	Row       // without seed; its value is that of the mean
	Mean Mean // over the runs that have a value
	Runs int  // all of them
}

// Mean is what a sample says of an expectation.
type Mean struct {
	N      int     `json:"n"`
	Value  float64 `json:"mean"`
	SD     float64 `json:"sd"` // 0 for a sample of one
	StdErr float64 `json:"stdErr"`
	Least  float64 `json:"-"`
	Most   float64 `json:"-"`
}

// MeanOf describes a sample of at least one value.
func MeanOf(values []float64) Mean {
	m := Mean{N: len(values)}
	if m.N == 0 {
		return m
	}
	m.Least, m.Most = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		m.Least, m.Most = min(m.Least, v), max(m.Most, v)
	}
	if m.Value = values[0]; m.N > 1 {
		m.Value, m.SD = stat.MeanStdDev(values, nil)
		m.StdErr = m.SD / math.Sqrt(float64(m.N))
	}
	return m
}

// points takes the means of rows over the runs, in the order in which they come.
func points(rows []Row) []Point {
	type key struct {
		series, network, metric string
		n                       int
		x                       uint64 // as bits, since none equals nothing
	}
	places := map[key]int{}
	var list []Point
	var values [][]float64
	for i := range rows {
		r := &rows[i]
		k := key{r.Series, r.Network, r.Metric, r.N, math.Float64bits(r.X)}
		at, ok := places[k]
		if !ok {
			at = len(list)
			places[k] = at
			list, values = append(list, Point{Row: *r}), append(values, nil)
		}
		list[at].Runs++
		if !math.IsNaN(r.Value) {
			values[at] = append(values[at], r.Value)
		}
	}
	for k := range list {
		list[k].Seed, list[k].Mean = 0, MeanOf(values[k])
		if list[k].Value = list[k].Mean.Value; list[k].Mean.N == 0 {
			list[k].Value = none
		}
	}
	return list
}

// pick gives the elements that are wanted.
func pick[T any](list []T, want func(*T) bool) (own []T) {
	for i := range list {
		if want(&list[i]) {
			own = append(own, list[i])
		}
	}
	return own
}

// measured finds the mean of a series on a network that is measured over nothing, or over x.
func measured(list []Point, series, network, metric string, x float64) Point {
	for i := range list {
		p := &list[i]
		if p.Series == series && p.Network == network && p.Metric == metric && (p.X == x || math.IsNaN(p.X) && math.IsNaN(x)) {
			return *p
		}
	}
	return Point{Row: Row{Series: series, Network: network, Metric: metric, X: x, Value: none}}
}

// look is how points become lines of a chart: one for each name, in the order in which they come.
type look struct {
	name  func(*Point) string // nil: the series
	like  func(*Point) string // the line above whose colour it has; nil: its own
	x     func(*Point) float64
	style picture.Style
	band  bool // one standard deviation to both sides, but not beyond what was met
}

// add puts the lines of points into a chart. A line that has the colour of another and no name is not in the legend.
func (l look) add(c *picture.Chart, list []Point) {
	for i := range list {
		p := &list[i]
		if p.Mean.N == 0 {
			continue
		}
		name, like, x := p.Series, "", p.X
		if l.name != nil {
			name = l.name(p)
		}
		if l.like != nil {
			like = l.like(p)
		}
		if l.x != nil {
			x = l.x(p)
		}
		s := line(c, name, like, l.style)
		if s.put(x, p.Value); l.band {
			s.Lo = append(s.Lo, max(p.Mean.Least, p.Value-p.Mean.SD))
			s.Hi = append(s.Hi, min(p.Mean.Most, p.Value+p.Mean.SD))
		}
	}
}

// curve is a line of a chart that grows.
type curve struct{ *picture.Series }

func (s curve) put(x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// line finds a line of a chart, or begins it, in the colour of the line like if there is one.
func line(c *picture.Chart, name, like string, style picture.Style) curve {
	of := slices.IndexFunc(c.Series, func(s picture.Series) bool { return like != "" && s.Name == like }) + 1
	for k := range c.Series {
		if s := &c.Series[k]; s.Name == name && s.Like == of && s.Style == style {
			return curve{s}
		}
	}
	c.Series = append(c.Series, picture.Series{Name: name, Style: style, Like: of})
	return curve{&c.Series[len(c.Series)-1]}
}

func bySize(p *Point) float64  { return float64(p.N) }
func bySeries(p *Point) string { return p.Series }

// charts are the two files of a chart; none without a line.
func charts(name string, c *picture.Chart) []File {
	if len(c.Series) == 0 {
		return nil
	}
	var list []File
	for _, ending := range []string{".svg", ".png"} {
		list = append(list, File{name + ending, func(out io.Writer) error { return c.Write(out, ending) }})
	}
	return list
}

// tables are the files with all rows, and with their means.
func tables(study string, rows []Row) []File {
	return []File{
		csvFile("results.csv", "study,series,network,n,seed,x,metric,value", func(row func(...any)) {
			for i := range rows {
				r := &rows[i]
				var seed any = r.Seed
				if r.Seed == 0 {
					seed = none
				}
				row(study, r.Series, r.Network, r.N, seed, r.X, r.Metric, r.Value)
			}
		}),
		csvFile("means.csv", "study,series,network,n,x,metric,mean,sd,std_err,valued,runs", func(row func(...any)) {
			for _, p := range points(rows) {
				if p.Mean.N < 2 {
					p.Mean.SD, p.Mean.StdErr = none, none
				}
				row(study, p.Series, p.Network, p.N, p.X, p.Metric, p.Value, p.Mean.SD, p.Mean.StdErr, p.Mean.N, p.Runs)
			}
		}),
	}
}

// csvFile has a line with the names of the columns and then one a row, and nothing else. Each column is of one kind; a
// number that there is none of is an empty cell. What was run stands in meta.json.
func csvFile(name, columns string, rows func(row func(...any))) File {
	return File{name, func(out io.Writer) error {
		if _, err := fmt.Fprintln(out, columns); err != nil {
			return err
		}
		w := csv.NewWriter(out)
		var line []string
		rows(func(values ...any) {
			line = line[:0]
			for _, v := range values {
				line = append(line, cell(v))
			}
			w.Write(line)
		})
		w.Flush()
		return w.Error()
	}}
}

func cell(value any) string {
	switch x := value.(type) {
	case string:
		return x
	case float64:
		if math.IsNaN(x) {
			return ""
		}
		return number(x)
	}
	return fmt.Sprint(value)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
