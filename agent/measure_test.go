package agent

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// BenchmarkReelection kills the leader of a clique of real agents on loopback, b.N times,
// and reports how long it took until every live node agreed on the next one and its term.
//
//	go test -run '^$' -bench Reelection -benchtime 30x ./agent
//
// The killed node is started again before the next trial. The agents share this process, so
// that a clique of 30 at 20 ms also measures how busy the machine is (late rounds).
func BenchmarkReelection(b *testing.B) {
	for _, profile := range Profiles {
		for _, n := range []int{3, 5, 30} {
			b.Run(fmt.Sprintf("%s/clique=%d", profile.Name, n), func(b *testing.B) { reelection(b, profile, n) })
		}
	}
}

func reelection(b *testing.B, profile Profile, n int) {
	list := loopback("127.0.0.1")(b, n)
	cfgs := configs(list, clique(n))
	for i := range cfgs {
		cfgs[i].Profile = profile.Name
	}
	f := launch(b, cfgs)
	agree(b, "n1", f.agents...)
	var took []float64 // in periods
	for b.Loop() {
		b.StopTimer()
		// a kill at a random moment of the leader's period
		time.Sleep(time.Duration(float64(profile.Period) * phase(len(took))))
		b.StartTimer()
		f.agents[0].Kill()
		killed := time.Now()
		var term uint64
		for !agreed("n2", f.agents[1:], &term) {
			time.Sleep(200 * time.Microsecond)
		}
		took = append(took, float64(time.Since(killed))/float64(profile.Period))
		b.StopTimer()
		cfgs[0].Transport = reopen(b, list[0])
		restart(b, f, 0, cfgs[0])
		agree(b, "n1", f.agents...)
		b.StartTimer()
	}
	slices.Sort(took)
	ms := float64(profile.Period) / float64(time.Millisecond)
	for _, q := range []struct {
		name string
		at   float64
	}{{"median", .5}, {"p90", .9}, {"worst", 1}} {
		x := took[min(len(took)-1, int(q.at*float64(len(took))))]
		b.ReportMetric(x, q.name+"-periods")
		b.ReportMetric(x*ms, q.name+"-ms")
	}
	b.ReportMetric(0, "ns/op") // includes the restarts: says nothing
}

// phase spreads the kills evenly over the period.
func phase(trial int) float64 {
	x := 0.5 + 0.6180339887*float64(trial)
	return x - float64(int(x))
}

// BenchmarkSteady reports what an election costs that does not change: processor time and
// traffic per node and second.
//
//	go test -run '^$' -bench Steady -benchtime 1x ./agent
func BenchmarkSteady(b *testing.B) {
	for _, profile := range Profiles {
		for _, n := range []int{3, 5, 30} {
			b.Run(fmt.Sprintf("%s/clique=%d", profile.Name, n), func(b *testing.B) { steady(b, profile, n) })
		}
	}
}

func steady(b *testing.B, profile Profile, n int) {
	cfgs := configs(loopback("127.0.0.1")(b, n), clique(n))
	for i := range cfgs {
		cfgs[i].Profile = profile.Name
	}
	f := launch(b, cfgs)
	agree(b, "n1", f.agents...)
	for b.Loop() {
		runtime.GC()
		before, busy, began := total(f), cpu(b), time.Now()
		time.Sleep(max(2*time.Second, 5*profile.Period))
		seconds := time.Since(began).Seconds()
		after := total(f)
		perNode := func(x uint64) float64 { return float64(x) / seconds / float64(n) }
		b.ReportMetric((cpu(b)-busy).Seconds()*1000/seconds/float64(n), "cpu-ms/node/s")
		b.ReportMetric(perNode(after.Sent-before.Sent), "datagrams/node/s")
		b.ReportMetric(perNode(after.SentBytes-before.SentBytes), "bytes/node/s")
		b.ReportMetric(2*perNode(after.SentBytes-before.SentBytes)/float64(n-1), "bytes/link/s")
		b.ReportMetric(float64(after.LateRounds-before.LateRounds), "late-rounds")
	}
	b.ReportMetric(0, "ns/op")
}

func total(f *fleet) (c Counters) {
	for _, a := range f.agents {
		s := a.Status().Counters
		c.Sent += s.Sent
		c.SentBytes += s.SentBytes
		c.LateRounds += s.LateRounds
	}
	return c
}

func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
