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

	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
)

// udpSetup is real runs on networks of n nodes of a topology.
func udpSetup(topology string, n, runs int) Prasle {
	p := NewPrasle()
	p.UDP, p.Topologies, p.Sizes, p.Runs, p.Faulty, p.Round = Real, []string{topology}, []int{n}, runs, n,
		10*time.Millisecond
	return p
}

// udpTasks finds jobs.
func udpTasks(t *testing.T, p Prasle, want func(*prasleTask) bool) []prasleTask {
	t.Helper()
	all, err := p.tasks()
	if err != nil {
		t.Fatal(err)
	}
	list := results.Pick(all, want)
	if len(list) == 0 {
		t.Fatal("no such job")
	}
	return list
}

// runUDP does a job and gives its rows, and those of real runs by metric.
func runUDP(t *testing.T, x *prasleTask) (rows results.Rows, udp map[string]results.Point) {
	t.Helper()
	out := &recorder{}
	if err := x.run(context.Background(), out); err != nil {
		t.Fatalf("%s, %s, %s: %v", x.name, x.title, x.of, err)
	}
	udp = map[string]results.Point{}
	for _, p := range results.Points(out.rows) {
		if strings.HasPrefix(p.Series, "udp: ") {
			udp[p.Metric] = p
		}
	}
	n := udp[x.metric(recovering)].Runs + udp[x.metric("seconds")].Runs + int(udp[x.metric(lossRuns)].Value)
	if n != x.Runs {
		t.Errorf("%s, %s, %s: %d runs of %d", x.name, x.title, x.of, n, x.Runs)
	}
	return out.rows, udp
}

// Real sockets: on a ring of 4, D = 2, a run with the rounds of the published code cannot end before (K+3)·T. No
// message is lost on the loopback interface, and an agent that has decided has had all that were sent to it.
func TestUDPPoint(t *testing.T) {
	t.Parallel()
	for _, x := range udpTasks(t, udpSetup("ring", 4, 2), func(x *prasleTask) bool { return x.of == "size" }) {
		rows, udp := runUDP(t, &x)
		late := udp[lateRuns+" over size"].Value > 0
		if x.k < 1 || x.k > 2 || !late && udp["seconds over size"].Mean.N != 2 {
			t.Fatalf("K = %d: %+v", x.k, udp)
		}
		for _, w := range widen(rows) {
			if !strings.HasPrefix(w.Series, "udp: ") || w.Seed == 0 || math.IsNaN(w.Value) {
				continue
			}
			took, sent, received := w.of["seconds over size"], w.of["messages over size"], w.of["received over size"]
			if least := float64(x.k+3) * 0.05; took < least {
				t.Errorf("decided after %g s, not before %g s", took, least)
			}
			// Everybody tells its rank to both neighbours; news is told on.
			if !late && (sent < 8 || sent != received) || w.of["energy over size"] <= 0 {
				t.Errorf("%g sent, %g received, %g J", sent, received, w.of["energy over size"])
			}
		}
	}
}

// With one round on a line of 6 most nodes cannot hear of the best; with all datagrams lost none can. Such runs are
// counted, on the page and in the file, and are in no mean.
func TestUDPFailedRunsCount(t *testing.T) {
	t.Parallel()
	p := udpSetup("line", 6, 2)
	x := udpTasks(t, p, func(x *prasleTask) bool { return x.of == "k" && x.k == 1 })[0]
	rows, udp := runUDP(t, &x)
	lost := udpTasks(t, p,
		func(x *prasleTask) bool { return x.of == "loss" && x.rate == 0.5 && x.title == "prasle unreliable" })[0]
	lost.rate = 1
	all, _ := runUDP(t, &lost)
	for _, r := range all {
		if r.Metric == agreeing+" under loss" && r.Value != 0 {
			t.Errorf("all lost: %+v", r)
		}
	}
	failed := 2 - udp["seconds over k"].Mean.N
	if failed == 0 {
		t.Fatalf("K = 1 on a line of 6: %+v", udp)
	}
	study, err := p.Study()
	if err != nil {
		t.Fatal(err)
	}
	facts := asMap(study.Report(rows).Facts)
	if want := fmt.Sprint(failed); facts["failed"] != want || facts["failed-below-diameter"] != want {
		t.Errorf("%v, want %s failed", facts, want)
	}
	without := results.Pick(rows, func(row *results.Row) bool {
		return row.Series == "udp: prasle reliable" && row.X == 1 && row.Metric == "seconds over k" &&
			math.IsNaN(row.Value)
	})
	if len(without) != failed {
		t.Errorf("%d runs without a time, want %d", len(without), failed)
	}
}

