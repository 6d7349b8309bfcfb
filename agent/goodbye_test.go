package agent

import (
	"testing"
	"time"
)

// After a goodbye all follow the next leader with one term, and it acts, within the way of the notice and back and
// a part of a period, whatever the network.
func TestGoodbyeIsActedOnAtOnce(t *testing.T) {
	for name, links := range map[string]edges{"clique": clique(5), "line": line(8), "ring": ring(10)} {
		n := 0
		for _, e := range links {
			n = max(n, e[0]+1, e[1]+1)
		}
		var sum, worst time.Duration
		const trials = 10
		for seed := range uint64(trials) {
			v := newVirtual(t, seed, n, links)
			v.upAll()
			v.settle("n1", 40)
			v.run(10*period + time.Duration(v.rand.Float64()*float64(period)))
			v.leave(0)
			took := v.within(5*period, "the next leader acts", func() bool {
				term := uint64(0)
				return agreed("n2", v.alive(), &term)
			})
			sum, worst = sum+took, max(worst, took)
			v.run(20 * period)
			v.settle("n2", 1)
		}
		t.Logf("%s: %v on average, %v at worst", name, sum/trials, worst)
		if sum/trials > period/2 {
			t.Errorf("%s: it takes %v on average, want less than half a period", name, sum/trials)
		}
	}
}
