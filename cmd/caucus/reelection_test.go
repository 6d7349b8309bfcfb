package main

import (
	"slices"
	"testing"
)

// BenchmarkReelection runs `caucus up --processes` once per iteration: one process per node, the
// leader of the largest region killed with SIGKILL, and the time until every live node follows
// a live leader again (up to the last change). It reports median, 90 % and worst.
//
//	go test -run '^$' -bench 'Reelection/(loopback|lan)' -benchtime 30x -timeout 2h ./cmd/caucus
func BenchmarkReelection(b *testing.B) {
	for _, profile := range []string{"loopback", "lan", "wan"} {
		for _, network := range []struct{ name, topology, radius string }{
			{"clique=3", "clique:3", "1"}, {"clique=5", "clique:5", "1"}, {"clique=30", "clique:30", "1"}, {"geant", "geant2012", "1000km"},
		} {
			b.Run(profile+"/"+network.name, func(b *testing.B) {
				b.Setenv("CAUCUS_TEST_AS_PROGRAM", "1")
				var ms, periods []float64
				for b.Loop() {
					r := upJSON(b, "--processes", "--kill", "leader@0s", "--profile", profile, "--topology", network.topology, "--radius", network.radius)
					ms, periods = append(ms, r.Killed.Reelected), append(periods, r.Killed.Periods)
				}
				reportQuantiles(b, ms, "ms")
				reportQuantiles(b, periods, "periods")
				b.ReportMetric(0, "ns/op") // starting and stopping processes: says nothing
			})
		}
	}
}

func reportQuantiles(b *testing.B, values []float64, unit string) {
	slices.Sort(values)
	for _, q := range []struct {
		name string
		at   float64
	}{{"median", .5}, {"p90", .9}, {"worst", 1}} {
		b.ReportMetric(values[min(len(values)-1, int(q.at*float64(len(values))))], q.name+"-"+unit)
	}
}
