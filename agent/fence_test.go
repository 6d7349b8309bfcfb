package agent

import "testing"

// On a ring of 20 where every fifth datagram is lost and the leader dies again and again, two nodes may act for a
// while, and with the same number of a term; never with the same fence. A node that acts again after another has acted
// for the region has a greater fence than before.
func TestFencesDifferUnderLoss(t *testing.T) {
	t.Parallel()
	sameNumber := 0
	for seed := range uint64(4) {
		v := newVirtual(t, seed+1, 20, ring(20))
		v.upAll()
		v.settle("n1", 200)
		v.loss = 0.2
		owner, last := map[Fence]*Agent{}, map[*Agent]Fence{}
		for round := range 3000 {
			v.run(period)
			if round%300 == 150 {
				v.kill(round / 300 % 3)
			}
			if round%300 == 299 {
				v.up(round / 300 % 3)
			}
			numbers := map[uint64]bool{}
			for _, a := range v.alive() {
				l := a.lead
				if !l.Leads() || l.Term == 0 {
					continue
				}
				f := l.Fence()
				if was := owner[f]; was != nil && was != a {
					t.Fatalf("seed %d, round %d: %s acts with the fence %v, as %s has", seed, round, a.cfg.Name, f,
						was.cfg.Name)
				}
				if f.Compare(last[a]) < 0 {
					t.Errorf("seed %d, round %d: %s acts with %v after %v", seed, round, a.cfg.Name, f, last[a])
				}
				if owner[f], last[a] = a, f; numbers[f.Term] {
					sameNumber++
				}
				numbers[f.Term] = true
			}
		}
	}
	if sameNumber == 0 {
		t.Error("no number has stood for two at once: the numbers alone would do, and this shows nothing")
	}
}
