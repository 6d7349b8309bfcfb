package sim

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"caucus/algo/bounded"
	"caucus/topology"
)

var huge = flag.Bool("huge", false, "run the benchmarks with ten million nodes as well")

// BenchmarkRounds measures Bounded Election on random geometric networks of mean degree
// 10, numbered along a Hilbert curve, with hops as lengths. bytes/node counts all that
// is alive on the heap for a run, the network included.
func BenchmarkRounds(b *testing.B) {
	sizes := []int{1e3, 1e5, 1e6}
	if *huge {
		sizes = append(sizes, 1e7)
	}
	for _, n := range sizes {
		before := heap()
		g := geometric(b, n)
		for _, timing := range []Timing{Synchronous, Asynchronous} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/n=%d/workers=%d", timing, n, workers), func(b *testing.B) {
					benchRounds(b, Config{Graph: g, Strengths: benchStrengths(n), Timing: timing, Workers: workers, Seed: 1}, before)
				})
			}
		}
	}
}

func benchRounds(b *testing.B, cfg Config, before uint64) {
	algo, err := bounded.New(bounded.Default(10))
	if err != nil {
		b.Fatal(err)
	}
	e, err := NewRounds(algo, &bounded.Spec, cfg)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for range 3 {
		e.Step()
	}
	used := heap() - before
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		e.Step()
	}
	n := float64(cfg.Graph.Len())
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "Mrounds/s")
	b.ReportMetric(float64(used)/n, "bytes/node")
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func benchStrengths(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = float64(uint32(i) * 2654435761 % 1024)
	}
	return s
}

// geometric gives a random geometric network of mean degree 10 in spatial order.
func geometric(t testing.TB, n int) *topology.Graph {
	t.Helper()
	g, err := topology.Generate(fmt.Sprintf("rgg:n=%d,degree=10", n), 1)
	if err != nil {
		t.Fatal(err)
	}
	order, err := topology.SpatialOrder(g)
	if err != nil {
		t.Fatal(err)
	}
	return topology.Relabel(g, order)
}
