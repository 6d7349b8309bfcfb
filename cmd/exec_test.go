//go:build unix

package cmd

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// guarded starts `caucus exec` of a node with one peer, and a command that writes down when it begins and when it is
// told to end.
func guarded(t *testing.T, log, name, listen, peer string, strength int) *exec.Cmd {
	t.Helper()
	config := fmt.Sprintf("name: %s\nlisten: %s\npeers: [%s]\nstrength: %d\nprofile: loopback\nhttp: off\n", name,
		listen, peer, strength)
	script := fmt.Sprintf(
		`trap 'echo %[1]s ends >> %[2]s; exit 5' TERM; echo %[1]s begins $$ >> %[2]s; while :; do sleep 0.01; done`,
		name, log)
	cmd := program("exec", "--config", configFile(t, config), "--", "sh", "-c", script)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// freePorts gives addresses that were free a moment ago.
func freePorts(t testing.TB, n int) (addrs []string) {
	t.Helper()
	for range n {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		addrs = append(addrs, c.LocalAddr().String())
	}
	return addrs
}

// awaits waits until the command runs at one node only, as the log has it, and gives its process.
func awaits(t *testing.T, log, name string) (pid int) {
	t.Helper()
	var data []byte
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		running := make(map[string]int)
		data, _ = os.ReadFile(log)
		for line := range strings.Lines(string(data)) {
			var who, what string
			switch _, _ = fmt.Sscan(line, &who, &what, &pid); what {
			case "begins":
				running[who] = pid
			case "ends":
				delete(running, who)
			}
		}
		if pid = running[name]; len(running) == 1 && alive(pid) || len(running) == 0 && name == "" {
			return pid
		}
	}
	t.Fatalf("the command never runs at %q alone: %s", name, data)
	return 0
}

// The command runs at the leader only. Killed, the leader takes its command with it and the other node's begins; a
// stopped one ends its command when it goes on; told to end, a node ends its command before it leaves, which is no
// failure however the command takes it.
func TestExec(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	addrs := freePorts(t, 2)
	pump := guarded(t, log, "pump", addrs[0], addrs[1], 2)
	awaits(t, log, "pump")
	valve := guarded(t, log, "valve", addrs[1], addrs[0], 1)
	time.Sleep(500 * time.Millisecond)
	awaits(t, log, "pump")

	pump.Process.Signal(syscall.SIGSTOP)
	for !strings.Contains(read(log), "valve begins") {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // beyond the expiry in any case
	pump.Process.Signal(syscall.SIGCONT)
	child := awaits(t, log, "pump") // the better one is back
	if text := read(log); !strings.Contains(text, "pump ends") {
		t.Errorf("it went on as if nothing had been: %s", text)
	}

	pump.Process.Kill()
	for end := time.Now().Add(10 * time.Second); alive(child); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the command outlives the leader that was killed")
		}
	}
	if err := appendLine(log, "pump ends"); err != nil {
		t.Fatal(err)
	}
	awaits(t, log, "valve")

	valve.Process.Signal(syscall.SIGTERM)
	awaits(t, log, "")
	if err := valve.Wait(); err != nil {
		t.Error(err)
	}
}

func read(file string) string {
	text, _ := os.ReadFile(file)
	return string(text)
}

func appendLine(file, line string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, line)
	return errors.Join(err, f.Close())
}

// alive tells whether there is a process that runs.
func alive(pid int) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	return !strings.Contains(string(state), ") Z")
}

// The command's own end is that of the program.
func TestExecCodes(t *testing.T) {
	config := configFile(t, "name: a\nlisten: 127.0.0.1:0\nhttp: off\nprofile: loopback\n")
	for command, want := range map[string]int{"exit 0": 0, "exit 9": 9, "kill -9 $$": 128 + 9} {
		if code, _, errs := caucusRun(t, "exec", "--config", config, "--", "sh", "-c", command); code != want {
			t.Errorf("%s: exit code %d, want %d: %s", command, code, want, errs)
		}
	}
	for want, args := range map[string][]string{
		"no configuration": {"exec", "--", "true"},
		`command: found "/no/such/program", allowed: a program that runs`: {"exec", "--config", config, "--",
			"/no/such/program"},
		`stop-signal: found "SEGV", allowed: HUP, INT`: {"exec", "--config", config, "--stop-signal", "SEGV", "--",
			"true"},
		`grace: found "-1s", allowed: 0 or more`:      {"exec", "--config", config, "--grace", "-1s", "--", "true"},
		"requires at least 1 arg(s), only received 0": {"exec", "--config", config},
	} {
		if code, _, errs := caucusRun(t, args...); code != exitMisuse || !strings.Contains(errs, want) {
			t.Errorf("%v: exit code %d: %s", args, code, errs)
		}
	}
}

// Of a node in two groups the command follows the one that is named: it runs at the node that leads there, and goes on
// at the other one when that is gone. A group is not guessed.
func TestExecOfGroup(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	udp := freePorts(t, 2)
	groups := "groups:\n  - {group: water, strength: %d}\n  - {group: power, strength: %d}\n"
	start := func(name string, i, water, power int) *exec.Cmd {
		file := groupsFile(t, name, udp[i], "off", fmt.Sprintf("%q", udp[1-i]), fmt.Sprintf(groups, water, power))
		cmd := program("exec", "--group", "power", "--config", file, "--", "sh", "-c",
			fmt.Sprintf(`echo %s begins $$ $CAUCUS_GROUP >> %s; while :; do sleep 0.01; done`, name, log))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd
	}
	a := start("a", 0, 2, 1)
	b := start("b", 1, 1, 2)
	awaitsLine(t, log, "b begins", "power")
	b.Process.Kill()
	awaitsLine(t, log, "a begins", "power")
	ends(t, a)

	file := groupsFile(t, "c", udp[0], "off", fmt.Sprintf("%q", udp[1]), fmt.Sprintf(groups, 1, 1))
	for _, args := range [][]string{nil, {"--group", "gas"}} {
		code, _, errs := caucusRun(t, append(append([]string{"exec", "--config", file}, args...), "--", "true")...)
		if code != exitMisuse || !strings.Contains(errs, "water, power") {
			t.Error(args, code, errs)
		}
	}
}

// awaitsLine waits for a line of a log that begins and ends so.
func awaitsLine(t *testing.T, log, begins, ends string) {
	t.Helper()
	var data []byte
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		data, _ = os.ReadFile(log)
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, begins) && strings.HasSuffix(line, ends) {
				return
			}
		}
	}
	t.Fatalf("no %s… %s in %s", begins, ends, data)
}
