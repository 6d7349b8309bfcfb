//go:build unix

package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// leads is the history of who has said that it may act.
type leads struct {
	mu   sync.Mutex
	t    *testing.T
	last string               // who said so last
	idle map[string]time.Time // when a node that did not lead was asked last
	lost map[string]change    // what has taken the lease from a node
}

// change is that another one holds: not yet at the first time, at the second for certain.
type change struct{ earliest, seen time.Time }

const shortLease = 400 * time.Millisecond

// add takes in an answer and when it was asked for. Once another one holds, the former does not for nearly as long as a
// lease lasts: more than half of the members have promised that one not to grant.
func (c *leads) add(who string, leads bool, asked, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost, known := c.lost[who]
	switch {
	case !leads:
		c.idle[who] = asked
	case who == c.last || known && !asked.After(lost.seen): // what it says may be of before
	default:
		if known && asked.Sub(lost.earliest) < shortLease*3/4 {
			c.t.Errorf("%s leads %v after %s did not, and %v after it did", who, asked.Sub(lost.earliest), c.last,
				asked.Sub(lost.seen))
		}
		c.lost[c.last] = change{c.idle[who], now}
		c.last = who
	}
}

func (c *leads) holder() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// ask asks a node again and again whether it leads.
func (c *leads) ask(ctx context.Context, who, socket string) {
	e := agent.Endpoint{Addr: "unix:" + socket}
	for ; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		asked := time.Now()
		answer, err := e.Get(ctx, "/v1/leader")
		if err != nil {
			continue
		}
		var l agent.Leadership
		err = json.NewDecoder(answer.Body).Decode(&l)
		answer.Body.Close()
		if err == nil {
			c.add(who, l.Leads(), asked, time.Now())
		}
	}
}

// Three processes. The holder is killed, and another one holds; it is stopped, and a third one holds; it goes on and
// does not claim to.
func TestLeaseOfProcesses(t *testing.T) {
	t.Parallel()
	names, addrs, dir := []string{"a", "b", "c"}, freePorts(t, 3), t.TempDir()
	socket := func(name string) string { return filepath.Join(dir, name) }
	run := map[string]*exec.Cmd{}
	start := func(i int) {
		peers := append(append([]string{}, addrs[:i]...), addrs[i+1:]...)
		config := fmt.Sprintf("name: %s\nlisten: %s\npeers: [%s]\nstrength: %d\nprofile: loopback\nhttp: "+
			"unix:%s\nlease: {members: [a, b, c], for: %v}\n",
			names[i], addrs[i], strings.Join(peers, ", "), 3-i, socket(names[i]), shortLease)
		cmd := program("agent", "--config", configFile(t, config))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		run[names[i]] = cmd
	}
	history := &leads{t: t, idle: map[string]time.Time{}, lost: map[string]change{}}
	for i, name := range names {
		start(i)
		go history.ask(t.Context(), name, socket(name))
	}
	another := func(than string) (who string) {
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			if who = history.holder(); who != than && who != "" {
				return who
			}
			if time.Now().After(end) {
				t.Fatalf("nobody leads but %q", than)
			}
		}
	}
	another("")
	time.Sleep(time.Second) // the strongest takes over if it was late
	killed := history.holder()
	run[killed].Process.Kill()
	run[killed].Wait()
	second := another(killed)
	start(strings.Index("abc", killed))
	time.Sleep(time.Second)
	stopped := another("")
	run[stopped].Process.Signal(syscall.SIGSTOP)
	third := another(stopped)
	run[stopped].Process.Signal(syscall.SIGCONT)
	time.Sleep(time.Second)
	t.Logf("%s killed, then %s; %s stopped, then %s", killed, second, stopped, third)
}
