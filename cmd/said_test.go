package cmd

import (
	"strings"
	"testing"
)

// What is refused says why, by the name that the user gave, and nothing on standard output.
func TestRefusalsSayOneThing(t *testing.T) {
	study := studyFile(t, smallStudy)
	spaced := strings.NewReplacer("at:", "at: ", "kind:", " kind: ", "rate:", " rate: ", "rounds:", " rounds: ")
	for line, want := range map[string]string{
		"run --topology ring:5 --radius 1 --step": `step: found "true", allowed: false: only event algorithms`,
		"run --topology ring:5 --fault at:5,kind:duplication,rate:50%,rounds:1001": `rounds: found "1001", ` +
			"allowed: a whole number from 1 to 1000",
		"view --agents 127.0.0.1:1 --algo mo":            `algo: found "mo", allowed: nothing together with --agents`,
		"view --agents 127.0.0.1:1 scenarios/geant.yaml": `scenario: found "scenarios/geant.yaml"`,
		"view --algo mo --listen 127.0.0.1:0":            `topology: found ""`,
		"sweep " + study + " --only n<x":                 `caucus: only: found "x", allowed: a number, or n, radius`,
		"sweep " + study + " --only m=2":                 `caucus: only: found "m", allowed: n, radius`,
		"sweep " + study + " --seeds many":               `caucus: seeds: found "many", allowed: a whole number`,
		"reproduce trees --only x=2":                     `caucus: only: found "x"`,
		"tune --topology ring:4 -o - --json":             `output: found "-", allowed: a file, as --json`,
		"tune --topology ring:4 -o - --csv -":            `csv: found "-", allowed: a file, as the chart`,
		"check --algo mo --nodes 2 --output verdicts.md": `output: found "verdicts.md", allowed: nothing without --all`,
	} {
		args := strings.Fields(line)
		for k := range args {
			args[k] = spaced.Replace(args[k])
		}
		code, out, logs := caucusRun(t, args...)
		if code != exitMisuse || out != "" || !strings.Contains(logs, want) {
			t.Errorf("%s: exit %d, printed %q, said %q, want %q", line, code, out, logs, want)
		}
	}
}

// "-" is standard output for every -o of a file.
func TestOutputToStandardOutput(t *testing.T) {
	if code, out, logs := caucusRun(t, append(tuneQuick, "-o", "-")...); code != exitOK ||
		!strings.HasPrefix(out, "<?xml") || !strings.HasSuffix(strings.TrimSpace(out), "</svg>") {
		t.Errorf("exit %d: %.200s%s", code, out, logs)
	}
	if code, out, logs := caucusRun(t, "check", "--algo", "decay", "--nodes", "2", "--param", "lifetime=2", "-o",
		"-"); code != exitOK || !strings.Contains(out, "verdict=") {
		t.Errorf("exit %d: %.200s%s", code, out, logs)
	}
}

// A fault that does nothing says so.
func TestRestartOfWhoRuns(t *testing.T) {
	const said = "the restart at 5 does nothing"
	for faults, want := range map[string]bool{
		"at: 5, kind: restart": true,
		"at: 5, kind: restart, nodes: ['1']|at: 2, kind: crash, nodes: ['2']":      true,
		"at: 5, kind: restart, nodes: ['1']|at: 7, kind: crash, nodes: ['1']":      true,
		"at: 5, kind: restart, nodes: ['1']|at: 2, kind: crash, nodes: ['1', '2']": false,
		"at: 5, kind: restart, nodes: ['1']|at: 2, kind: crash, leaders: true":     false,
		"at: 5, kind: restart|at: 2, kind: leave, nodes: ['3']":                    false,
	} {
		args := []string{"run", "--topology", "ring:5", "--radius", "1"}
		for _, f := range strings.Split(faults, "|") {
			args = append(args, "--fault", f)
		}
		if code, _, logs := caucusRun(t, args...); code == exitMisuse || strings.Contains(logs, said) != want {
			t.Errorf("%s: exit %d, %s", faults, code, logs)
		}
	}
}
