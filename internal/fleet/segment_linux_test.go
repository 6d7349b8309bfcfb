package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// Hosts that are told no more than a group address and an interface find each other on their segment, without any route
// beyond it, elect, and elect again; one whose interface goes and comes back is found again.
func TestSegment(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes 30 s")
	}
	program := built(t)
	for name, group := range map[string]string{
		"v4": "239.7.4.1:7402%eth0",
		"v6": "[ff02::7402]:7402%eth0", // whose senders have link-local addresses with zones
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all [][2]int
			for i := range 5 {
				for j := range i {
					all = append(all, [2]int{j, i})
				}
			}
			l := newLab(t, program, 5, all)
			time.Sleep(2 * time.Second) // until link-local addresses are known to be nobody else's
			for _, h := range l.hosts {
				h.cfg.Peers, h.cfg.Multicast = nil, agent.Segments{group}
				h.start()
			}
			dead := map[int]bool{}
			agrees := func(what string) {
				t.Helper()
				began := time.Now()
				parts := l.regions(func(i int) bool { return dead[i] }, func(a, b int) bool { return false })
				for !l.agreed(parts) {
					if time.Since(began) > 20*time.Second {
						t.Fatalf("%s: no agreement in 20 s", what)
					}
					time.Sleep(labPeriod)
				}
				t.Logf("%s: %.1f periods", what, float64(time.Since(began))/float64(labPeriod))
			}
			agrees("from the start")
			dead[0] = true
			l.hosts[0].kill()
			agrees("after a crash")
			l.ip("-n", l.hosts[4].ns, "link", "set", "eth0", "down")
			dead[4] = true
			for began := time.Now(); l.hosts[4].leadership().Leader != "n5"; time.Sleep(labPeriod) {
				if time.Since(began) > 20*time.Second {
					t.Fatal("the host whose interface is down does not lead itself")
				}
			}
			agrees("without a host whose interface is down")
			l.ip("-n", l.hosts[4].ns, "link", "set", "eth0", "up")
			dead[4] = false
			agrees("with it again")
		})
	}
}

// Hosts with two interfaces find each other over both, each link as long as its interface says: the shorter one counts,
// and while it is gone the longer one.
func TestInterfaces(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes 10 s")
	}
	l := newLab(t, built(t), 3, [][2]int{{0, 1}, {0, 2}, {1, 2}})
	l.ip("-n", l.hub, "link", "add", "far", "type", "bridge")
	l.ip("-n", l.hub, "link", "set", "far", "up")
	dir := t.TempDir()
	for i, h := range l.hosts {
		cable := fmt.Sprintf("w%d", i+1)
		l.ip("link", "add", "wwan0", "netns", h.ns, "type", "veth", "peer", "name", cable, "netns", l.hub)
		l.ip("-n", l.hub, "link", "set", cable, "master", "far", "up")
		l.ip("-n", h.ns, "link", "set", "wwan0", "up")
		h.cfg.Peers, h.cfg.Multicast, h.cfg.Metric = nil, agent.Segments{"[ff02::7402]:7402"}, agent.Weight
		h.cfg.Interfaces = []agent.Interface{{Name: "eth0", Weight: 1}, {Name: "wwan0", Weight: 10}}
		h.cfg.HTTP = "unix:" + filepath.Join(dir, fmt.Sprint(i))
	}
	time.Sleep(2 * time.Second) // until link-local addresses are known to be nobody else's
	for _, h := range l.hosts {
		h.start()
	}
	follows := func(what string, distances ...float64) {
		t.Helper()
		for began := time.Now(); ; time.Sleep(labPeriod) {
			agree, said := true, ""
			for i, h := range l.hosts {
				s := statusAt(h.cfg.HTTP)
				agree = agree && s.Leader == "n1" && s.Distance == distances[i] && s.Term > 0
				said += fmt.Sprintln(s.Leadership, s.Distance, s.Neighbours)
			}
			if agree {
				return
			}
			if time.Since(began) > 20*time.Second {
				t.Fatalf("%s: not within 20 s:\n%s", what, said)
			}
		}
	}
	follows("over both", 0, 1, 1)
	l.ip("-n", l.hosts[2].ns, "link", "set", "eth0", "down")
	follows("over the long link", 0, 1, 10)
	l.ip("-n", l.hosts[2].ns, "link", "set", "eth0", "up")
	follows("with the short link again", 0, 1, 1)
}

// statusAt asks an agent; the zero status while it does not answer.
func statusAt(addr string) (s agent.Status) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	answer, err := (&agent.Endpoint{Addr: addr}).Get(ctx, "/v1/status")
	if err == nil {
		defer answer.Body.Close()
		_ = json.NewDecoder(answer.Body).Decode(&s)
	}
	return s
}
