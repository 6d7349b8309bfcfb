//go:build linux

package operate

import (
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/registry/agents"
)

// manager stands for systemd: a socket, and what it is told there.
type manager struct {
	t    *testing.T
	conn *net.UnixConn
	env  []string
}

func newManager(t *testing.T, watchdog time.Duration) *manager {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &manager{t, conn, []string{"NOTIFY_SOCKET=" + path, fmt.Sprint("WATCHDOG_USEC=", watchdog.Microseconds())}}
}

// next gives what is told next that is no sign of life, and how many of these came before.
func (m *manager) next(within time.Duration) (text string, alive int) {
	m.conn.SetReadDeadline(time.Now().Add(within))
	var buf [4096]byte
	for {
		n, err := m.conn.Read(buf[:])
		if err != nil {
			return "", alive
		}
		if text = string(buf[:n]); text != "WATCHDOG=1" {
			return text, alive
		}
		alive++
	}
}

// expect waits for what matches.
func (m *manager) expect(pattern string) string {
	m.t.Helper()
	var seen []string
	for {
		text, _ := m.next(30 * time.Second)
		if regexp.MustCompile(pattern).MatchString(text) {
			return text
		}
		if seen = append(seen, text); text == "" {
			m.t.Fatalf("%s is not told, but %q", pattern, seen)
		}
	}
}

func TestServiceManagerHears(t *testing.T) {
	m := newManager(t, 100*time.Millisecond)
	cmd := program("agent", "--config", configFile(t, alone))
	cmd.Env = append(cmd.Env, m.env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	m.expect(`^READY=1\nSTATUS=`)
	m.expect(`STATUS=lead leader="alone" term=1$`)
	if text, alive := m.next(time.Second); text != "" || alive < 5 { // 20 are due
		t.Errorf("%q after %d signs of life", text, alive)
	}

	before := monotonic()
	cmd.Process.Signal(syscall.SIGHUP)
	told := m.expect(`^RELOADING=1\nMONOTONIC_USEC=\d+$`)
	_, digits, _ := strings.Cut(told, "USEC=")
	if at, err := strconv.Atoi(digits); err != nil || int64(at) < before.Microseconds() {
		t.Errorf("reloads at %d µs, asked to at %d: %v", at, before.Microseconds(), err)
	}
	m.expect(`^READY=1$`)
	cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	m.expect(`^STOPPING=1$`)
	m.expect(`STATUS=undecided: left$`)
}

// An agent whose rounds have stopped gives no sign of life, although its process runs.
func TestWatchdogWantsRounds(t *testing.T) {
	m := newManager(t, 20*time.Millisecond)
	conn, err := net.DialUnix("unixgram", nil, m.conn.LocalAddr().(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	s := &service{manager: conn, watchdog: 20 * time.Millisecond, lines: map[string]string{}, silent: 1}
	cfg, err := agent.Load(configFile(t, alone))
	if err != nil {
		t.Fatal(err)
	}
	a, err := agents.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Kill()
	s.follow(a, "") // nobody runs it: its last round is never
	for range 3 {
		if _, alive := m.next(100 * time.Millisecond); alive > 0 {
			t.Fatal("a sign of life without a round")
		}
	}
}

// What a guarded command starts with says nothing of the manager, so that it cannot speak for the node.
func TestCommandsDoNotSpeakForTheNode(t *testing.T) {
	m := newManager(t, time.Minute)
	config := configFile(t, alone)
	cmd := program("exec", "--config", config, "--", "sh", "-c", `echo "[$NOTIFY_SOCKET$WATCHDOG_USEC$WATCHDOG_PID]"`)
	cmd.Env = append(cmd.Env, m.env...)
	out, err := cmd.Output()
	if err != nil || string(out) != "[]\n" {
		t.Errorf("%q, %v", out, err)
	}
	m.expect(`^READY=1\nSTATUS=`)
}

// A watchdog that is meant for another process is none of ours; a manager that is gone stops nobody.
func TestServiceEnvironment(t *testing.T) {
	m := newManager(t, time.Second)
	path := m.conn.LocalAddr().String()
	for _, c := range []struct {
		socket, usec, pid string
		want              time.Duration
		bad               bool
	}{
		{path, "3000000", "", 3 * time.Second, false},
		{path, "3000000", strconv.Itoa(unix.Getpid()), 3 * time.Second, false},
		{path, "3000000", "1", 0, false},
		{path, "soon", "", 0, false},
		{path, "-1", "", 0, false},
		{path, "9223372036854775807", "", 24 * time.Hour, false},
		{path + ".gone", "3000000", "", 0, true},
		{"", "3000000", "", 0, false},
	} {
		t.Setenv("NOTIFY_SOCKET", c.socket)
		t.Setenv("WATCHDOG_USEC", c.usec)
		t.Setenv("WATCHDOG_PID", c.pid)
		s, err := newService()
		if (err != nil) != c.bad || (s == nil) != (c.bad || c.socket == "") || s != nil && s.watchdog != c.want {
			t.Errorf("%+v: %+v, %v", c, s, err)
		}
		s.tell("READY=1") // of nobody, too
	}
}
