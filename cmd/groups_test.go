//go:build unix

package cmd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"caucus.example/caucus/internal/operate"
)

// groupsFile is the configuration of a node in the groups that the text lists.
func groupsFile(t testing.TB, name, listen, http, peers, rest string) string {
	t.Helper()
	return configFile(t, fmt.Sprintf("name: %s\nlisten: %s\nhttp: %s\nprofile: loopback\npeers: [%s]\n%s", name, listen,
		http, peers, rest))
}

// Two processes take part in two groups each, a third one in one of them alone. Hooks hear of their group; SIGHUP takes
// one group away, and the others do not notice.
func TestAgentInGroups(t *testing.T) {
	t.Parallel()
	udp, dir := freePorts(t, 3), t.TempDir()
	sock := func(name string) string { return "unix:" + filepath.Join(dir, name) }
	peers := func(i, j int) string { return fmt.Sprintf("%q, %q", udp[i], udp[j]) }
	told := filepath.Join(dir, "told")
	groups := "groups:\n  - {group: up, strength: %d}\n  - {group: down, strength: %d}\n" +
		"on: {lead: ['echo $CAUCUS_GROUP $CAUCUS_NODE >> " + told + "']}\n"
	a := groupsFile(t, "a", udp[0], sock("a"), peers(1, 2), fmt.Sprintf(groups, 1, 2))
	b := groupsFile(t, "b", udp[1], sock("b"), peers(0, 2), fmt.Sprintf(groups, 2, 1))
	c := groupsFile(t, "c", udp[2], sock("c"), peers(0, 1), "group: up\nstrength: 3\n")
	var started []*exec.Cmd
	for _, file := range []string{a, b, c} {
		cmd := program("agent", "--config", file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		started = append(started, cmd)
		t.Cleanup(func() { cmd.Process.Kill() })
	}
	says := func(want string, args ...string) {
		t.Helper()
		last := ""
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			_, out, errs := caucusRun(t, args...)
			if last = out + errs; strings.Contains(out, want) {
				return
			}
		}
		t.Fatalf("%v: want %q in\n%s", args, want, last)
	}
	for _, name := range []string{"a", "b", "c"} {
		says("leader=c ", "status", "--addr", sock(name), "--group", "up")
	}
	says("leader=a ", "status", "--addr", sock("b"), "--group", "down")
	says("groups=2 leads=1 ", "status", "--addr", sock("a"))
	code, _, errs := caucusRun(t, "resign", "--addr", sock("a"))
	if code != exitMisuse || !strings.Contains(errs, "name one with --group") || !strings.Contains(errs, "up, down") {
		t.Error(code, errs)
	}
	if text, _ := os.ReadFile(told); !strings.Contains(string(text), "down a\n") {
		t.Errorf("hooks have heard %q", text)
	}

	text, _ := os.ReadFile(a)
	os.WriteFile(a, []byte(strings.Replace(string(text), "  - {group: down, strength: 2}\n", "", 1)), 0o600)
	started[0].Process.Signal(syscall.SIGHUP)
	says("leader=b ", "status", "--addr", sock("b"), "--group", "down")
	says("leader=c ", "status", "--addr", sock("c"))
	for _, cmd := range started {
		ends(t, cmd)
	}
}

