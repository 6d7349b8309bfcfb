package control_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring/ringtest"
	"caucus.example/caucus/algo/kit/ring/worst"
	"caucus.example/caucus/algo/rings/control"
	"caucus.example/caucus/sim"
)

func run(t *testing.T, growth uint64, ids []caucus.ID, cfg sim.Config) *sim.Result {
	t.Helper()
	return ringtest.Run(t, control.Algorithm{Growth: growth}, &control.Spec, ids, cfg)
}

// The node of least ID starts alone on a ring of 16: out and home on both sides, 4d messages for each
// distance d below 16, then once round both ways and the announcement, 3·16.
// Doubling: 4(1+2+4+8) + 48 = 108. Tripling: 4(1+3+9) + 48 = 100.
func TestOneCandidate(t *testing.T) {
	for growth, want := range map[uint64]int64{2: 108, 3: 100} {
		r := run(t, growth, worst.Increasing(16), sim.Config{Initiators: []int{0}})
		if r.Messages != want || r.Kinds[control.Back] != (want-48)/2 || r.Kinds[control.Notify] != 16 {
			t.Errorf("growth %d: %d messages %v, want %d", growth, r.Messages, r.Kinds, want)
		}
	}
}

// Below 7 n log n if the distance doubles and 6.31 if it triples. In the last stage one ID goes out far enough, and
// there is the announcement: at most 8n more. On average 3.6 and 3.1 times n log n at n = 128.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		growth      uint64
		bound, mean float64
	}{{2, 7, 3.6}, {3, 6.31, 3.1}} {
		for _, n := range []int{16, 27, 81, 128} {
			nlogn := float64(n) * math.Log2(float64(n))
			orders := [][]caucus.ID{worst.Increasing(n), worst.Decreasing(n), worst.Halving(n)}
			for seed := range uint64(200) {
				orders = append(orders, ringtest.Shuffled(n, seed))
			}
			sum := 0.0
			for k, ids := range orders {
				m := float64(run(t, c.growth, ids, sim.Config{}).Messages)
				if m > c.bound*nlogn+8*float64(n) {
					t.Errorf("growth %d, n = %d: %g messages on %v", c.growth, n, m, ids)
				}
				if k >= 3 {
					sum += m
				}
			}
			if mean := sum / float64(len(orders)-3) / nlogn; n == 128 && math.Abs(mean-c.mean) > 0.05 {
				t.Errorf("growth %d: mean %.3f n log n, want %.1f", c.growth, mean, c.mean)
			}
		}
	}
}
