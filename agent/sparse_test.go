package agent

import (
	"math/bits"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caucus.example/caucus/internal/wire"
)

// sparse makes n agents that all know each other, each of which keeps about k.
func sparse(t testing.TB, seed uint64, n, k int, named bool) *virtual {
	v := newVirtual(t, seed, n, clique(n))
	for _, x := range v.nodes {
		x.cfg.MaxNeighbours = k
		for j := range x.cfg.Peers {
			if p := &x.cfg.Peers[j]; named {
				at, _ := p.literal()
				p.Name = v.nodes[v.at(at)].cfg.Name
			}
		}
	}
	return v
}

// parts is how many components the nodes that live make up, by links that count at both ends, and the greatest number
// of neighbours that one keeps.
func (v *virtual) parts() (parts, most int) {
	part := make([]int, len(v.nodes))
	for i, x := range v.nodes {
		if x.agent == nil || part[i] > 0 {
			continue
		}
		parts++
		for todo := []int{i}; len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if part[at] > 0 {
				continue
			}
			part[at] = parts
			for j := range v.nodes {
				if v.linked(at, j) && v.linked(j, at) {
					todo = append(todo, j)
				}
			}
		}
	}
	for _, a := range v.alive() {
		kept := 0
		for _, p := range a.peers {
			if a.keeps(p) && p.live {
				kept++
			}
		}
		most = max(most, kept)
	}
	return parts, most
}

// linked tells whether j counts at i, and is sent to.
func (v *virtual) linked(i, j int) bool {
	a, b := v.nodes[i].agent, v.nodes[j].agent
	if a == nil || b == nil || i == j {
		return false
	}
	for _, p := range a.peers {
		if p.inst == b.self {
			return p.counts() && a.keeps(p)
		}
	}
	return false
}

// Nodes come and go, one link carries nothing. In bounded time after that those that live are connected, follow one
// leader, and each has about k neighbours.
func TestSparseUnderChurn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n, k := rapid.IntRange(3, 16).Draw(rt, "n"), 2*rapid.IntRange(1, 3).Draw(rt, "k/2")
		named := rapid.Bool().Draw(rt, "named")
		v := sparse(t, rapid.Uint64().Draw(rt, "seed"), n, k, named)
		from, to := rapid.IntRange(0, n-1).Draw(rt, "from"), rapid.IntRange(0, n-1).Draw(rt, "to")
		v.cut = func(i, j int) bool { return i == from && j == to }
		v.upAll()
		if !named { // names have to be told once
			v.run(time.Duration(2*n+40) * period)
		}
		for range rapid.IntRange(0, 3*n).Draw(rt, "changes") {
			switch i := rapid.IntRange(0, n-1).Draw(rt, "node"); {
			case v.nodes[i].agent == nil:
				v.up(i)
			case len(v.alive()) > 2 && rapid.Bool().Draw(rt, "leaves"):
				v.leave(i)
			case len(v.alive()) > 2:
				v.kill(i)
			}
			v.run(time.Duration(rapid.IntRange(0, 2000).Draw(rt, "ms")) * time.Millisecond)
		}
		expiry := v.alive()[0].cfg.Expiry
		v.run(time.Duration(expiry+2+(expiry+1)*(2+bits.Len(uint(n)))) * period)
		if len(v.alive()) == 2 { // and these two may be those of the link that carries nothing
			return
		}
		if parts, most := v.parts(); parts != 1 || most > k+2 {
			rt.Errorf("%d nodes live in %d parts, and one keeps %d of at most %d", len(v.alive()), parts, most, k)
		}
		leader := ""
		v.run(20 * period)
		for _, a := range v.alive() {
			if l := a.Status().Leader; leader == "" {
				leader = l
			} else if l != leader {
				rt.Errorf("%s follows %s, another one %s", a.cfg.Name, l, leader)
			}
		}
	})
}

