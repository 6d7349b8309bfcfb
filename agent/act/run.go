package act

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Counts is what has become of the hooks of a node.
type Counts struct {
	Runs     uint64 `json:"runs"`
	Failures uint64 `json:"failures"` // that ended with an error, timeouts included
	Timeouts uint64 `json:"timeouts"`
	Last     string `json:"last"`   // the last hook that ended
	Result   string `json:"result"` // of that: "ok", or the error
}

// Runner carries out hooks, one at a time. Change the hooks with Set.
type Runner struct {
	Group, Node string
	Logger      *slog.Logger

	mu     sync.Mutex
	hooks  Hooks
	counts Counts
}

// Set changes what is done from the next event on.
func (r *Runner) Set(h Hooks) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hooks = h
}

// Counts is what has become of the hooks so far.
func (r *Runner) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts
}

// Run tells the hooks of every stance that comes, in their order, until there is none any more. A sender that does
// not wait for slow hooks leaves out what is outdated: what is told last is true.
func (r *Runner) Run(stances <-chan Stance) {
	var old Stance
	for s := range stances {
		if s.Same(&old) && s.Reason == old.Reason {
			continue
		}
		r.mu.Lock()
		hooks := r.hooks.of(s.Role)
		r.mu.Unlock()
		e := Event{Schema: schema, Time: time.Now(), Group: r.Group, Node: r.Node, Stance: s, Old: old}
		for i := range hooks {
			r.carryOut(&hooks[i], &e)
		}
		old = s
	}
}

// errTimeout is what a hook ends with that took too long.
var errTimeout = errors.New("took too long")

func (r *Runner) carryOut(h *Hook, e *Event) {
	limit := h.Timeout
	if limit == 0 {
		limit = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, errTimeout)
	defer cancel()
	line, err := json.Marshal(e)
	if err == nil {
		line = append(line, '\n')
		switch {
		case h.Webhook != "":
			err = post(ctx, h.Webhook, line)
		case h.Stream != "":
			err = pour(ctx, h.Stream, line)
		default:
			err = h.command(ctx, e, line)
		}
	}
	r.count(h, e, err)
}

func (r *Runner) count(h *Hook, e *Event, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.Runs++
	r.counts.Last, r.counts.Result = h.String(), "ok"
	if err == nil {
		r.Logger.Info("hook", "role", e.Role, "hook", h.String())
		return
	}
	r.counts.Failures++
	if errors.Is(err, errTimeout) {
		r.counts.Timeouts++
	}
	r.counts.Result = err.Error()
	r.Logger.Warn("hook failed", "role", e.Role, "hook", h.String(), "error", err)
}

// command runs a program with the event in its environment and on its standard input.
func (h *Hook) command(ctx context.Context, e *Event, line []byte) error {
	argv := h.Run
	if h.Shell != "" {
		argv = []string{"/bin/sh", "-c", h.Shell}
	}
	if h.Style == "keepalived" {
		argv = append(argv[:len(argv):len(argv)], e.keepalived()...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), e.Environ()...)
	cmd.Stdin = bytes.NewReader(line)
	return Execute(ctx, cmd)
}

// Execute runs a command, made without a context, until it ends. If ctx is done first the command and all that it has
// started are ended. The error has the end of what the command has said.
func Execute(ctx context.Context, cmd *exec.Cmd) error {
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	child, err := start(cmd)
	if err != nil {
		return err
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		child.Stop(sigTerm, killAfter)
		return errTimeout
	}
	if err := child.Err(); err != nil {
		return fmt.Errorf("%w %s", err, bytes.TrimSpace(said.last))
	}
	return nil
}

// killAfter is how long a hook that took too long has to end by itself.
const killAfter = 2 * time.Second

// tail keeps the end of what a command says.
type tail struct{ last []byte }

func (t *tail) Write(b []byte) (int, error) {
	const most = 1000
	t.last = append(t.last, b...)
	if len(t.last) > most {
		t.last = append(t.last[:0], t.last[len(t.last)-most:]...)
	}
	return len(b), nil
}

// post asks until the server takes the event, or time is out.
func post(ctx context.Context, to string, line []byte) error {
	for {
		err := postOnce(ctx, to, line)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errTimeout, err)
		case <-time.After(time.Second):
		}
	}
}

func postOnce(ctx context.Context, to string, line []byte) error {
	request, err := http.NewRequestWithContext(ctx, "POST", to, bytes.NewReader(line))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	if answer.StatusCode >= 300 {
		return fmt.Errorf("answers %s", answer.Status)
	}
	return nil
}

// pour writes a line to a FIFO or a unix socket, if somebody reads there.
func pour(ctx context.Context, to string, line []byte) error {
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	switch info.Mode() & fs.ModeType {
	case fs.ModeNamedPipe:
		return pourPipe(ctx, to, line)
	case fs.ModeSocket:
		var d net.Dialer
		conn, err := d.DialContext(ctx, "unix", to)
		if err != nil {
			return err
		}
		defer conn.Close()
		if at, set := ctx.Deadline(); set {
			_ = conn.SetDeadline(at)
		}
		_, err = conn.Write(line)
		return err
	}
	return fmt.Errorf("%s: found %v, allowed: a FIFO or a unix socket", to, info.Mode())
}

// Start runs a program with the standard streams of this one.
func Start(argv, env []string) (*Child, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return start(cmd)
}
