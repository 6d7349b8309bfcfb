package operate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets this test binary stand in for the program that only runs agents.
func TestMain(m *testing.M) {
	if os.Getenv("CAUCUS_TEST_AS_PROGRAM") == "1" {
		Main()
	}
	os.Exit(m.Run())
}

func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "CAUCUS_TEST_AS_PROGRAM=1")
	return cmd
}

// alone configures a node that has nobody beside it.
// alone is not stale where a busy machine stands still for a moment.
const alone = "name: alone\nlisten: 127.0.0.1:0\nhttp: off\nprofile: loopback\nexpiry: 50\n"

func configFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agent.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A verb that only the full program has is named as such, whatever follows it; one that there is nowhere is not.
func TestNotInThisBuild(t *testing.T) {
	for args, want := range map[string]string{
		"run --algo x --rounds": "run is not in this build, which only runs agents: the full program has it",
		"check --help":          "check is not in this build",
		"walk":                  "unknown command",
	} {
		var out, errs strings.Builder
		code := Run(newRoot(), strings.NewReader(""), strings.Fields(args), &out, &errs)
		if code != ExitMisuse || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %q, want %q", args, code, errs.String(), want)
		}
	}
}
