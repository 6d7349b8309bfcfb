package cmd

import (
	"strings"
	"testing"
)

// A run ends later than the algorithm takes to notice a dead leader, and says so if it was told to end earlier.
func TestRunWaitsForThePatienceOfTheAlgorithm(t *testing.T) {
	args := strings.Fields("run --algo prasle --topology grid:6x6 --strength random --timing async --seed 4")
	args = append(args, "--fault", "at: 40, kind: crash, leaders: true")
	// K is the diameter, 10, so that claims live for 3·(10+2) rounds.
	code, text, logs := caucusRun(t, args...)
	if code != exitOK || !strings.Contains(text, " stable-for=38 ") || !strings.Contains(text, "converged=true") {
		t.Errorf("exit %d: %s%s", code, text, logs)
	}
	code, _, logs = caucusRun(t, append(args, "--stable-for", "20")...)
	if code != exitFailed || !strings.Contains(logs, "prasle may stand still for 37 rounds") ||
		!strings.Contains(logs, "--stable-for 38 waits for that") {
		t.Errorf("exit %d: %s", code, logs)
	}
}

// - is standard output, where the report would stand otherwise.
func TestOutputsToStandardOutput(t *testing.T) {
	code, text, logs := caucusRun(t, "run", "--topology", "line:4", "--radius", "1", "--csv", "-")
	if code != exitOK || !strings.Contains(text, "name,id,role,leader") || strings.Contains(text, "converged=") ||
		!strings.Contains(logs, "converged=true") {
		t.Errorf("exit %d: %s%s", code, text, logs)
	}
	if code, text, _ := caucusRun(t, "run", "--topology", "grid:3x3", "--radius", "1", "--map", "-"); code != exitOK ||
		!strings.Contains(text, "<svg") {
		t.Errorf("exit %d: %s", code, text)
	}
	for args, want := range map[string]string{
		"--csv nodes.txt":     "ends in .csv",
		"--csv - --samples -": "another file than csv",
		"--csv - --json":      "another file than --json",
		"--map regions.jpeg":  "ends in .svg, .png or .pdf",
	} {
		code, _, logs := caucusRun(t, append(strings.Fields("run --topology line:4 --radius 1"),
			strings.Fields(args)...)...)
		if code != exitMisuse || !strings.Contains(logs, want) {
			t.Errorf("%s: exit %d: %s", args, code, logs)
		}
	}
}
