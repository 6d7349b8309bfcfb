package agent

import (
	"math"
	"testing"

	"caucus.example/caucus/internal/columns"
)

// besideALossyLink is n3 between a better leader n1, over a link that loses this share of datagrams in both
// directions, and a lesser one n2 over a clean link.
func besideALossyLink(t *testing.T, seed uint64, metric, radius string, loss float64) *virtual {
	v := newVirtual(t, seed, 3, edges{{0, 2}, {1, 2}})
	v.proto = func(*Config) (protocol, error) { return erase(columns.OfRounds(within(t, radius))) }
	for _, x := range v.nodes {
		x.cfg.Metric = metric
	}
	v.cut = func(from, to int) bool { return from+to == 2 && v.rand.Float64() < loss }
	return v
}

// changesIn counts how often n3 changes its leader in 30 s, the first one included.
func changesIn(v *virtual) uint64 {
	v.upAll()
	v.run(300 * period)
	return v.nodes[2].agent.Status().Counters.LeaderChanges
}

// A link that loses most of what it carries is long: who has a clean one to a lesser leader follows that one, and
// changes its leader twice, to itself and to that one. By hops the same node goes to and fro.
//
// The first measure is over 16 datagrams, and only while the other is not given up for silent, so it comes out too
// short now and then, for which n3 follows n1 until there are some 50. That is so in 1.5 % of the runs. With that many
// more than 10 of 200 are wrong once in 4,000 choices of seeds; with 8 % they are in nine of ten.
func TestLossyLinkIsLong(t *testing.T) {
	t.Parallel()
	const seeds = 200
	wrong, hops := 0, uint64(0)
	for seed := range uint64(seeds) {
		v := besideALossyLink(t, seed, ETX, "3", 0.75)
		if changes := changesIn(v); changes > 2 {
			t.Logf("seed %d: %d changes", seed, changes)
			wrong++
		}
		if s := v.nodes[2].agent.Status(); s.Leader != "n2" {
			t.Errorf("seed %d: n3 follows %q", seed, s.Leader)
		}
		if seed%4 == 0 {
			hops += changesIn(besideALossyLink(t, seed, Hops, "3", 0.75))
		}
	}
	t.Logf("in %d of %d runs more than two changes under etx, %.1f changes on average under hops", wrong, seeds,
		float64(hops)/(seeds/4))
	if wrong > seeds/20 {
		t.Errorf("in %d of %d runs n3 goes back to n1", wrong, seeds)
	}
	if hops < seeds/4*4 {
		t.Errorf("%d changes in %d runs by hops: this network does not show the fault", hops, seeds/4)
	}
}

// Lengths are 1/(df*dr), at both ends, whichever direction loses how much.
func TestETX(t *testing.T) {
	for _, c := range []struct{ there, back float64 }{{0, 0}, {0.3, 0}, {0, 0.5}, {0.5, 0.5}} {
		v := newVirtual(t, 7, 2, line(2))
		for _, x := range v.nodes {
			x.cfg.Metric = ETX
		}
		v.cut = func(from, _ int) bool { return v.rand.Float64() < []float64{c.there, c.back}[from] }
		v.upAll()
		v.run(2000 * period)
		want := 1 / ((1 - c.there) * (1 - c.back))
		for i, a := range v.alive() {
			n := a.Status().Neighbours[0]
			// smoothed over 128 datagrams the share has a standard deviation of sqrt(0.25/256) = 0.031, each direction,
			// which is 9 % of two halves; 3.5 of these, and the quarter for which a length is held
			if math.Abs(n.Length/want-1) > 0.32+0.25 {
				t.Errorf("loss %v: node %d has length %g, want %g", c, i+1, n.Length, want)
			}
			in, out := c.back, c.there
			if i == 1 {
				in, out = out, in
			}
			if math.Abs(n.Loss-in) > 0.12 || math.Abs(n.Theirs-out) > 0.12 {
				t.Errorf("loss %v: node %d measures %g in and is told %g out", c, i+1, n.Loss, n.Theirs)
			}
		}
	}
}

// An edge has no length before both directions are measured, and one without loss has length 1 from then on; under
// another metric nothing is told.
func TestETXBegins(t *testing.T) {
	for _, metric := range []string{ETX, Hops} {
		v := newVirtual(t, 7, 2, line(2))
		for _, x := range v.nodes {
			x.cfg.Metric = metric
		}
		told, all := 0, 0
		v.sent = func(p packet) {
			e, err := v.decode(p)
			if err != nil {
				t.Fatal(err)
			}
			all++
			if e.Arrivals != 0 {
				told++
			}
		}
		v.upAll()
		if metric == Hops {
			v.run(1000 * period)
			if told != 0 {
				t.Errorf("%d datagrams of %d tell what arrives", told, all)
			}
			continue
		}
		v.run((etxSamples - 2) * period)
		if n := v.nodes[0].agent.Status().Neighbours[0]; n.Length != -1 {
			t.Errorf("length %g at once", n.Length)
		}
		v.run(10 * period)
		if n := v.nodes[0].agent.Status().Neighbours[0]; n.Length != 1 {
			t.Errorf("length %g without loss", n.Length)
		}
		told, all = 0, 0
		v.run(1000 * period)
		if told > all/nameEvery+2 {
			t.Errorf("%d datagrams of %d tell what arrives where nothing changes, want one in %d", told, all, nameEvery)
		}
	}
}
