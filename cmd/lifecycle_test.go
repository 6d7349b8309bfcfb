//go:build unix

package cmd

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lonely starts an agent without peers and gives its output, its log and its HTTP address.
func lonely(t *testing.T, env ...string) (cmd *exec.Cmd, out, logs io.ReadCloser, addr string) {
	t.Helper()
	text := "name: alone\nlisten: 127.0.0.1:0\nprofile: loopback\nregion: true\nhttp: 127.0.0.1:0\n" +
		`answer: [sh, -c, 'x=$(cat); if [ "$x" = fail ]; then echo not you >&2; exit 1; fi;` +
		` printf "%s is asked: %s" $CAUCUS_ASKER "$x"']` + "\n"
	cmd = program("agent", "--json", "--config", configFile(t, text))
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if logs, err = cmd.StderrPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for lines := bufio.NewScanner(logs); lines.Scan(); {
		var first struct {
			HTTP string `json:"http-addr"`
		}
		if strings.Contains(lines.Text(), "internal/hangup @") {
			cmd.Process.Signal(syscall.SIGHUP)
		}
		if json.Unmarshal(lines.Bytes(), &first) == nil && first.HTTP != "" {
			return cmd, out, logs, first.HTTP
		}
	}
	t.Fatalf("the agent ends without its address: %v", cmd.Wait())
	return nil, nil, nil, ""
}

// healthy waits until an agent leads, and says so for a while.
func healthy(t *testing.T, addr string) {
	t.Helper()
	good := 0
	for end := time.Now().Add(30 * time.Second); good < 10; time.Sleep(20 * time.Millisecond) {
		code, text, errs := caucusRun(t, "status", "--addr", addr)
		if code == exitOK && strings.Contains(text, "role=leader leader=alone ") && strings.Contains(text,
			"stale=false") {
			good++
		}
		if time.Now().After(end) {
			t.Fatal(code, text, errs)
		}
	}
}

func ends(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	cmd.Process.Signal(syscall.SIGTERM)
	end := make(chan error, 1)
	go func() { end <- cmd.Wait() }()
	select {
	case err := <-end:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the agent does not end")
	}
}

// An agent goes on when those who read its output and its log have gone, and ends well.
func TestAgentWithoutReaders(t *testing.T) {
	t.Parallel()
	cmd, out, logs, addr := lonely(t)
	out.Close()
	logs.Close()
	cmd.Process.Signal(syscall.SIGHUP) // it logs that
	healthy(t, addr)
	cmd.Process.Signal(syscall.SIGHUP)
	healthy(t, addr)
	if code, text, _ := caucusRun(t, "status", "--addr", addr, "--json"); code != exitOK ||
		strings.Contains(text, `"log": 0`) {
		t.Errorf("exit %d, no lines of the log are counted as dropped: %s", code, text)
	}
	ends(t, cmd)
}

// An agent goes on when those who read stand still, however much it has to tell, and its end waits for them only
// for a moment.
func TestAgentWithStuckReaders(t *testing.T) {
	t.Parallel()
	cmd, _, _, addr := lonely(t)
	for range 400 {
		cmd.Process.Signal(syscall.SIGHUP) // some 200 bytes of log each; a pipe holds 64 KiB
		time.Sleep(2 * time.Millisecond)
	}
	healthy(t, addr)
	ends(t, cmd)
}

// A SIGHUP that comes before the program knows what it is asked to do does not end it.
func TestEarlyHangup(t *testing.T) {
	cmd, _, _, addr := lonely(t, "GODEBUG=inittrace=1")
	healthy(t, addr)
	ends(t, cmd)
}
