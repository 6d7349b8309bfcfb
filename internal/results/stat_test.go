package results

import (
	"math"
	"slices"
	"testing"

	"caucus.example/caucus"
)

// Of four differences of one sign 2 of 16 ways to give them signs are as far from 0; of 1, 1 and -1 all but none.
// As quantile() of R has it, and numpy.quantile.
func TestQuantile(t *testing.T) {
	for _, c := range []struct{ share, want float64 }{{0, 1}, {0.25, 1.75}, {0.5, 2.5}, {0.75, 4.75}, {1, 10}} {
		if got := Quantile([]float64{1, 2, 3, 10}, c.share); got != c.want {
			t.Errorf("%g: %g, want %g", c.share, got, c.want)
		}
	}
	if Quantile([]float64{7}, 0.25) != 7 {
		t.Error("one value")
	}
}

func TestPaired(t *testing.T) {
	if p := Paired([]float64{1, 2, 3, 4}); p.P != 2.0/16 || p.Mean != 2.5 || p.N != 4 ||
		math.Abs(p.Effect-2.5/math.Sqrt(5.0/3)) > 1e-12 ||
		p.Low < 1 ||
		p.High > 4 ||
		p.Low >= p.High {
		t.Errorf("%+v", p)
	}
	if p := Paired([]float64{1, 1, -1}); p.P != 1 {
		t.Errorf("%+v", p)
	}
	if p := Paired([]float64{2, 2, 2}); !math.IsNaN(p.Effect) || p.P != 0.25 || p.Low != 2 || p.High != 2 {
		t.Errorf("%+v", p)
	}
	if p := Paired(slices.Repeat([]float64{1}, 30)); p.P > 0.001 {
		t.Errorf("thirty times the same sign: %+v", p)
	}
}

// 0.01·3 = 0.03, 0.02·2 = 0.04, 0.04·1 is raised to 0.04.
func TestHolm(t *testing.T) {
	if got, want := Holm([]float64{0.04, 0.01, 0.02}), []float64{0.04, 0.03, 0.04}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("%v", got)
	}
}

// 95 % intervals of samples of 20 from a uniform distribution hold its mean in about 95 of 100 cases; fewer than 85
// would be 4.6 standard deviations away.
func TestIntervalCovers(t *testing.T) {
	holds := 0
	for k := range 100 {
		draw := caucus.NewRand(7, "cover", uint64(k))
		values := make([]float64, 20)
		for i := range values {
			values[i] = draw.Float64()
		}
		if low, high := Interval(values); low <= 0.5 && 0.5 <= high {
			holds++
		}
	}
	if holds < 85 || holds == 100 {
		t.Errorf("%d of 100", holds)
	}
	if low, high := Interval([]float64{3}); low != 3 || high != 3 {
		t.Errorf("%g to %g", low, high)
	}
}
