// Package sweep makes the runs of a study of one's own: all points of its plan, algorithms and seeds, as jobs that
// survive an interruption and can be shared among machines, and one typed table of what was measured.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/internal/scenario"
)

// Sweep is a plan, or the share of it that is done here.
type Sweep struct {
	*scenario.Plan
	Version, Build string
	Shard          Shard

	files    []scenario.Content
	measures []*Measure
	cells    []int // of this shard; a cell is an algorithm at a point
}

// New prepares the part of a plan. Neighbouring cells, which take about as long, go to different parts.
func New(p *scenario.Plan, shard Shard) (*Sweep, error) {
	s := &Sweep{Plan: p, Shard: shard}
	var err error
	if s.files, err = p.Files(); err != nil {
		return nil, err
	}
	wanted := p.Measures
	if len(wanted) == 0 {
		wanted = usual
	}
	if until := p.Seeds.Until; until != "" && !slices.Contains(wanted, until) {
		return nil, p.WrongMeasure(until, wanted)
	}
	var names []string
	for i := range Measures {
		m := &Measures[i]
		if names = append(names, m.Name); slices.Contains(wanted, m.Name) {
			s.measures = append(s.measures, m)
		}
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, p.WrongMeasure(name, names)
		}
	}
	if err := errors.Join(s.checkCharts(), s.checkClaims()); err != nil {
		return nil, err
	}
	for cell := range len(p.Points) * len(p.Algorithms) {
		if cell%shard.Of == shard.Index-1 {
			s.cells = append(s.cells, cell)
		}
	}
	return s, nil
}

// Runs is how many runs there are at least and at most.
func (s *Sweep) Runs() (least, most int) {
	return len(s.cells) * s.Seeds.Least, len(s.cells) * s.Seeds.Most
}

// Options are all that the results depend on, but for the shard: the plan, and the content of the files that it names.
func (s *Sweep) Options() []jobs.Option {
	list := jobs.List("plan", s.Text)
	for _, f := range s.files {
		list = append(list, jobs.List("file "+f.Name, f.Sum)...)
	}
	return list
}

// batch has the runs as jobs: the first seed of every cell, the second of every cell, and so on.
func (s *Sweep) batch() *jobs.Batch {
	b := &jobs.Batch{
		Name:    "sweep " + s.Name,
		Version: s.Version,
		Build:   s.Build,
		Options: append(s.Options(), jobs.List("shard", s.Shard)...),
		Jobs:    len(s.cells) * s.Seeds.Least,
		Most:    len(s.cells) * s.Seeds.Most,
		Run:     s.job,
	}
	if s.Seeds.Within > 0 {
		b.More = s.more
	}
	return b
}

// cell and seed of a job.
func (s *Sweep) place(job int) (cell int, seed uint64) {
	return s.cells[job%len(s.cells)], s.Seeds.First + uint64(job/len(s.cells))
}

// at is the point and the algorithm of a cell.
func (s *Sweep) at(cell int) (scenario.Values, scenario.Contestant) {
	return s.Points[cell/len(s.Algorithms)], s.Algorithms[cell%len(s.Algorithms)]
}

// name says in words what a cell is.
func (s *Sweep) name(cell int) string {
	at, c := s.at(cell)
	var words []string
	for k, name := range s.Variables {
		words = append(words, name+"="+scenario.Quote(at[k]))
	}
	if c.Label != "" {
		words = append(words, "algo="+scenario.Quote(c.Label))
	}
	return strings.Join(words, " ")
}

// job makes one run.
func (s *Sweep) job(ctx context.Context, job int) (results.Rows, error) {
	cell, seed := s.place(job)
	at, c := s.at(cell)
	sc, err := s.Scenario(at, c, seed)
	if err != nil {
		return nil, err
	}
	r, err := sc.Resolve()
	if err != nil {
		return nil, err
	}
	o, err := run(ctx, r, s.measures)
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%s, seed %d: %w", s.name(cell), seed, err)
		}
		return nil, err
	}
	label := c.Label
	if label == "" {
		label = r.Entry.Spec.Name
	}
	var rows results.Rows
	for _, m := range s.measures {
		if m.rounds && r.Entry.Spec.Shape != caucus.ShapeRounds {
			continue // an event algorithm has no rounds
		}
		m.read(o, func(x, value float64) {
			rows = append(rows, results.Row{Series: label, Network: r.Topology(), N: r.Config.Graph.Len(), Seed: seed,
				X: x, Metric: m.Name, Value: value})
		})
	}
	return rows, nil
}

