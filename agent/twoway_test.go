package agent

import (
	"fmt"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/bully"
)

// bound is how long a link that carries one way only may be believed in: until the other end has missed this one, and
// then its next datagram, and the next round here.
func bound(expiry int) time.Duration { return time.Duration(expiry+2) * period }

// A leader whom nobody hears steps down within expiry + 2 periods, says that it is unheard, and stays down for as
// long as it hears anybody; the others elect another. As soon as it is heard again it leads again.
func TestMuteLeader(t *testing.T) {
	for n, links := range map[int]edges{2: clique(2), 3: clique(3), 4: line(4)} {
		for seed := range uint64(10) {
			v := newVirtual(t, seed, n, links)
			v.upAll()
			v.settle("n1", 40)
			mute := v.nodes[0].agent
			v.cut = func(from, _ int) bool { return from == 0 }
			v.within(bound(3), "the leader steps down", func() bool {
				s := mute.Status()
				return s.Role == "undecided" && s.Unheard
			})
			v.seen = func(i int, l Leadership) {
				if i == 0 && l.LeaderID != caucus.None {
					t.Errorf("unheard, it reports %v", l)
				}
			}
			v.run(60 * period) // those that no longer hear it send to it less often
			for _, a := range v.alive()[1:] {
				if s := a.Status(); s.Leader == "n1" || s.Leader == "" || s.Unheard {
					t.Errorf("%s reports %v, unheard %v", s.Name, s.Leadership, s.Unheard)
				}
			}
			v.cut, v.seen = nil, nil
			v.settle("n1", 40)
			if mute.Status().Unheard {
				t.Error("still unheard")
			}
		}
	}
}

// A node that nobody hears from its start leads at no time, whatever its strength.
func TestBornMute(t *testing.T) {
	v := newVirtual(t, 3, 3, clique(3))
	v.cut = func(from, _ int) bool { return from == 0 }
	v.seen = func(i int, l Leadership) {
		if i == 0 && l.LeaderID != caucus.None {
			t.Errorf("unheard, it reports %v", l)
		}
	}
	v.upAll()
	v.run(50 * period)
	if s := v.nodes[0].agent.Status(); !s.Unheard {
		t.Errorf("%v, want unheard", s.Leadership)
	}
	term := uint64(0)
	if !agreed("n2", v.alive()[1:], &term) {
		t.Error("the others do not agree")
	}
}

// A leader that hears nobody is given up within the same time by those who see that it does not hear them. It
// cannot tell that from being alone.
func TestDeafLeader(t *testing.T) {
	for seed := range uint64(10) {
		v := newVirtual(t, seed, 4, clique(4))
		v.upAll()
		v.settle("n1", 40)
		v.cut = func(_, to int) bool { return to == 0 }
		v.within(bound(3), "it is given up", func() bool {
			for _, a := range v.alive()[1:] {
				if a.Status().Leader == "n1" {
					return false
				}
			}
			return true
		})
		v.run(6 * period)
		term := uint64(0)
		if !agreed("n2", v.alive()[1:], &term) {
			t.Error("the others do not agree")
		}
		v.cut = nil
		v.settle("n1", 40)
	}
}

// A link that carries one way only is none: the way round is taken.
func TestOneWayLinkGoesRound(t *testing.T) {
	v := newVirtual(t, 1, 5, append(line(5), [2]int{4, 0}))
	v.cut = func(from, to int) bool { return from == 0 && to == 1 }
	v.upAll()
	v.settle("n1", 40)
	v.run(10 * period)
	if s := v.nodes[1].agent.Status(); s.Distance != 4 {
		t.Errorf("%d hops from the leader, want 4: the other way round", int(s.Distance))
	}
	for _, n := range v.nodes[0].agent.Status().Neighbours {
		if n.Name == "n2" && (!n.Live || n.Hears) {
			t.Errorf("n1 sees of n2 %+v, want that it is heard and does not hear", n)
		}
	}
}

// Algorithms of events are told nothing of it, but a leader of theirs that is unheard does not say that it leads
// either.
func TestMuteLeaderOfEvents(t *testing.T) {
	v := newVirtual(t, 2, 3, clique(3))
	v.proto = hosting(bully.Algorithm{})
	v.upAll()
	v.run(60 * period)
	leader := -1
	for i, a := range v.alive() {
		if a.Status().Leads() {
			leader = i
		}
	}
	if leader < 0 {
		t.Fatal("nobody leads")
	}
	v.cut = func(from, _ int) bool { return from == leader }
	v.within(bound(3), "the leader steps down", func() bool { return v.nodes[leader].agent.Status().Unheard })
}

// Nodes that only boot one after the other are not unheard.
func TestBootIsNotUnheard(t *testing.T) {
	for seed := range uint64(20) {
		v := newVirtual(t, seed, 5, clique(5))
		for i := range v.nodes {
			v.up(i)
			v.run(time.Duration(v.rand.Float64() * float64(5*period)))
			for _, a := range v.alive() {
				if a.Status().Unheard {
					t.Errorf("seed %d: %s is unheard with %d nodes up", seed, a.cfg.Name, i+1)
				}
			}
		}
		v.settle("n1", 20)
	}
}

// A silent peer is sent to after 1, 2, 4 and then every 8 periods, told so, and at once when it is heard; it is
// found however long it was away.
func TestSilentPeersAreAskedLess(t *testing.T) {
	v := newVirtual(t, 4, 2, clique(2))
	var sent []string
	began := v.now
	v.sent = func(p packet) {
		if v.at(p.to) == 1 {
			sent = append(sent, fmt.Sprint(int64(p.at.Sub(began).Round(period)/period), "+", p.data[5]))
		}
	}
	v.up(0)
	v.nodes[0].agent.due = v.now.Add(period)
	v.run(24*period + period/2)
	if got := fmt.Sprint(sent); got != "[0+1 1+2 3+4 7+8 15+8 23+8]" {
		t.Errorf("sent after %s periods", got)
	}
	v.sent = nil
	v.run(1000 * period)
	v.up(1)
	took := v.within(2*period, "found again", func() bool { return v.nodes[0].agent.peers[0].counts() })
	if took > 10*time.Millisecond {
		t.Errorf("a peer that speaks counts after %v", took)
	}
	v.settle("n1", 10)
}

func TestAllowance(t *testing.T) {
	var b allowance
	now, taken := time.Unix(0, 0), 0
	for range 1000 {
		if b.take(now, askRate) {
			taken++
		}
	}
	if taken != askInBuffer {
		t.Errorf("%d at once, want %d", taken, askInBuffer)
	}
	for range 1000 {
		now = now.Add(time.Second / 500)
		if b.take(now, askRate) {
			taken++
		}
	}
	if taken -= askInBuffer; taken < 2*askRate-1 || taken > 2*askRate+1 {
		t.Errorf("%d in 2 s, want %d", taken, 2*askRate)
	}
}
