package caucus_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOnceMoreAlone: .ci/run forgives what failed only where it then really runs, and passes.
func TestOnceMoreAlone(t *testing.T) {
	script, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	alone := regexp.MustCompile(`(?ms)^alone\(\) \{.*?^\}$`).Find(script)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	if alone == nil {
		t.Fatal("no function alone in .ci/run")
	}
	failed := "--- FAIL: TestUp (1.00s)\n    --- FAIL: TestUp/ring (0.50s)\nFAIL\n" +
		"FAIL\tcaucus.example/caucus/cmd\t1.2s\n"
	passes := `echo "--- PASS: TestUp (0.10s)"; grep -q TestUp <<<"$*"`
	for _, c := range []struct {
		name, log, then string // what the tests printed, and what go does when it is asked again
		forgiven        bool
	}{
		{"it passes alone", failed, passes, true},
		{"by the same detector, not from the cache", failed, passes + ` && grep -qe "-race .*-count=1" <<<"$*"`, true},
		{"it fails again", failed, `echo "--- FAIL: TestUp (0.10s)"; false`, false},
		{"it is skipped", failed, `echo "--- SKIP: TestUp (0.00s)"`, false},
		{"it is not run", failed, `echo "testing: warning: no tests to run"`, false},
		{"a race", "WARNING: DATA RACE\n" + failed, passes, false},
		{"a panic", failed + "panic: assignment to entry in nil map\n", passes, false},
		{"a panic of a process that a test began", "    up_test.go:9: goroutine 7 [running]:\n" + failed, passes,
			false},
		{"a fault of the runtime", failed + "fatal error: concurrent map writes\n", passes, false},
		{"another exit code", failed + "exit status 3\n", passes, false},
		{"another package", strings.ReplaceAll(failed, "/cmd", "/check"), passes, false},
		{"a package of which no test failed", "FAIL\tcaucus.example/caucus/cmd\t1.2s\n", passes, false},
		{"four", strings.Repeat("--- FAIL: TestUp (1.00s)\n", 3) + failed, passes, false},
		{"none", "", passes, false},
	} {
		log := filepath.Join(t.TempDir(), "tests.log")
		if err := os.WriteFile(log, []byte(c.log), 0o600); err != nil {
			t.Fatal(err)
		}
		text := "set -euo pipefail\ngo() { " + c.then + "; }\n" + string(alone) +
			"\nalone \"$1\" go test -race ./... || exit 1\ngrep -q '^--- PASS: TestUp ' \"$1\""
		out, err := exec.Command(bash, "-c", text, "run", log).CombinedOutput()
		if (err == nil) != c.forgiven {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}
