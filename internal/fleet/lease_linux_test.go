package fleet

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

var (
	leaseFor   = flag.Duration("lease.for", 0, "how long TestLeases disturbs a fleet; 0: every fault once")
	leaseSeed  = flag.Uint64("lease.seed", 1, "which faults at which times")
	leaseKills = flag.Int("lease.kills", 1, "how many holders TestTakeover kills")
)

// leaseLasts and leasePeriod are of all agents of the test. So long a period is what a guarded command has to end.
const (
	leaseLasts  = time.Second
	leasePeriod = 100 * time.Millisecond
)

// work is a program that an agent guards: it writes down when it begins and when it is told to end.
func work(log string) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	var f agent.Fence
	if err := f.UnmarshalText([]byte(os.Getenv("CAUCUS_FENCE"))); err != nil {
		panic(err)
	}
	file, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	begin := time.Now().UnixNano()
	fmt.Fprintln(file, os.Getenv("CAUCUS_NODE"), f.Nonce, begin, begin+1)
	<-told
	fmt.Fprintln(file, os.Getenv("CAUCUS_NODE"), f.Nonce, begin, time.Now().UnixNano())
	os.Exit(0)
}

// leaseLab is a clique of five hosts, on each a command that is guarded: it runs while its node holds the lease.
type leaseLab struct {
	*lab
	history
	t      *testing.T
	random *rand.Rand
	dir    string
	works  int  // times that guarded commands have begun or ended
	linked bool // links have been changed
	cuts   []string

	stopped, resumed [5]time.Time // when a host was last, and went on, under history.mu
}

