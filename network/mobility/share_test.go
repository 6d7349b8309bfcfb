package mobility

import (
	"slices"
	"testing"
)

// All views are told the same as one who asks the network alone, period by period, also where nodes come and go.
func TestShare(t *testing.T) {
	trace := mustRead(t, Intervals, "1 2 0 20\n1 3 10 30\n1 2 40 60\n3 2 50 60\n")
	for name, make := range map[string]func() Net{
		"walk": func() Net { return mustWalk(t, edgeSetup(1)) },
		"meetings": func() Net {
			net, err := trace.Net(1)
			if err != nil {
				t.Fatal(err)
			}
			return net
		},
	} {
		alone := make()
		views := Share(make(), 3)
		if _, located := alone.(Located); located != func() bool { _, ok := views[2].(Located); return ok }() {
			t.Errorf("%s: a view knows other things than its network", name)
		}
		period := func(net Net, now float64) (log []float64) {
			for i := range net.Len() {
				net.Advance(now + float64(i)/float64(net.Len()))
				if !net.Present(i) {
					log = append(log, -1)
					continue
				}
				row, dist := net.Neighbours(i, now+float64(i)/float64(net.Len()), []int32{7}, nil)
				for k, j := range row[1:] {
					log = append(log, float64(j), dist[k])
				}
				net.Spoke(i, now+float64(i)/float64(net.Len()))
			}
			return log
		}
		for now := range 62 {
			want := period(alone, float64(now))
			for k, v := range views {
				if got := period(v, float64(now)); !slices.Equal(got, want) {
					t.Fatalf("%s: view %d at %d s is told %v, want %v", name, k, now, got, want)
				}
			}
		}
	}
}
