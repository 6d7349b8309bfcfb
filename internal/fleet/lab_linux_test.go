package fleet

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"caucus.example/caucus"
	"caucus.example/caucus/agent"
)

// lab is a fleet of `caucus agent`, each a host in a network namespace, whose hosts, processes and links can be
// disturbed while it runs. All hosts are on one segment; neighbours are those that the configuration names.
type lab struct {
	t       testing.TB
	program string
	hub     string // namespace of the switch
	hosts   []*host
	edges   [][2]int

	mu      sync.Mutex
	changed time.Time // last change of anybody's leader or term
	named   time.Time // last change of anybody's leader
	changes int
}

// host is one of them.
type host struct {
	lab  *lab
	node int
	ns   string
	file string
	cfg  agent.Config
	text string // instead of it, if there is some
	cmd  *exec.Cmd
	work []string      // a command that the agent guards, if there is one
	over chan struct{} // closed when the process has ended
	logs io.Closer     // its standard error, unread if unread is set

	lead agent.Leadership // under lab.mu
}

// labs counts them: some stand beside each other.
var labs atomic.Int32

// newLab starts nothing yet. It skips where there can be no namespaces.
func newLab(t testing.TB, program string, n int, edges [][2]int) *lab {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root for network namespaces")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("needs the command ip (iproute2) for network namespaces")
	}
	signal.Ignore(syscall.SIGHUP) // what its hosts inherit: one that comes before they catch it would end them
	l := &lab{t: t, program: program, hub: fmt.Sprintf("caucus-lab-%d-%d", os.Getpid(), labs.Add(1)), edges: edges}
	l.addNamespace(l.hub)
	l.ip("-n", l.hub, "link", "add", "hub", "type", "bridge")
	l.ip("-n", l.hub, "link", "set", "hub", "up")
	dir := t.TempDir()
	for i := range n {
		h := &host{lab: l, node: i, ns: fmt.Sprintf("%s-%d", l.hub, i+1)}
		h.file = filepath.Join(dir, fmt.Sprintf("n%d.yaml", i+1))
		l.hosts = append(l.hosts, h)
		l.addNamespace(h.ns)
		cable := fmt.Sprintf("c%d", i+1)
		l.ip("link", "add", "eth0", "netns", h.ns, "type", "veth", "peer", "name", cable, "netns", l.hub)
		l.ip("-n", l.hub, "link", "set", cable, "master", "hub", "up")
		l.ip("-n", h.ns, "link", "set", "lo", "up")
		l.ip("-n", h.ns, "addr", "add", address(i)+"/16", "dev", "eth0")
		l.ip("-n", h.ns, "link", "set", "eth0", "up")
		h.cfg = l.clean(i)
		t.Cleanup(h.kill) // of the whole test: l.t is that of one fault, later
	}
	return l
}

func address(node int) string { return fmt.Sprintf("10.88.0.%d", node+1) }

func (l *lab) addNamespace(name string) {
	if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
		l.t.Skipf("no network namespaces here: %s", out)
	}
	l.t.Cleanup(func() { exec.Command("ip", "netns", "del", name).Run() })
}

