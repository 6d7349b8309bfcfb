package cmd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

func configFile(t testing.TB, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "node.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAgentDryRun(t *testing.T) {
	file := configFile(t, "name: a\nlisten: 127.0.0.1:7400\nparams: {radius: 3}\npeers: [{addr: b.example:7400}]\n")
	code, out, errs := caucusRun(t, "agent", "--config", file, "--dry-run")
	if code != exitOK {
		t.Fatal(code, errs)
	}
	for _, want := range []string{"name=a", "period=100ms", "expiry=3", "radius=3", "heartbeat=3",
		"http=127.0.0.1:7401", "valid=true peers=1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %q", want, out)
		}
	}
}

// The example has every field of the configuration but those of event algorithms and the choice between two, and is
// valid.
func TestAgentExample(t *testing.T) {
	code, out, errs := caucusRun(t, "agent", "--config", "../examples/agent.yaml", "--dry-run")
	if code != exitOK || !strings.Contains(out, "valid=true peers=3") {
		t.Fatal(code, out, errs)
	}
	text, err := os.ReadFile("../examples/agent.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for c, k := reflect.TypeFor[agent.Config](), 0; k < c.NumField(); k++ {
		name, _, _ := strings.Cut(c.Field(k).Tag.Get("yaml"), ",")
		switch name {
		case "", "-", "faithful", "known", "asleep", "restart":
		default:
			line := "\n" + name + ":"
			switch name { // comments there, since a file has to exist, or others have to be left out
			case "key-file", "unsealed", "multicast", "groups", "interfaces":
				line = "\n# " + name + ":"
			}
			if !strings.Contains(string(text), line) {
				t.Errorf("the example lacks %s", name)
			}
		}
	}
}

// The flag wins over the file's profile, and the file's own period over both.
func TestAgentProfile(t *testing.T) {
	for _, c := range []struct{ text, flag, want string }{
		{"name: a\nprofile: lan", "wan", "period=1s expiry=4"},
		{"name: a", "loopback", "period=20ms expiry=3"},
		{"name: a\nprofile: lan\nperiod: 70ms", "wan", "period=70ms expiry=4"},
	} {
		code, out, errs := caucusRun(t, "agent", "--config", configFile(t, c.text), "--profile", c.flag, "--dry-run")
		if code != exitOK || !strings.Contains(out, c.want) {
			t.Errorf("%q --profile %s: exit %d, %s%s", c.text, c.flag, code, out, errs)
		}
	}
	code, _, errs := caucusRun(t, "agent", "--config", configFile(t, "name: a"), "--profile", "moon")
	if want := `profile: found "moon", allowed: loopback, lan, wan`; code != exitMisuse ||
		!strings.Contains(errs, want) {
		t.Errorf("exit %d, %s; want %s", code, errs, want)
	}
}

func TestAgentRefuses(t *testing.T) {
	taken, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for text, want := range map[string]string{
		"name: a\nlos: 1":                             `node.yaml:2: unknown field "los"`,
		"name: a\nperiodd: 1s":                        `did you mean "period"?`,
		"name: a\nparams:\n  radius: 0":               `node.yaml:3: radius: found "0"`,
		"name: a\nparams:\n  speed: 4":                `node.yaml:3: parameter of bounded: found "speed"`,
		"name: a\nalgo: boundd":                       `node.yaml:2: algo: found "boundd"`,
		"name: a\nalgo: asfar":                        `node.yaml:2: algo: found "asfar"`,
		"name: a\nalgo: bully":                        `node.yaml: known.delay: found "nothing", allowed: a bound on how long a message travels`,
		"name: a\nalgo: yo-yo-plain":                  `node.yaml: known.nodes: found "nothing", allowed: the number of nodes`,
		"name: a\nalgo: flood":                        `node.yaml: known.diameter: found "nothing"`,
		"name: a\nalgo: flood\nknown: {diametre: 3}":  `node.yaml:3: unknown field "diametre"; did you mean "diameter"?`,
		"name: a\nalgo: flood\nknown: {diameter: -3}": `node.yaml:3: known.diameter: found "-3", allowed: 0 (not known) to 1000000`,
		"name: a\nknown: {nodes: 2.5}":                `node.yaml:2: found "2.5", allowed: a whole number`,
		"name: a\nknown: {delay: 2h}":                 `node.yaml:2: known.delay: found "2h0m0s", allowed: 0 (not known) to 1h`,
		"name: a\nalgo: yo-yo\nrestart: 3":            `node.yaml:3: restart: found "3", allowed: 0 (never), or 4 to 1000000 periods`,
		"name: a\nasleep: true":                       `node.yaml:2: asleep: found "true", allowed: false: only event algorithms have initiators`,
		"name: a\nrestart: 12":                        `node.yaml:2: restart: found "12", allowed: 0: only event algorithms have it`,
		"name: a\nalgo: brogo\nknown: {diameter: 1, delay: 1s}\nrestart: 12":                 `node.yaml:4: restart: found "12", allowed: 0: brogo relies on`,
		"name: a\nalgo: minfind\nmetric: rtt":                                                `node.yaml:3: metric: found "rtt", allowed: hops or weight`,
		"name: a\nalgo: as-far\npeers: [{addr: b:1}]":                                        `node.yaml:3: peers: found "1 peers", allowed: 2`,
		"name: a\nalgo: as-far\npeers: [{addr: b:1, label: left}, {addr: c:1}]":              `peers[1].label: found "", allowed: one left, one right`,
		"name: a\nalgo: as-far\npeers: [{addr: b:1, label: left}, {addr: c:1, label: left}]": `node.yaml:3: peers[1].label: found "left", allowed: a direction that is no other peer's`,
		"name: a\npeers: [{addr: b:1, label: up}]":                                           `node.yaml:2: peers[0].label: found "up", allowed: left, right, north`,
		"name: a\nfaithful: book":                                                            `node.yaml:2: faithful: found "book"`,
		"name: a\nparams: {radius: inf, heartbeat: 0}":                                       `node.yaml:2: radius: found "inf"`,
		"name: a\npeers: [{addr: nowhere}]":                                                  `node.yaml:2: peers[0].addr: found "nowhere"`,
		"name: a\nlisten: " + taken.LocalAddr().String():                                     `is in use`,
		"name: a\nhttp: off\nlisten: 203.0.113.200:7400":                                     `listen: `,
		"name: a\nlisten: 127.0.0.1:0\nhttp: 203.0.113.200:1":                                `http: `,
	} {
		code, _, errs := caucusRun(t, "agent", "--config", configFile(t, text))
		if code != exitMisuse || !strings.Contains(errs, want) {
			t.Errorf("%q: code %d, %q, want %d and %q", text, code, errs, exitMisuse, want)
		}
	}
	for _, args := range [][]string{{"agent"}, {"agent", "--config", "no/such/file"}, {"agent", "x"}} {
		if code, _, errs := caucusRun(t, args...); code != exitMisuse || errs == "" {
			t.Errorf("%v: code %d, %q", args, code, errs)
		}
	}
}

