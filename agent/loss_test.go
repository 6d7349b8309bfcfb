package agent

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkLoss reports how often a node changes its leader for no reason but lost datagrams, in virtual time, and how
// long the nodes disagree, in an hour for each network, and what their links carry, headers included.
//
//	go test -run '^$' -bench Loss -benchtime 1x ./agent
func BenchmarkLoss(b *testing.B) {
	for _, name := range []string{"line:10", "clique:5", "ring:20", "geant2012", "rgg:n=60,degree=6,connected"} {
		n, links := linksOf(b, name, false, 1)
		for _, loss := range []float64{0, 0.1, 0.2, 0.3} {
			b.Run(fmt.Sprintf("%s/loss=%g", strings.ReplaceAll(name, ":", "="), loss), func(b *testing.B) {
				underLoss(b, n, links, loss)
			})
		}
	}
}

func underLoss(b *testing.B, n int, links edges, loss float64) {
	const length, seeds = 10 * time.Minute, 6
	changes, apart, sent := 0, 0, 0
	steps := int(length / period)
	for b.Loop() {
		for seed := range uint64(seeds) {
			v := newVirtual(b, seed, n, links)
			v.upAll()
			v.settle("n1", 100)
			v.loss = loss
			v.run(time.Minute) // to learn
			changes -= v.changes()
			v.sent = func(p packet) { sent += len(p.data) + 28 }
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
		b.ReportMetric(float64(sent)/(seeds*length).Seconds()/float64(len(links)), "bytes/link/s")
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
