package engine

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/mobility"
	"caucus.example/caucus/sim"
)

var huge = flag.Bool("huge", false, "run the benchmarks with ten million nodes as well, and Growth with a hundred")

// BenchmarkRounds measures Bounded Election on random geometric networks of mean degree
// 10, numbered along a Hilbert curve, with hops as lengths, every node in every round. bytes/node counts all that
// is alive on the heap for a run, the network included as `caucus run` keeps it: without the coordinates, 16 more.
// Mrounds/cpu-s is by processor time, which other programs lengthen less.
func BenchmarkRounds(b *testing.B) {
	sizes := []int{1e3, 1e5, 1e6}
	if *huge {
		sizes = append(sizes, 1e7)
	}
	for _, n := range sizes {
		before := heap()
		g := unplaced(b, n)
		for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/n=%d/workers=%d", timing, n, workers), func(b *testing.B) {
					benchRounds(b, sim.Config{Graph: g, StrengthBy: benchStrength, Timing: timing, Workers: workers,
						Seed: 1}, before)
				})
			}
		}
	}
}

func benchRounds(b *testing.B, cfg sim.Config, before uint64) {
	algo, err := bounded.New(bounded.Default(10))
	if err != nil {
		b.Fatal(err)
	}
	wholeRounds = true
	defer func() { wholeRounds = false }()
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
	started := processorTime()
	b.ResetTimer()
	for range b.N {
		e.Step()
	}
	n := float64(cfg.Graph.Len())
	b.ReportMetric(float64(b.N)*n/(processorTime()-started).Seconds()/1e6, "Mrounds/cpu-s")
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "Mrounds/s")
	b.ReportMetric(float64(used)/n, "bytes/node")
}

// BenchmarkGrowth measures a hundred rounds from a clean start, on networks as in BenchmarkRounds. Nodes at rest are
// left out. MB is what a run and its network keep on the heap.
func BenchmarkGrowth(b *testing.B) {
	sizes := []int{1e3, 1e4, 1e5, 1e6}
	if *huge {
		sizes = append(sizes, 1e7, 1e8)
	}
	for _, n := range sizes {
		before := heap()
		g := unplaced(b, n)
		for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
			b.Run(fmt.Sprintf("%s/n=%d", timing, n), func(b *testing.B) {
				cfg := sim.Config{Graph: g, StrengthBy: benchStrength, Timing: timing, Workers: 1, Seed: 1}
				started := processorTime()
				for k := range b.N {
					e, err := NewRounds(election(b, bounded.Default(10)), &bounded.Spec, cfg)
					if err != nil {
						b.Fatal(err)
					}
					for range 100 {
						e.Step()
					}
					if k == b.N-1 {
						b.ReportMetric((processorTime()-started).Seconds()/float64(b.N), "cpu-s/op")
						b.ReportMetric(float64(heap()-before)/1e6, "MB")
					}
					e.Close()
				}
			})
		}
	}
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
		s[i] = benchStrength(i)
	}
	return s
}

func benchStrength(i int) float64 { return float64(uint32(i) * 2654435761 % 1024) }

// unplaced is what `caucus run` keeps of such a network.
func unplaced(t testing.TB, n int) *network.Graph {
	t.Helper()
	g := geometric(t, n)
	g.X, g.Y = nil, nil
	g.Pack()
	return g
}

// geometric gives a random geometric network of mean degree 10 in spatial order.
func geometric(t testing.TB, n int) *network.Graph {
	t.Helper()
	g, err := network.Generate(fmt.Sprintf("rgg:n=%d,degree=10", n), 1)
	if err != nil {
		t.Fatal(err)
	}
	order, err := network.SpatialOrder(g)
	if err != nil {
		t.Fatal(err)
	}
	return network.Relabel(g, order)
}

// BenchmarkMoving runs the published settings of 1000 walkers within 50 and of 975 and 36 fixed nodes within 100.
func BenchmarkMoving(b *testing.B) {
	levy := mobility.Levy{Speed: 2, Scale: 100, Shape: 1}
	box := mobility.Box{MinX: 80, MinY: 80, MaxX: 1110, MaxY: 1110}
	for _, c := range []struct {
		name   string
		reach  float64
		groups []mobility.Group
	}{
		{"random", 50, []mobility.Group{{N: 1000, Place: box, Motion: levy}}},
		{"edge", 100, []mobility.Group{{N: 975, Place: box, Motion: levy},
			{N: 36, Place: mobility.Lattice{X: 227.14, Y: 227.14, Step: 147.144, Columns: 6},
				Motion: mobility.Still{}}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := mobility.Config{Arena: mobility.Arena{Width: 1200, Height: 1200}, Range: c.reach, Period: 1, Seed: 1,
				Groups: c.groups}
			net, err := mobility.NewWalk(cfg)
			if err != nil {
				b.Fatal(err)
			}
			n := net.Len()
			e, err := NewRounds(election(b, bounded.Default(400)), &bounded.Spec,
				sim.Config{Graph: empty(b, n), Timing: sim.Asynchronous, Workers: 1,
					Strengths: benchStrengths(n), Every: 1, Moving: &sim.Moving{
						New: func() (mobility.Net, error) { return net, nil }}})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			e.Step()
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				e.Step()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "node-rounds/s")
		})
	}
}

// disturbed is a run of a thousand rounds with twenty faults: leaders crash, parts are cut off for a while, strengths
// change. Nodes with the greatest of the strengths are sure to lead.
func disturbed(g *network.Graph, timing sim.Timing) sim.Config {
	n := g.Len()
	cfg := sim.Config{Graph: g, Strengths: benchStrengths(n), Timing: timing, Workers: 1, Seed: 1, MaxRounds: 1000,
		Every: 1}
	var leaders []int
	for i, s := range cfg.Strengths {
		if s == 1023 {
			leaders = append(leaders, i)
		}
	}
	for k := range 20 {
		f := sim.Fault{At: float64(45 * (k + 1))}
		switch k % 3 {
		case 0:
			f.Kind, f.Nodes = sim.Crash, leaders[k*len(leaders)/20:][:10]
		case 1:
			f.Kind, f.Until = sim.Partition, f.At+20
			for i := range n / 1000 {
				f.Nodes = append(f.Nodes, k*n/20+i)
			}
		case 2:
			f.Kind, f.Value = sim.Strength, float64(100*k)
			for i := range 100 {
				f.Nodes = append(f.Nodes, k*n/20+i*7)
			}
		}
		cfg.Faults = append(cfg.Faults, f)
	}
	return cfg
}

// BenchmarkDisturbed measures a whole run, from a clean start, with nodes at rest left out and, for comparison, with
// every node in every round. cpu-s/op is processor time, which other programs do not lengthen much.
func BenchmarkDisturbed(b *testing.B) {
	n := 100_000
	if *huge {
		n = 1_000_000
	}
	g := geometric(b, n)
	for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
		for _, whole := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/n=%d/whole=%v", timing, n, whole), func(b *testing.B) {
				wholeRounds = whole
				defer func() { wholeRounds = false }()
				before := processorTime()
				for range b.N {
					r, err := Run(b.Context(), election(b, bounded.Default(10)), &bounded.Spec, disturbed(g, timing))
					if err != nil || r.Rounds != 1000 {
						b.Fatal(err)
					}
				}
				b.ReportMetric((processorTime()-before).Seconds()/float64(b.N), "cpu-s/op")
			})
		}
	}
}
