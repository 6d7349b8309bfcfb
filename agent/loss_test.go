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
		for _, loss := range []float64{0, 0.1, 0.3} {
			b.Run(fmt.Sprintf("%s/loss=%g", name, loss), func(b *testing.B) { underLoss(b, links, loss) })
		}
	}
}

func underLoss(b *testing.B, links edges, loss float64) {
	n := 0
	for _, e := range links {
		n = max(n, e[0]+1, e[1]+1)
	}
	const length, seeds = 10 * time.Minute, 10
	changes, apart := 0, 0
	steps := int(length / period)
	for b.Loop() {
		for seed := range uint64(seeds) {
			v := newVirtual(b, seed, n, links)
			v.upAll()
			v.settle("n1", 100)
			v.loss = loss
			v.run(time.Minute) // to learn
			changes -= v.changes()
			for range steps {
				v.run(period)
				if !allFollow(v, "n1") {
					apart++
				}
			}
			changes += v.changes()
		}
		b.ReportMetric(float64(changes)/float64(n)/(seeds*length).Hours(), "changes/node/h")
		b.ReportMetric(100*float64(apart)/float64(seeds*steps), "%apart")
	}
	b.ReportMetric(0, "ns/op")
}

// changes counts how often nodes have changed their leader.
func (v *virtual) changes() (sum int) {
	for _, a := range v.alive() {
		sum += int(a.count.LeaderChanges)
	}
	return sum
}