// Events go on over a restart of the agent, each with its reason; a status that is watched is shown anew.
func TestEventsAndWatch(t *testing.T) {
	t.Parallel()
	udp, dir := freePorts(t, 2), t.TempDir()
	sock := "unix:" + filepath.Join(dir, "a")
	check := filepath.Join(dir, "ready")
	os.WriteFile(check, nil, 0o600)
	a := groupsFile(t, "a", udp[0], sock, strconv.Quote(udp[1]), "strength: 2\nchecks: [{file: "+check+
		", every: 100ms, fall: 1, veto: true}]\n")
	b := groupsFile(t, "b", udp[1], "off", strconv.Quote(udp[0]), "")
	start := func(args ...string) *exec.Cmd {
		cmd := program(args...)
		flags := os.O_CREATE | os.O_APPEND | os.O_WRONLY
		if out, err := os.OpenFile(filepath.Join(dir, args[0]), flags, 0o600); err == nil {
			cmd.Stdout = out
			defer out.Close()
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		return cmd
	}
	has := func(file string, want ...string) {
		t.Helper()
		var text []byte
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			text, _ = os.ReadFile(filepath.Join(dir, file))
			rest, all := string(text), true
			for _, w := range want { // in this order
				_, after, found := strings.Cut(rest, w)
				rest, all = after, all && found
			}
			if all {
				return
			}
		}
		t.Fatalf("%s: want %q in\n%s", file, want, text)
	}
	second := start("agent", "--config", b)
	first := start("agent", "--config", a)
	for range 1000 {
		if code, _, _ := caucusRun(t, "status", "--addr", sock); code == exitOK {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	events := start("events", "--addr", sock)
	watch := start("status", "--watch", "--addr", sock)
	has("events", "a: lead, leader a, term ")
	os.Remove(check)
	has("events", "a: follow, leader b, term ")
	has("events", "check "+check+": fails (")
	has("status", "WITHDRAWN", "why ", "; bounded elects", "CHANGE", "WRONG", "the check "+check)
	ends(t, first)
	has("events", sock+": silent (no agent answers")
	has("status", "it is asked again")
	first = start("agent", "--config", a)
	has("events", ": silent", sock+": answers", "leader b, term ")
	for _, cmd := range []*exec.Cmd{events, watch, first, second} {
		ends(t, cmd)
	}
}

// What ten groups cost in one process, beside one group and beside a process for each: processor time and memory of
// each of ten nodes, on a line and where all know each other. It takes the machine for itself, for two minutes.
func BenchmarkGroups(b *testing.B) {
	const nodes = 10
	for _, links := range []string{"line", "clique"} {
		for _, c := range []struct{ processes, groups int }{{1, 0}, {1, 1}, {1, 10}, {10, 0}} {
			b.Run(fmt.Sprintf("%s/processes=%d/groups=%d", links, c.processes, c.groups), func(b *testing.B) {
				var started []*exec.Cmd
				for _, file := range groupsFiles(b, nodes, links, c.processes, c.groups) {
					cmd := program("agent", "--json", "--config", file)
					if err := cmd.Start(); err != nil {
						b.Fatal(err)
					}
					started = append(started, cmd)
				}
				time.Sleep(2 * time.Second)
				const rest = 6 * time.Second
				before := usedBy(b, started)
				time.Sleep(rest)
				used := usedBy(b, started) - before
				resident := 0
				for _, cmd := range started {
					resident += residentOf(b, cmd)
				}
				for _, cmd := range started {
					ends(b, cmd)
				}
				b.ReportMetric(0, "ns/op") // nothing is timed: the nodes rest
				b.ReportMetric(100*used.Seconds()/rest.Seconds()/nodes, "%core/node")
				b.ReportMetric(float64(resident)/1024/nodes, "MiB/node")
			})
		}
	}
}

// What groups that share a process make of it, beside one group that says as much: processor time, how often it is
// woken, and what it sends, at each of three nodes that all hear each other.
func BenchmarkGroupsWake(b *testing.B) {
	const nodes, rest = 3, 20 * time.Second
	key := filepath.Join(b.TempDir(), "key")
	if out, err := program("keygen", "-o", key).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	tenGroups := "groups:\n"
	for g := range 10 {
		tenGroups += fmt.Sprintf("  - {group: g%d}\n", g)
	}
	for _, c := range []struct{ name, rest string }{
		{"one", "period: 100ms\n"},
		{"ten", "period: 100ms\n" + tenGroups},
		{"ten-sealed", "period: 100ms\nkey-file: " + key + "\n" + tenGroups},
		{"one-10ms", "period: 10ms\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			udp, dir := freePorts(b, nodes), b.TempDir()
			var list []*exec.Cmd
			var socks []string
			for i := range nodes {
				socks = append(socks, "unix:"+filepath.Join(dir, fmt.Sprint(i)))
				peers := fmt.Sprintf("%q, %q", udp[(i+1)%nodes], udp[(i+2)%nodes])
				list = append(list, program("agent", "--config",
					groupsFile(b, fmt.Sprint("n", i), udp[i], socks[i], peers, c.rest)))
				if err := list[i].Start(); err != nil {
					b.Fatal(err)
				}
			}
			time.Sleep(6 * time.Second)
			before := spent(b, list, socks)
			time.Sleep(rest)
			b.ReportMetric(0, "ns/op") // nothing is timed: the nodes rest
			for unit, x := range spent(b, list, socks) {
				b.ReportMetric((x-before[unit])/nodes/rest.Seconds(), unit)
			}
			for _, cmd := range list {
				ends(b, cmd)
			}
		})
	}
}

// spent is what agents have made of their machine so far, all together.
func spent(b *testing.B, list []*exec.Cmd, socks []string) map[string]float64 {
	sum := map[string]float64{"ms/s": 1000 * usedBy(b, list).Seconds()}
	for i, cmd := range list {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", cmd.Process.Pid))
		for _, task := range tasks {
			data, _ := os.ReadFile(task) // a thread may have ended
			_, text, _ := strings.Cut(string(data), "\nvoluntary_ctxt_switches:")
			var n float64
			fmt.Sscan(text, &n)
			sum["waits/s"] += n
		}
		all, _, err := (&operate.Asking{Addr: socks[i]}).Statuses(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range all {
			sum["datagrams/s"] += float64(s.Counters.Sent)
			sum["B/s"] += float64(s.Counters.SentBytes)
		}
	}
	return sum
}

// groupsFiles writes what each process is to run: of every node so many processes, each with so many groups beside each
// other, or one group that is all the agent has.
func groupsFiles(t testing.TB, nodes int, links string, processes, groups int) (files []string) {
	for p := range processes {
		udp := freePorts(t, nodes)
		for i := range nodes {
			var peers []string
			for j := range nodes {
				if j != i && (links == "clique" || j-i == 1 || i-j == 1) {
					peers = append(peers, strconv.Quote(udp[j]))
				}
			}
			rest := fmt.Sprintf("period: 100ms\ngroup: g%d\n", p)
			if groups > 0 {
				rest = "period: 100ms\ngroups:\n"
			}
			for g := range groups {
				rest += fmt.Sprintf("  - {group: g%d}\n", g)
			}
			files = append(files, groupsFile(t, fmt.Sprint("n", i), udp[i], "off", strings.Join(peers, ", "), rest))
		}
	}
	return files
}

// usedBy sums the processor time that processes have used so far.
func usedBy(t testing.TB, list []*exec.Cmd) (sum time.Duration) {
	t.Helper()
	for _, cmd := range list {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		for _, text := range fields[11:13] { // in hundredths of a second
			n, _ := strconv.Atoi(text)
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}

// residentOf is the memory of a process, in KiB.
func residentOf(t testing.TB, cmd *exec.Cmd) (kib int) {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			fmt.Sscan(rest, &kib)
		}
	}
	return kib
}
