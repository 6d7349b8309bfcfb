//go:build unix

package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus/agent"
)

// A real agent, alone in its region.
func TestRegion(t *testing.T) {
	cmd, _, _, addr := lonely(t)
	healthy(t, addr)
	code, out, errs := caucusRun(t, "region", "--addr", addr)
	if code != exitOK || !strings.Contains(out, "leader=alone") ||
		!strings.Contains(out, "whole=true hops=0 members=1 ") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, errs = caucusRun(t, "region", "--json", "--addr", addr)
	if code != exitOK || !strings.Contains(out, `"schema": "caucus.region/1"`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	plan := filepath.Join(t.TempDir(), "plan")
	if err := os.WriteFile(plan, []byte("watch the north"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs = caucusRun(t, "publish", plan, "--addr", addr); code != exitOK ||
		out != "version=1 bytes=15\n" {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if err := os.WriteFile(plan, make([]byte, agent.MaxDirective+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs = caucusRun(t, "publish", plan, "--addr", addr); code != exitMisuse ||
		!strings.Contains(errs, "allowed: 1 to 65536 bytes") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if err := os.WriteFile(plan, []byte("may I"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs = caucusRun(t, "ask", plan, "--addr", addr); code != exitOK || out != "alone is asked: may I" {
		t.Errorf("exit %d: %q %s", code, out, errs)
	}
	if err := os.WriteFile(plan, []byte("fail"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs = caucusRun(t, "ask", plan, "--addr", addr); code != exitFailed ||
		!strings.Contains(errs, "the leader refuses: not you") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if err := os.WriteFile(plan, make([]byte, agent.MaxRequest+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs = caucusRun(t, "ask", plan, "--addr", addr); code != exitMisuse ||
		!strings.Contains(errs, "allowed: 1 to 350 bytes") {
		t.Errorf("exit %d: %s", code, errs)
	}
	ends(t, cmd)
}

// A simulated run says what its leaders know, and is the run without it in all else.
func TestRunRegion(t *testing.T) {
	args := []string{"run", "--algo", "bounded", "--topology", "grid:4x4", "--radius", "2"}
	_, plain, _ := caucusRun(t, args...)
	code, out, errs := caucusRun(t, append(args, "--region")...)
	know := "leaders that know how many follow them: 4 of 4; members missing or too many: 0\n"
	if last := func(s string) string { return s[strings.LastIndex(s, "converged="):] }; code != exitOK ||
		!strings.Contains(out, know) || last(out) != last(plain) {
		t.Errorf("exit %d: %s%s, without %s", code, out, errs, plain)
	}
	code, out, errs = caucusRun(t, "check", "--algo", "bounded", "--radius", "1", "--nodes", "2", "--region", "--start",
		"clean", "--daemon", "synchronous")
	if code != exitOK || !strings.Contains(out, "verdict=verified") || !strings.Contains(out, "region=true") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, _, errs = caucusRun(t, "run", "--algo", "as-far", "--topology", "ring:5", "--region")
	if code != exitMisuse ||
		!strings.Contains(errs, "region: found \"true\", allowed: false: as-far is an algorithm of events") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
