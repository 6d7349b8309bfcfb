package cmd

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"
)

// BenchmarkReelection runs `caucus up --processes` once per iteration: one process per node, the
// leader of the largest region killed with SIGKILL, and the time until every live node follows
// a live leader again (up to the last change). It reports median, 90 % and worst.
//
//	go test -run '^$' -bench 'Reelection/(loopback|lan)' -benchtime 30x -timeout 2h ./cmd
func BenchmarkReelection(b *testing.B) {
	for _, profile := range []string{"loopback", "lan", "wan"} {
		for _, network := range []struct{ name, topology, radius string }{
			{"clique=3", "clique:3", "1"}, {"clique=5", "clique:5", "1"}, {"clique=30", "clique:30", "1"},
			{"geant", "geant2012", "1000km"},
		} {
			b.Run(profile+"/"+network.name, func(b *testing.B) {
				b.Setenv("CAUCUS_TEST_AS_PROGRAM", "1")
				var ms, periods []float64
				for b.Loop() {
					r := upJSON(b, "--processes", "--kill", "leader@0s", "--profile", profile, "--topology",
						network.topology, "--radius", network.radius)
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

// BenchmarkReelectionUnderLoss is BenchmarkReelection on bad links, with the patience (expiry and heartbeat, in
// periods) of the profile and with more. It reports besides how many of the fleets did not agree within a minute.
//
//	go test -run '^$' -bench ReelectionUnderLoss -benchtime 20x -timeout 1h ./cmd
func BenchmarkReelectionUnderLoss(b *testing.B) {
	for _, topology := range []string{"line:10", "clique:10"} {
		for _, loss := range []string{"0%", "5%", "20%", "40%"} {
			for _, patience := range []string{"3", "10"} {
				b.Run(topology+"/loss="+loss+"/patience="+patience, func(b *testing.B) {
					var periods []float64
					failures, trial := 0, 0
					for b.Loop() {
						trial++
						var out, logs bytes.Buffer
						code := run([]string{"up", "--json", "--kill", "leader@0s", "--topology", topology, "--radius",
							"9", "--seed", strconv.Itoa(trial), "--strength", "id",
							"--loss", loss, "--delay", "5ms±2ms", "--expiry", patience, "--param",
							"heartbeat=" + patience, "--period", "40ms"}, &out, &logs)
						var r upReport
						if err := json.Unmarshal(out.Bytes(), &r); err != nil {
							b.Fatalf("exit %d: %s", code, logs.String())
						}
						if code != exitOK || r.Killed == nil {
							failures++
							continue
						}
						periods = append(periods, r.Killed.Periods)
					}
					if len(periods) > 0 {
						reportQuantiles(b, periods, "periods")
					}
					b.ReportMetric(float64(failures), "failures")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}
