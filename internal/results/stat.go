package results

import (
	"math"
	"slices"

	"caucus.example/caucus"
)

// resamples is how many samples a bootstrap draws, and flips how many signs a test that does not go through all.
const (
	resamples = 2000
	flips     = 20_000
)

// Interval is the 95 % interval of the mean of a sample, by the bootstrap: between the percentiles of the means of
// samples drawn from it with replacement. Of one value it is that value. The draws are the same for samples of the same
// size.
func Interval(values []float64) (low, high float64) {
	if len(values) < 2 {
		return MeanOf(values).Value, MeanOf(values).Value
	}
	means := make([]float64, resamples)
	for k := range means {
		draw, sum := caucus.NewRand(1, "bootstrap", uint64(len(values)), uint64(k)), 0.0
		for range values {
			sum += values[draw.IntN(len(values))]
		}
		means[k] = sum / float64(len(values))
	}
	slices.Sort(means)
	return means[resamples/40], means[resamples-1-resamples/40]
}

// Quantile is the value below which a share of a sorted sample lies, between two of it on the line that joins them: as
// R and numpy have it unless told otherwise.
func Quantile(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	k := min(int(at), len(sorted)-1)
	next := min(k+1, len(sorted)-1)
	return sorted[k] + float64((at-float64(k))*(sorted[next]-sorted[k]))
}

// Pairs is what a sample of differences says: of two variants that ran with the same seeds.
type Pairs struct {
	N         int
	Mean      float64 // of the differences
	Low, High float64 // its 95 % interval
	Effect    float64 // mean over the standard deviation of the differences; None without a spread
	P         float64 // how likely a mean as far from 0 is if signs are those of coins
}

// Paired evaluates differences.
func Paired(differences []float64) Pairs {
	m := MeanOf(differences)
	p := Pairs{N: m.N, Mean: m.Value, Effect: None, P: coins(differences)}
	if p.Low, p.High = Interval(differences); m.SD > 0 {
		p.Effect = m.Value / m.SD
	}
	return p
}

// exactFlips is up to how many differences a test goes through all their signs.
const exactFlips = 11

// coins is the test of Fisher and Pitman: the share of all ways to give the differences signs, or of so many drawn
// ones, whose sum is as far from 0 as that of the sample.
func coins(differences []float64) float64 {
	n, sum := len(differences), 0.0
	for _, d := range differences {
		sum += d
	}
	limit := math.Abs(sum) * (1 - 1e-12)
	extreme := func(positive func(i int) bool) bool {
		sum := 0.0
		for i, d := range differences {
			if positive(i) {
				sum += d
			} else {
				sum -= d
			}
		}
		return math.Abs(sum) >= limit
	}
	count, of := 0, 1<<min(n, exactFlips)
	if n <= exactFlips {
		for signs := range of {
			if extreme(func(i int) bool { return signs>>i&1 == 1 }) {
				count++
			}
		}
		return float64(count) / float64(of)
	}
	for k := range flips {
		draw := caucus.NewRand(1, "coins", uint64(n), uint64(k))
		if extreme(func(int) bool { return draw.IntN(2) == 1 }) {
			count++
		}
	}
	return float64(count+1) / (flips + 1) // the sample is one of them
}

// Holm corrects what tests say for their number, so that with a probability of 95 % or more none that is below 0.05 is
// so by chance.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	out, most := make([]float64, len(p)), 0.0
	for k, i := range order {
		most = max(most, min(1, p[i]*float64(len(p)-k)))
		out[i] = most
	}
	return out
}