// Sixty nodes: what is sent is proportional to k, with names and without; half of them go at once.
func TestSparseIsSparse(t *testing.T) {
	t.Parallel()
	for _, named := range []bool{true, false} {
		const n, k = 60, 4
		v := sparse(t, 1, n, k, named)
		v.upAll()
		took := v.within(2*n*period, "one leader", func() bool {
			var term uint64
			return agreed("n1", v.alive(), &term)
		})
		v.run(3 * n * period)
		sent := 0
		v.sent = func(packet) { sent++ }
		v.run(20 * period)
		t.Logf("named %v: one leader after %v, %.2f datagrams a node and period", named, took, float64(sent)/n/20)
		if perNode := float64(sent) / n / 20; perNode > k+0.5 {
			t.Errorf("named %v: %.1f datagrams a node and period, want %d", named, perNode, k)
		}
		if _, most := v.parts(); most > k+2 {
			t.Errorf("named %v: a node keeps %d of %d", named, most, k)
		}
		v.sent = nil
		for i := range n {
			if i%2 == 0 {
				v.kill(i)
			}
		}
		took = v.within(40*period, "those that are left are connected", func() bool {
			parts, _ := v.parts()
			return parts == 1
		})
		v.settle("n2", 40)
		t.Logf("named %v: half of them gone, connected after %v", named, took)
	}
}

// A node that reaches neither of the next ones on the only ring is accepted by those after them.
func TestSparseAccepts(t *testing.T) {
	v := sparse(t, 1, 12, 2, true)
	v.upAll()
	v.settle("n1", 60)
	apart := map[int]bool{}
	for j := range v.nodes {
		apart[j] = j > 0 && v.linked(0, j)
	}
	v.cut = func(i, j int) bool { return i == 0 && apart[j] || j == 0 && apart[i] }
	v.run(10 * period)
	v.within(20*period, "it is connected by others", func() bool {
		parts, _ := v.parts()
		return parts == 1
	})
	v.run(30 * period)
	if parts, _ := v.parts(); parts != 1 {
		t.Errorf("after that there are %d parts", parts)
	}
}

// The peers that a node keeps say so in its status.
func TestSparseStatus(t *testing.T) {
	v := sparse(t, 1, 12, 2, true)
	v.upAll()
	v.settle("n1", 60)
	v.run(20 * period)
	kept := map[string]int{}
	for _, n := range v.nodes[0].agent.Status().Neighbours {
		kept[n.Kept]++
	}
	if kept["chosen"] != 2 || kept["no"]+kept["accepted"] != 9 {
		t.Errorf("kept: %v", kept)
	}
}

func TestMaxNeighboursIsChecked(t *testing.T) {
	for k, fine := range map[int]bool{-2: false, 0: true, 1: false, 2: true, 3: false, 64: true, 66: false} {
		c := Config{Name: "a", MaxNeighbours: k}
		if _, err := c.Resolve(); (err == nil) != fine {
			t.Errorf("max-neighbours %d: %v", k, err)
		}
	}
	c := Config{Name: "a", MaxNeighbours: 4, Multicast: Segments{"239.7.4.1:7402%eth0"}}
	if _, err := c.Resolve(); err == nil {
		t.Error("max-neighbours beside multicast is accepted")
	}
}

// Who no longer wants a link falls silent on it; who is asked because the other end does not hear it keeps that one.
func TestTakeChosen(t *testing.T) {
	a, p := &Agent{cfg: Config{MaxNeighbours: 2}}, &peer{}
	a.takeChosen(p, &wire.Envelope{Link: wire.Link{Hears: 7}})
	if a.keeps(p) {
		t.Error("an answer is taken for a choice")
	}
	a.takeChosen(p, &wire.Envelope{})
	if !a.keeps(p) {
		t.Error("who asks is not kept")
	}
	if a.silence(p); a.keeps(p) {
		t.Error("who has fallen silent is kept")
	}
}
