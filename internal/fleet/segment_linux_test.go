package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

var threeGroups = []string{"water", "power", "doors"}

// inGroups configures host i: it is the best of group i, and the second best of the one before.
func inGroups(i int, key, http string) string {
	text := fmt.Sprintf("name: n%d\nid: %d\nlisten: ':7400'\nmulticast: '[ff02::7402]:7402%%eth0'\nkey-file: %s\n"+
		"http: %s\nperiod: %v\nexpiry: 3\ndamping: off\ngroups:\n", i+1, i+1, key, http, labPeriod)
	for k, name := range threeGroups {
		text += fmt.Sprintf("  - {group: %s, strength: %d}\n", name, 3-(i-k+3)%3)
	}
	return text
}

// Three hosts take part in three groups each, over one socket, one segment and one key. Each leads one of them. When
// one is killed its group elects again; the other groups keep leader and term. When it comes back they keep their
// leader.
func TestGroupsOnSegment(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes 10 s")
	}
	program, dir := built(t), t.TempDir()
	key := filepath.Join(dir, "key")
	if out, err := exec.Command(program, "keygen", "-o", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	l := newLab(t, program, 3, nil)
	for i, h := range l.hosts {
		h.cfg.HTTP = "unix:" + filepath.Join(dir, fmt.Sprint(i))
		h.text = inGroups(i, key, h.cfg.HTTP)
	}
	time.Sleep(2 * time.Second) // until link-local addresses are known to be nobody else's
	for _, h := range l.hosts {
		h.start()
	}
	at := func(i, group int) agent.Status { return statusOf(l.hosts[i].cfg.HTTP, threeGroups[group]) }
	agrees := func(what string, group int, leader string, who ...int) (term uint64) {
		t.Helper()
		for began := time.Now(); ; time.Sleep(labPeriod) {
			agree, said := true, ""
			for _, i := range who {
				s := at(i, group)
				agree, term = agree && s.Leader == leader && s.Term > 0 && (term == 0 || s.Term == term), s.Term
				said += fmt.Sprintln(s.Name, s.Leadership, len(s.Neighbours))
			}
			if agree {
				return term
			}
			if time.Since(began) > 20*time.Second {
				t.Fatalf("%s: %s does not follow %s within 20 s:\n%s", what, threeGroups[group], leader, said)
			}
		}
	}
	agrees("from the start", 0, "n1", 0, 1, 2)
	power, doors := agrees("from the start", 1, "n2", 0, 1, 2), agrees("from the start", 2, "n3", 0, 1, 2)
	changes := func() (list []uint64) {
		for _, x := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}} {
			s := at(x[0], x[1])
			list = append(list, s.Counters.LeaderChanges)
		}
		return list
	}
	before := changes()
	l.hosts[0].kill()
	agrees("after the leader's crash", 0, "n2", 1, 2)
	if p, d := agrees("still", 1, "n2", 1, 2), agrees("still", 2, "n3", 1, 2); p != power || d != doors {
		t.Errorf("terms of the other groups are %d and %d, were %d and %d", p, d, power, doors)
	}
	l.hosts[0].start()
	agrees("with it again", 0, "n1", 0, 1, 2)
	agrees("with it again", 1, "n2", 0, 1, 2) // with a greater term: the newcomer has led itself meanwhile
	agrees("with it again", 2, "n3", 0, 1, 2)
	if after := changes(); !slices.Equal(before, after) {
		t.Errorf("changes of leader in the other groups: %v, were %v", after, before)
	}
}

// Two hosts find each other by multicast DNS only, without any route; one that is where it cannot work says so.
func TestMulticastDNS(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes 10 s")
	}
	l := newLab(t, built(t), 3, nil)
	dir := t.TempDir()
	for i, h := range l.hosts {
		h.cfg.Peers, h.cfg.Discover = nil, agent.Discover{MDNS: []string{"eth0"}, Every: time.Second}
		h.cfg.HTTP = "unix:" + filepath.Join(dir, fmt.Sprint(i))
	}
	// IPv4 alone, and without a route beyond the segment: what it sends to all goes nowhere.
	l.ip("netns", "exec", l.hosts[2].ns, "sysctl", "-qw", "net.ipv6.conf.eth0.disable_ipv6=1")
	time.Sleep(2 * time.Second) // until link-local addresses are known to be nobody else's
	for _, h := range l.hosts {
		h.start()
	}
	for began := time.Now(); ; time.Sleep(labPeriod) {
		one, two, cannot := statusAt(l.hosts[0].cfg.HTTP), statusAt(l.hosts[1].cfg.HTTP), statusAt(l.hosts[2].cfg.HTTP)
		if one.Leader == "n1" && two.Leader == "n1" && two.Term > 0 && one.Undiscovered == "" &&
			strings.Contains(cannot.Undiscovered, "mdns on eth0: this node does not find itself") {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatalf("not within 20 s: %v %q, %v %q, %q", one.Leadership, one.Undiscovered, two.Leadership,
				two.Undiscovered, cannot.Undiscovered)
		}
	}
}

// statusAt asks an agent; the zero status while it does not answer.
func statusAt(addr string) (s agent.Status) { return statusOf(addr, "") }

// statusOf asks for one of the groups of an agent.
func statusOf(addr, group string) (s agent.Status) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	path := "/v1/status"
	if group != "" {
		path += "?group=" + group
	}
	answer, err := (&agent.Endpoint{Addr: addr}).Get(ctx, path)
	if err == nil {
		defer answer.Body.Close()
		_ = json.NewDecoder(answer.Body).Decode(&s)
	}
	return s
}
