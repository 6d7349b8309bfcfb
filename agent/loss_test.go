package agent

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkLoss reports how often a node changes its leader for no reason but lost datagrams, in virtual time, and how
// long the nodes disagree.
//
//	go test -run '^$' -bench Loss -benchtime 1x ./agent
func BenchmarkLoss(b *testing.B) {
	for name, links := range map[string]edges{"line=10": line(10), "clique=5": clique(5), "ring=12": ring(12)} {
		for _, loss := range []float64{0.05, 0.1, 0.3} {
			b.Run(fmt.Sprintf("%s/loss=%g", name, loss), func(b *testing.B) { underLoss(b, links, loss) })
		}
	}
}

func underLoss(b *testing.B, links edges, loss float64) {
	n := 0
	for _, e := range links {
		n = max(n, e[0]+1, e[1]+1)
	}
	const length = 20 * time.Minute
	for b.Loop() {
		v := newVirtual(b, 1, n, links)
		v.upAll()
		v.settle("n1", 100)
		v.loss = loss
		before, apart := 0, 0
		for _, a := range v.alive() {
			before += int(a.count.LeaderChanges)
		}
		steps := int(length / period)
		for range steps {
			v.run(period)
			if !allFollow(v, "n1") {
				apart++
			}
		}
		after := 0
		for _, a := range v.alive() {
			after += int(a.count.LeaderChanges)
		}
		b.ReportMetric(float64(after-before)/float64(n)/length.Hours(), "changes/node/h")
		b.ReportMetric(100*float64(apart)/float64(steps), "%apart")
	}
	b.ReportMetric(0, "ns/op")
}
