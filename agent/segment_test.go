package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/internal/seal"
)

// onSegment makes n agents that know nobody and share a segment.
func onSegment(t testing.TB, seed uint64, n int, keys string) *virtual {
	v := newVirtual(t, seed, n, nil)
	for i := range v.nodes {
		v.nodes[i].cfg.Multicast = Segments{"239.7.4.1:7402%virtual0"}
		v.nodes[i].cfg.KeyFile = keys
	}
	return v
}

func TestParseSegment(t *testing.T) {
	for text, want := range map[string]string{
		"239.7.4.1:7402%eth0":        "239.7.4.1:7402 eth0",
		"[ff02::7402]:7402%eth0":     "[ff02::7402%eth0]:7402 eth0",
		"[ff02::7402%eth0]:7402":     "[ff02::7402%eth0]:7402 eth0",
		"239.7.4.1:7402":             "",
		"239.7.4.1%eth0":             "",
		"239.7.4.1:0%eth0":           "",
		"10.0.0.1:7402%eth0":         "",
		"[fe80::1%eth0]:7402":        "",
		"[ff02::7402]:7402":          "",
		"":                           "",
		"%":                          "",
		"]:%":                        "",
		"239.7.4.1:7402%eth0%eth1 x": "239.7.4.1:7402 eth0%eth1 x", // what an interface may be called the system knows
	} {
		got := ""
		if s, ok := parseSegment(text); ok {
			got = fmt.Sprint(s.group, " ", s.through)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Nodes that share a segment find each other, and at rest each sends one datagram a period.
func TestOneDatagramReachesAll(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"", keyFile(t, seal.NewKey())} {
		const n = 30
		v := onSegment(t, 1, n, keys)
		v.upAll()
		v.settle("n1", 30)
		v.run(20 * period)
		sent := 0
		v.sent = func(packet) { sent++ }
		v.run(64 * period)
		// Rounds are aligned to the leader's: a node may have one more or less in this time.
		if perNode := float64(sent) / n; perNode > 66 {
			t.Errorf("keys %q: %.1f datagrams a node in 64 periods, want 64", keys, perNode)
		}
		for _, a := range v.alive() {
			if live := len(a.inbox()); live != n-1 {
				t.Errorf("keys %q: %s has %d neighbours, want %d", keys, a.cfg.Name, live, n-1)
			}
		}
		v.sent = nil
		v.kill(0)
		if took := v.within(12*period, "another leader", func() bool {
			var term uint64
			return agreed("n2", v.alive(), &term)
		}); took > 6*period {
			t.Errorf("keys %q: the next leader after %v", keys, took)
		}
	}
}

// What is for all gets lost in one direction, as behind a switch that does not forward it: those two send each other
// datagrams of their own.
func TestMulticastOneWay(t *testing.T) {
	v := onSegment(t, 2, 5, "")
	v.deaf = func(from, to int) bool { return from == 0 && to == 1 }
	v.upAll()
	v.settle("n1", 40)
	v.run(5 * time.Second)
	before := v.nodes[1].agent.count.LeaderChanges
	v.run(time.Minute)
	if p := v.neighbour(1, 0); !p.counts() || p.via != nil {
		t.Errorf("n1 at n2: counts %v, heard as all are %v", p.counts(), p.via != nil)
	}
	if p := v.neighbour(0, 1); !p.counts() || p.listed {
		t.Errorf("n2 at n1: counts %v, said to hear what is for all %v", p.counts(), p.listed)
	}
	if now := v.nodes[1].agent.count.LeaderChanges; now != before {
		t.Errorf("%d changes of the leader while nothing changed", now-before)
	}
}

// A link that carries nothing in one direction does not count, whichever way datagrams take.
func TestMulticastTwoWay(t *testing.T) {
	v := onSegment(t, 3, 4, "")
	v.upAll()
	v.settle("n1", 30)
	v.cut = func(from, to int) bool { return from == 0 } // nobody hears the leader
	v.within(15*period, "the leader that nobody hears steps down", func() bool {
		return v.nodes[0].agent.Status().Unheard
	})
	if l := v.nodes[1].agent.Status().Leadership; l.Leader == "n1" {
		v.within(10*period, "others follow another", func() bool {
			return v.nodes[1].agent.Status().Leader == "n2"
		})
	}
}

// Who is silent for long is forgotten, and found again.
func TestForgetFound(t *testing.T) {
	v := onSegment(t, 4, 3, "")
	v.upAll()
	v.settle("n1", 30)
	v.kill(2)
	v.run(forgetSilent + 10*time.Second)
	if n := len(v.nodes[0].agent.peers); n != 1 {
		t.Errorf("%d peers are left, want 1", n)
	}
	v.up(2)
	v.within(10*period, "it is found again", func() bool {
		return len(v.nodes[0].agent.inbox()) == 2 && v.nodes[2].agent.Status().Leader == "n1"
	})
}

// neighbour is what node i knows of node j.
func (v *virtual) neighbour(i, j int) *peer {
	a := v.nodes[i].agent
	k := slices.IndexFunc(a.peers, func(p *peer) bool { return p.inst.ID == v.nodes[j].agent.self.ID })
	if k < 0 {
		v.t.Fatalf("%s does not know %s", a.cfg.Name, v.nodes[j].cfg.Name)
	}
	return a.peers[k]
}

// A group address without an interface is one on each; IPv4 knows one only, and weights need their metric.
func TestInterfaces(t *testing.T) {
	const two = "interfaces: [{name: eth0}, {name: wwan0, weight: 10}]\n"
	c, err := Parse("x.yaml", []byte("name: a\nmetric: weight\nmulticast: '[ff02::7402]:7402'\n"+two))
	want := Segments{"[ff02::7402]:7402%eth0", "[ff02::7402]:7402%wwan0"}
	if err != nil || !slices.Equal(c.Multicast, want) || c.Interfaces[0].Weight != 1 {
		t.Errorf("%v %v", c.Multicast, err)
	}
	for addr, length := range map[string]float64{
		"[fe80::1%eth0]:7400": 1, "[fe80::1%wwan0]:7400": 10, "[fe80::1%x]:1": 0,
	} {
		if got := c.lengthFrom(addr); got != length {
			t.Errorf("%s: %g, want %g", addr, got, length)
		}
	}
	for text, want := range map[string]string{
		"metric: weight\nmulticast: 239.7.4.1:7402\n" + two: "multicast[1]",
		"multicast: '[ff02::7402]:7402'\n" + two:            "interfaces[1].weight: found \"10\", allowed: 1 with",
		two:                                                 "interfaces: found \"2\", allowed: none without multicast",
		"multicast: '[ff02::7402]:7402'\ninterfaces: [{name: a}, {name: a}]": "interfaces[1].name",
		"metric: weight\nmulticast: '[ff02::7402]:7402%a'\n":                 "metric: found \"weight\"",
		"multicast: '[ff02::7402]:7402%a'\ninterfaces: [{name: a}, {name: b}]": "interfaces[1].name: found \"b\", " +
			"allowed: an interface that a group of multicast is on",
		"multicast: '[ff02::7402]:7402'\ninterfaces: [" + strings.Repeat("{name: a}, ", 99) + "]": "interfaces: " +
			"found \"99\"",
	} {
		if _, err := Parse("x.yaml", []byte("name: a\n"+text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
