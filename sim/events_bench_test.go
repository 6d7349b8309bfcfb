package sim_test

import (
	"fmt"
	"runtime"
	"testing"

	"caucus"
	"caucus/algo/asfar"
	"caucus/sim"
	"caucus/topology"
)

// BenchmarkEvents runs As Far on rings with IDs increasing in the direction of travel, where all n
// nodes start: n(n+1)/2 + n messages. bytes/pending counts what the engine has allocated beyond
// a prepared run, per message on its way at the beginning, when all n are.
func BenchmarkEvents(b *testing.B) {
	for _, n := range []int{1e3, 4e3} {
		g, err := topology.Generate(fmt.Sprintf("ring:%d", n), 1)
		if err != nil {
			b.Fatal(err)
		}
		for _, delays := range []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay} {
			b.Run(fmt.Sprintf("as-far/n=%d/%s", n, delays), func(b *testing.B) {
				benchEvents(b, sim.Config{Graph: g, Delays: delays, Seed: 1, MaxEvents: 1 << 40})
			})
		}
		b.Run(fmt.Sprintf("as-far/n=%d/random", n), func(b *testing.B) {
			benchEvents(b, sim.Config{Graph: g, Scheduler: sim.RandomNext, Seed: 1, MaxEvents: 1 << 40})
		})
	}
}

func benchEvents(b *testing.B, cfg sim.Config) {
	n := cfg.Graph.Len()
	b.ReportAllocs()
	var messages int64
	var perPending float64
	for range b.N {
		b.StopTimer()
		e, err := sim.NewEvents(asfar.Algorithm{}, &asfar.Spec, cfg)
		if err != nil {
			b.Fatal(err)
		}
		before := alive()
		for range n { // the wake-ups
			e.Step()
		}
		perPending = float64(alive()-before) / float64(e.Pending())
		b.StartTimer()
		for e.Step() {
		}
		b.StopTimer()
		r := e.Result()
		if want := int64(n)*int64(n+1)/2 + int64(n); r.Messages != want || !r.Converged {
			b.Fatalf("%d messages, want %d", r.Messages, want)
		}
		messages += r.Messages
		b.StartTimer()
	}
	b.ReportMetric(float64(messages)/b.Elapsed().Seconds()/1e6, "Mmessages/s")
	b.ReportMetric(perPending, "bytes/pending")
}

func alive() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

var _ caucus.Events[asfar.State, asfar.Msg] = asfar.Algorithm{}
