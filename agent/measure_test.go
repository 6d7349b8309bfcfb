package agent

import (
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"sync/atomic"
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
	list := onLoopback("127.0.0.1")(b, n)
	cfgs := configs(list, clique(n))
	for i := range cfgs {
		cfgs[i].Profile, cfgs[i].Damping = profile.Name, Off // it dies again and again
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
	cfgs := configs(onLoopback("127.0.0.1")(b, n), clique(n))
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
		c.Rounds += s.Rounds
	}
	return c
}

// BenchmarkFleet reports what many agents in one process cost a node: processor time, memory and
// traffic, and which share of the datagrams was lost by the machine (sent and not received) or late (more
// than one and a half periods after the one before from the same sender, lost ones included).
//
//	go test -run '^$' -bench Fleet -benchtime 1x ./agent
func BenchmarkFleet(b *testing.B) {
	for _, c := range []struct {
		name   string
		n      int
		links  edges
		period time.Duration
	}{
		{"ring=1000/period=1s", 1000, ring(1000), time.Second},
		{"mesh=25x40/period=1s", 1000, mesh(25, 40), time.Second},
		{"clique=80/period=50ms", 80, clique(80), 50 * time.Millisecond},
	} {
		b.Run(c.name, func(b *testing.B) { costs(b, c.n, c.links, c.period) })
	}
}

func costs(b *testing.B, n int, links edges, period time.Duration) {
	idle := footprint(b)
	list := onLoopback("127.0.0.1")(b, n)
	meters := make([]*meter, n)
	for i := range list {
		meters[i] = &meter{Transport: list[i], late: period * 3 / 2, last: map[netip.AddrPort]time.Time{}}
		list[i] = meters[i]
	}
	cfgs := configs(list, links)
	for i := range cfgs {
		cfgs[i].Period, cfgs[i].Expiry = period, 3
	}
	f := launch(b, cfgs)
	time.Sleep(10 * period)
	for b.Loop() {
		before, busy, began := total(f), cpu(b), time.Now()
		received, late := arrivals(meters)
		time.Sleep(20 * period)
		seconds := time.Since(began).Seconds()
		after, used := total(f), cpu(b)-busy
		received2, late2 := arrivals(meters)
		got := float64(received2 - received)
		sent := float64(after.Sent - before.Sent)
		b.ReportMetric(used.Seconds()*1000/seconds/float64(n), "cpu-ms/node/s")
		b.ReportMetric((footprint(b)-idle)/float64(n)/1024, "KiB/node")
		b.ReportMetric(sent/seconds/float64(n), "datagrams/node/s")
		b.ReportMetric(100*max(0, 1-got/sent), "%lost")
		b.ReportMetric(100*float64(late2-late)/got, "%late-or-lost")
		b.ReportMetric(100*float64(after.LateRounds-before.LateRounds)/float64(after.Rounds-before.Rounds),
			"%late-rounds")
	}
	b.ReportMetric(0, "ns/op")
}

// meter watches what arrives.
type meter struct {
	Transport
	late     time.Duration
	last     map[netip.AddrPort]time.Time // of the goroutine that receives
	received atomic.Uint64
	overdue  atomic.Uint64
}

func (m *meter) Receive(buf []byte) (int, netip.AddrPort, error) {
	n, from, err := m.Transport.Receive(buf)
	if err == nil {
		now := time.Now()
		m.received.Add(1)
		if last, ok := m.last[from]; ok && now.Sub(last) > m.late {
			m.overdue.Add(1)
		}
		m.last[from] = now
	}
	return n, from, err
}

func arrivals(meters []*meter) (received, late uint64) {
	for _, m := range meters {
		received += m.received.Load()
		late += m.overdue.Load()
	}
	return received, late
}

// footprint is what the heap and the stacks hold, in bytes.
func footprint(b *testing.B) float64 {
	b.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}

func ring(n int) edges { return append(line(n), [2]int{n - 1, 0}) }

func mesh(rows, columns int) edges {
	var e edges
	for r := range rows {
		for c := range columns {
			if i := r*columns + c; c > 0 {
				e = append(e, [2]int{i - 1, i})
			}
			if i := r*columns + c; r > 0 {
				e = append(e, [2]int{i - columns, i})
			}
		}
	}
	return e
}

// BenchmarkSegment reports what 200 nodes that all hear each other cost each of them a period at rest: by multicast, as
// peers of which each keeps 8, and as peers. It is in virtual time: processor time has that of the network of the test
// in it, and not that of the system for a datagram.
//
//	go test -run '^$' -bench Segment -benchtime 1x ./agent
func BenchmarkSegment(b *testing.B) {
	const n, periods = 200, 8
	for _, c := range []struct {
		name string
		make func() *virtual
	}{
		{"multicast", func() *virtual { return onSegment(b, 1, n, "") }},
		{"max-neighbours=8", func() *virtual { return sparse(b, 1, n, 8, true) }},
		{"clique", func() *virtual { return sparse(b, 1, n, 0, true) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				v := c.make()
				v.upAll()
				v.settle("n1", 60)
				v.run(10 * period)
				before, began := v.total(), cpu(b)
				v.run(periods * period)
				took, now := cpu(b)-began, v.total()
				per := func(x, before uint64, what string) { b.ReportMetric(float64(x-before)/n/periods, what) }
				per(now.Sent, before.Sent, "sent/node/period")
				per(now.SentBytes, before.SentBytes, "sent-B/node/period")
				per(now.Received, before.Received, "received/node/period")
				per(now.ReceivedBytes, before.ReceivedBytes, "received-B/node/period")
				b.ReportMetric(took.Seconds()*1e6/n/periods, "cpu-µs/node/period")
			}
		})
	}
}

func (v *virtual) total() (sum Counters) {
	for _, a := range v.alive() {
		sum.Sent += a.count.Sent
		sum.SentBytes += a.count.SentBytes
		sum.Received += a.count.Received
		sum.ReceivedBytes += a.count.ReceivedBytes
	}
	return sum
}