// newLeaseLab starts it with so many nodes of the clique.
func newLeaseLab(t *testing.T, nodes int, lease agent.Lease) *leaseLab {
	var edges [][2]int
	for _, e := range labNetworks()[0].edges {
		if e[0] < nodes && e[1] < nodes {
			edges = append(edges, e)
		}
	}
	l := &leaseLab{lab: newLab(t, built(t), nodes, edges), t: t, dir: t.TempDir(),
		random: rand.New(rand.NewPCG(*leaseSeed, 0))}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.workLog(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, h := range l.hosts {
		h.cfg.Period, h.cfg.Lease = leasePeriod, lease
		h.cfg.HTTP, h.cfg.StateDir = "unix:"+l.socket(i), filepath.Join(l.dir, fmt.Sprint("state", i+1))
		h.work = []string{"env", "CAUCUS_TEST_WORK=" + l.workLog(), self}
		for _, dir := range []string{h.cfg.StateDir, l.snapshot(i)} {
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, h := range l.hosts {
		h.start()
		go l.ask(t.Context(), i)
	}
	go l.followWork(t.Context())
	return l
}

func (l *leaseLab) workLog() string       { return filepath.Join(l.dir, "work") }
func (l *leaseLab) socket(i int) string   { return filepath.Join(l.dir, fmt.Sprint("n", i+1)) }
func (l *leaseLab) snapshot(i int) string { return filepath.Join(l.dir, fmt.Sprint("snapshot", i+1)) }

// ask asks a node again and again until when it holds.
func (l *leaseLab) ask(ctx context.Context, i int) {
	e := agent.Endpoint{Addr: "unix:" + l.socket(i)}
	for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		answer, err := e.Get(ctx, "/v1/leader")
		if err != nil {
			continue
		}
		var said struct {
			LeaderNonce uint32    `json:"leader_nonce"`
			Until       time.Time `json:"until"`
		}
		err = json.NewDecoder(answer.Body).Decode(&said)
		answer.Body.Close()
		if err == nil {
			l.claim(fmt.Sprintf("n%d %d", i+1, said.LeaderNonce), time.Now(), said.Until)
		}
	}
}

// atOnce is how long after a host has gone on its agent may need to end what must not run any more.
const atOnce = 500 * time.Millisecond

// followWork takes in what guarded commands write. What was stopped meanwhile has ended as soon as it was, if its agent
// ends it at once when the host goes on; and what was about to begin then, and is ended at once, has not begun.
func (l *leaseLab) followWork(ctx context.Context) {
	for read := 0; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(l.workLog())
		for line := range strings.Lines(string(text[read:])) {
			if !strings.HasSuffix(line, "\n") {
				break
			}
			read += len(line)
			var node, nonce, begin, end int64
			fmt.Sscanf(line, "n%d %d %d %d", &node, &nonce, &begin, &end)
			from, to := time.Unix(0, begin), time.Unix(0, end)
			l.history.mu.Lock()
			l.works++
			if at := l.stopped[node-1]; at.Before(to) && to.Sub(l.resumed[node-1]) < atOnce {
				to = at
			}
			l.history.mu.Unlock()
			l.claim(fmt.Sprintf("n%d %d", node, nonce), from, to)
		}
	}
}

// leaseFault disturbs the lease of the fleet; what is done to a node is undone after it.
type leaseFault struct {
	name string
	make func(l *leaseLab, i int)
}

var leaseFaults = []leaseFault{
	{"kill -9", func(l *leaseLab, i int) { l.hosts[i].kill(); l.while(2) }},
	{"kill -9, started again at once", func(l *leaseLab, i int) { l.hosts[i].kill(); l.hosts[i].start(); l.while(2) }},
	{"stopped for a moment", func(l *leaseLab, i int) { l.stop(i, 0.2+0.6*l.random.Float64()); l.while(1) }},
	{"stopped for longer than the lease", func(l *leaseLab, i int) { l.stop(i, 1.2+2*l.random.Float64()); l.while(1) }},
	{"state-dir put back, as by a snapshot", func(l *leaseLab, i int) {
		h := l.hosts[i]
		h.kill()
		if err := os.RemoveAll(h.cfg.StateDir); err == nil {
			err = os.CopyFS(h.cfg.StateDir, os.DirFS(l.snapshot(i)))
			if err != nil {
				l.t.Fatal(err)
			}
		}
		h.start()
		l.while(2)
	}},
	{"all killed and started", func(l *leaseLab, _ int) {
		for _, h := range l.hosts {
			h.kill()
		}
		for _, h := range l.hosts {
			h.start()
		}
		l.while(2)
	}},
	{"partition 3/2", func(l *leaseLab, i int) { l.part(i) }},
	{"a third lost", func(l *leaseLab, _ int) { l.links(map[string]string{"loss": "33%"}) }},
	{"half doubled", func(l *leaseLab, _ int) { l.links(map[string]string{"duplicate": "50%"}) }},
	{"delayed by 1 to 5 periods, out of order", func(l *leaseLab, _ int) {
		l.links(map[string]string{"delay": "300ms±200ms", "reorder": "30%"})
	}},
}

// while lets up to so many leases pass.
func (l *leaseLab) while(most float64) {
	time.Sleep(time.Duration(l.random.Float64() * most * float64(leaseLasts)))
}

func (l *leaseLab) links(texts map[string]string) {
	l.linked = true
	for _, h := range l.hosts {
		h.cfg.Link = texts
		h.reload()
	}
	l.while(4)
}

// stop has agent and command of a host stand still for so many leases, as if it were suspended. The agent stops first:
// a command that it begins meanwhile would go on without it.
func (l *leaseLab) stop(i int, leases float64) {
	l.hosts[i].signal(syscall.SIGSTOP)
	children := l.children(i)
	for _, pid := range children {
		syscall.Kill(pid, syscall.SIGSTOP)
	}
	l.history.mu.Lock()
	l.stopped[i] = time.Now()
	l.history.mu.Unlock()
	time.Sleep(time.Duration(leases * float64(leaseLasts)))
	l.history.mu.Lock()
	l.resumed[i] = time.Now()
	l.history.mu.Unlock()
	l.hosts[i].signal(syscall.SIGCONT)
	for _, pid := range children {
		syscall.Kill(pid, syscall.SIGCONT)
	}
}

// children are the processes that a host's agent has started.
func (l *leaseLab) children(i int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, _ := os.ReadFile(file) // pid (name) state parent
		var pid, parent int
		var name, state string
		fmt.Sscan(string(text), &pid, &name, &state, &parent)
		if parent == l.hosts[i].cmd.Process.Pid {
			pids = append(pids, pid)
		}
	}
	return pids
}

