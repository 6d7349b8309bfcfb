package agent

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caucus.example/caucus/algo/aggregate/bounded"
)

// journalled gives a node a log that can be read.
func (v *virtual) journalled(i int) *bytes.Buffer {
	var log bytes.Buffer
	v.nodes[i].cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	return &log
}

// Two nodes that do not fit together refuse each other, count why, warn once, and show the difference; they do not
// influence each other, and find each other when they fit again.
func TestMisfits(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(c *Config)
		reason     string
		difference string
	}{
		"algorithm": {func(c *Config) { c.Algo = "mo" }, dropAlgorithm, "algorithm: mo there, bounded here"},
		"parameter": {
			func(c *Config) { c.agreement = []string{"radius=3", "heartbeat=3"} },
			dropParams, "parameters: radius=3 there, radius=inf here",
		},
		"group": {func(c *Config) { c.Group = "other" }, dropGroup, "group: another one there, caucus here"},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVirtual(t, 6, 3, clique(3))
			for i := range v.nodes {
				v.nodes[i].cfg.Algo, v.nodes[i].cfg.agreement = "bounded", []string{"radius=inf", "heartbeat=3"}
			}
			right := v.nodes[1].cfg
			c.change(&v.nodes[0].cfg)
			log := v.journalled(1)
			v.upAll()
			v.run(60 * period)
			s := v.nodes[1].agent.Status()
			n := s.Neighbours[0]
			if n.Refused != c.difference || n.Live || s.Counters.Dropped[c.reason] == 0 || !s.Leads() {
				t.Errorf("neighbour %+v, dropped %v, %v", n, s.Counters.Dropped, s.Leadership)
			}
			warned := strings.Count(log.String(), "does not fit together")
			if warned != 1 || !strings.Contains(log.String(), c.difference) {
				t.Errorf("%d warnings in %s", warned, log)
			}
			v.kill(0)
			fitting := v.nodes[0].cfg
			fitting.Algo, fitting.agreement, fitting.Group = right.Algo, right.agreement, right.Group
			v.nodes[0].cfg = fitting
			v.up(0)
			v.settle("n1", 30)
			if s := v.nodes[1].agent.Status(); s.Neighbours[0].Refused != "" || s.Neighbours[0].Version != "devel" {
				t.Errorf("neighbour %+v", s.Neighbours[0])
			}
		})
	}
}

// A datagram of another version or group from the address of a good neighbour is counted and does no harm.
func TestStrayVersion(t *testing.T) {
	v := newVirtual(t, 6, 2, clique(2))
	v.upAll()
	v.settle("n1", 20)
	a := v.nodes[0].agent
	a.receive(datagram{[]byte{0x88, 1, 0, 0}, 4, v.nodes[1].addr, v.now, nil})
	if n := a.peers[0]; a.count.Dropped[dropVersion] != 1 || !n.counts() || n.refused != "" {
		t.Errorf("dropped %v, neighbour counts %v, refused %q", a.count.Dropped, n.counts(), n.refused)
	}
	v.kill(1)
	v.run(10 * period)
	a.receive(datagram{[]byte{0x88, 1, 0, 0}, 4, v.nodes[1].addr, v.now, nil})
	if got := a.peers[0].refused; got != "version of the datagrams: 1 there, 2 here" {
		t.Errorf("refused %q", got)
	}
}

func TestAgreement(t *testing.T) {
	c := Config{Params: map[string]string{"radius": "3"}, Metric: Hops}
	got := agreement(&bounded.Spec, &c)
	if got[0] != "radius=3" || !slices.Contains(got, "heartbeat=3") || got[len(got)-1] != "metric=hops" {
		t.Errorf("agree on %v", got)
	}
	d := c
	d.Params = map[string]string{"radius": "3.0", "heartbeat": "3"}
	c.agreement, d.agreement = agreement(&bounded.Spec, &c), agreement(&bounded.Spec, &d)
	if x, y := c.describe(), d.describe(); x.Digest != y.Digest {
		t.Errorf("%q and %q differ", x.Params, y.Params)
	}
}

// Nodes with periods of 1 s and 100 ms, in any mixture, on any links: once they agree nobody changes its leader.
func TestMixedPeriods(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(rt, "n")
		links := line(n)
		if rapid.Bool().Draw(rt, "clique") {
			links = clique(n)
		}
		v := newVirtual(t, rapid.Uint64().Draw(rt, "seed"), n, links)
		for i := range v.nodes {
			v.nodes[i].cfg.Profile = rapid.SampledFrom([]string{"lan", "wan"}).Draw(rt, "profile")
		}
		v.upAll()
		v.settle("n1", 200)
		v.run(20 * time.Second)
		v.seen = func(i int, l Leadership) {
			if l.Leader != "n1" {
				rt.Fatalf("n%d reports %v", i+1, l)
			}
		}
		v.run(60 * time.Second)
		// and the slow ones are no brake once they are gone
		v.seen = nil
		for i, x := range v.nodes {
			if x.cfg.Profile == "wan" {
				v.kill(i)
			}
		}
		v.run(60 * time.Second)
		for _, a := range v.alive() {
			if a.pace != a.cfg.Period {
				rt.Fatalf("%s keeps the pace %v among nodes of 100 ms", a.cfg.Name, a.pace)
			}
		}
	})
}

// One node every 6 s goes over to another profile, in any order: nobody changes its leader.
func TestRollingPeriods(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(rt, "n")
		links := rapid.SampledFrom([]edges{line(n), clique(n)}).Draw(rt, "links")
		v := newVirtual(t, rapid.Uint64().Draw(rt, "seed"), n, links)
		v.upAll()
		v.settle("n1", 60)
		v.seen = func(i int, l Leadership) {
			if l.Leader != "n1" {
				for _, a := range v.alive() {
					rt.Log(a.cfg.Name, a.cfg.Period, a.pace, a.Status().Neighbours, a.easing)
				}
				rt.Fatalf("n%d reports %v at %v", i+1, l, v.now)
			}
		}
		for _, profile := range []string{"wan", "lan"} {
			for _, i := range rapid.Permutation(order(n)).Draw(rt, "order") {
				next := v.nodes[i].cfg
				next.Profile = profile
				next, err := next.Resolve()
				if err != nil {
					rt.Fatal(err)
				}
				changed, restart := v.nodes[i].agent.reload(next, v.now)
				if fmt.Sprint(changed, restart) != "[profile period expiry] []" {
					rt.Fatalf("changed %v, needs restart %v", changed, restart)
				}
				v.run(6 * time.Second)
			}
		}
	})
}

func order(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
