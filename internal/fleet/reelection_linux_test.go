package fleet

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
	"caucus.example/caucus/network"
	"caucus.example/caucus/network/format"
)

// BenchmarkReelection is the floor of re-election with real processes, each a host in a network namespace of its own,
// at a period of 100 ms: n1, the leader, is killed with SIGKILL at a random moment of its period, once per iteration.
// It reports the periods until all live nodes name the next leader for good, and until it also acts with a term that
// all report. What is lost is lost by the agents' own emulator.
//
//	go test -run '^$' -bench Reelection -benchtime 20x -timeout 2h ./internal/fleet
func BenchmarkReelection(b *testing.B) {
	for _, name := range []string{"clique:5", "line:10", "ring:20", "geant2012", "rgg:n=60,degree=6,connected"} {
		for _, loss := range []float64{0, 0.1} {
			b.Run(fmt.Sprintf("%s/loss=%g", strings.ReplaceAll(name, ":", "="), loss), func(b *testing.B) {
				g, _, err := format.Open(name, 1, format.Options{})
				if err != nil {
					b.Fatal(err)
				}
				reelections(b, g, loss)
			})
		}
	}
}

func reelections(b *testing.B, g *network.Graph, loss float64) {
	const period = 100 * time.Millisecond
	var edges [][2]int
	for i := range g.Len() {
		for _, j := range g.Neighbours(i) {
			if i < int(j) {
				edges = append(edges, [2]int{i, int(j)})
			}
		}
	}
	l := newLab(b, built(b), g.Len(), edges)
	for _, h := range l.hosts {
		h.cfg.Period = period
		if loss > 0 {
			h.cfg.Link = map[string]string{"loss": fmt.Sprint(loss)}
		}
		h.start()
	}
	nobody := func(int) bool { return false }
	all := l.regions(nobody, func(int, int) bool { return false })
	living := l.regions(func(i int) bool { return i == 0 }, func(int, int) bool { return false })
	l.calm(b, all, 20*period)
	if loss > 0 {
		time.Sleep(time.Minute) // to learn
	}
	random := caucus.NewRand(1, "kill")
	var named, acts []float64
	for b.Loop() {
		time.Sleep(time.Duration((10 + random.Float64()) * float64(period)))
		killed := time.Now()
		l.hosts[0].kill()
		l.calm(b, living, 15*period)
		l.mu.Lock()
		named = append(named, float64(l.named.Sub(killed))/float64(period))
		acts = append(acts, float64(l.changed.Sub(killed))/float64(period))
		l.mu.Unlock()
		l.hosts[0].start()
		l.calm(b, all, 20*period)
	}
	for unit, list := range map[string][]float64{"named": named, "acts": acts} {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], unit)
		b.ReportMetric(list[len(list)*9/10], unit+"-p90")
		b.ReportMetric(list[len(list)-1], unit+"-worst")
	}
	b.ReportMetric(0, "ns/op") // includes restarts and waits: says nothing
}

// calm waits until the regions agree, and nothing has changed for a while.
func (l *lab) calm(b *testing.B, regions [][]int, while time.Duration) {
	b.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if since, _ := l.settledSince(); l.agreed(regions) && time.Since(since) > while {
			return
		}
		if time.Now().After(deadline) {
			l.mu.Lock()
			defer l.mu.Unlock()
			var leads []agent.Leadership
			for _, h := range l.hosts {
				leads = append(leads, h.lead)
			}
			b.Fatalf("no agreement: %v", leads)
		}
	}
}
