package engine_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/algo/rings/stages"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

// BenchmarkEvents runs As Far on rings with IDs increasing in the direction of travel, where all n
// nodes start: n(n+1)/2 + n messages; and Mega-Merger on a random graph of 10⁵ nodes and 8·10⁵ edges.
// bytes/pending counts what the engine has allocated beyond a prepared run, per message on its way
// when all nodes have started.
func BenchmarkEvents(b *testing.B) {
	for _, n := range []int{1e3, 1e4} {
		for _, cfg := range []sim.Config{
			{Delays: sim.UnitDelay}, {Delays: sim.UniformDelay}, {Delays: sim.ExponentialDelay},
			{Scheduler: sim.RandomNext},
		} {
			b.Run(fmt.Sprintf("as-far/n=%d/%s%s", n, cfg.Delays, cfg.Scheduler), func(b *testing.B) {
				cfg.Graph = generated(b, fmt.Sprintf("ring:%d", n))
				benchEvents(b, asfar.Algorithm{}, &asfar.Spec, cfg)
			})
		}
	}
	for _, delays := range delays {
		b.Run("mega-merger/n=100000/"+string(delays), func(b *testing.B) {
			benchEvents(b, megamerger.Algorithm{}, &megamerger.Spec,
				sim.Config{Graph: generated(b, "er:n=100000,m=800000"), Delays: delays})
		})
	}
}

func benchEvents[S, M any](b *testing.B, algo caucus.Events[S, M], spec *caucus.Spec, cfg sim.Config) {
	cfg.Seed = 1
	b.ReportAllocs()
	var messages int64
	var perPending float64
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		e, err := engine.NewEvents(algo, spec, cfg)
		if err != nil {
			b.Fatal(err)
		}
		before := alive()
		for range cfg.Graph.Len() { // the wake-ups
			e.Step()
		}
		perPending = float64(alive()-before) / float64(e.Pending())
		b.StartTimer()
		for e.Steps(1024) == 1024 {
		}
		b.StopTimer()
		r := e.Result()
		if !r.Converged {
			b.Fatal("not at rest")
		}
		messages += r.Messages - int64(cfg.Graph.Len())
		b.StartTimer()
	}
	b.ReportMetric(float64(messages)/b.Elapsed().Seconds()/1e6, "Mmessages/s")
	b.ReportMetric(perPending, "bytes/pending")
}

// BenchmarkEventGrowth measures whole elections. MB is what a run and its network keep on the heap when it is over.
func BenchmarkEventGrowth(b *testing.B) {
	for n := 1000; n <= 1e6; n *= 10 {
		growEvents(b, "mega-merger", n, "er:n=%d,m=%d0", megamerger.Algorithm{}, &megamerger.Spec)
		growEvents(b, "yo-yo", n, "er:n=%d,m=%d0", yoyo.Algorithm{Prune: true}, &yoyo.Spec)
		growEvents(b, "stages", n, "ring:%d", stages.Algorithm{}, &stages.Spec)
	}
}

func growEvents[S, M any](b *testing.B, name string, n int, topology string, algo caucus.Events[S, M],
	spec *caucus.Spec) {
	b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
		before := alive()
		text := strings.ReplaceAll(topology, "%d", strconv.Itoa(n))
		cfg := sim.Config{Graph: generated(b, text), Delays: sim.UnitDelay, Seed: 1}
		started := engine.ProcessorTime()
		for k := range b.N {
			e, err := engine.NewEvents(algo, spec, cfg)
			if err != nil {
				b.Fatal(err)
			}
			for e.Steps(1024) == 1024 {
			}
			if k == b.N-1 {
				b.ReportMetric((engine.ProcessorTime()-started).Seconds()/float64(b.N), "cpu-s/op")
				b.ReportMetric(float64(alive()-before)/1e6, "MB")
			}
			runtime.KeepAlive(e)
		}
	})
}

func alive() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