// cut lets nothing pass between some nodes and the others.
func (l *leaseLab) cut(some func(node int) bool) {
	l.linked = true
	for _, h := range l.hosts {
		for k := range h.cfg.Peers {
			var peer int
			fmt.Sscanf(h.cfg.Peers[k].Name, "n%d", &peer)
			if some(h.node) != some(peer-1) {
				h.cfg.Peers[k].Link = map[string]string{"loss": "1"}
			}
		}
		h.reload()
	}
}

// part cuts the fleet into i with another one, and the three others: they have a holder soon, the two none.
func (l *leaseLab) part(i int) {
	other := (i + 1 + l.random.IntN(len(l.hosts)-1)) % len(l.hosts)
	two := func(k int) bool { return k == i || k == other }
	l.cut(two)
	began := time.Now()
	holds := func(k int) bool { return strings.HasPrefix(l.last().who, fmt.Sprintf("n%d ", k+1)) }
	l.await("one of the three holds", func() bool {
		return !holds(i) && !holds(other) && l.last().end.After(time.Now())
	})
	l.cuts = append(l.cuts, fmt.Sprintf("%.2f", time.Since(began).Seconds()))
	time.Sleep(leaseLasts / 2)
	for end := time.Now().Add(leaseLasts); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if last := l.last(); (holds(i) || holds(other)) && last.end.After(time.Now()) {
			l.t.Errorf("of the two %s holds until %v", last.who, clock(last.end))
			return
		}
	}
}

// restore gives every node its configuration and its process.
func (l *leaseLab) restore() {
	for i, h := range l.hosts {
		h.cfg.Link, h.cfg.Peers = nil, l.clean(i).Peers
		if h.cmd == nil {
			h.start()
		} else if l.linked {
			h.reload()
		}
	}
	l.linked = false
	l.await("every node answers", l.allAnswer)
	l.await("somebody holds", func() bool { return l.last().end.After(time.Now()) })
}

// allAnswer tells whether every process runs, so that it may be sent signals.
func (l *leaseLab) allAnswer() bool {
	for i := range l.hosts {
		answer, err := (&agent.Endpoint{Addr: "unix:" + l.socket(i)}).Get(l.t.Context(), "/v1/leader")
		if err != nil {
			return false
		}
		answer.Body.Close()
	}
	return true
}

func (l *leaseLab) await(what string, holds func() bool) {
	l.t.Helper()
	for began := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			l.t.Fatalf("not within 30 s: %s; last held %+v", what, l.last())
		}
	}
}

// TestLeases disturbs five processes in network namespaces of their own, again and again, and keeps a history of who
// holds the lease until when, and of when guarded commands begin and end: no two at one moment, ever.
func TestLeases(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	t.Parallel()
	l := newLeaseLab(t, 5, agent.Lease{Size: 5, For: leaseLasts})
	began, faults := time.Now(), map[string]int{}
	l.restore()
	for len(faults) < len(leaseFaults) || time.Since(began) < *leaseFor {
		for _, k := range l.random.Perm(len(leaseFaults)) {
			i := l.random.IntN(len(l.hosts))
			if l.random.IntN(2) == 0 { // the holder
				fmt.Sscanf(l.last().who, "n%d ", &i)
				i = (i + len(l.hosts) - 1) % len(l.hosts)
			}
			leaseFaults[k].make(l, i)
			faults[leaseFaults[k].name]++
			l.restore()
		}
		if len(l.wrong) > 0 || t.Failed() {
			break
		}
	}
	for _, wrong := range l.wrong {
		t.Error(wrong)
	}
	held, spans := l.held()
	lasted := time.Since(began)
	t.Logf("%.0f s, seed %d, faults: %v", lasted.Seconds(), *leaseSeed, faults)
	t.Logf("somebody held %.0f %% of the time, %d spans of one holder each; guarded commands began or ended %d times; "+
		"after a cut one of the three held within (s): %s", 100*held.Seconds()/lasted.Seconds(), spans, l.works,
		strings.Join(l.cuts, " "))
	if held < lasted/10 || l.works < 4 {
		t.Errorf("somebody held for %v of %v, and guarded commands began or ended %d times", held, lasted, l.works)
	}
}

