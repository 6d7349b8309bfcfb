package agent

import (
	"testing"

	"caucus.example/caucus/internal/wire"
)

// withMinRegion lets everybody want at least so many.
func withMinRegion(v *virtual, n int) *virtual {
	for _, x := range v.nodes {
		x.cfg.MinRegion = n
	}
	return v
}

// The leader counts every node once, on trees and where there are many ways, also when some datagrams are lost.
func TestCensus(t *testing.T) {
	for name, c := range map[string]struct {
		n     int
		links edges
	}{"line": {7, line(7)}, "clique": {5, clique(5)}, "ring": {8, ring(8)}, "alone": {1, nil}} {
		t.Run(name, func(t *testing.T) {
			v := withMinRegion(newVirtual(t, 1, c.n, c.links), c.n)
			v.upAll()
			v.settle("n1", 100)
			// once all follow: hops go down, counts come up, and one period more for phases
			v.run(period * 2 * 8)
			for i, a := range v.alive() {
				s := a.Status()
				want := 0
				if i == 0 {
					want = c.n
				}
				if s.Members != want || s.Leads() != (i == 0) || s.Short {
					t.Errorf("%s counts %d, leads %v, short %v: %s", s.Name, s.Members, s.Leads(), s.Short, s.Lacks)
				}
			}
		})
	}
}

// A leader stops acting once too many are gone, within the expiry and a period for every hop, and says why; the smaller
// part of a cut network never acts.
func TestMinRegion(t *testing.T) {
	v := withMinRegion(newVirtual(t, 1, 5, line(5)), 3)
	v.upAll()
	leads := func(i int) bool { s := v.nodes[i].agent.Status(); return s.Leads() }
	v.within(30*period, "n1 acts", func() bool { return leads(0) })
	v.cut = func(from, to int) bool { return (from < 2) != (to < 2) }
	// its neighbour misses the third after 3 periods (and one of phase), and tells it one later; counts of the
	// other part have to go, too
	v.within(8*period, "n1 no longer acts", func() bool { return !leads(0) })
	v.within(40*period, "the larger part acts", func() bool { return leads(2) })
	s := v.nodes[0].agent.Status()
	if want := "a region of 2, as far as it has been counted, and min-region is 3"; s.Lacks != want ||
		s.Ready(s.LastRound) {
		t.Errorf("lacks %q, want %q; ready %v", s.Lacks, want, s.Ready(s.LastRound))
	}
	for range 50 {
		v.run(period)
		if leads(0) || leads(1) {
			t.Fatal("the smaller part acts")
		}
	}
	v.cut = nil
	v.within(40*period, "n1 acts again", func() bool { return leads(0) && !leads(2) })
}

// Nothing is sent for a census that nobody wants.
func TestCensusCostsNothingUnlessWanted(t *testing.T) {
	v := newVirtual(t, 1, 4, line(4))
	items := 0
	v.sent = func(p packet) {
		if e, err := v.decode(p); err != nil {
			t.Fatal(err)
		} else if e.Census != nil {
			items++
		}
	}
	v.nodes[3].cfg.MinRegion = 2 // a follower's wish concerns nobody
	v.upAll()
	v.settle("n1", 50)
	v.run(period)
	items = 0
	v.run(50 * period)
	if items > 0 {
		t.Errorf("%d datagrams with a census", items)
	}
}

// A census comes right whatever the numbers were: here one that counts itself far too high, and too far away.
func TestCensusStabilises(t *testing.T) {
	v := withMinRegion(newVirtual(t, 3, 6, ring(6)), 1)
	v.upAll()
	v.settle("n1", 50)
	v.run(20 * period)
	for i, a := range v.alive() {
		for _, p := range a.peers {
			p.census = &wire.Census{Hops: uint8(i), Parent: a.self.Nonce, Count: 1 << 31}
		}
	}
	v.run(8 * period)
	if got := v.nodes[0].agent.Status().Members; got != 6 {
		t.Errorf("%d members, want 6", got)
	}
}

// A leader that knows its region anyway needs no census: it acts with as many as min-region says, does not with fewer,
// and nobody sends one.
func TestMinRegionOfAKnownRegion(t *testing.T) {
	v := withMinRegion(knowing(t, 5, lineOf(5)), 3)
	v.sent = func(p packet) {
		if e, err := v.decode(p); err != nil || e.Census != nil {
			t.Fatalf("a census is sent: %v", err)
		}
	}
	v.upAll()
	v.within(30*period, "the first acts", func() bool {
		s := v.nodes[0].agent.Status()
		return s.Leads() && s.Members == 5
	})
	v.cut = func(from, to int) bool { return (from < 2) != (to < 2) }
	v.within(10*period, "the first does not act", func() bool {
		s := v.nodes[0].agent.Status()
		return !s.Leads() && s.Members < 3
	})
}