// more names the runs that the cells need as well whose mean is not known well enough: half as many again. It looks at
// one cell at a time, so that a shard does the same as one that has all.
func (s *Sweep) more(done []results.Rows) (next []int) {
	for k := range s.cells {
		n := 0
		var rows []results.Row
		for job := k; job < len(done) && done[job] != nil; job += len(s.cells) {
			rows = append(rows, done[job]...)
			n++
		}
		if n == s.Seeds.Most || s.precise(rows) {
			continue
		}
		for range min(max(2, n/2), s.Seeds.Most-n) {
			next = append(next, n*len(s.cells)+k)
			n++
		}
	}
	return next
}

// precise tells whether the mean that is asked for is known well enough: at each event, if it is measured at several.
func (s *Sweep) precise(rows []results.Row) bool {
	values := map[float64][]float64{}
	for _, r := range rows {
		if r.Metric != s.Seeds.Until {
			continue
		}
		x := r.X
		if x != x {
			x = -1
		}
		if values[x] = append(values[x], r.Value); r.Value != r.Value {
			values[x] = values[x][:len(values[x])-1] // a run without a value tells nothing
		}
	}
	for _, v := range values {
		low, high := results.Interval(v)
		mean := results.MeanOf(v).Value
		if len(v) < 3 || max(high-mean, mean-low) > s.Seeds.Within*max(mean, -mean) {
			return false
		}
	}
	return true
}

// samples is how many runs an estimate makes at most.
const samples = 5

// Estimate makes a few runs, spread over the cells, until a time has passed, and tells how long the least and
// the greatest number of runs will take on so many cores.
func (s *Sweep) Estimate(ctx context.Context, workers int, limit time.Duration) (least, most time.Duration, of int,
	err error) {
	begin := time.Now()
	for of < min(samples, len(s.cells)) && (of == 0 || time.Since(begin) < limit) {
		// By the golden section no two are near each other, and what varies in turn is not met in step.
		_, part := math.Modf(float64(of) * (math.Phi - 1))
		if _, err := s.job(ctx, int(part*float64(len(s.cells)))); err != nil {
			return 0, 0, of, err
		}
		of++
	}
	each := time.Since(begin) / time.Duration(max(1, of)) / time.Duration(max(1, workers))
	few, many := s.Runs()
	return each * time.Duration(few), each * time.Duration(many), of, nil
}

// Do makes the runs that are not made yet.
func (s *Sweep) Do(ctx context.Context, at jobs.Setting) (*Table, error) {
	rows, err := s.batch().Do(ctx, at)
	if err != nil {
		return nil, err
	}
	return s.table(rows), nil
}

// table has the rows of jobs, those of a cell together.
func (s *Sweep) table(rows []results.Rows) *Table {
	t := &Table{columns: s.columns(), Meta: s.meta()}
	for k, cell := range s.cells {
		for job := k; job < len(rows); job += len(s.cells) {
			_, seed := s.place(job)
			for _, r := range rows[job] {
				t.add(s, cell, seed, r)
			}
		}
	}
	return t
}

// columns of a variable are typed by its values: whole numbers, numbers, or texts.
func (s *Sweep) columns() []results.Column {
	list := results.Columns("run:whole")
	for k, name := range s.Variables {
		kind := results.Whole
		for _, at := range s.Points {
			_, notWhole := strconv.ParseInt(at[k], 10, 64)
			_, notReal := strconv.ParseFloat(at[k], 64)
			switch {
			case notReal != nil:
				kind = results.Text
			case notWhole != nil && kind == results.Whole:
				kind = results.Real
			}
		}
		list = append(list, results.Column{Name: name, Kind: kind})
	}
	return append(
		list,
		results.Columns("algorithm:text network:text nodes:whole seed:whole round:real measure:text value:real")...)
}

func (s *Sweep) meta() []results.Pair {
	b := s.batch()
	b.Options = s.Options() // the same for all shards
	return []results.Pair{
		{Name: keyPlan, Value: s.Text},
		{Name: keyStudy, Value: b.Hash()},
		{Name: keyBuild, Value: s.Build},
		{Name: keyVersion, Value: s.Version},
		{Name: keyShard, Value: s.Shard.String()},
	}
}

// number is that of a run. It does not depend on how many runs other cells have.
func (s *Sweep) number(cell int, seed uint64) int64 {
	return int64(cell*s.Seeds.Most) + int64(seed-s.Seeds.First) + 1
}

// add appends a measurement.
func (t *Table) add(s *Sweep, cell int, seed uint64, r results.Row) {
	row := []any{s.number(cell, seed)}
	at, _ := s.at(cell)
	for k, text := range at {
		var value any = text
		switch t.columns[1+k].Kind {
		case results.Whole:
			value, _ = strconv.ParseInt(text, 10, 64)
		case results.Real:
			value, _ = strconv.ParseFloat(text, 64)
		}
		row = append(row, value)
	}
	t.rows = append(t.rows, append(row, r.Series, r.Network, int64(r.N), int64(seed), r.X, r.Metric, r.Value))
}
