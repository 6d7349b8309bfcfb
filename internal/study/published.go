package study

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Published is a number that a paper reports.
type Published struct {
	Paper string
	Where string // in the paper
	Value float64
}

// The numbers of Mo et al., by K: mean rounds until all nodes agree for good. The paper gives no spread.
var (
	moPaper = "Mo, Audrito, Dasgupta, Beal, IFAC 2020"

	moClean = map[int]Published{
		1: {moPaper, "simulations, clean start", 115},
		2: {moPaper, "simulations, clean start", 36},
		3: {moPaper, "simulations, clean start", 28},
	}
	moFake = map[int]Published{
		2: {moPaper, "simulations, fake leader at t = 10", 52},
		3: {moPaper, "simulations, fake leader at t = 10", 40},
	}
	// What the same paper reports for the algorithm of Datta, Larmore and Vemula.
	dattaClean = Published{moPaper, "simulations, clean start, after Datta et al.", 41}
	dattaFake  = Published{moPaper, "simulations, fake leader at t = 10, after Datta et al.", 53}
)

// Comparison is a measured mean, beside the published one if there is one.
type Comparison struct {
	Quantity  string
	Variant   string // of the algorithm
	Published *Published
	Measured  Mean
}

// Mean is what a sample says of an expectation.
type Mean struct {
	N          int
	Value      float64
	SD, StdErr float64 // 0 for a sample of one
}

// MeanOf describes a sample of at least one value.
func MeanOf(values []float64) Mean {
	m := Mean{N: len(values)}
	if m.N < 2 {
		if m.N == 1 {
			m.Value = values[0]
		}
		return m
	}
	m.Value, m.SD = stat.MeanStdDev(values, nil)
	m.StdErr = m.SD / math.Sqrt(float64(m.N))
	return m
}

// Difference is how far the measured mean is above the published one, in standard errors of the former; ok is
// false if that has no meaning.
func (c Comparison) Difference() (errors float64, ok bool) {
	if c.Published == nil || c.Measured.StdErr == 0 {
		return 0, false
	}
	return (c.Measured.Value - c.Published.Value) / c.Measured.StdErr, true
}

// Misfit is the root mean square of the relative deviations from what is published, over the
// comparisons that have something published.
func Misfit(list []Comparison) float64 {
	sum, n := 0.0, 0
	for _, c := range list {
		if c.Published != nil {
			d := c.Measured.Value/c.Published.Value - 1
			sum, n = sum+d*d, n+1
		}
	}
	return math.Sqrt(sum / float64(n))
}

// The numbers of Pianini, Casadei and Viroli, from the data that they published with the paper.
var (
	boundedPaper = "Pianini, Casadei, Viroli, ACSOS 2022"

	// Mean instability in the scenario random: over the run, and after the first 100 s.
	boundedRandom = map[string][2]float64{
		"recursive": {.0744, .0725}, "classic": {.0891, .0882}, "proposed": {.0555, .0550},
	}
	// Scale-free: seconds after the changes of strength at 100 to 500 s until the mean instability is below 0.01.
	boundedSettled = map[string][5]float64{
		"recursive": {54, 47, 28, 54, 51}, "classic": {36, 39, 39, 36, 39}, "proposed": {21, 29, 21, 21, 29},
	}
)
