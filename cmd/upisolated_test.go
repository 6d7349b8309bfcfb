//go:build linux

package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"caucus.example/caucus/internal/fleet"
)

// asProgram is this test binary as caucus.
func asProgram(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "CAUCUS_TEST_AS_PROGRAM=1")
	return cmd
}

func mayIsolate(t *testing.T) {
	t.Helper()
	if err := fleet.MayIsolate(); err != nil {
		t.Skip(err)
	}
}

// Ten hosts on one switch, neighbours as in a tree, elect node 2, the first of three neighbours, and keep it when a
// leaf is killed. Their counters come over the switch as well.
func TestUpNamespaces(t *testing.T) {
	t.Parallel()
	mayIsolate(t)
	cmd := asProgram(t, "up", "--json", "--namespaces", "--topology", "tree:10", "--radius", "9", "--kill", "10@1s",
		"--period", "80ms",
		"--loss", "5%", "--delay", "5ms", "--expiry", "8", "--param", "heartbeat=8")
	var logs bytes.Buffer
	cmd.Stderr = &logs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, logs.String())
	}
	var r upReport
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if !r.Agreed || r.Live != 9 || len(r.Regions) != 1 || r.Regions[0].Leader != "2" || r.Datagrams == 0 ||
		r.Options["namespaces"] != "true" {
		t.Errorf("%+v", r)
	}
}

// Ctrl-C reaches the fleet inside, which then leaves: every process ends before the verb does.
func TestUpNamespacesInterrupted(t *testing.T) {
	mayIsolate(t)
	cmd := asProgram(t, "up", "--namespaces", "--topology", "line:3", "--radius", "3", "--kill", "none",
		"--expiry", "12") // a machine that stands still makes nobody silent
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for buf := make([]byte, 1024); !strings.Contains(text.String(), "settled: 1 region"); {
		n, err := out.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v after %s", err, text.String())
		}
	}
	cmd.Process.Signal(syscall.SIGINT)
	stuck := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer stuck.Stop()
	text.ReadFrom(out)
	if err := cmd.Wait(); err != nil || !strings.Contains(text.String(), "live=3 regions=1 interrupted=true") {
		t.Errorf("%v: %s", err, text.String())
	}
}

// Without the command ip, as on a system where namespaces are not permitted, the verb says why and starts nothing.
func TestUpNamespacesRefused(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, logs bytes.Buffer
	code := run([]string{"up", "--namespaces", "--topology", "line:3"}, &out, &logs)
	if code != exitMisuse || !strings.Contains(logs.String(), "network namespaces need the command ip") ||
		out.Len() > 0 {
		t.Errorf("exit %d, %q, stdout %q", code, logs.String(), out.String())
	}
}
