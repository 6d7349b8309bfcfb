package agent

import (
	"fmt"
	"os"
	"testing"
	"time"

	"caucus.example/caucus/internal/wire"
)

// choose does what HandOver has the loop do.
func (v *virtual) choose(at int, to string, during time.Duration) {
	a := v.nodes[at].agent
	a.takeChoice(&wire.Choice{Name: to, At: max(uint64(v.now.UnixMilli()), a.choice.At+1),
		Left: uint32(during.Milliseconds())}, v.now)
	a.broadcast(v.now)
}

// The far end of a line is chosen at its middle: it leads for that time, without a moment in which nobody acts, also
// above one that does not give way, and then the election is as before.
func TestHandOver(t *testing.T) {
	for _, preempt := range []string{"", "no"} {
		v := newVirtual(t, 1, 5, edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}})
		for _, x := range v.nodes {
			x.cfg.Preempt = preempt
		}
		v.nodes[0].cfg.Preempt = preempt
		v.upAll()
		v.settle("n1", 40)
		v.run(2 * nameEvery * period)
		none, _ := v.idle(func() {
			v.choose(2, "n5", 20*time.Second)
			v.settle("n5", 12)
		})
		if none > 0 {
			t.Errorf("preempt %q: nobody acted for %.1f periods", preempt, none)
		}
		v.run(10 * time.Second)
		v.settle("n5", 1)
		v.run(15 * time.Second)
		want := "n1"
		if preempt == "no" {
			want = "n5" // it leads, and is preferred as any that does
		}
		v.settle(want, 1)
		if c := v.nodes[0].agent.tellChoice(v.now); c != nil {
			t.Errorf("preempt %q: what is over is still told: %v", preempt, c)
		}
	}
}

// A newer choice takes the place of one; what is chosen and dies leaves nothing behind.
func TestHandOverChanges(t *testing.T) {
	v := newVirtual(t, 2, 4, edges{{0, 1}, {1, 2}, {2, 3}, {3, 0}})
	v.upAll()
	v.settle("n1", 40)
	v.run(2 * nameEvery * period)
	v.choose(0, "n3", time.Hour)
	v.settle("n3", 12)
	v.nodes[1].agent.choice.At += 3_600_000 // whose clock is an hour ahead is no obstacle
	v.choose(1, "n4", time.Hour)
	v.settle("n4", 12)
	v.kill(3)
	v.settle("n1", 20)
	v.run(choicePeriods * period) // who comes back sooner is told again
	v.up(3)
	v.run(5 * time.Second)
	v.settle("n1", 1)
	v.choose(2, "n2", time.Hour)
	v.settle("n2", 12)
	v.choose(2, "n2", 0)
	v.settle("n1", 12)
}

// Nobody is chosen who must not lead.
func TestHandOverToOneThatMustNot(t *testing.T) {
	v := newVirtual(t, 3, 3, edges{{0, 1}, {1, 2}})
	no := false
	v.nodes[2].cfg.Leads = &no
	v.upAll()
	v.settle("n1", 40)
	v.choose(0, "n3", time.Hour)
	v.run(5 * time.Second)
	v.settle("n1", 1)
}

// Every planned change is made before the former state is broken: the leader resigns, for long or for a moment, another
// one is chosen and the time of that ends, the leader becomes weaker and strong again, a better one returns. At no time
// nobody acts, with and without loss. CAUCUS_FULL=1 has 200 seeds of each.
func TestPlannedChanges(t *testing.T) {
	t.Parallel()
	seeds := uint64(4)
	if os.Getenv("CAUCUS_FULL") != "" {
		seeds = 200
	}
	for what, change := range map[string]func(v *virtual, first *Agent){
		"resigns": func(v *virtual, first *Agent) { first.resign(v.now, 4*time.Second); v.run(6 * time.Second) },
		"resigns for a moment": func(v *virtual, first *Agent) {
			first.resign(v.now, 4*period)
			v.run(2 * time.Second)
		},
		"hands over": func(v *virtual, _ *Agent) {
			v.choose(0, v.nodes[len(v.nodes)-1].cfg.Name, 3*time.Second)
			v.run(5 * time.Second)
		},
		"becomes weaker": func(v *virtual, first *Agent) {
			first.SetStrength(0)
			v.run(3 * time.Second)
			first.SetStrength(50)
			v.run(3 * time.Second)
		},
		"returns": func(v *virtual, _ *Agent) { v.up(0); v.run(3 * time.Second) },
	} {
		for _, g := range []string{"clique:3", "clique:5", "line:5", "ring:8", "geant2012"} {
			seeds := seeds
			if g == "geant2012" {
				seeds /= 4
			}
			for _, loss := range []float64{0, 0.05} {
				for seed := range seeds {
					where := fmt.Sprintf("%s, loss %g, seed %d: n1 %s", g, loss, seed, what)
					n, links := linksOf(t, g, false, seed)
					v := newVirtual(t, seed, n, links)
					v.upAll()
					v.settle("n1", 100)
					if what == "returns" {
						v.kill(0)
						v.settle("n2", 100)
					}
					v.loss = loss
					v.run(time.Second + time.Duration(v.rand.Float64()*float64(period)))
					if none, _ := v.idle(func() { change(v, v.nodes[0].agent) }); none > 0 {
						t.Errorf("%s: nobody acts for %.2f periods", where, none)
					}
				}
			}
		}
	}
}
