package results

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

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

// Points takes the means of rows over the runs, in the order in which they come.
func Points(rows []Row) []Point {
	type key struct {
		series, network, metric string
		n                       int
		x                       uint64 // as bits, since None equals nothing
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
			list[k].Value = None
		}
	}
	return list
}

// Pick gives the elements that are wanted.
func Pick[T any](list []T, want func(*T) bool) (own []T) {
	for i := range list {
		if want(&list[i]) {
			own = append(own, list[i])
		}
	}
	return own
}

// Measured finds the mean of a series on a network that is measured over nothing, or over x.
func Measured(list []Point, series, network, metric string, x float64) Point {
	for i := range list {
		p := &list[i]
		if p.Series == series && p.Network == network && p.Metric == metric &&
			(p.X == x || math.IsNaN(p.X) && math.IsNaN(x)) {
			return *p
		}
	}
	return Point{Row: Row{Series: series, Network: network, Metric: metric, X: x, Value: None}}
}
