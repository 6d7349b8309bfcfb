//go:build unix

package cmd

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// pair is two nodes as processes, each with a directory for its terms.
type pair struct {
	t     *testing.T
	files [2]string
	addrs [2]string // of HTTP
	dirs  [2]string
	cmds  [2]*exec.Cmd
}

func newPair(t *testing.T) *pair {
	p := &pair{t: t}
	var ports [4]int
	for i := range ports {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		ports[i] = c.LocalAddr().(*net.UDPAddr).Port
	}
	for i := range p.files {
		p.dirs[i] = t.TempDir()
		p.addrs[i] = fmt.Sprintf("127.0.0.1:%d", ports[2+i])
		p.files[i] = configFile(t, fmt.Sprintf("name: n%d\nid: %d\nlisten: 127.0.0.1:%d\npeers: [127.0.0.1:%d]\n"+
			"profile: loopback\nhttp: %s\nstate-dir: %s\n", i, i+1, ports[i], ports[1-i], p.addrs[i], p.dirs[i]))
	}
	return p
}

func (p *pair) start() {
	for i, file := range p.files {
		p.cmds[i] = program("agent", "--json", "--config", file)
		if err := p.cmds[i].Start(); err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() { p.cmds[i].Process.Kill() })
	}
}

// fence waits until both follow one leader with one term, and gives that fence.
func (p *pair) fence() agent.Fence {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var s [2]agent.Status
		for i, addr := range p.addrs {
			if answer, err := http.Get("http://" + addr + "/v1/status"); err == nil {
				json.NewDecoder(answer.Body).Decode(&s[i])
				answer.Body.Close()
			}
		}
		if s[0].Term > 0 && s[0].Leadership.Fence() == s[1].Leadership.Fence() {
			return s[0].Leadership.Fence()
		}
	}
	p.t.Fatal("no agreement")
	return agent.Fence{}
}

// All nodes end at once, by a crash or in order, and start again: every fence is greater than those before.
func TestTermsOutliveAllNodes(t *testing.T) {
	p := newPair(t)
	before := agent.Fence{}
	for i, crash := range []bool{true, true, false, false} {
		p.start()
		now := p.fence()
		if now.Compare(before) <= 0 || now.Term <= before.Term {
			t.Fatalf("start %d: fence %v after %v", i+1, now, before)
		}
		before = now
		for _, cmd := range p.cmds {
			if crash {
				cmd.Process.Kill()
				cmd.Wait()
			} else {
				ends(t, cmd)
			}
		}
	}
}

// Two agents with one directory, and a damaged file, are refused with what to do; a dry run may look while an agent
// runs.
func TestStateDirRefuses(t *testing.T) {
	p := newPair(t)
	p.start()
	p.fence()
	text, err := os.ReadFile(p.files[0])
	if err != nil {
		t.Fatal(err)
	}
	second := configFile(t, strings.Replace(string(text), "listen: ", "listen: 127.0.0.1:0 #", 1))
	code, _, errs := caucusRun(t, "agent", "--config", second)
	want := "node.yaml:7: state-dir: found \"" + p.dirs[0] + ", which another agent uses\""
	if code != exitMisuse || !strings.Contains(errs, want) {
		t.Errorf("exit %d, %s; want %s", code, errs, want)
	}
	if code, _, errs := caucusRun(t, "agent", "--config", second, "--dry-run"); code != exitOK {
		t.Errorf("dry run: exit %d, %s", code, errs)
	}
	for _, cmd := range p.cmds {
		cmd.Process.Kill()
		cmd.Wait()
	}
	file := filepath.Join(p.dirs[0], "terms")
	if err := os.WriteFile(file, []byte("caucus-terms 1 5"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := caucusRun(t, "agent", "--config", second); code != exitMisuse ||
		!strings.Contains(errs, file+" is damaged") {
		t.Errorf("exit %d, %s", code, errs)
	}
}