func (l *lab) ip(args ...string) {
	l.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		l.t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// labPeriod is that of all agents unless a fault changes it.
const labPeriod = 50 * time.Millisecond

// clean is the configuration of a node without a fault.
func (l *lab) clean(i int) agent.Config {
	c := agent.Config{
		Group: "lab", Name: fmt.Sprint("n", i+1), ID: caucus.ID(i + 1), Listen: ":7400", HTTP: agent.Off,
		Period: labPeriod, Expiry: labExpiry,
		Damping: agent.Off, // faults follow one another so fast that leaders seem to come and go
	}
	for _, e := range l.edges {
		for k := range e {
			if e[k] == i {
				c.Peers = append(c.Peers, agent.Peer{Addr: address(e[1-k]) + ":7400", Name: fmt.Sprint("n", e[1-k]+1)})
			}
		}
	}
	return c
}

// start runs the agent of a host.
func (h *host) start() {
	h.lab.t.Helper()
	h.write()
	args := []string{"netns", "exec", h.ns, h.lab.program}
	if h.work == nil {
		args = append(args, "agent", "--json", "--attached", "--config", h.file)
	} else {
		args = append(append(args, "exec", "--grace", h.cfg.Period.String(), "--config", h.file, "--"), h.work...)
	}
	h.cmd = exec.Command("ip", args...)
	out, err := h.cmd.StdoutPipe()
	if err == nil {
		h.logs, err = h.cmd.StderrPipe()
	}
	if err == nil {
		_, err = h.cmd.StdinPipe()
	}
	if err == nil {
		err = h.cmd.Start()
	}
	if err != nil {
		h.lab.t.Fatal(err)
	}
	over := make(chan struct{})
	h.over = over
	go h.listen(out, over)
}

// write gives the agent its configuration file.
func (h *host) write() {
	text, err := yaml.Marshal(&h.cfg)
	if h.text != "" {
		text = []byte(h.text)
	}
	if err == nil {
		err = os.WriteFile(h.file, text, 0o600)
	}
	if err != nil {
		h.lab.t.Fatal(err)
	}
}

// reload makes a running agent read a new configuration.
func (h *host) reload() {
	h.write()
	h.signal(syscall.SIGHUP)
}

func (h *host) signal(s syscall.Signal) { h.cmd.Process.Signal(s) }

// kill ends the agent as a crash does.
func (h *host) kill() {
	if h.cmd == nil {
		return
	}
	h.signal(syscall.SIGKILL)
	<-h.over
	h.logs.Close()
	h.cmd.Wait()
	h.cmd = nil
}

func (h *host) listen(out io.Reader, over chan struct{}) {
	defer close(over)
	l := h.lab
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var lead agent.Leadership
		if json.Unmarshal(lines.Bytes(), &lead) != nil {
			continue
		}
		l.mu.Lock()
		if lead.LeaderID != h.lead.LeaderID || lead.Term != h.lead.Term || lead.Role != h.lead.Role {
			l.changed = time.Now()
			l.changes++
			if lead.LeaderID != h.lead.LeaderID {
				l.named = l.changed
			}
		}
		h.lead = lead
		l.mu.Unlock()
	}
	l.mu.Lock()
	h.lead, l.changed = agent.Leadership{}, time.Now()
	l.mu.Unlock()
}

// regions are the parts of the network that remain without some nodes and edges.
func (l *lab) regions(without func(node int) bool, cut func(a, b int) bool) [][]int {
	part := make([]int, len(l.hosts))
	for i := range part {
		part[i] = i
	}
	for range l.hosts {
		for _, e := range l.edges {
			if !without(e[0]) && !without(e[1]) && !cut(e[0], e[1]) {
				low := min(part[e[0]], part[e[1]])
				part[e[0]], part[e[1]] = low, low
			}
		}
	}
	var list [][]int
	for low := range part {
		var members []int
		for i, p := range part {
			if p == low && !without(i) {
				members = append(members, i)
			}
		}
		if members != nil {
			list = append(list, members)
		}
	}
	return list
}

// diameter is the greatest distance in hops within a region, over edges that are not cut.
func (l *lab) diameter(region []int, cut func(a, b int) bool) (most int) {
	for _, from := range region {
		hops := map[int]int{from: 0}
		for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
			for _, e := range l.edges {
				for k := range e {
					_, seen := hops[e[1-k]]
					if e[k] == queue[0] && !seen && slices.Contains(region, e[1-k]) && !cut(e[0], e[1]) {
						hops[e[1-k]] = hops[e[k]] + 1
						most = max(most, hops[e[1-k]])
						queue = append(queue, e[1-k])
					}
				}
			}
		}
	}
	return most
}

// agreed tells whether each region has one leader, with a term, that is one of its members and that all of them follow.
func (l *lab) agreed(regions [][]int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, members := range regions {
		first, leaders := l.hosts[members[0]].lead, 0
		for _, i := range members {
			lead := l.hosts[i].lead
			if lead.Fence() != first.Fence() || lead.Term == 0 {
				return false
			}
			if lead.Leads() {
				leaders++
			}
		}
		if leaders != 1 || !slices.Contains(members, int(first.LeaderID)-1) {
			return false
		}
	}
	return true
}

func (l *lab) settledSince() (time.Time, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed, l.changes
}

// A host of a lab may be sent SIGHUP before its program can catch it, while it is still the command that enters the
// namespace: that does not end it.
func TestHostsOutliveEarlyHangup(t *testing.T) {
	t.Parallel()
	l := newLab(t, built(t), 2, [][2]int{{0, 1}})
	for _, h := range l.hosts {
		h.start()
	}
	for range 40 {
		for _, h := range l.hosts {
			h.signal(syscall.SIGHUP)
		}
		time.Sleep(time.Millisecond)
	}
	all := l.regions(func(int) bool { return false }, func(int, int) bool { return false })
	for deadline := time.Now().Add(10 * time.Second); !l.agreed(all); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no agreement after an early SIGHUP")
		}
	}
}
