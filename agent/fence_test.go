package agent

import "testing"

// Where datagrams are lost, the leader dies again and again, or processes stand still for longer than they are waited
// for, two nodes may act for a while, and with the same number of a term; never with the same fence. A node that acts
// again after another has acted for the region has a greater fence than before.
func TestFencesDifferUnderStress(t *testing.T) {
	t.Parallel()
	const rounds, every = 900, 300
	for what, stress := range map[string]struct {
		n     int
		links edges
		loss  float64
		each  func(v *virtual, round int)
	}{
		"ring of 20, a fifth is lost, leaders die": {20, ring(20), 0.2, func(v *virtual, round int) {
			switch who := round / every % 3; round % every {
			case every / 2:
				v.kill(who)
			case every - 1:
				v.up(who)
			}
		}},
		"clique of 8, three tenths are lost, any process stands still": {8, clique(8), 0.3, func(v *virtual, _ int) {
			for _, x := range v.nodes {
				x.frozen = x.frozen && v.rand.Float64() < 0.9 || v.rand.Float64() < 0.02
			}
		}},
	} {
		sameNumber := 0
		for seed := range uint64(3) {
			v := newVirtual(t, seed+1, stress.n, stress.links)
			v.upAll()
			v.settle("n1", 200)
			v.loss = stress.loss
			owner, last := map[Fence]*Agent{}, map[*Agent]Fence{}
			for round := range rounds {
				v.run(period)
				stress.each(v, round)
				numbers := map[uint64]bool{}
				for _, a := range v.alive() {
					l := a.lead
					if !l.Leads() || l.Term == 0 {
						continue
					}
					f := l.Fence()
					if was := owner[f]; was != nil && was != a {
						t.Fatalf("%s, seed %d, round %d: %s acts with the fence %v, as %s has", what, seed, round,
							a.cfg.Name, f, was.cfg.Name)
					}
					if f.Compare(last[a]) < 0 {
						t.Errorf("%s, seed %d, round %d: %s acts with %v after %v", what, seed, round, a.cfg.Name, f,
							last[a])
					}
					if owner[f], last[a] = a, f; numbers[f.Term] {
						sameNumber++
					}
					numbers[f.Term] = true
				}
			}
		}
		t.Logf("%s: in %d rounds a number stood for two that act", what, sameNumber)
		if sameNumber == 0 {
			t.Errorf("%s: no number has stood for two at once: numbers alone would do, and this shows nothing", what)
		}
	}
}
