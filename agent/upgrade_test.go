package agent

import (
	"fmt"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
)

// upgrade is a clique of 5 that is restarted one node after the other, while datagrams get lost, and counts who acts.
type upgrade struct {
	*virtual
	twice, nobody int // moments with two acting leaders; periods without one
}

func newUpgrade(t *testing.T, seed uint64, minRegion int) *upgrade {
	u := &upgrade{virtual: withMinRegion(newVirtual(t, seed, 5, clique(5)), minRegion)}
	u.proto = func(c *Config) (protocol, error) {
		radius := "9"
		if len(c.agreement) > 0 {
			radius = "4"
		}
		return erase(columns.OfRounds(within(t, radius)))
	}
	u.seen = func(int, Leadership) {
		if u.acting() > 1 {
			u.twice++
		}
	}
	u.upAll()
	u.run(30 * period)
	u.loss = 0.05
	u.twice, u.nobody = 0, 0
	return u
}

func (u *upgrade) acting() (n int) {
	for _, a := range u.alive() {
		if s := a.Status(); s.Leads() {
			n++
		}
	}
	return n
}

// restart takes one node down in order and brings it up again with what has changed, and the terms that it had on disk.
func (u *upgrade) restart(i int, change func(c *Config)) {
	kept := u.nodes[i].agent.terms.greatest()
	u.leave(i)
	u.pass(5)
	change(&u.nodes[i].cfg)
	u.up(i)
	if err := u.nodes[i].agent.ExceedTerm(kept); err != nil {
		u.t.Fatal(err)
	}
	u.pass(40)
}

func (u *upgrade) pass(periods int) {
	for range periods {
		u.run(period)
		if u.acting() == 0 {
			u.nobody++
		}
	}
}

func (u *upgrade) greatestFence() (f Fence) {
	for _, a := range u.alive() {
		if s := a.Status(); s.Leads() && s.Leadership.Fence().Compare(f) > 0 {
			f = s.Leadership.Fence()
		}
	}
	return f
}

// Another version of the program needs nothing but restarts: the others go on. Where min-region says that two must
// not act there is never a second leader; else the one that gives way to one that is back acts until that one does,
// so that somebody always acts but for the moment after a goodbye.
func TestRollingVersions(t *testing.T) {
	t.Parallel()
	for run := range uint64(20) {
		seed, minRegion := run/2, int(run%2)*3
		u := newUpgrade(t, seed, minRegion)
		for i := range u.nodes {
			u.restart(i, func(c *Config) { c.Program = "v2" })
		}
		versions := map[string]int{}
		for _, n := range u.nodes[0].agent.Status().Neighbours {
			versions[n.Version]++
		}
		if minRegion > 0 && u.twice > 0 || versions["v2"] != 4 {
			t.Errorf("seed %d: %d moments with two leaders, neighbours' versions %v", seed, u.twice, versions)
		}
		u.settle("n1", 50)
		// n1, the leader, is away once: a goodbye, and its return
		t.Logf("seed %d, min-region %d: nobody leads for %d of 225 periods", seed, minRegion, u.nobody)
		if most := map[int]int{0: 1, 3: 10}[minRegion]; u.nobody > most {
			t.Errorf("seed %d, min-region %d: nobody leads for %d of 225 periods, want at most %d", seed, minRegion,
				u.nobody, most)
		}
	}
}

// Parameters that have to be the same part the group while they change. With min-region above half of all nodes and
// the one that is under way, 4 of 5, at most one part acts at any moment, and in the end the new one does, with a
// greater fence. Without, both act.
func TestRollingParameters(t *testing.T) {
	t.Parallel()
	for _, minRegion := range []int{0, 4} {
		t.Run(fmt.Sprint("min-region=", minRegion), func(t *testing.T) {
			for seed := range uint64(10) {
				u := newUpgrade(t, seed, minRegion)
				before := u.greatestFence()
				for i := range u.nodes {
					u.restart(len(u.nodes)-1-i, func(c *Config) { c.agreement = []string{"radius=4"} })
				}
				u.loss = 0
				u.settle("n1", 50)
				u.run(10 * period)
				if (u.twice > 0) != (minRegion == 0) {
					t.Errorf("seed %d: %d moments with two acting leaders", seed, u.twice)
				}
				if after := u.greatestFence(); after.Compare(before) <= 0 || after.Leader != caucus.ID(1) {
					t.Errorf("seed %d: fence %v after %v", seed, after, before)
				}
			}
		})
	}
}
