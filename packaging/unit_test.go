// Package packaging tests what an operator installs.
package packaging

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"caucus.example/caucus/agent"
)

// The unit leaves an intruder little: 0 is nothing, 10 everything.
func TestUnitIsHardened(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze")
	}
	out, err := exec.Command(analyze, "--no-pager", "security", "--offline=true", "caucus.service").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	m := regexp.MustCompile(`Overall exposure level for caucus.service: (\d+\.\d)`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no exposure level in:\n%s", out)
	}
	if level, err := strconv.ParseFloat(string(m[1]), 64); err != nil || level > 1.3 {
		t.Errorf("exposure %s, 1.3 at most\n%s", m[1], out)
	}
}

// The configuration that packages bring is one that an agent takes.
func TestConfiguration(t *testing.T) {
	if _, err := agent.Load("agent.yaml"); err != nil {
		t.Error(err)
	}
}
