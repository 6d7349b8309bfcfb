// Overload counts how often nodes name another leader while the machine has more to do than it can: processes of
// hashicorp/raft with its defaults, or of `caucus agent`, each node one, beside loops that are always busy.
//
//	go run . -busy 8                                  # raft
//	go run . -busy 8 -agent ../caucus -profile lan    # agents
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/raft"
)

var (
	nodes   = flag.Int("nodes", 8, "processes")
	busy    = flag.Int("busy", 8, "busy loops, each a process")
	during  = flag.Duration("for", 30*time.Second, "how long changes are counted")
	program = flag.String("agent", "", "path of caucus; empty: raft")
	profile = flag.String("profile", "lan", "of the agents")
	port    = flag.Int("port", 18500, "the first of -nodes ports")
	role    = flag.Int("role", -1, "of this process: -1 starts the others, -2 is busy, else the number of a node")
)

func main() {
	flag.Parse()
	switch {
	case *role == -2:
		for {
		}
	case *role >= 0:
		node(*role)
	}
	dir, err := os.MkdirTemp("", "overload-")
	fatal(err)
	defer os.RemoveAll(dir)
	var changes atomic.Int64
	var all []*exec.Cmd
	for i := range *nodes {
		all = append(all, start(dir, i, &changes))
	}
	time.Sleep(10 * time.Second)
	for range *busy {
		c := exec.Command(os.Args[0], "-role", "-2")
		fatal(c.Start())
		all = append(all, c)
	}
	before := changes.Load()
	time.Sleep(*during)
	n := changes.Load() - before
	for _, c := range all {
		c.Process.Kill()
	}
	fmt.Printf("%d changes of the leader that a node names in %v, %d nodes, %d busy loops\n", n, *during, *nodes, *busy)
}

// start starts a node and counts how often what it prints names another leader.
func start(dir string, i int, changes *atomic.Int64) *exec.Cmd {
	c := exec.Command(os.Args[0], "-role", fmt.Sprint(i), "-nodes", fmt.Sprint(*nodes), "-port", fmt.Sprint(*port))
	if *program != "" {
		var peers []string
		for k := range *nodes {
			if k != i {
				peers = append(peers, fmt.Sprintf("%q", address(k)))
			}
		}
		file := filepath.Join(dir, fmt.Sprint(i, ".yaml"))
		text := fmt.Sprintf("name: n%d\nlisten: %s\nhttp: off\nprofile: %s\nstrength: %d\npeers: [%s]\n",
			i, address(i), *profile, *nodes-i, strings.Join(peers, ", "))
		fatal(os.WriteFile(file, []byte(text), 0o600))
		c = exec.Command(*program, "agent", "--json", "--config", file)
	}
	out, err := c.StdoutPipe()
	fatal(err)
	fatal(c.Start())
	go func() {
		last := ""
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var said struct{ Leader string }
			if json.Unmarshal(lines.Bytes(), &said) == nil && said.Leader != last {
				last = said.Leader
				changes.Add(1)
			}
		}
	}()
	return c
}

// node is one of raft, with the defaults.
func node(i int) {
	conf := raft.DefaultConfig()
	conf.LocalID, conf.LogOutput = raft.ServerID(address(i)), io.Discard
	trans, err := raft.NewTCPTransport(address(i), nil, 3, 10*time.Second, io.Discard)
	fatal(err)
	store := raft.NewInmemStore()
	var servers []raft.Server
	for k := range *nodes {
		servers = append(servers, raft.Server{ID: raft.ServerID(address(k)), Address: raft.ServerAddress(address(k))})
	}
	r, err := raft.NewRaft(conf, &raft.MockFSM{}, store, store, raft.NewDiscardSnapshotStore(), trans)
	fatal(err)
	seen := make(chan raft.Observation, 64)
	r.RegisterObserver(raft.NewObserver(seen, true, nil))
	r.BootstrapCluster(raft.Configuration{Servers: servers})
	for o := range seen {
		if l, is := o.Data.(raft.LeaderObservation); is {
			fmt.Printf("{\"leader\": %q}\n", l.LeaderID)
		}
	}
}

func address(i int) string { return fmt.Sprintf("127.0.0.1:%d", *port+i) }

func fatal(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
