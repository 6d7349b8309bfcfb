package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/agent/act"
)

// service is the manager that has started this program and wants to hear of it, as systemd does (sd_notify); nil where
// there is none.
type service struct {
	manager  net.Conn
	watchdog time.Duration // it wants to hear of us that often; 0: not at all
}

// newService finds the manager by the environment, and takes it out of there: programs that this one starts, hooks and
// guarded commands, are not to speak for it.
func newService() (*service, error) {
	path, usec, pid := os.Getenv("NOTIFY_SOCKET"), os.Getenv("WATCHDOG_USEC"), os.Getenv("WATCHDOG_PID")
	for _, name := range []string{"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"} {
		os.Unsetenv(name)
	}
	if path == "" {
		return nil, nil
	}
	// "@" begins the name of an abstract socket, to Go as well.
	manager, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return nil, fmt.Errorf("NOTIFY_SOCKET: %w", err)
	}
	s := &service{manager: manager}
	ours := pid == "" || pid == strconv.Itoa(os.Getpid())
	if n, err := strconv.ParseInt(usec, 10, 64); err == nil && n > 0 && ours {
		s.watchdog = time.Duration(min(n, int64(24*time.Hour/time.Microsecond))) * time.Microsecond
	}
	return s, nil
}

// attend has the manager hear of an agent that is about to run. One that cannot be reached is no reason not to.
func attend(ctx context.Context, a *agent.Agent, log *slog.Logger) *service {
	s, err := newService()
	if err != nil {
		log.Warn("the service manager does not hear of this node", "error", err)
	}
	if s != nil {
		go s.follow(ctx, a)
	}
	return s
}

// tell sends assignments. One that is lost is no reason to stop.
func (s *service) tell(lines ...string) {
	if s != nil {
		_, _ = s.manager.Write([]byte(strings.Join(lines, "\n")))
	}
}

// follow tells what becomes of an agent that runs, until it has ended. Once ctx is done it is stopping.
func (s *service) follow(ctx context.Context, a *agent.Agent) {
	var feed <-chan time.Time
	if s.watchdog > 0 {
		t := time.NewTicker(max(s.watchdog/2, time.Millisecond))
		defer t.Stop()
		feed = t.C
	}
	stances := a.Stances(context.Background())
	ready, stopping := "READY=1", ctx.Done()
	for {
		select {
		case now, open := <-stances:
			if !open {
				return
			}
			s.tell(ready, "STATUS="+stanceLine(&now))
			ready = ""
		case <-feed:
			// A node that stands still while its process lives is what a watchdog is for.
			if status := a.Status(); !status.Stale(time.Now()) {
				s.tell("WATCHDOG=1")
			}
		case <-stopping:
			s.tell("STOPPING=1")
			stopping = nil
		}
	}
}

// stanceLine says what a node may do. Names are quoted: some come from other nodes.
func stanceLine(s *act.Stance) string {
	if s.Role == act.Undecided {
		return s.Role + ": " + s.Reason
	}
	return fmt.Sprintf("%s leader=%q term=%d", s.Role, s.Leader, s.Term)
}

// reloading tells that the configuration is being read, and gives what tells the end of it.
func (s *service) reloading() (done func()) {
	if s != nil {
		s.tell("RELOADING=1", fmt.Sprint("MONOTONIC_USEC=", monotonic().Microseconds()))
	}
	return func() { s.tell("READY=1") }
}
