package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/internal/lease"
)

// leased is a network of agents that act only with a lease. The first is the strongest.
func leased(t *testing.T, seed uint64, n int, links edges, l Lease) *virtual {
	v := newVirtual(t, seed, n, links)
	for i, x := range v.nodes {
		x.cfg.Lease, x.cfg.Strength = l, float64(n-i)
	}
	return v
}

// holders are the nodes that may act at this moment. A node that is stopped does nothing.
func (v *virtual) holders() (list []int) {
	for i, x := range v.nodes {
		if x.agent == nil || x.frozen {
			continue
		}
		if _, ok := x.agent.Holds(); ok {
			list = append(list, i)
		}
	}
	return list
}

// alone runs and checks, step by step, that no two hold.
func (v *virtual) alone(d time.Duration) (held int) {
	v.t.Helper()
	for end := v.now.Add(d); v.now.Before(end); v.run(5 * time.Millisecond) {
		list := v.holders()
		if len(list) > 1 {
			v.t.Fatalf("at %v nodes %v hold", v.now, list)
		}
		held += len(list)
	}
	return held
}

const leasePeriod = 100 * time.Millisecond

// Two partitions of 3 and 2 of five, the holder among the 2: its lease ends within one lease, the 3 have a holder
// within the lease and 4 periods, and the 2 none. Then the parts come together.
func TestLeaseOfTheLargerPart(t *testing.T) {
	for seed := range uint64(20) {
		v := leased(t, seed, 5, clique(5), Lease{Size: 5, For: time.Second})
		v.upAll()
		v.within(time.Second+8*leasePeriod, "the first holds",
			func() bool { return slices.Equal(v.holders(), []int{0}) })
		v.alone(time.Second)
		v.cut = func(from, to int) bool { return (from < 2) != (to < 2) }
		began := v.now
		for len(v.holders()) == 0 || v.holders()[0] < 2 {
			v.alone(5 * time.Millisecond)
			if v.now.Sub(began) > time.Second+4*leasePeriod {
				t.Fatalf("seed %d: %v holds %v after the cut", seed, v.holders(), v.now.Sub(began))
			}
		}
		v.alone(3 * time.Second)
		if s := v.nodes[0].agent.Status(); s.Leads() || !s.Unleased || s.Ready(v.now) {
			t.Errorf("seed %d: the leader of the 2: %+v", seed, s.Leadership)
		}
		v.cut = nil
		v.alone(4 * time.Second)
		if !slices.Equal(v.holders(), []int{0}) {
			t.Errorf("seed %d: %v hold in the end", seed, v.holders())
		}
	}
}

// A datagram that was read before the process stood still, and is looked at after one that came later, has a round run
// at its own time. What is granted in it binds from the moment of the grant all the same.
func TestLateRoundGrantsForWhole(t *testing.T) {
	v := leased(t, 1, 3, clique(3), Lease{Size: 3, For: time.Second})
	v.upAll()
	v.within(time.Second+8*leasePeriod, "the first holds",
		func() bool { return slices.Equal(v.holders(), []int{0}) })
	a := v.nodes[1].agent
	v.run(2 * time.Second)
	a.leasing.granted-- // its request has come again
	a.lease(v.now.Add(-800 * time.Millisecond))
	if a.leasing.granted != a.leasing.told.Seq {
		t.Fatal("nothing was granted")
	}
	almost := a.clock(v.now) + a.leasing.rules.For - 1
	if a.leasing.granter.Grant(almost, lease.Holder{ID: 99}) {
		t.Error("the promise ended before its time")
	}
}

// Requests and grants go from neighbour to neighbour: on a line of 5 the first holds although it hears but one.
func TestLeaseOfALine(t *testing.T) {
	v := leased(t, 3, 5, lineOf(5), Lease{Size: 5, For: 2 * time.Second})
	v.upAll()
	v.within(4*time.Second, "the first holds", func() bool { return slices.Equal(v.holders(), []int{0}) })
	if held := v.alone(5 * time.Second); held != 1000 {
		t.Errorf("it holds in %d of 1000 moments", held)
	}
}

// Only who is listed grants: with two of the three members gone the others of a clique of 5 make no majority.
func TestLeaseOfMembers(t *testing.T) {
	v := leased(t, 3, 5, clique(5), Lease{Members: []string{"#3", "#4", "#5"}, For: time.Second})
	v.upAll()
	v.within(3*time.Second, "the first holds", func() bool { return slices.Equal(v.holders(), []int{0}) })
	v.kill(3)
	v.kill(4)
	v.alone(2 * time.Second)
	if v.alone(2*time.Second) != 0 {
		t.Errorf("%v hold with one member left", v.holders())
	}
}

