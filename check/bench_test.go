package check

import (
	"testing"

	"caucus/algo/bounded"
)

// Bounded Election on a ring of three, all configurations: configurations per second on one core and bytes for each, next to
// the 8 or fewer of its key.
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
		y, err := newSystem(e, net)
		if err != nil {
			b.Fatal(err)
		}
		var m *machine
		if kind == "complete" {
			m, _, err = y.complete(world(net, 1, 1), 1<<20, never)
		} else {
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

// bytes is what an exploration has taken, whole pages, but for counting rounds.
func (x *explorer) bytes() int {
	total := 24*cap(x.frames) + 8*cap(x.edges) + 4*cap(x.ready) + 4*x.marks.count() + 4*x.next.count()
	if x.ids != nil {
		total += 8*x.ids.keys.count() + 4*len(*x.ids.slots.Load())
	}
	if x.left != nil {
		total += 4*cap(x.left.list) + 4*cap(x.left.marks) + 4*cap(x.left.stack) + 16*cap(x.left.frames)
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
