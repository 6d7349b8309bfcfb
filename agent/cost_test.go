package agent

import (
	"testing"
	"time"

	"caucus.example/caucus/internal/seal"
)

// BenchmarkReceive reports what a datagram costs at rest after it has left the socket, decoding, message and all, in
// processor time, and in a group with keys its seal as well.
//
//	go test -run '^$' -bench Receive -benchmem ./agent
func BenchmarkReceive(b *testing.B) {
	for _, keyed := range []bool{false, true} {
		name := "plain"
		if keyed {
			name = "keyed"
		}
		b.Run(name, func(b *testing.B) { receiving(b, keyed) })
	}
}

// atRest are two nodes that have nothing more to tell each other.
func atRest(b *testing.B, keyed bool) *virtual {
	v := newVirtual(b, 1, 2, line(2))
	if keyed {
		file := keyFile(b, seal.NewKey())
		for _, x := range v.nodes {
			x.cfg.KeyFile = file
		}
	}
	v.upAll()
	v.settle("n1", 100)
	v.run(3 * nameEvery * period)
	return v
}

func receiving(b *testing.B, keyed bool) {
	v := atRest(b, keyed)
	var came [][]byte
	v.sent = func(p packet) { came = append(came, p.data) }
	v.cut = func(from, to int) bool { return true }
	from, to := v.nodes[0].agent, v.nodes[1].agent
	const batch = 1024
	busy := time.Duration(0)
	received := to.count.Received
	dropped := len(to.count.Dropped)
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; done += batch {
		b.StopTimer()
		came = came[:0]
		for range batch {
			from.broadcast(v.now)
		}
		list := came[:batch:batch]
		b.StartTimer()
		began := cpu(b)
		for _, data := range list[:min(batch, b.N-done)] {
			to.receive(datagram{buf: data, n: len(data), from: v.nodes[0].addr, at: v.now})
		}
		busy += cpu(b) - began
	}
	if got := to.count.Received - received; got != uint64(b.N) || len(to.count.Dropped) != dropped {
		b.Fatalf("%d of %d datagrams received, dropped: %v", got, b.N, to.count.Dropped)
	}
	b.ReportMetric(float64(busy.Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// A datagram at rest is received without an allocation. Those that tell names may take some: the mean is rounded down.
func TestReceivedWithoutAllocation(t *testing.T) {
	const runs = 4 * nameEvery
	v := newVirtual(t, 1, 2, line(2))
	v.upAll()
	v.settle("n1", 100)
	v.run(3 * nameEvery * period)
	var came [][]byte
	v.sent = func(p packet) { came = append(came, p.data) }
	v.cut = func(from, to int) bool { return true }
	from, to := v.nodes[0].agent, v.nodes[1].agent
	for len(came) < runs+1 { // one to warm up
		from.broadcast(v.now)
	}
	received := to.count.Received
	each := testing.AllocsPerRun(runs, func() {
		to.receive(datagram{buf: came[0], n: len(came[0]), from: v.nodes[0].addr, at: v.now})
		came = came[1:]
	})
	if got := to.count.Received - received; each > 0 || got != runs+1 || len(to.count.Dropped) > 0 {
		t.Errorf("%g allocations a datagram, %d of %d received, dropped: %v", each, got, runs+1, to.count.Dropped)
	}
}
