//go:build unix

package cmd

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "CAUCUS_TEST_AS_PROGRAM=1")
	return cmd
}

// An attached agent leaves when the program at the other end of its standard input is gone.
func TestAgentAttached(t *testing.T) {
	cmd := program("agent", "--attached", "--config",
		configFile(t, "name: a\nlisten: 127.0.0.1:0\nhttp: 127.0.0.1:0\nprofile: loopback\n"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan() // it runs
	in.Close()
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	if err := cmd.Wait(); err != nil || !strings.HasPrefix(last, "stopped=true name=a") {
		t.Errorf("%v, last line %q", err, last)
	}
}

// `up --processes | head -1`: the fleet ends with its reader, children and files included.
func TestUpReaderGone(t *testing.T) {
	dir := t.TempDir()
	cmd := program("up", "--processes", "--topology", "ring:3", "--kill", "none")
	cmd.Env = append(cmd.Env, "TMPDIR="+dir)
	var logs bytes.Buffer
	cmd.Stderr = &logs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewScanner(out).Scan()
	out.Close()
	err = cmd.Wait()
	if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(logs.String(), "broken pipe") {
		t.Errorf("%v, stderr %s", err, logs.String())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
