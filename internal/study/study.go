// Package study repeats the published measurements of leader elections: many independent runs, the rows that they give,
// and what is found in them, beside the published numbers.
package study

import (
	"context"
	"io"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/layout"
	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/registry"
)

// Study is an experiment whose options are set: its jobs give rows, and all that is said comes from these.
type Study struct {
	jobs.Batch
	Find func(*Report) // puts what is found in the rows into the report
}

// Echo says in one line what is run.
func (s *Study) Echo() string {
	return jobs.Describe("caucus "+s.Version+" reproduce "+s.Name, s.Options)
}

// Run does the jobs and evaluates them; errors are those of Batch.Do.
func (s *Study) Run(ctx context.Context, at jobs.Setting) (*Report, error) {
	rows, err := s.Do(ctx, at)
	if err != nil {
		return nil, err
	}
	return s.Report(slices.Concat(rows...)), nil
}

// Report evaluates the rows of all jobs.
func (s *Study) Report(rows []results.Row) *Report {
	r := &Report{study: s, Experiment: s.Name, Version: s.Version, Options: s.Options, Rows: rows}
	s.Find(r)
	return r
}

// recorder collects the rows of a job. What they have in common is set between.
type recorder struct {
	results.Row
	rows results.Rows
}

// add is a value of the metric.
func (r *recorder) add(metric string, value float64) {
	r.Metric, r.Value = metric, value
	r.rows = append(r.rows, r.Row)
}

// wide is rows that differ in the metric alone, put together: a line of a table.
type wide struct {
	results.Row
	of map[string]float64 // by metric
}

// widen puts rows together, in the order in which the first of each comes.
func widen(rows []results.Row) (list []*wide) {
	type place struct {
		series, network string
		n               int
		seed            uint64
		x               float64
	}
	at := map[place]*wide{}
	for _, r := range rows {
		k := place{r.Series, r.Network, r.N, r.Seed, r.X}
		if r.X != r.X {
			k.x = -1 // of what is measured over nothing; nothing is measured over less than 0
		}
		w := at[k]
		if w == nil {
			w = &wide{r, map[string]float64{}}
			at[k] = w
			list = append(list, w)
		}
		w.of[r.Metric] = r.Value
	}
	return list
}

// look is how points become lines of a chart: one for each name, in the order in which they come.
type look struct {
	name  func(*results.Point) string // nil: the series
	like  func(*results.Point) string // the line above whose colour it has; nil: its own
	x     func(*results.Point) float64
	style picture.Style
	band  bool // one standard deviation to both sides, but not beyond what was met
}

// add puts the lines of points into a chart. A line that has the colour of another and no name is not in the legend.
func (l look) add(c *picture.Chart, list []results.Point) {
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

func bySize(p *results.Point) float64  { return float64(p.N) }
func bySeries(p *results.Point) string { return p.Series }

// charts are the files of a chart, one in each format; none without a line.
func charts(name string, c *picture.Chart) []File {
	if len(c.Series) == 0 {
		return nil
	}
	var list []File
	for _, ending := range layout.Endings {
		list = append(list, File{name + ending, func(out io.Writer) error { return c.Write(out, ending) }})
	}
	return list
}

// tables are the files with all rows, and with their means.
func tables(study string, rows []results.Row) []File {
	long := results.Long(study, rows)
	return []File{{"results.csv", long.CSV}, {"results.parquet", long.Parquet},
		{"means.csv", results.Means(study, rows).CSV}}
}

func number(x float64) string { return results.Number(x) }

// named finds an algorithm, and resolves its parameters.
func named(algo string, params map[string]string) (registry.Entry, caucus.Args, error) {
	entry, err := registry.Get(algo)
	if err != nil {
		return entry, caucus.Args{}, err
	}
	args, err := entry.Spec.Resolve("", params)
	return entry, args, err
}
