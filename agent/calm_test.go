package agent

import (
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/columns"
)

// The farthest of four nodes in a line is about as far as the radius, by round-trip time. Whether it belongs to the
// region is decided, and then stays. The same line by hops, where nothing is near an edge, is the control: it never
// changes, and the farthest leads itself.
func TestRadiusAtTheEdge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		metric, radius string
		most           int
	}{{RTT, "190", 1}, {Hops, "2", 0}} {
		for seed := range uint64(10) {
			v := newVirtual(t, seed, 4, line(4))
			v.proto = func(*Config) (protocol, error) { return erase(columns.OfRounds(within(t, c.radius))) }
			for i, x := range v.nodes {
				x.cfg.Metric, x.cfg.Period, x.cfg.Expiry = c.metric, 2*period, 6
				x.cfg.Strength, x.cfg.Link = []float64{9, 1, 2, 3}[i], map[string]string{}
			}
			v.delay = 15 * time.Millisecond
			v.jitter = 30 * time.Millisecond
			v.upAll()
			v.run(10 * time.Second)
			before := v.changes()
			v.run(time.Minute)
			if n := v.changes() - before; n > c.most {
				t.Errorf("%s, seed %d: %d changes in a minute", c.metric, seed, n)
			}
			for i, a := range v.alive() {
				want := "n1"
				if i == 3 {
					want = "n4"
				}
				if s := a.Status(); c.metric == Hops && s.Leader != want {
					t.Errorf("seed %d: %s follows %q by hops, want %s", seed, a.cfg.Name, s.Leader, want)
				}
			}
		}
	}
}

// Where links lose a tenth or a third of the datagrams nodes learn to wait, and then the leader stays.
func TestLeaderStaysUnderLoss(t *testing.T) {
	t.Parallel()
	for _, loss := range []float64{0.1, 0.3} {
		v := newVirtual(t, 1, 10, line(10))
		v.upAll()
		v.settle("n1", 100)
		v.loss = loss
		v.run(time.Minute) // to learn
		before, after := 0, 0
		for _, a := range v.alive() {
			before += int(a.count.LeaderChanges)
		}
		v.run(5 * time.Minute)
		for _, a := range v.alive() {
			after += int(a.count.LeaderChanges)
			if got := a.Status().Neighbours[0].Loss; got < loss/3 || got > 2*loss {
				t.Errorf("%s measures a loss of %.2f, it is %.2f", a.cfg.Name, got, loss)
			}
		}
		// 10 nodes in a twelfth of an hour; without patience there are 20 changes a node at 10 %, 350 at 30 %
		if n := after - before; n > 10 {
			t.Errorf("loss %.1f: %d changes in 5 minutes", loss, n)
		}
		// and forget it where nothing is lost any more
		v.loss = 0
		v.run(2 * time.Minute)
		v.kill(0)
		if took := v.settle("n2", 40); took > 16 {
			t.Errorf("loss %.1f: agreement took %d rounds after it was over", loss, took)
		}
	}
}

// log(1e-5) / log(0.1 + sqrt(0.1*0.9/128)) = 5.6; without loss the expiry holds, and four of them at most.
func TestPatience(t *testing.T) {
	for loss, want := range map[float64]int{0: 3, 0.001: 3, 0.1: 6, 0.3: 11, 0.9: 12} {
		p := peer{loss: loss}
		if got := p.patience(3); got != want {
			t.Errorf("loss %g: %d periods, want %d", loss, got, want)
		}
	}
}

// A leader that is stopped for a second and runs for 0.15 s, again and again for 20 s, takes its group with it a
// few times only, and is believed again when it has been there for a while.
func TestLeaderThatComesAndGoes(t *testing.T) {
	for n, links := range map[int]edges{4: clique(4), 6: line(6)} {
		for seed := range uint64(5) {
			v := newVirtual(t, seed, n, links)
			v.upAll()
			v.settle("n1", 40)
			changes := func() (sum int) {
				for _, a := range v.alive() {
					if a.cfg.Name != "n1" {
						sum += int(a.count.LeaderChanges)
					}
				}
				return sum
			}
			before := changes()
			for began := v.now; v.now.Sub(began) < 20*time.Second; {
				a := v.nodes[0].agent
				v.nodes[0].agent = nil
				v.run(time.Second)
				v.nodes[0].agent = a
				v.run(150 * time.Millisecond)
			}
			// each of the free returns costs a change there and back, and the leader between may be another
			if got := changes() - before; got > (n-1)*3*(int(dampingRounds.free)+2) {
				t.Errorf("%d nodes, seed %d: %d changes", n, seed, got)
			}
			v.run((time.Duration(dampingRounds.most) + 20) * period)
			v.settle("n1", 20)
		}
	}
}

// A leader that is all there is is followed whatever it does, and one that returns seldom is not held.
func TestDampingSpares(t *testing.T) {
	v := newVirtual(t, 1, 2, clique(2))
	v.upAll()
	for range 10 {
		v.settle("n1", 20)
		v.kill(0)
		v.run(8 * period)
		v.up(0)
	}
	w := newVirtual(t, 1, 3, clique(3))
	w.upAll()
	for range 10 {
		w.settle("n1", 20)
		w.run((time.Duration(dampingRounds.calm) + 1) * period)
		w.kill(0)
		w.run(8 * period)
		w.up(0)
	}
}

func TestDampingTable(t *testing.T) {
	d := make(damping)
	all := map[caucus.ID]bool{}
	for i := range 10 * maxDamped {
		all[caucus.ID(i+1)] = true
	}
	d.see(all)
	if len(d) != maxDamped {
		t.Errorf("%d leaders in mind, want %d", len(d), maxDamped)
	}
	for range dampingRounds.calm + 1 {
		d.see(nil)
	}
	if len(d) != 0 {
		t.Errorf("%d are never forgotten", len(d))
	}
}