// One node as a process: it starts, leads, is asked, reloads and leaves.
func TestAgentProcess(t *testing.T) {
	file := configFile(t, "name: alone\nlisten: 127.0.0.1:0\nprofile: loopback\nhttp: 127.0.0.1:0\n")
	cmd := exec.Command(os.Args[0], "agent", "--config", file, "--json")
	cmd.Env = append(os.Environ(), "CAUCUS_TEST_AS_PROGRAM=1")
	logs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(logs)
	var addr string
	// waitLog gives the first line that contains the text.
	waitLog := func(text string) string {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return lines.Text()
			}
		}
		t.Fatalf("the log ends without %q", text)
		return ""
	}
	var first struct {
		HTTP string `json:"http-addr"`
	}
	if err := json.Unmarshal([]byte(waitLog("http-addr")), &first); err != nil {
		t.Fatal(err)
	}
	addr = first.HTTP
	waitLog(`"role":"leader"`)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		code, text, errs := caucusRun(t, "status", "--addr", addr)
		if code == exitOK && strings.Contains(text, "role=leader leader=alone term=1 ") {
			break
		}
		if time.Now().After(end) {
			t.Fatal(code, text, errs)
		}
	}
	if code, text, _ := caucusRun(t, "status", "--addr", addr, "--json"); code != exitOK || !strings.Contains(text, `"schema": "caucus.status/1"`) {
		t.Errorf("status --json: %d %s", code, text)
	}

	if err := os.WriteFile(file,
		[]byte("name: alone\nlisten: 127.0.0.1:0\nprofile: loopback\nhttp: off\nstrength: 4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(syscall.SIGHUP)
	if line := waitLog("reloaded"); !strings.Contains(line, `"changed":["strength"]`) || !strings.Contains(line, `"needs-restart":["http"]`) {
		t.Error(line)
	}
	os.WriteFile(file, []byte("nam: x"), 0o600)
	cmd.Process.Signal(syscall.SIGHUP)
	waitLog("not reloaded")

	cmd.Process.Signal(syscall.SIGTERM)
	if line := waitLog("stopped=true"); !strings.Contains(line, "role=left leader=- term=0") {
		t.Error(line)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	var l struct {
		Schema string
		agent.Leadership
	}
	last := strings.Split(strings.TrimSpace(out.String()), "\n")
	if err := json.Unmarshal([]byte(last[len(last)-1]), &l); err != nil || l.Schema != "caucus.leadership/1" ||
		l.Role != agent.Left {
		t.Errorf("stdout ends with %q, %v", last[len(last)-1], err)
	}
}

func TestStatusRefuses(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"schema":"x/1"}`) }))
	defer other.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	for addr, want := range map[string]string{
		strings.TrimPrefix(other.URL, "http://"):  "does not answer like a caucus agent",
		strings.TrimPrefix(closed.URL, "http://"): "no agent answers at",
	} {
		if code, _, errs := caucusRun(t, "status", "--addr", addr); code != exitFailed ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %q, want %q", addr, code, errs, want)
		}
	}
	if code, _, errs := caucusRun(t, "status", "--addr", "a b"); code != exitMisuse {
		t.Errorf("code %d, %q", code, errs)
	}
}
