package fleet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/goccy/go-yaml"

	"caucus.example/caucus/agent"
)

// process is a node in a process of its own, which tells its leaderships on standard output and the
// address of its HTTP endpoint in its log, both as lines of JSON.
type process struct {
	command []string
	name    string
	enter   func() error // where the process is to run
	killed  atomic.Bool
	http    atomic.Pointer[string]
	cmd     atomic.Pointer[exec.Cmd] // once it runs
}

// processes writes a configuration file for every node into a folder of their own.
func (f *Fleet) processes(cfg Config) (err error) {
	addr, err := cfg.addresses()
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
		// A socket in a folder is reached from every network namespace.
		socket := "unix:" + filepath.Join(dir, fmt.Sprintf("node-%d.socket", i+1))
		c.Listen, c.HTTP, c.Peers = addr[i], socket, cfg.Peers(i, addr)
		enter := func() error { return nil }
		if cfg.Namespaces {
			enter = func() error { return enterNode(i, cfg.Edges[i]) }
		}
		text, err := yaml.Marshal(&c)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, fmt.Sprintf("node-%d.yaml", i+1))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		f.members = append(f.members, &process{command: append(slices.Clone(cfg.Command), "--json", "--attached",
			"--config", file), name: c.Name, enter: enter})
	}
	return nil
}

// addresses of the nodes. In namespaces it makes the switch between them.
func (c *Config) addresses() ([]string, error) {
	if !c.Namespaces {
		return freePorts(len(c.Agents))
	}
	addr := make([]string, len(c.Agents))
	for i := range addr {
		addr[i] = net.JoinHostPort(nodeIP(i), nodePort)
	}
	return addr, makeHub()
}

func (p *process) run(ctx context.Context, tell func(agent.Leadership)) error {
	if err := p.enter(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute // Stop does not wait that long
	// Ctrl-C in a terminal reaches the whole group; the fleet tells its members itself.
	cmd.SysProcAttr = separate()
	log := &journal{heard: func(addr string) { p.http.Store(&addr) }}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	// It stays open until the process ends, or this one does, however suddenly: then the node leaves.
	if _, err := cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd.Store(cmd)
	if p.killed.Load() { // before it ran
		cmd.Process.Kill()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var l agent.Leadership
		if json.Unmarshal(lines.Bytes(), &l) == nil {
			tell(l)
		}
	}
	err = cmd.Wait()
	if p.killed.Load() || ctx.Err() != nil {
		return nil
	}
	if err == nil {
		err = errors.New("it has ended")
	}
	return fmt.Errorf("agent %s: %w: %s", p.name, err, log.last())
}

func (p *process) kill() {
	p.killed.Store(true)
	if cmd := p.cmd.Load(); cmd != nil {
		cmd.Process.Kill()
	}
}

// halt does nothing: a process leaves when it is told to, and others run beside it meanwhile.
func (p *process) halt() {}

func (p *process) status(ctx context.Context) (*agent.Status, error) {
	addr := p.http.Load()
	if addr == nil || p.killed.Load() {
		return nil, errors.New("the agent does not answer")
	}
	answer, err := (&agent.Endpoint{Addr: *addr}).Get(ctx, "/v1/status")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var s agent.Status
	return &s, json.NewDecoder(answer.Body).Decode(&s)
}

// journal reads the log of a process. It keeps its end, for the case of failure.
type journal struct {
	heard func(httpAddr string) // called once
	text  []byte
}

func (j *journal) Write(b []byte) (int, error) {
	j.text = append(j.text, b...)
	if j.heard != nil {
		for line := range bytes.Lines(j.text) {
			var entry struct {
				HTTP string `json:"http-addr"`
			}
			if bytes.HasSuffix(line, []byte("\n")) && json.Unmarshal(line, &entry) == nil && entry.HTTP != "" {
				j.heard(entry.HTTP)
				j.heard = nil
				break
			}
		}
	}
	if over := len(j.text) - 4096; over > 0 {
		j.text = j.text[over:]
	}
	return len(b), nil
}

// last is the last line that is not empty.
func (j *journal) last() string {
	lines := bytes.Split(bytes.TrimSpace(j.text), []byte("\n"))
	return string(lines[len(lines)-1])
}
