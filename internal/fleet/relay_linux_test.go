package fleet

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestMain is also the program of the translator between one host of the lab and the others, and the work that agents
// guard.
func TestMain(m *testing.M) {
	if log := os.Getenv("CAUCUS_TEST_WORK"); log != "" {
		work(log)
	}
	if peers := os.Getenv("CAUCUS_TEST_TRANSLATOR"); peers != "" {
		fmt.Println(translate(strings.Fields(peers)))
		os.Exit(1)
	}
	var err error
	if programFolder, err = os.MkdirTemp("", "caucus-lab"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	flag.Parse()
	flag.Set("test.parallel", "8") // labs wait more than they compute
	code := m.Run()
	os.RemoveAll(programFolder)
	os.Exit(code)
}

const (
	translator = "10.88.255.1" // its address
	insidePort = 8000          // and port for the host behind it, one for each peer
)

// translate carries datagrams as a network address translator does: to each peer from a port of its own, so that the
// peer sees the translator's address, and back to where the host behind it last spoke from.
func translate(peers []string) error {
	failed := make(chan error)
	for k, peer := range peers {
		inside, err := net.ListenPacket("udp4", fmt.Sprintf("%s:%d", translator, insidePort+k))
		if err != nil {
			return err
		}
		outside, err := net.Dial("udp4", peer)
		if err != nil {
			return err
		}
		go func() {
			buf := make([]byte, 2048)
			first := true
			for {
				n, host, err := inside.ReadFrom(buf)
				if err != nil {
					failed <- err
					return
				}
				outside.Write(buf[:n]) // lost if nobody listens
				if first {
					first = false
					go func() {
						buf := make([]byte, 2048)
						for {
							if n, err := outside.Read(buf); err == nil {
								inside.WriteTo(buf[:n], host)
							} else if errors.Is(err, net.ErrClosed) {
								return
							}
						}
					}()
				}
			}
		}()
	}
	return <-failed
}

// behindTranslator puts the leader there: the others know an address of it that leads nowhere.
func behindTranslator(c *cell) {
	h := c.hosts[0]
	h.kill()
	c.ip("-n", c.hub, "addr", "add", translator+"/16", "dev", "hub")
	c.ip("-n", h.ns, "addr", "del", address(0)+"/16", "dev", "eth0")
	c.ip("-n", h.ns, "addr", "add", "10.88.1.1/32", "dev", "eth0")
	c.ip("-n", h.ns, "route", "add", translator+"/32", "dev", "eth0")
	var peers []string
	for k := range h.cfg.Peers {
		peers = append(peers, h.cfg.Peers[k].Addr)
		h.cfg.Peers[k].Addr = fmt.Sprintf("%s:%d", translator, insidePort+k)
	}
	relay := exec.Command("ip", "netns", "exec", c.hub, os.Args[0])
	relay.Env = append(os.Environ(), "CAUCUS_TEST_TRANSLATOR="+strings.Join(peers, " "))
	if err := relay.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.undo = func() {
		h.kill()
		relay.Process.Kill()
		relay.Wait()
		c.ip("-n", c.hub, "addr", "del", translator+"/16", "dev", "hub")
		c.ip("-n", h.ns, "addr", "flush", "dev", "eth0")
		c.ip("-n", h.ns, "addr", "add", address(0)+"/16", "dev", "eth0")
	}
	c.bound, c.began = returned, time.Now()
	h.start()
}
