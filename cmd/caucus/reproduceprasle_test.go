package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The output does not depend on the number of workers, and the folder gets tables and charts.
func TestReproducePrasle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "prasle")
	args := []string{"reproduce", "prasle", "--topology", "clique,ring", "--sizes", "6", "--runs", "2"}
	code, out, logs := caucusRun(t, append(args, "-o", dir, "--workers", "1")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	if code, again, _ := caucusRun(t, append(args, "--workers", "3")...); code != exitOK || again != out {
		t.Errorf("exit %d, with 3 workers\n%s\nwith 1\n%s", code, again, out)
	}
	for _, text := range []string{"topologies=ring,clique sizes=6 runs=2", "failed runs are in no mean", "rounds to recover, clique of 20, bully:", "\nruns="} {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
	for _, name := range []string{"points.csv", "loss.csv", "recovery.csv", "summary.json", "seconds-over-k.svg", "loss-ring.png"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReproducePrasleRefuses(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--net udp", "real networks are not measured yet"},
		{"--topology rign", `did you mean "ring"?`},
		{"--sizes 7", "products of two numbers"},
		{"--sizes 3", "whole numbers from 4 to 1000"},
		{"--runs 0", "from 1 to 100000"},
		{"--rounds book", "artefact, paper"},
		{"--energy volts=3V", "send, receive, idle, rate, overhead, handle"},
		{"--energy rate=0bit/s", "from 1bit/s"},
	} {
		code, out, logs := caucusRun(t, append([]string{"reproduce", "prasle"}, strings.Fields(c.args)...)...)
		if code != exitMisuse || out != "" || !strings.Contains(logs, c.says) {
			t.Errorf("%s: exit %d, %q", c.args, code, logs)
		}
	}
}
