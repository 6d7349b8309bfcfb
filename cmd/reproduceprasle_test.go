package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The output does not depend on the number of workers, and the folder gets tables and charts.
func TestReproducePrasle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "prasle")
	args := []string{"reproduce", "prasle", "--topologies", "clique,ring", "--sizes", "6", "--runs", "2"}
	code, out, logs := caucusRun(t, append(args, "-o", dir, "--workers", "1")...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	if code, again, _ := caucusRun(t, append(args, "--workers", "3")...); code != exitOK || again != out {
		t.Errorf("exit %d, with 3 workers\n%s\nwith 1\n%s", code, again, out)
	}
	for _, text := range []string{"topologies=ring,clique sizes=6 runs=2", "failed runs are in no mean",
		"rounds to recover, clique of 20, bully:", "\nruns="} {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
	for _, name := range []string{"results.csv", "means.csv", "summary.json", "seconds-over-k.svg", "loss-ring.png"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Real agents: the time that it will take goes to the logs, and both kinds of network to the page and the files; the
// folder goes on.
func TestReproducePrasleUDP(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "prasle")
	args := strings.Fields(
		"reproduce prasle --net udp --topologies ring --sizes 4 --faulty 4 --runs 1 --workers 40 -o " + dir)
	code, out, logs := caucusRun(t, args...)
	if code != exitOK || !strings.Contains(logs, "real time: about ") {
		t.Fatalf("exit %d: %s", code, logs)
	}
	for _, text := range []string{"net=udp topologies=ring sizes=4 runs=1", "round=20ms", "prasle hardened",
		"Seconds until the last node has decided", " rows agree within the stated error", "\nruns="} {
		if !strings.Contains(out, text) {
			t.Errorf("no %q in\n%s", text, out)
		}
	}
	nets := map[string]bool{}
	for _, row := range readTable(t, dir, "results.csv") {
		net, _, _ := strings.Cut(row[1], ":")
		nets[net] = nets[net] || row[2] == "ring" && row[3] == "4"
	}
	if !nets["udp"] || !nets["sim"] {
		t.Errorf("%v", nets)
	}
	for _, name := range []string{"means.csv", "summary.json", "loss-ring.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if code, again, _ := caucusRun(t, args...); code != exitOK || again != out {
		t.Errorf("exit %d, from the folder\n%s\nbefore\n%s", code, again, out)
	}
}

func TestReproducePrasleRefuses(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--net tcp", `net: found "tcp", allowed: sim, udp`},
		{"--net udp --sizes 10,400", `sizes: found "400", allowed: whole numbers from 4 to 200, with commas`},
		{"--net udp --workers x", `workers: found "x"`},
		{"--faulty 3", `faulty: found "3", allowed: a whole number from 4 to 200`},
		{"--faulty 7", `faulty: found "7", allowed: products of two numbers`},
		{"--faulty 2000", "from 4 to 200"},
		{"--topologies rign", `did you mean "ring"?`},
		{"--sizes 7", "products of two numbers"},
		{"--sizes 3", "whole numbers from 4 to 1000"},
		{"--runs 0", "from 1 to 100000"},
		{"--faithful book", "artefact, paper"},
		{"--energy volts=3V", "send, receive, idle, rate, overhead, handle"},
		{"--energy rate=0bit/s", "from 1bit/s"},
	} {
		code, out, logs := caucusRun(t, append([]string{"reproduce", "prasle"}, strings.Fields(c.args)...)...)
		if code != exitMisuse || out != "" || !strings.Contains(logs, c.says) {
			t.Errorf("%s: exit %d, %q", c.args, code, logs)
		}
	}
}
