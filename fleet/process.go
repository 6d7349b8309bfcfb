package fleet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/goccy/go-yaml"

	"caucus/agent"
)

// leaveIn is how long a process may take to leave before it is killed.
const leaveIn = 5 * time.Second

// process is a node in a process of its own.
type process struct {
	command []string
	name    string
	http    string
	killed  atomic.Bool
	abort   context.CancelFunc
	life    context.Context
}

// processes writes a configuration file for every node into a folder of their own.
func (f *Fleet) processes(cfg Config) (err error) {
	n := len(cfg.Agents)
	addr, err := freePorts("udp", n)
	if err != nil {
		return err
	}
	web, err := freePorts("tcp", n)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "caucus-fleet-")
	if err != nil {
		return err
	}
	f.remove = func() { os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			f.remove()
		}
	}()
	for i, c := range cfg.Agents {
		c.Listen, c.HTTP, c.Peers = addr[i], web[i], cfg.peers(i, addr)
		text, err := yaml.Marshal(&c)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, fmt.Sprintf("node-%d.yaml", i+1))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		p := &process{command: append(append([]string{}, cfg.Command...), "--config", file), name: c.Name, http: web[i]}
		p.life, p.abort = context.WithCancel(context.Background())
		f.members = append(f.members, p)
	}
	return nil
}

func (p *process) run(ctx context.Context, tell func(agent.Leadership)) error {
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = leaveIn
	var log tail
	cmd.Stderr = &log
	// Ctrl-C in a terminal reaches the whole group; the fleet tells its members itself.
	cmd.SysProcAttr = separate()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		p.abort()
	}()
	go func() {
		<-p.life.Done()
		if p.killed.Load() {
			cmd.Process.Kill()
		}
	}()
	p.watch(tell)
	err := <-ended
	if err == nil && ctx.Err() == nil && !p.killed.Load() {
		err = errors.New("exited")
	}
	if p.killed.Load() || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("agent %s: %w: %s", p.name, err, log.last())
}

// watch follows /v1/watch of the process until it ends.
func (p *process) watch(tell func(agent.Leadership)) {
	for p.life.Err() == nil {
		p.stream(tell)
		select { // the endpoint is not open yet
		case <-p.life.Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (p *process) stream(tell func(agent.Leadership)) {
	req, err := http.NewRequestWithContext(p.life, http.MethodGet, "http://"+p.http+"/v1/watch", nil)
	if err != nil {
		return
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var l agent.Leadership
		if json.Unmarshal([]byte(data), &l) == nil {
			tell(l)
		}
	}
}

func (p *process) kill() {
	p.killed.Store(true)
	p.abort()
}

func (p *process) status(ctx context.Context) (*agent.Status, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.http+"/v1/status", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var s agent.Status
	return &s, json.NewDecoder(answer.Body).Decode(&s)
}

// tail keeps the end of what a process writes.
type tail struct{ text []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	if over := len(t.text) - 4096; over > 0 {
		t.text = t.text[over:]
	}
	return len(b), nil
}

// last is the last line that is not empty.
func (t *tail) last() string {
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return string(lines[len(lines)-1])
}
