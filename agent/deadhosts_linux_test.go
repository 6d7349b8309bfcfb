package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var segments atomic.Int64 // hosts made so far, to name them

// twoHosts are two hosts on one segment, as network namespaces.
type twoHosts struct {
	t     *testing.T
	names [2]string
}

func newTwoHosts(t *testing.T) *twoHosts {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root for network namespaces")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("needs the command ip (iproute2) for network namespaces")
	}
	s := &twoHosts{t: t}
	for i := range s.names {
		s.names[i] = fmt.Sprintf("caucus-test-%d-%d", os.Getpid(), segments.Add(1))
		if out, err := exec.Command("ip", "netns", "add", s.names[i]).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces here: %s", out)
		}
		t.Cleanup(func() { exec.Command("ip", "netns", "del", s.names[i]).Run() })
	}
	s.ip("link", "add", "caucus0", "netns", s.names[0], "type", "veth", "peer", "name", "caucus0", "netns", s.names[1])
	for i, name := range s.names {
		s.ip("-n", name, "addr", "add", fmt.Sprintf("10.99.0.%d/24", i+1), "dev", "caucus0")
		s.ip("-n", name, "link", "set", "caucus0", "up")
	}
	return s
}

func (s *twoHosts) ip(args ...string) {
	s.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		s.t.Skipf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// node starts an agent on a host of the segment, with the other one and so many hosts that there are not as peers.
// What is returned ends it and gives its last report.
func (s *twoHosts) node(host, dead int, profile string) (end func() nodeReport) {
	s.t.Helper()
	text := fmt.Sprintf("name: n%d\nid: %[1]d\nlisten: 10.99.0.%[1]d:7400\nhttp: off\nprofile: %s\npeers:\n", host+1,
		profile)
	text += fmt.Sprintf("  - 10.99.0.%d:7400\n", 2-host)
	for k := range dead {
		text += fmt.Sprintf("  - 10.99.0.%d:7400\n", 50+k)
	}
	file := s.t.TempDir() + "/node.yaml"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	var out strings.Builder
	child := exec.Command("ip", "netns", "exec", s.names[host], os.Args[0])
	child.Env = append(os.Environ(), "CAUCUS_TEST_NODE="+file)
	child.Stdout, child.Stderr = &out, os.Stderr
	if err := child.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { child.Process.Kill() })
	return func() (last nodeReport) {
		child.Process.Signal(syscall.SIGTERM)
		child.Wait()
		if err := json.Unmarshal([]byte(out.String()), &last); err != nil {
			s.t.Fatalf("%v: %s", err, out.String())
		}
		return last
	}
}

// The kernel keeps datagrams for hosts that it does not find for three seconds on the buffer of the socket. However
// many such peers there are, no round is missed for them, and the two that live do not lose each other.
//
// A busy machine makes rounds late and nodes miss each other, too. So what is asked for goes by a clock that runs
// beside the agent in its process, and sees as much of the time: the fault stops the agent, and not this clock.
func TestDeadHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 8 s")
	}
	for _, c := range []struct {
		profile string
		dead    int
	}{{"loopback", 4}, {"lan", 29}, {"loopback", 200}} {
		t.Run(fmt.Sprint(c.profile, "/", c.dead), func(t *testing.T) {
			t.Parallel()
			s := newTwoHosts(t)
			ends := []func() nodeReport{s.node(0, c.dead, c.profile), s.node(1, c.dead, c.profile)}
			time.Sleep(7 * time.Second)
			var last [2]nodeReport
			for i, end := range ends {
				last[i] = end()
			}
			stalls := last[0].Stalls + last[1].Stalls // each may cost the two each other once, and a leader twice
			for i, r := range last {
				n, most := r.Status.Counters, 2*uint64(i+1)+4*stalls
				t.Logf("n%d: %d rounds of %d, %d late, %d stalls, %d suspensions, unsent %v, leader %s, %d changes",
					i+1, n.Rounds, r.Beats, n.LateRounds, r.Stalls, n.Suspensions, n.Unsent, r.Status.Leader,
					n.LeaderChanges)
				if n.Suspensions > 1+r.Stalls || n.Rounds < r.Beats*8/10 || r.Beats == 0 {
					t.Errorf("n%d: %d rounds of %d, %d suspensions", i+1, n.Rounds, r.Beats, n.Suspensions)
				}
				if n.LeaderChanges > most || i == 0 && stalls == 0 && r.Status.Leader != "n1" {
					t.Errorf("n%d ends with leader %s after %d changes, at most %d", i+1, r.Status.Leader,
						n.LeaderChanges, most)
				}
			}
		})
	}
}
