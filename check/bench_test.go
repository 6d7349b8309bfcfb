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
					x, ok := explore(m, d, 1<<30, never)
					if !ok {
						b.Fatal("stopped")
					}
					total += int(x.result.configurations)
					bytes = 4*cap(x.marks) + 16*cap(x.frames) + 4*cap(x.stack)
					if x.ids != nil {
						bytes += 8*(cap(x.ids.keys)-len(x.ids.keys)) + 4*len(x.ids.slots)
					}
					bytes /= int(x.result.configurations)
				}
				b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "configurations/s")
				b.ReportMetric(float64(bytes), "bytes/configuration")
				b.ReportMetric(float64(total)/float64(b.N), "configurations")
			})
		}
	}
}
