package study

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// udpTasks finds jobs on networks of n nodes.
func udpTasks(t *testing.T, topology string, n, runs int, want func(*udpTask) bool) []udpTask {
	t.Helper()
	p := NewPrasleUDP(NewPrasle())
	p.Topologies, p.Sizes, p.Runs, p.Faulty = []string{topology}, []int{n}, runs, n
	all, err := p.tasks()
	if err != nil {
		t.Fatal(err)
	}
	var list []udpTask
	for _, x := range all {
		if want(&x) {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		t.Fatal("no such job")
	}
	return list
}

func runUDP(t *testing.T, x *udpTask) {
	t.Helper()
	if err := x.run(context.Background(), 10*time.Millisecond); err != nil {
		t.Fatalf("%s, %s, %s: %v", x.Topology, x.Algo, x.Of, err)
	}
	if u := x.UDP; u.Runs != x.net.Runs || x.Of != "loss" && len(u.Took) != u.Well || u.Well > u.Runs {
		t.Errorf("%s, %s, %s: %d runs of %d, %d well, %d times", x.Topology, x.Algo, x.Of, u.Runs, x.net.Runs, u.Well, len(u.Took))
	}
}

// Real sockets: on a ring of 4, D = 2, a run with the rounds of the published code cannot end before (K+3)·T. No
// message is lost on the loopback interface, and an agent that has decided has had all that were sent to it.
func TestUDPPoint(t *testing.T) {
	t.Parallel()
	for _, x := range udpTasks(t, "ring", 4, 2, func(x *udpTask) bool { return x.Of == "size" }) {
		runUDP(t, &x)
		if x.K < 1 || x.K > 2 || x.UDP.Late == 0 && x.UDP.Well != 2 {
			t.Fatalf("K = %d: %+v", x.K, x.UDP)
		}
		for k, took := range x.UDP.Took {
			if least := float64(x.K+3) * 0.05; took < least {
				t.Errorf("decided after %g s, not before %g s", took, least)
			}
			// Everybody tells its rank to both neighbours; news is told on.
			if sent := x.UDP.Sent[k]; x.UDP.Late == 0 && (sent < 8 || sent != x.UDP.Received[k]) || x.UDP.Joules[k] <= 0 {
				t.Errorf("%g sent, %g received, %g J", sent, x.UDP.Received[k], x.UDP.Joules[k])
			}
		}
	}
}

// With one round on a line of 6 most nodes cannot hear of the best; with all datagrams lost none can. Such runs are
// counted, on the page and in the file, and are in no mean.
func TestUDPFailedRunsCount(t *testing.T) {
	t.Parallel()
	x := udpTasks(t, "line", 6, 2, func(x *udpTask) bool { return x.Of == "k" && x.K == 1 })[0]
	runUDP(t, &x)
	lost := udpTasks(t, "line", 6, 2, func(x *udpTask) bool { return x.Of == "loss" && x.Rate == 0 && x.Algo == "prasle unreliable" })[0]
	lost.Rate = 1
	runUDP(t, &lost)
	if lost.UDP.Well != 0 || lost.Sim.Well != 0 {
		t.Errorf("all lost: %d of %d runs agree, simulated %d", lost.UDP.Well, lost.UDP.Runs, lost.Sim.Well)
	}
	if x.UDP.Well == x.UDP.Runs {
		t.Fatalf("K = 1 on a line of 6: %+v", x.UDP)
	}
	p := NewPrasleUDP(NewPrasle())
	p.Sizes = []int{6}
	r := p.Report("test", []UDPJob{x.UDPJob, lost.UDPJob})
	facts := asMap(r.Facts)
	if want := fmt.Sprint(x.UDP.Runs - x.UDP.Well); facts["failed"] != want || facts["failed-below-diameter"] != want || facts["runs"] != "4" {
		t.Errorf("%v, want %s failed", facts, want)
	}
	failed := pick(r.Rows, func(row *Row) bool {
		return row.Series == "udp: reliable, K = 1, T = 0.05 s" && row.Metric == "seconds over k" && math.IsNaN(row.Value)
	})
	if len(failed) != x.UDP.Runs-x.UDP.Well {
		t.Errorf("%d runs without a time, want %s", len(failed), facts["failed"])
	}
}

// Real sockets: the hardened variant comes back from everything, and not from a crash before the claims of the dead
// leader are old; the unreliable one never forgets; a ghost of MinFind is believed for ever.
func TestUDPRecovery(t *testing.T) {
	t.Parallel()
	never := map[string]bool{"prasle unreliable crash": true, "minfind fake": true, "wbs fake": true}
	for _, x := range udpTasks(t, "ring", 4, 1, func(x *udpTask) bool {
		return never[x.Algo+" "+x.Of] || x.Algo == "prasle hardened" && !x.curved() && x.Of != "loss" || x.Algo == "bounded" && x.Of == "fake"
	}) {
		t.Run(x.Algo+" "+x.Of, func(t *testing.T) {
			t.Parallel()
			runUDP(t, &x)
			if u := x.UDP; u.Late == 0 && (u.Well == 0) != never[x.Algo+" "+x.Of] {
				t.Errorf("%d of %d runs recovered", u.Well, u.Runs)
			}
			if x.Of == "crash" && x.UDP.Well > 0 && x.UDP.Took[0] < float64(x.net.patience()-2*x.net.diameter) {
				t.Errorf("elected again after %g rounds, with a patience of %d", x.UDP.Took[0], x.net.patience())
			}
		})
	}
}

// What the two kinds of network say of each other, by hand. Means of 10 and 14 with standard errors of 1 and 0 differ
// by 4, which two standard errors and the round that the simulator may be off do not explain; nor a partition, whose
// expiry of 3 rounds comes on top, when it takes 17; one more round is allowed for its end.
func TestUDPAgreement(t *testing.T) {
	sample := func(values ...float64) UDPSample {
		return UDPSample{Runs: len(values), Well: len(values), Took: values}
	}
	ten := sample(9, 11) // standard deviation √2, standard error 1
	for _, c := range []struct {
		of    string
		udp   float64
		error float64
		agree bool
	}{{"crash", 13, 3, true}, {"crash", 14, 3, false}, {"heal", 14, 4, true}, {"heal", 15, 4, false}, {"partition", 16, 6, true}, {"partition", 17, 6, false}} {
		j := UDPJob{Of: c.of, Deployable: true, Sim: ten, UDP: sample(c.udp, c.udp)}
		if e := j.meansError(); e < c.error-1e-9 || e > c.error+1e-9 || j.agrees() != c.agree {
			t.Errorf("%s of %g: error %g, want %g; agrees %v", c.of, c.udp, e, c.error, j.agrees())
		}
	}
	// With jitter the simulated mean is 12: that much more.
	j := UDPJob{Of: "crash", Deployable: true, Sim: ten, UDP: sample(14, 14)}
	if j.Sim.Jittered = []float64{12}; !j.agrees() {
		t.Error("4 rounds, of which jitter may make 2, do not agree")
	}
	// A point of K = 2 has 5 timers, late by 10 ms each.
	j = UDPJob{Of: "k", K: 2, Sim: sample(1, 1), UDP: sample(1.04, 1.04), Deployable: true}
	if j.agrees() {
		t.Error("40 ms on punctual timers agree")
	}
	if j.UDP.Timers = 0.01; !j.agrees() {
		t.Error("40 ms on five timers late by 10 ms do not agree")
	}
	// Half of the runs against all of them, 100 each, is no chance; but if one more round makes half of them right, no
	// contradiction either.
	j = UDPJob{Of: "loss", Sim: UDPSample{Runs: 100, Well: 50, Later: 50}, UDP: UDPSample{Runs: 100, Well: 100}, Deployable: true}
	if j.agrees() {
		t.Error("shares of 0.5 and 1 agree")
	}
	if j.Sim.Later = 100; !j.agrees() {
		t.Error("shares of 0.5, 1 a round later, and 1 do not agree")
	}
}

// The page says what is outside and what cannot be deployed.
func TestUDPReport(t *testing.T) {
	p := NewPrasleUDP(NewPrasle())
	p.Topologies, p.Sizes, p.Faulty = []string{"ring"}, []int{4}, 4
	base := UDPJob{Topology: "ring", Nodes: 4, Diameter: 2}
	job := func(algo, of string, deployable bool, simulated, real UDPSample) UDPJob {
		j := base
		j.Algo, j.Of, j.Deployable, j.Sim, j.UDP = algo, of, deployable, simulated, real
		return j
	}
	well := UDPSample{Runs: 10, Well: 10, Took: slices.Repeat([]float64{12}, 10)}
	ones := slices.Repeat([]float64{1}, 10)
	size := job("prasle reliable", "size", true, UDPSample{Runs: 10, Well: 10, Took: ones, Sent: ones, Received: ones, Joules: ones}, UDPSample{Runs: 10})
	size.K, size.T = 2, 0.05
	r := p.Report("test", []UDPJob{size,
		job("prasle hardened", "crash", true, well, UDPSample{Runs: 10, Well: 9, Took: slices.Repeat([]float64{30}, 9)}),
		job("brogo", "crash", false, UDPSample{Runs: 10}, UDPSample{})})
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"10 of 10", "12.0 / 30.0 (in 9 of 10)", " !", "never / -", "not deployable: brogo", "outside: ring of 4, prasle hardened, crash", "failed=10", "rows=2 outside=2"} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("no %q in\n%s", text, b.String())
		}
	}
	if err := r.JSON(io.Discard); err != nil {
		t.Error(err)
	}
}

// Twice the runs take twice the time, and a cancelled sweep of real runs ends soon.
func TestUDPSweep(t *testing.T) {
	p := NewPrasleUDP(NewPrasle())
	p.Topologies, p.Sizes, p.Runs, p.Faulty = []string{"line", "ring"}, []int{4}, 1, 4
	once, err := p.Estimate()
	if err != nil || once <= 0 {
		t.Fatal(once, err)
	}
	p.Runs = 2
	if twice, _ := p.Estimate(); twice != 2*once {
		t.Errorf("%v, for twice the runs %v", once, twice)
	}
	s, err := p.Sweep("test")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Do(ctx, Setting{Workers: 2}); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
	}
}
