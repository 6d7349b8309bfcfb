//go:build unix

package format

import (
	"flag"
	"syscall"
	"testing"
)

var benchFile = flag.String("file", "", "file that BenchmarkReadFile reads")

// BenchmarkReadFile reads one file of the user's and tells what the process took at most, which is the reader's alone:
// nothing else has run in it.
func BenchmarkReadFile(b *testing.B) {
	if *benchFile == "" {
		b.Skip("needs -args -file FILE")
	}
	var before, after syscall.Rusage
	for b.Loop() {
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
		g, _, err := ReadFile(*benchFile, "", Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(g.Edges()), "edges")
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	cpu := after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
	b.ReportMetric(float64(cpu)/1e9, "cpu-s")
	b.ReportMetric(float64(after.Maxrss)/1024, "peak-MB")
}
