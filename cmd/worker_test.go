package cmd

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// serveNATS is a server, in a process of its own, that can be killed.
func serveNATS(conf string) int {
	o, err := server.ProcessConfigFile(conf)
	if err == nil {
		var s *server.Server
		if s, err = server.NewServer(o); err == nil {
			s.Start()
			s.WaitForShutdown()
			return exitOK
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return exitFailed
}

// freeTCPPorts are ports of loopback that nobody listens on.
func freeTCPPorts(t *testing.T, n int) (list []int) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		list = append(list, l.Addr().(*net.TCPAddr).Port)
	}
	return list
}

// asProcess starts this test's binary as another program; the test ends it.
func asProcess(t *testing.T, env string, args ...string) *exec.Cmd {
	t.Helper()
	p := exec.Command(os.Args[0], args...)
	p.Env = append(os.Environ(), env)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill(); p.Wait() })
	return p
}

// natsServers starts servers, each of which keeps all streams.
func natsServers(t *testing.T, n int) (urls string, servers []*exec.Cmd) {
	ports := freeTCPPorts(t, 2*n)
	var routes, list []string
	for i := range n {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[n+i]))
		list = append(list, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	dir := t.TempDir()
	for i := range n {
		conf := filepath.Join(dir, fmt.Sprintf("%d.conf", i))
		text := fmt.Sprintf("server_name: s%d\nlisten: 127.0.0.1:%d\njetstream: {store_dir: %q}\n", i, ports[i],
			filepath.Join(dir, fmt.Sprint(i)))
		if n > 1 {
			text += fmt.Sprintf("cluster: {name: c, listen: 127.0.0.1:%d, routes: [%s]}\n", ports[n+i],
				strings.Join(routes, ", "))
		}
		if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		servers = append(servers, asProcess(t, "CAUCUS_TEST_AS_NATS="+conf))
	}
	return strings.Join(list, ","), servers
}

// Workers are killed in the middle, with SIGKILL; the table has the bytes of one process alone. With CAUCUS_FULL there
// are three servers, and the first is killed, too. Where a machine is done before, there are more runs.
func TestSweepByWorkers(t *testing.T) {
	t.Parallel()
	for seeds := 40; !sweepByWorkers(t, seeds); seeds *= 4 {
		if seeds > 5000 {
			t.Fatal("every sweep ends before its workers are killed")
		}
	}
}

func sweepByWorkers(t *testing.T, seeds int) (enough bool) {
	file := studyFile(t,
		strings.NewReplacer("[8, 12]", "[60, 80]", "seeds: 2", fmt.Sprint("seeds: ", seeds)).Replace(smallStudy))
	dir := t.TempDir()
	alone, together := filepath.Join(dir, "alone.parquet"), filepath.Join(dir, "together.parquet")
	if code, _, logs := caucusRun(t, "sweep", file, "-o", alone); code != exitOK {
		t.Fatalf("exit %d: %s", code, logs)
	}
	servers, deaths := 1, 2
	if os.Getenv("CAUCUS_FULL") != "" {
		servers, deaths = 3, 3
	}
	urls, cluster := natsServers(t, servers)
	start := func() *exec.Cmd {
		return asProcess(t, "CAUCUS_TEST_AS_PROGRAM=1", "worker", "--nats", urls, "--workers", "1")
	}
	workers := []*exec.Cmd{start(), start(), start()}
	over := make(chan struct{})
	collector := asProcess(t, "CAUCUS_TEST_AS_PROGRAM=1", "sweep", file, "--nats", urls, "-o", together)
	go func() { collector.Wait(); close(over) }()
	kept := func() int {
		text, _ := os.ReadFile(filepath.Join(together+".jobs", "journal.jsonl"))
		return bytes.Count(text, []byte("\n"))
	}
	deadline := time.After(time.Duration(3*deaths-3) * time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	killed := 0
	for running := true; running; {
		select {
		case <-over:
			running = false
		case <-deadline:
			t.Fatalf("not done, %d lines of the journal", kept())
		case <-tick.C:
			switch lines := kept(); {
			case lines > 250 && killed == 2 && deaths == 3:
				cluster[0].Process.Kill()
				killed++
			case lines > 60*(killed+1) && killed < 2:
				workers[killed].Process.Kill()
				workers = append(workers, start())
				killed++
			}
		}
	}
	if code := collector.ProcessState.ExitCode(); code != exitOK {
		t.Fatalf("exit %d, %d killed", code, killed)
	}
	a, err := os.ReadFile(alone)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(together); err != nil || !bytes.Equal(a, b) {
		t.Errorf("other bytes: %v", err)
	}
	return killed == deaths
}

// A worker that has other files than the sweep makes no run of it.
func TestWorkerWithOtherFiles(t *testing.T) {
	ports := freeTCPPorts(t, 1)
	conf := filepath.Join(t.TempDir(), "one.conf")
	text := fmt.Sprintf("listen: 127.0.0.1:%d\njetstream: {store_dir: %q}\n", ports[0], t.TempDir())
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	asProcess(t, "CAUCUS_TEST_AS_NATS="+conf)
	url := fmt.Sprintf("nats://127.0.0.1:%d", ports[0])
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://")); err == nil {
			c.Close()
			break
		} else if time.Since(begin) > 10*time.Second {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	here, there := t.TempDir(), t.TempDir()
	study := strings.Replace(smallStudy, `"ring:${n}"`, `"net-${n}.txt"`, 1)
	for _, dir := range []string{here, there} {
		write(filepath.Join(dir, "net-8.txt"), "1 2\n2 3\n3 1\n")
		write(filepath.Join(dir, "net-12.txt"), "1 2\n2 3\n3 4\n4 1\n")
		write(filepath.Join(dir, "s.yaml"), study)
	}
	worker := exec.Command(os.Args[0], "worker", "--nats", url)
	worker.Env, worker.Dir = append(os.Environ(), "CAUCUS_TEST_AS_PROGRAM=1"), there
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { worker.Process.Kill(); worker.Wait() })
	sweep := func() (string, error) {
		p := exec.Command(os.Args[0], "sweep", "s.yaml", "--nats", url)
		p.Env, p.Dir = append(os.Environ(), "CAUCUS_TEST_AS_PROGRAM=1"), here
		out, err := p.CombinedOutput()
		return string(out), err
	}
	if out, err := sweep(); err != nil {
		t.Fatal(err, out)
	}
	write(filepath.Join(here, "net-12.txt"), "1 2\n2 3\n3 4\n4 1\n1 3\n")
	if out, err := sweep(); err == nil || !strings.Contains(out, `file: found "net-12.txt"`) {
		t.Error(err, out)
	}
}

// Flags of servers that cannot be used are refused before any run, and by --dry-run, too.
func TestSweepRefusesServers(t *testing.T) {
	file := studyFile(t, smallStudy)
	for _, c := range []struct{ want, flag, value string }{
		{"none without --nats", "--nats-key", "worker.nk"},
		{"none without --nats", "--nats-ca", "ca.pem"},
		{"beyond this machine", "--nats", "nats://10.0.0.1:4222"},
	} {
		code, _, logs := caucusRun(t, "sweep", file, "--dry-run", c.flag, c.value)
		if code != exitMisuse || !strings.Contains(logs, c.want) {
			t.Errorf("%s %s: exit %d: %s", c.flag, c.value, code, logs)
		}
	}
}
