package agent

import (
	"os"
	"testing"
	"time"
)

// disturb does to a fleet what makes leaders change, and undoes it.
func (v *virtual) disturb(i int) {
	while := func(most float64) { v.alone(time.Duration(v.rand.Float64() * most * float64(time.Second))) }
	switch v.rand.IntN(5) {
	case 0: // killed
		v.kill(i)
		while(2)
		v.up(i)
	case 1: // and started at once
		v.kill(i)
		v.up(i)
		while(2)
	case 2: // stopped, for less or for more than the lease
		v.freeze(i, true)
		while(3)
		v.freeze(i, false)
		while(1)
	case 3: // all anew
		for k := range v.nodes {
			v.kill(k)
		}
		v.upAll()
		while(2)
	case 4:
		v.loss = 0.33
		while(4)
		v.loss = 0
	}
}

// oneOrHolder is a node by chance, in half of the cases the holder.
func (v *virtual) oneOrHolder() int {
	if list := v.holders(); len(list) == 1 && v.rand.IntN(2) == 0 {
		return list[0]
	}
	return v.rand.IntN(len(v.nodes))
}

// sought is for how long the larger part of a fleet that has been cut waits for a holder, from the cut on and from
// when its nodes have agreed on a leader for good.
func (v *virtual) sought(two func(int) bool) (cut, agreed time.Duration) {
	began, since := v.now, v.now
	for len(v.holders()) == 0 || two(v.holders()[0]) {
		v.alone(5 * time.Millisecond)
		leaders := map[string]bool{}
		for k, x := range v.nodes {
			if !two(k) {
				leaders[x.agent.Status().Leader] = true
			}
		}
		if leaders[v.nodes[0].cfg.Name] && two(0) || leaders[v.nodes[1].cfg.Name] && two(1) || len(leaders) > 1 {
			since = v.now
		}
	}
	return v.now.Sub(began), v.now.Sub(since)
}

// Five are cut into 3 and 2 while they are still busy with a fault: the 3 have a holder within the lease and 4 periods,
// or within the lease and 2 periods from when they have agreed on a leader, if they do that late, as they hardly do
// but for damping.
func TestLeaseAfterAnyCut(t *testing.T) {
	t.Parallel()
	seeds := uint64(20)
	if os.Getenv("CAUCUS_FULL") != "" {
		seeds = 300
	}
	for _, damping := range []string{Off, "on"} {
		cuts, late, longest := 0, 0, time.Duration(0)
		for seed := range seeds {
			v := leased(t, seed, 5, clique(5), Lease{Size: 5, For: time.Second})
			for _, x := range v.nodes {
				x.cfg.Damping = damping
			}
			v.upAll()
			v.run(3 * time.Second)
			for range 6 {
				v.disturb(v.oneOrHolder())
				v.within(10*time.Second, "somebody holds", func() bool { return len(v.holders()) > 0 })
				i := v.oneOrHolder()
				j := (i + 1 + v.rand.IntN(4)) % 5
				two := func(k int) bool { return k == i || k == j }
				v.cut = func(from, to int) bool { return two(from) != two(to) }
				took, agreed := v.sought(two)
				cuts++
				longest = max(longest, took)
				if took > time.Second+4*leasePeriod {
					late++
					if agreed > time.Second+2*leasePeriod {
						t.Errorf("damping %s, seed %d: held %v after the cut of %d and %d, %v after all agreed",
							damping, seed, took, i, j, agreed)
					}
				}
				v.alone(time.Second)
				v.cut = nil
				v.within(10*time.Second, "somebody holds", func() bool { return len(v.holders()) > 0 })
			}
		}
		t.Logf("damping %s: %d of %d later than the lease and 4 periods, %v at most", damping, late, cuts,
			longest)
		if late*50 > cuts {
			t.Errorf("%d of %d are late", late, cuts)
		}
	}
}
