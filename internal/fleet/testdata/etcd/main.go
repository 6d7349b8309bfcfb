// Etcd measures what docs/leases.md says of etcd beside the leases of agents: three servers, embedded, and three
// clients that campaign for one election with a session, all processes of their own. The holder is killed again and
// again; how long until another client holds is measured, and what goes over the loopback interface while all is well.
//
//	go build -o /tmp/etcd-lease . && unshare -n sh -c 'ip link set lo up && /tmp/etcd-lease'
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/server/v3/embed"
)

const members = 3

var (
	kills = flag.Int("kills", 10, "how many holders are killed")
	ttl   = flag.Int("ttl", 3, "seconds of a session's lease")
	port  = flag.Int("port", 23790, "the first of six")
	role  = flag.String("role", "", "of this process: empty, server or client")
	index = flag.Int("index", 0, "its number")
	dir   = flag.String("dir", "", "for the data of servers")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	switch *role {
	case "server":
		server()
	case "client":
		client()
	default:
		measure()
	}
}

func at(i int) string { return fmt.Sprintf("http://127.0.0.1:%d", *port+i) }

func server() {
	cfg := embed.NewConfig()
	cfg.Name, cfg.Dir, cfg.LogLevel = fmt.Sprint("s", *index), filepath.Join(*dir, fmt.Sprint(*index)), "error"
	clients, peers := []url.URL{parse(at(*index))}, []url.URL{parse(at(members + *index))}
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = clients, clients
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = peers, peers
	var all []string
	for i := range members {
		all = append(all, fmt.Sprintf("s%d=%s", i, at(members+i)))
	}
	cfg.InitialCluster = strings.Join(all, ",")
	e, err := embed.StartEtcd(cfg)
	check(err)
	check(<-e.Err())
}

func parse(s string) url.URL {
	u, err := url.Parse(s)
	check(err)
	return *u
}

// client says on a line that it holds, and holds until it is killed.
func client() {
	var all []string
	for i := range members {
		all = append(all, at(i))
	}
	c, err := clientv3.New(clientv3.Config{Endpoints: all, DialTimeout: 30 * time.Second})
	check(err)
	session, err := concurrency.NewSession(c, concurrency.WithTTL(*ttl))
	check(err)
	check(concurrency.NewElection(session, "/leader").Campaign(context.Background(), fmt.Sprint(*index)))
	fmt.Println("holds")
	<-session.Done()
	log.Fatal("lost its session")
}

// started is a process of a client; who holds says so to held.
func started(held chan<- int, role string, i int) *exec.Cmd {
	c := exec.Command(os.Args[0], "-role", role, "-index", fmt.Sprint(i), "-dir", *dir, "-port", fmt.Sprint(*port),
		"-ttl", fmt.Sprint(*ttl))
	c.Stderr = os.Stderr
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
	var err error
	*dir, err = os.MkdirTemp("", "etcd-lease-")
	check(err)
	defer os.RemoveAll(*dir)
	held := make(chan int, members)
	all := map[string]*exec.Cmd{}
	start := func(role string, i int) { all[fmt.Sprint(role, i)] = started(held, role, i) }
	defer func() {
		for _, c := range all {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}()
	for i := range members {
		start("server", i)
	}
	time.Sleep(5 * time.Second)
	bare := rate()
	for i := range members {
		start("client", i)
	}
	holder := next(held)
	time.Sleep(2 * time.Second)
	fmt.Printf("bytes a second: %.0f of the servers, %.0f with the clients\n", bare, rate())
	var took []time.Duration
	for range *kills {
		time.Sleep(2 * time.Second)
		c := all[fmt.Sprint("client", holder)]
		began, former := time.Now(), holder
		check(c.Process.Kill())
		_ = c.Wait()
		holder = next(held)
		took = append(took, time.Since(began))
		start("client", former)
	}
	slices.Sort(took)
	sum := time.Duration(0)
	for _, d := range took {
		sum += d
	}
	fmt.Printf("another one holds after %.2f s (%.2f to %.2f), %d kills\n", (sum / time.Duration(len(took))).Seconds(),
		took[0].Seconds(), took[len(took)-1].Seconds(), len(took))
}

func next(held <-chan int) int {
	select {
	case i := <-held:
		return i
	case <-time.After(time.Minute):
		log.Fatal("nobody holds for a minute")
	}
	return 0
}

// rate is how many bytes go over the loopback interface in a second.
func rate() float64 {
	const seconds = 10
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
