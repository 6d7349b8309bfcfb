package operate

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"caucus.example/caucus/agent"
	"caucus.example/caucus/agent/act"
)

// service is the manager that has started this program and wants to hear of it, as systemd does (sd_notify); nil where
// there is none.
type service struct {
	manager  net.Conn
	watchdog time.Duration // it wants to hear of us that often; 0: not at all

	mu     sync.Mutex // of what follows
	agents []*agent.Agent
	lines  map[string]string // what each group has said last
	silent int               // groups of the beginning that have not said anything yet

	followed sync.WaitGroup
	ctx      context.Context // of the program; nil: it goes on
	stopped  sync.Once
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

// attend has the manager hear of agents that are about to run. One that cannot be reached is no reason not to.
func attend(ctx context.Context, g *agent.Groups, log *slog.Logger) *service {
	s, err := newService()
	if err != nil {
		log.Warn("the service manager does not hear of this node", "error", err)
	}
	if s != nil {
		s.lines = make(map[string]string)
		s.silent = len(g.Agents())
		s.ctx = ctx
		context.AfterFunc(ctx, s.stopping)
	}
	return s
}

// tell sends assignments. One that is lost is no reason to stop.
func (s *service) tell(lines ...string) {
	if s != nil {
		_, _ = s.manager.Write([]byte(strings.Join(lines, "\n")))
	}
}

// follow tells what becomes of an agent that begins to run, until it has ended.
func (s *service) follow(a *agent.Agent, group string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agents = append(s.agents, a)
	if s.watchdog > 0 && len(s.agents) == 1 {
		go s.feed(a)
	}
	stances := a.Stances(context.Background())
	s.followed.Go(func() {
		for now := range stances {
			s.say(group, prefixed(group)+stanceLine(&now), now.Reason == act.Left)
		}
	})
}

// last waits until the last word of each agent has been told.
func (s *service) last() {
	if s != nil {
		s.followed.Wait()
	}
}

// stopping tells that the program ends, before the last word of its agents.
func (s *service) stopping() {
	if s.ctx != nil && s.ctx.Err() != nil {
		s.stopped.Do(func() { s.tell("STOPPING=1") })
	}
}

// say tells the present state of all groups; the service is ready once each of the beginning has one.
func (s *service) say(group, line string, left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.lines[group]
	s.lines[group] = line
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(s.lines)) {
		lines = append(lines, s.lines[name])
	}
	if left {
		s.stopping()
		delete(s.lines, group)
	}
	status := "STATUS=" + strings.Join(lines, "; ")
	if !known && s.silent > 0 {
		if s.silent--; s.silent == 0 {
			s.tell("READY=1", status)
			return
		}
	}
	if s.silent == 0 {
		s.tell(status)
	}
}

// feed tells the watchdog that all agents go on. One that stands still while its process lives is what it is for.
func (s *service) feed(first *agent.Agent) {
	clock := time.NewTicker(max(s.watchdog/2, time.Millisecond))
	defer clock.Stop()
	for range clock.C {
		s.mu.Lock()
		stale := slices.ContainsFunc(s.agents, func(a *agent.Agent) bool {
			status := a.Status()
			return status.State != "stopped" && status.Stale(time.Now())
		})
		s.agents = slices.DeleteFunc(s.agents, func(a *agent.Agent) bool { return a.Status().State == "stopped" })
		ended := len(s.agents) == 0
		s.mu.Unlock()
		if ended {
			return
		}
		if !stale {
			s.tell("WATCHDOG=1")
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
