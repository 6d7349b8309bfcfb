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

func receiving(b *testing.B, keyed bool) {
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
