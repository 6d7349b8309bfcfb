package check

import (
	"fmt"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/decay"
	"caucus.example/caucus/algo/graphs/flood"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/algo/rings/control"
)

// Bounded Election on a ring of three, all configurations, and what all that nodes both hold and say comes to on a path
// of four: configurations per second on one core and bytes for each, its key of 8 bytes included.
func BenchmarkExplore(b *testing.B) {
	e, err := bounded.New(bounded.Config{Radius: 2})
	if err != nil {
		b.Fatal(err)
	}
	net, err := Parse("2-3 3-4 2-4 strengths=1,2,1")
	if err != nil {
		b.Fatal(err)
	}
	never := func() bool { return false }
	for _, kind := range []string{"complete", "growing"} {
		y, err := systemOf(e, net)
		if err != nil {
			b.Fatal(err)
		}
		var m *machine
		if kind == "complete" {
			m, _, err = y.complete(world(net, 1, 1), 1<<20, never)
		} else {
			if net, err = Parse("2-3 3-4 4-5 strengths=1,2,1,1"); err != nil {
				b.Fatal(err)
			}
			if y, err = systemOf(e, net); err != nil {
				b.Fatal(err)
			}
			start, _ := y.candid(world(net, 1, 1), 1<<20)
			m, err = y.growing(start)
		}
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range Classical {
			b.Run(kind+"/"+string(d), func(b *testing.B) {
				total, bytes := 0, 0
				for b.Loop() {
					x, ok := explore(m, d, 1<<28, never)
					if !ok {
						b.Fatal("stopped")
					}
					total += int(x.result.configurations)
					bytes = x.bytes()
				}
				bytes /= total / b.N
				b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "configurations/s")
				b.ReportMetric(float64(bytes), "bytes/configuration")
				b.ReportMetric(float64(total)/float64(b.N), "configurations")
			})
		}
	}
}

// The same with one worker and with two, on a network of four nodes: how much faster two are.
func BenchmarkWorkers(b *testing.B) {
	d, err := decay.New(decay.Config{Lifetime: 3})
	if err != nil {
		b.Fatal(err)
	}
	net, err := Parse("2-3 3-4 4-5 2-5")
	if err != nil {
		b.Fatal(err)
	}
	never := func() bool { return false }
	y, err := systemOf(d, net)
	if err != nil {
		b.Fatal(err)
	}
	m, _, err := y.complete(world(net, 1, 1), 1<<23, never)
	if err != nil {
		b.Fatal(err)
	}
	for _, d := range []Daemon{Synchronous, Distributed} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", d, workers), func(b *testing.B) {
				total := 0
				for b.Loop() {
					hands := new(crew)
					hands.idle.Store(int32(workers - 1))
					x, ok := exploreWith(m, d, 1<<28, hands, &store{}, never)
					if !ok {
						b.Fatal("stopped")
					}
					total += int(x.result.configurations)
				}
				b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "configurations/s")
				b.ReportMetric(float64(total)/float64(b.N), "configurations")
			})
		}
	}
}

// bytes is what an exploration has taken, whole pages, but for counting rounds.
func (x *explorer) bytes() int {
	total := 24*cap(x.frames) + 8*cap(x.edges) + 4*cap(x.ready) + 4*x.marks.count() + 4*x.next.count()
	if x.ids != nil {
		total += 8*x.ids.keys.count() + 4*len(*x.ids.slots.Load())
	}
	if x.chart.rows != nil {
		total += 4 * x.chart.rows.count()
	}
	if x.left != nil {
		total += 4*cap(x.left.stack) + 16*cap(x.left.frames) + 2*cap(x.left.sets) + 8*cap(x.left.first) +
			8*cap(x.left.steps)
	}
	return total
}

// count is how many entries there are places for.
func (t *table[T]) count() int {
	n := 0
	for k := range t.pages {
		if t.peek(uint64(k)) != nil {
			n += pageSize
		}
	}
	return n
}

// Event algorithms on one network: plain states, states with slices, and time.
func BenchmarkEvents(b *testing.B) {
	one := func(name string, check func(cfg Config) (*Report, error), network string) {
		net, err := Parse(network)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			total := int64(0)
			for b.Loop() {
				rep, err := check(Config{Networks: []*caucus.Network{net}, Workers: 1})
				if err != nil || rep.Events.Fails+rep.Events.Undecided > 0 {
					b.Fatal(rep, err)
				}
				total += rep.Events.Configurations
			}
			b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "configurations/s")
		})
	}
	one("control", func(cfg Config) (*Report, error) {
		return Events(b.Context(), control.Algorithm{Growth: 2}, &control.Spec, cfg)
	}, "2-3 3-4 4-5 5-2")
	one("yo-yo", func(cfg Config) (*Report, error) {
		return Events(b.Context(), yoyo.Algorithm{Prune: true}, &yoyo.Spec, cfg)
	}, "2-3 3-4 4-5 5-2 2-4")
	one("flood-changes", func(cfg Config) (*Report, error) {
		return Events(b.Context(), flood.Algorithm{Changes: true}, &flood.ChangesSpec, cfg)
	}, "2-3 3-4 2-4")
}