// Five nodes that have been told that they are one grant themselves the lease on both sides of a cut: the history shows
// it, as it would of a program that is wrong.
func TestWrongLeasesAreSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	l := newLeaseLab(t, 5, agent.Lease{Size: 1, For: leaseLasts})
	l.restore()
	l.cut(func(node int) bool { return node < 2 })
	l.await("two hold at one moment", func() bool {
		l.history.mu.Lock() // whoever asks goes on
		defer l.history.mu.Unlock()
		if len(l.wrong) > 0 {
			t.Log(l.wrong[0])
		}
		return len(l.wrong) > 0
	})
}

// TestTakeover kills holders of a lease of 3 s and measures when another one holds: not before the lease of the former
// ends and, where several are killed, no later than 10 periods after; a machine of CI may be busy.
func TestTakeover(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	t.Parallel()
	const lasts = 3 * time.Second
	l := newLeaseLab(t, 3, agent.Lease{Size: 3, For: lasts})
	l.restore()
	time.Sleep(2 * lasts) // the strongest takes over if it was late
	began, before := time.Now(), l.sent()
	time.Sleep(lasts)
	rate := float64(l.sent()-before) / time.Since(began).Seconds()
	var sum, least, most time.Duration
	for k := range *leaseKills {
		if k > 0 {
			time.Sleep(2 * lasts)
		}
		time.Sleep(time.Duration(l.random.Float64() * float64(leasePeriod)))
		former, i := l.last(), 0
		fmt.Sscanf(former.who, "n%d ", &i)
		killed := time.Now()
		l.hosts[i-1].kill()
		l.await("another one holds", func() bool { return l.last().who != former.who })
		took := l.last().begin.Sub(killed)
		late := *leaseKills > 1 && took > lasts+10*leasePeriod
		if end := l.spanOf(former.who).end; l.last().begin.Before(end) || late {
			t.Errorf("after %v %s holds, the former one held until %v after its end", took, l.last().who,
				end.Sub(killed))
		}
		if sum += took; k == 0 || took < least {
			least = took
		}
		most = max(most, took)
		l.restore()
	}
	t.Logf("lease %v, period %v: another one holds %.2f s after the kill -9 of the holder (%.2f to %.2f, %d times); "+
		"all three send %.0f bytes a second, heads of Ethernet, IP and UDP included", lasts, leasePeriod,
		(sum / time.Duration(*leaseKills)).Seconds(), least.Seconds(), most.Seconds(), *leaseKills, rate)
}

// spanOf is the last of a holder.
func (h *history) spanOf(who string) (s span) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.spans {
		if t.who == who {
			s = t
		}
	}
	return s
}

// sent is how many bytes all nodes have sent.
func (l *leaseLab) sent() (bytes uint64) {
	for i := range l.hosts {
		answer, err := (&agent.Endpoint{Addr: "unix:" + l.socket(i)}).Get(l.t.Context(), "/v1/status")
		if err != nil {
			l.t.Fatal(err)
		}
		var s agent.Status
		err = json.NewDecoder(answer.Body).Decode(&s)
		answer.Body.Close()
		if err != nil {
			l.t.Fatal(err)
		}
		bytes += s.Counters.SentBytes + s.Counters.Sent*(14+20+8)
	}
	return bytes
}