// At most one holds in every moment of a life of faults: nodes are killed and come back as new ones, stand still and go
// on, are cut apart, and a third of all datagrams is lost. And much of the time somebody does.
func TestLeaseUnderFaults(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		v := leased(t, seed, 5, clique(5), Lease{Size: 5, For: time.Second})
		v.upAll()
		v.loss = 0.1 * float64(seed%4)
		held := 0
		for range 60 {
			i := v.rand.IntN(5)
			switch v.rand.IntN(5) {
			case 0:
				v.kill(i)
			case 1:
				if v.nodes[i].agent == nil {
					v.up(i)
				}
			case 2:
				v.freeze(i, !v.nodes[i].frozen)
			case 3:
				v.cut = func(from, to int) bool { return (from <= i) != (to <= i) }
			case 4:
				v.cut = nil
				for k, x := range v.nodes {
					v.freeze(k, false)
					if x.agent == nil {
						v.up(k)
					}
				}
			}
			held += v.alone(time.Duration(v.rand.IntN(2000)) * time.Millisecond)
		}
		if held < 1000 {
			t.Errorf("seed %d: somebody holds in %d of about 12000 moments", seed, held)
		}
	}
}

// freeze stops a process, or has it go on with what has come meanwhile. What it says of the lease, before it has looked
// at anything, must be of now.
func (v *virtual) freeze(i int, frozen bool) { v.nodes[i].frozen = frozen }

// A holder that is stopped for longer than the lease does not hold when it goes on, whatever it believed.
func TestLeaseOfAStoppedProcess(t *testing.T) {
	v := leased(t, 3, 3, clique(3), Lease{Size: 3, For: time.Second})
	v.upAll()
	v.within(3*time.Second, "the first holds", func() bool { return slices.Equal(v.holders(), []int{0}) })
	v.freeze(0, true)
	v.within(time.Second+8*leasePeriod, "another one holds", func() bool { return len(v.holders()) == 1 })
	if s := v.nodes[0].agent.Status(); s.Leads() {
		t.Errorf("after %v: %+v", time.Second, s.Leadership)
	}
	v.freeze(0, false)
	v.alone(3 * time.Second)
}

func TestLeaseConfig(t *testing.T) {
	for field, l := range map[string]Lease{
		"lease.for": {Size: 3}, "lease.size": {Members: []string{"a"}, Size: 3, For: time.Second},
		"lease.drift":      {Size: 3, For: time.Second, Drift: "1"},
		"lease.members[1]": {Members: []string{"a", "a"}, For: time.Second},
	} {
		_, err := Config{Lease: l}.Resolve()
		if err == nil || !strings.HasPrefix(fmt.Sprint(err), field+":") {
			t.Errorf("%v, want one about %s", err, field)
		}
	}
}

// All that follows leadership follows the lease: the leader of the two is told, and tells others, that it must not act,
// with the reason; and nobody is sent to it by name.
func TestAllFollowsTheLease(t *testing.T) {
	v := leased(t, 7, 5, clique(5), Lease{Size: 5, For: time.Second})
	v.upAll()
	v.within(3*time.Second, "the first holds", func() bool { return slices.Equal(v.holders(), []int{0}) })
	a := v.nodes[0].agent
	says := func() (role, reason, why string, named int) {
		s := a.Status()
		// rounds run in virtual time, /readyz by the clock
		s.LastRound = time.Now()
		stance := s.stance(s.LastRound)
		return stance.Role, stance.Reason, unready(&s), len(a.Names()["leader"])
	}
	role, reason, why, named := says()
	if role != act.Lead || reason != act.Elected || why != "" || named != 1 {
		t.Errorf("with the lease: %s %s %q, %d addresses", role, reason, why, named)
	}
	v.cut = func(from, to int) bool { return (from < 2) != (to < 2) }
	v.within(time.Second, "it is told", func() bool { role, _, _, _ := says(); return role != act.Lead })
	role, reason, why, named = says()
	if role != act.Undecided || reason != act.Unleased || !strings.HasPrefix(why, "no lease") || named != 0 {
		t.Errorf("without: %s %s %q, %d addresses", role, reason, why, named)
	}
}

// A machine that is suspended holds nothing once it goes on, before the loop has looked at anything: the lease counts
// by a clock that goes on meanwhile, though the monotonic one stands still. Nor does a member that was suspended forget
// a promise, or keep it for longer.
func TestLeaseOfASuspendedMachine(t *testing.T) {
	v := leased(t, 3, 3, clique(3), Lease{Size: 3, For: time.Second})
	v.upAll()
	v.within(3*time.Second, "the first holds", func() bool { return slices.Equal(v.holders(), []int{0}) })
	a := v.nodes[0].agent
	slept := a.asleep()
	a.asleep = func() time.Duration { return slept }
	if _, ok := a.Holds(); !ok {
		t.Fatal("it does not hold before")
	}
	slept += time.Second
	if until, ok := a.Holds(); ok {
		t.Errorf("after a second of sleep it holds for %v more", until.Sub(v.now))
	}
	s := v.nodes[1].agent.leasing
	other := lease.Holder{ID: 9, Nonce: 9}
	now := v.nodes[1].agent.clock(v.now)
	if s.granter.Grant(now, other) {
		t.Error("a member grants another one while it is bound")
	}
	if !s.granter.Grant(now+time.Second, other) {
		t.Error("a member that was suspended for as long as it is bound still is")
	}
}
