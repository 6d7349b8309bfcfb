package agent

import (
	"errors"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent/act"
	"caucus.example/caucus/agent/probe"
	"caucus.example/caucus/algo/aggregate/mo"
)

// chiefs is a virtual clique of three whose strengths are 3, 2 and 1, with a change to each configuration.
func chiefs(t *testing.T, change func(i int, c *Config)) *virtual {
	v := newVirtual(t, 5, 3, clique(3))
	for i, x := range v.nodes {
		x.cfg.Strength = float64(3 - i)
		change(i, &x.cfg)
	}
	v.upAll()
	return v
}

// The better node comes back after the second has led for a while.
func comesBack(v *virtual) {
	v.settle("n1", 60)
	v.kill(0)
	v.settle("n2", 60)
	v.run(10 * period)
	v.up(0)
}

func TestPreempt(t *testing.T) {
	for preempt, want := range map[string]string{"": "n1", "yes": "n1", "no": "n2"} {
		v := chiefs(t, func(_ int, c *Config) { c.Preempt = preempt })
		comesBack(v)
		v.run(60 * period)
		v.settle(want, 1)
		// Who leads without competition goes in the end, too.
		v.kill(1)
		v.settle("n1", 60)
	}
}

// One that comes back waits before it claims anything, unless the leader dies meanwhile: then the best of all leads at
// once, as young as all may be.
func TestPreemptAfter(t *testing.T) {
	v := chiefs(t, func(_ int, c *Config) { c.Preempt = "after 10s" })
	comesBack(v)
	began := v.now
	v.within(time.Minute, "n1 leads again", func() bool { return v.nodes[0].agent.lead.Leads() })
	if took := v.now.Sub(began); took < 10*time.Second || took > 12*time.Second {
		t.Errorf("after %v", took)
	}
	v.kill(1)
	v.run(10 * period)
	v.up(1)
	v.run(10 * period)
	v.kill(0)
	v.settle("n3", 60) // which is no longer young, while n2 is
	v.within(time.Minute, "n2 leads", func() bool { return v.nodes[1].agent.lead.Leads() })
}

// With a margin only a node that is better by more than that takes over.
func TestMargin(t *testing.T) {
	for margin, want := range map[float64]string{0.5: "n1", 1.5: "n2"} {
		v := chiefs(t, func(_ int, c *Config) { c.Margin = margin })
		comesBack(v)
		v.run(60 * period)
		v.settle(want, 1)
	}
}

// Two who have led on two sides of a cut settle by strength, though neither gives way to others.
func TestTwoIncumbents(t *testing.T) {
	v := chiefs(t, func(_ int, c *Config) { c.Preempt = "no" })
	v.settle("n1", 60)
	v.cut = func(from, to int) bool { return (from == 0) != (to == 0) }
	v.run(60 * period)
	for _, i := range []int{0, 1} {
		if !v.nodes[i].agent.lead.Leads() {
			t.Fatalf("%v leads no part", v.nodes[i].agent.lead)
		}
	}
	v.cut = nil
	v.settle("n1", 60)
}

// One that does not lead follows whoever does; where nobody else is, nobody acts.
func TestObserver(t *testing.T) {
	no := false
	v := chiefs(t, func(i int, c *Config) {
		if i == 0 {
			c.Leads = &no
		}
	})
	v.settle("n2", 60)
	v.kill(1)
	v.settle("n3", 60)
	v.kill(2)
	v.run(60 * period)
	if l := v.nodes[0].agent.lead; l.Role != "leader" || l.Leads() || l.Withdrawn != "leads: false" {
		t.Errorf("%+v", l)
	}
	if s := v.nodes[0].agent.Status(); s.Ready(v.now) || s.stance(s.LastRound).Reason != act.Withdrawn {
		t.Errorf("%+v", s.stance(s.LastRound))
	}
}

// Checks take from the strength, or keep a node from leading, and give it back.
func TestHealthDecides(t *testing.T) {
	for _, h := range map[string]probe.Health{"weaker": {Factor: 0.5}, "vetoed": {Factor: 1, Veto: true}} {
		v := chiefs(t, func(int, *Config) {})
		v.settle("n1", 60)
		v.nodes[0].agent.standing.health = h
		v.settle("n2", 60)
		v.run(20 * period)
		v.nodes[0].agent.standing.health = probe.Healthy
		v.settle("n1", 60)
	}
}

// A leader that resigns does not act, where there is nobody else, and comes back when its time is over.
func TestResign(t *testing.T) {
	a := alone(t, func(*Config) {})
	left := make(chan error, 1)
	go func() { left <- a.Run(t.Context()) }()
	await(t, "leads", func() bool { return a.Status().Leads() })
	for _, wrong := range []time.Duration{-1, 25 * time.Hour} {
		if a.Resign(wrong) == nil {
			t.Error(wrong, "is taken")
		}
	}
	if err := a.Resign(time.Hour); err != nil {
		t.Fatal(err)
	}
	await(t, "does not act", func() bool { s := a.Status(); return s.Withdrawn == "resigned" && !s.Leads() })
	if err := a.Resign(0); err != nil {
		t.Fatal(err)
	}
	await(t, "leads again", func() bool { return a.Status().Leads() })
	a.Kill()
	<-left
	if err := a.Resign(0); !errors.Is(err, ErrNotRunning) {
		t.Error(err)
	}
}

// Who resigns acts for expiry and four periods at most if there is nobody to take over; when its time is over it leads
// again.
func TestResignedWithoutSuccessor(t *testing.T) {
	no := false
	v := chiefs(t, func(i int, c *Config) {
		if i > 0 {
			c.Leads = &no
		}
	})
	v.settle("n1", 60)
	n1 := v.nodes[0].agent
	n1.resign(v.now, 5*time.Second)
	v.run(n1.mostHeld() - period)
	if !n1.lead.Leads() {
		t.Error("does not wait to be succeeded")
	}
	v.run(2 * period)
	if n1.lead.Leads() {
		t.Errorf("acts %v after it has resigned", v.now.Sub(n1.standing.since))
	}
	v.run(5 * time.Second)
	v.settle("n1", 1)
}

func TestWishesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"preempt: never":                       `node.yaml:2: preempt: found "never", allowed: yes, no, or after`,
		"preempt: after 1 day":                 `node.yaml:2: preempt: found "after 1 day"`,
		"margin: -1":                           `node.yaml:2: margin: found "-1", allowed: 0 to 1e9`,
		"preempt: no\nmargin: 3":               `allowed: only where preempt is not no`,
		"checks: [{shell: x}]":                 `checks[0]: found "none of add, multiply and veto"`,
		"checks:\n  - file: /x\n    vto: true": `node.yaml:4: unknown field "vto"; did you mean "veto"?`,
	} {
		if _, err := Parse("node.yaml", []byte("name: a\n"+text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	c := Config{Preempt: "no"}
	var field *caucus.FieldError
	if err := deployable(&mo.Spec, &c); !errors.As(err, &field) || field.Field != "preempt" {
		t.Error(err)
	}
}
