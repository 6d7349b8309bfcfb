// Consul-lease measures what docs/leases.md says of Consul beside the leases of agents: three servers, and clients
// that contend for one key with a session over the HTTP API, all processes of their own. The holder is killed again
// and again; how long until another client holds is measured, and what goes over the loopback interface while all is
// well.
//
//	go build -o /tmp/consul-lease . && go build -o /tmp/consul github.com/hashicorp/consul &&
//		unshare -n sh -c 'ip link set lo up && /tmp/consul-lease -consul /tmp/consul'
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	servers = 3
	clients = 5
	retry   = 100 * time.Millisecond // while the lock-delay runs, which nothing announces the end of
)

var (
	consul = flag.String("consul", "consul", "the program of the servers")
	kills  = flag.Int("kills", 10, "how many holders are killed")
	ttl    = flag.Int("ttl", 10, "seconds of a session's TTL; less than 10 is allowed to the servers")
	delay  = flag.Int("delay", 0, "seconds of a session's lock-delay; 15 where a session does not say")
	port   = flag.Int("port", 24790, "the first of nine")
	index  = flag.Int("index", -1, "of this process, if it is a client")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if *index < 0 {
		measure()
	} else {
		client()
	}
}

func at(i int) string { return fmt.Sprintf("http://127.0.0.1:%d/v1/", *port+i) }

// server is one of a datacenter of its own: nothing is joined over a WAN, and what clients do not use has no port.
func server(dir string, i int) *exec.Cmd {
	args := []string{"agent", "-server", "-bootstrap-expect", fmt.Sprint(servers), "-node", fmt.Sprint("s", i),
		"-data-dir", filepath.Join(dir, fmt.Sprint(i)), "-bind", "127.0.0.1", "-client", "127.0.0.1",
		"-http-port", fmt.Sprint(*port + i), "-serf-lan-port", fmt.Sprint(*port + servers + i),
		"-server-port", fmt.Sprint(*port + 2*servers + i), "-serf-wan-port", "-1", "-dns-port", "-1",
		"-grpc-port", "-1", "-grpc-tls-port", "-1", "-log-level", "error", "-retry-interval", "1s",
		"-hcl", "disable_update_check = true"}
	if *ttl < 10 {
		args = append(args, "-hcl", fmt.Sprintf(`session_ttl_min = "%ds"`, *ttl))
	}
	for k := range servers {
		args = append(args, "-retry-join", fmt.Sprintf("127.0.0.1:%d", *port+servers+k))
	}
	c := command(*consul, args...)
	check(c.Start())
	return c
}

// client says on a line that it holds, and holds until it is killed.
func client() {
	base := at(*index % servers)
	var session struct{ ID string }
	ask("PUT", base+"session/create", fmt.Sprintf(`{"TTL": "%ds", "LockDelay": "%ds", "Behavior": "release"}`, *ttl,
		*delay), &session)
	go func() {
		for range time.Tick(renewal()) {
			ask("PUT", base+"session/renew/"+session.ID, "", nil)
		}
	}()
	for !acquired(base, session.ID) {
		holder, seen := look(base, 0)
		if holder == "" {
			time.Sleep(retry)
		}
		for holder != "" {
			holder, seen = look(base, seen)
		}
	}
	fmt.Println("holds")
	select {}
}

func renewal() time.Duration { return time.Duration(*ttl) * time.Second / 2 }

func acquired(base, session string) (mine bool) {
	ask("PUT", base+"kv/leader?acquire="+session, fmt.Sprint(*index), &mine)
	return mine
}

// look waits until the key is no longer as it was seen, 5 minutes at most, and gives the session that holds it.
func look(base string, seen uint64) (holder string, now uint64) {
	var pairs []struct {
		Session     string
		ModifyIndex uint64
	}
	ask("GET", fmt.Sprintf("%skv/leader?index=%d&wait=5m", base, seen), "", &pairs)
	return pairs[0].Session, pairs[0].ModifyIndex
}

func ask(method, url, body string, answer any) {
	check(asked(method, url, body, answer))
}

func asked(method, url, body string, answer any) error {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	check(err)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, url, got.Status, text)
	}
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// command ends with this process, however that ends: the thread that starts it is the first, which lasts.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stderr, c.SysProcAttr = os.Stderr, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c
}

func init() { runtime.LockOSThread() }

// contender is a process of a client; who holds says so to held.
func contender(held chan<- int, i int) *exec.Cmd {
	c := command(os.Args[0], "-index", fmt.Sprint(i), "-port", fmt.Sprint(*port), "-ttl", fmt.Sprint(*ttl),
		"-delay", fmt.Sprint(*delay))
	out, err := c.StdoutPipe()
	check(err)
	check(c.Start())
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			held <- i
		}
	}()
	return c
}

func measure() {
	dir, err := os.MkdirTemp("", "consul-lease-")
	check(err)
	defer os.RemoveAll(dir)
	for i := range servers {
		defer end(server(dir, i))
	}
	ready()
	bare := rate()
	held, all := make(chan int, clients), make([]*exec.Cmd, clients)
	start := func(from, to int) {
		for i := from; i < to; i++ {
			all[i] = contender(held, i)
		}
	}
	defer func() {
		for _, c := range all {
			end(c)
		}
	}()
	start(0, 3)
	holder := next(held)
	three := rate()
	start(3, clients)
	fmt.Printf("bytes a second: %.0f of the servers, %.0f with 3 clients, %.0f with %d\n", bare, three, rate(), clients)
	var took []time.Duration
	for range *kills {
		time.Sleep(2*time.Second + rand.N(renewal())) // at any time since it was renewed
		began, former := time.Now(), holder
		end(all[former])
		holder = next(held)
		took = append(took, time.Since(began))
		start(former, former+1)
	}
	slices.Sort(took)
	sum := time.Duration(0)
	for _, d := range took {
		sum += d
	}
	fmt.Printf("another one holds after %.2f s (%.2f to %.2f), %d kills\n", (sum / time.Duration(len(took))).Seconds(),
		took[0].Seconds(), took[len(took)-1].Seconds(), len(took))
}

func end(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// ready waits until the servers have a leader who knows that all three are well, and until they have come to rest.
func ready() {
	err := errors.New("no answer")
	for began := time.Now(); time.Since(began) < time.Minute && err != nil; time.Sleep(time.Second) {
		for i := range servers {
			var well []struct{ Status string }
			if err = asked("GET", at(i)+"health/state/passing", "", &well); err == nil && len(well) < servers {
				err = fmt.Errorf("%d servers are well", len(well))
			}
			if err != nil {
				break
			}
		}
	}
	check(err)
	time.Sleep(10 * time.Second)
}

func next(held <-chan int) int {
	select {
	case i := <-held:
		return i
	case <-time.After(2 * time.Minute):
		log.Fatal("nobody holds for two minutes")
	}
	return 0
}

// rate is how many bytes go over the loopback interface in a second, of several renewals and of all that is periodic.
func rate() float64 {
	const seconds = 30
	before := carried()
	time.Sleep(seconds * time.Second)
	return float64(carried()-before) / seconds
}

func carried() (bytes int64) {
	data, err := os.ReadFile("/proc/net/dev")
	check(err)
	for line := range strings.Lines(string(data)) {
		if name, rest, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "lo" {
			_, err = fmt.Sscan(rest, &bytes)
			check(err)
		}
	}
	return bytes
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