// Real sockets: the hardened variant comes back from everything, and not from a crash before the claims of the dead
// leader are old; the unreliable one never forgets; a ghost of MinFind is believed for ever.
func TestUDPRecovery(t *testing.T) {
	t.Parallel()
	never := map[string]bool{"prasle unreliable crash": true, "minfind fake": true, "wbs fake": true}
	for _, x := range udpTasks(t, udpSetup("ring", 4, 1), func(x *prasleTask) bool {
		return never[x.title+" "+x.of] || x.title == "prasle hardened" && !x.curved() && x.of != "loss" ||
			x.title == "bounded" && x.of == "fake"
	}) {
		t.Run(x.title+" "+x.of, func(t *testing.T) {
			t.Parallel()
			_, udp := runUDP(t, &x)
			rounds := udp[x.metric(recovering)]
			if udp[x.metric(lateRuns)].Value == 0 && (rounds.Mean.N == 0) != never[x.title+" "+x.of] {
				t.Errorf("%d of %d runs recovered", rounds.Mean.N, rounds.Runs)
			}
			if x.of == "crash" && rounds.Mean.N > 0 && rounds.Value < float64(x.patience()-2*x.diameter) {
				t.Errorf("elected again after %g rounds, with a patience of %d", rounds.Value, x.patience())
			}
		})
	}
}

// What the two kinds of network say of each other, by hand. Means of 10 and 14 with standard errors of 1 and 0 differ
// by 4, which two standard errors and the round that the simulator may be off do not explain; nor a partition, whose
// expiry of 3 rounds comes on top, when it takes 17; one more round is allowed for its end.
func TestUDPAgreement(t *testing.T) {
	sample := func(values ...float64) prasleSample {
		return prasleSample{runs: len(values), well: len(values), of: [4]results.Mean{results.MeanOf(values)}}
	}
	pair := func(of string, k int, sim, udp prasleSample) *praslePair {
		return &praslePair{&prasleTask{of: of}, sim, udp, k}
	}
	ten := sample(9, 11) // standard deviation √2, standard error 1
	for _, c := range []struct {
		of    string
		udp   float64
		error float64
		agree bool
	}{{"crash", 13, 3, true}, {"crash", 14, 3, false}, {"heal", 14, 4, true}, {"heal", 15, 4, false}, {"partition", 16,
		6, true}, {"partition", 17, 6, false}} {
		j := pair(c.of, 0, ten, sample(c.udp, c.udp))
		if e := j.meansError(); e < c.error-1e-9 || e > c.error+1e-9 || j.agrees() != c.agree {
			t.Errorf("%s of %g: error %g, want %g; agrees %v", c.of, c.udp, e, c.error, j.agrees())
		}
	}
	// With jitter the simulated mean is 12: that much more.
	j := pair("crash", 0, ten, sample(14, 14))
	if j.sim.jittered = results.MeanOf([]float64{12}); !j.agrees() {
		t.Error("4 rounds, of which jitter may make 2, do not agree")
	}
	// A point of K = 2 has 5 timers, late by 10 ms each.
	j = pair("k", 2, sample(1, 1), sample(1.04, 1.04))
	if j.agrees() {
		t.Error("40 ms on punctual timers agree")
	}
	if j.udp.timers = 0.01; !j.agrees() {
		t.Error("40 ms on five timers late by 10 ms do not agree")
	}
	// Half of the runs against all of them, 100 each, is no chance; but if one more round makes half of them right, no
	// contradiction either.
	j = pair("loss", 0, prasleSample{runs: 100, well: 50, later: .5}, prasleSample{runs: 100, well: 100})
	if j.agrees() {
		t.Error("shares of 0.5 and 1 agree")
	}
	if j.sim.later = 1; !j.agrees() {
		t.Error("shares of 0.5, 1 a round later, and 1 do not agree")
	}
}

// The page says what is outside and what cannot be deployed.
func TestUDPReport(t *testing.T) {
	p := udpSetup("ring", 4, 10)
	tasks, err := p.tasks()
	if err != nil {
		t.Fatal(err)
	}
	out := &recorder{}
	for k := range tasks {
		x := &tasks[k]
		for run := range 10 {
			ones, failed := [4]float64{1, 1, 1, 1}, failedRun
			switch x.title + " " + x.of {
			case "prasle reliable size":
				x.record(out, "sim", run, ones)
				x.record(out, "udp", run, failed)
			case "prasle hardened crash":
				x.record(out, "sim", run, [4]float64{12})
				x.record(out, "udp", run, [4]float64{map[bool]float64{true: 30, false: results.None}[run > 0]})
			case "brogo crash":
				x.deployable = false
				x.record(out, "sim", run, failed)
			}
		}
	}
	r := &Report{Rows: out.rows}
	p.find(r, tasks)
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"10 of 10", "12.0 / 30.0 (in 9 of 10)", " !", "never / -", "not deployable: brogo",
		"outside: ring of 4, prasle hardened, crash", "failed=10", "rows=2 outside=2"} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("no %q in\n%s", text, b.String())
		}
	}
	if err := r.JSON(io.Discard); err != nil {
		t.Error(err)
	}
}

// Twice the runs take twice the time, and real runs that are cancelled end soon.
func TestUDPStudy(t *testing.T) {
	p := udpSetup("line", 4, 1)
	once, err := p.Estimate()
	if err != nil || once <= 0 {
		t.Fatal(once, err)
	}
	p.Runs = 2
	if twice, _ := p.Estimate(); twice != 2*once {
		t.Errorf("%v, for twice the runs %v", once, twice)
	}
	s, err := p.Study()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(s.Options, jobs.Option{Name: "net", Value: "udp"}) {
		t.Errorf("%v", s.Options)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Do(ctx, jobs.Setting{Workers: 2}); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
	}
}
