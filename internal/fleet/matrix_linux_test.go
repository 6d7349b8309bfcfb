package fleet

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

var (
	matrixFull = flag.Bool("matrix.full", false,
		"every fault on every network, and times are compared with their bounds")
	matrixTable = flag.String("matrix.table", "",
		"file with the table of the fault matrix, in which the columns of the networks that were run are written anew")
)

// cell is one fault on one network: what happens, who is left, and how long it may take.
type cell struct {
	*lab
	without map[int]bool        // nodes that no region has
	cut     func(a, b int) bool // edges that carry nothing
	began   time.Time           // of the fault
	learn   time.Duration       // before agreement is sampled
	watch   time.Duration       // how long agreement is sampled; 0: time until it is reached is measured
	stays   bool                // the leader has to stay who it is
	bound   func(d int) int     // periods, by the diameter of the largest region that remains
	undo    func()              // what restoring configurations and processes does not
}

// matrixFault makes a fault, on the leader (node 0) unless it says otherwise.
type matrixFault struct {
	name, how string
	make      func(c *cell)
}

// Periods until all have agreed again. After the last beat of a dead leader: d until it has come everywhere, H until
// it is missed, d for the next candidacy, and 2d for a term where somebody needs a larger one; a period for the phase
// and one for a node that leads half a period before it says so. A datagram takes a period at each hop at the most.
const labHeartbeat, labExpiry = 3, 3

func crashed(d int) int { return labHeartbeat + 4*d + 2 }

// returned: a node that is back is heard after the gap at which silent ones are asked, 8 periods, at the most; a
// process starts in half a second.
func returned(d int) int { return crashed(d) + 8 + 10 }

// parted: an edge is given up after the expiry and one period, a leader that nobody hears one later.
func parted(d int) int { return labExpiry + 2 + crashed(d) }

func (c *cell) settled() bool {
	return c.agreed(c.regions(func(i int) bool { return c.without[i] }, c.cut))
}

// reloadAll reloads all nodes with a change.
func (c *cell) reloadAll(change func(h *host)) {
	for _, h := range c.hosts {
		change(h)
		h.reload()
	}
}

func linked(texts map[string]string) func(c *cell) {
	return func(c *cell) {
		c.watch = 2 * time.Second
		if *matrixFull {
			c.learn, c.watch = 7*time.Second, 6*time.Second // patience follows the loss of the last 128 datagrams
		}
		c.reloadAll(func(h *host) { h.cfg.Link = texts })
	}
}

// matrixFaults lists them. What the kernel here need not have (netem) the agents' own emulator does: "emulated".
var matrixFaults = []matrixFault{
	{"crash", "SIGKILL", func(c *cell) { c.without[0] = true; c.bound = crashed; c.hosts[0].kill() }},
	{"restart, new state", "SIGKILL, start",
		func(c *cell) { c.bound = returned; c.hosts[0].kill(); c.hosts[0].start() }},
	{"restart of all, same state", "SIGKILL, start, state-dir", restartWithState},
	{"stopped", "SIGSTOP", func(c *cell) {
		c.without[0], c.bound = true, crashed
		c.hosts[0].signal(syscall.SIGSTOP)
		c.undo = func() { c.hosts[0].kill() }
	}},
	{"suspended, then back", "SIGSTOP, SIGCONT after 1 s", func(c *cell) {
		c.hosts[0].signal(syscall.SIGSTOP)
		time.Sleep(time.Second)
		c.bound = returned
		c.began = time.Now()
		c.hosts[0].signal(syscall.SIGCONT)
	}},
	{"partition", "emulated, both ways", func(c *cell) {
		half := len(c.hosts) / 2
		c.cut = func(a, b int) bool { return (a < half) != (b < half) }
		c.bound = parted
		c.loseAcross(c.cut)
	}},
	{"partition heals", "emulated", func(c *cell) {
		half := len(c.hosts) / 2
		c.loseAcross(func(a, b int) bool { return (a < half) != (b < half) })
		time.Sleep(2 * time.Second)
		c.bound = returned
		c.began = time.Now()
		c.reloadAll(func(h *host) { h.cfg = c.clean(h.node) })
	}},
	{"nothing of the leader arrives", "emulated, one way", func(c *cell) {
		c.without[0], c.bound = true, parted // it hears others: it must be undecided, which the test looks at
		h := c.hosts[0]
		h.cfg.Link = map[string]string{"loss": "1"}
		h.reload()
	}},
	{"address changes", "ip addr", func(c *cell) {
		c.bound = returned
		c.ip("-n", c.hosts[0].ns, "addr", "del", address(0)+"/16", "dev", "eth0")
		c.ip("-n", c.hosts[0].ns, "addr", "add", "10.88.1.1/16", "dev", "eth0")
		c.undo = func() {
			c.ip("-n", c.hosts[0].ns, "addr", "flush", "dev", "eth0")
			c.ip("-n", c.hosts[0].ns, "addr", "add", address(0)+"/16", "dev", "eth0")
		}
	}},
	{"multi-homed, speaks from the other", "ip route src", func(c *cell) {
		c.bound = returned
		c.ip("-n", c.hosts[0].ns, "addr", "add", "10.88.1.1/16", "dev", "eth0")
		c.ip("-n", c.hosts[0].ns, "route", "replace", "10.88.0.0/16", "dev", "eth0", "src", "10.88.1.1")
		c.undo = func() {
			c.ip("-n", c.hosts[0].ns, "addr", "flush", "dev", "eth0")
			c.ip("-n", c.hosts[0].ns, "addr", "add", address(0)+"/16", "dev", "eth0")
		}
	}},
	{"behind a translator of addresses (NAT)", "a relay", behindTranslator},
	{"loss 10 %", "emulated", linked(map[string]string{"loss": "10%", "seed": "1"})},
	{"loss 30 %", "emulated", linked(map[string]string{"loss": "30%", "seed": "1"})},
	{"loss 50 %", "emulated", linked(map[string]string{"loss": "50%", "seed": "1"})},
	{"delay 1 to 3 periods", "emulated", linked(map[string]string{"delay": "100ms±50ms", "seed": "1"})},
	{"duplicates 50 %", "emulated", linked(map[string]string{"duplicate": "50%", "seed": "1"})},
	{"reordering 50 %", "emulated", linked(map[string]string{"reorder": "50%", "seed": "1"})},
	{"MTU 576", "ip link", func(c *cell) {
		c.stays = true
		mtu := func(n string) {
			for _, h := range c.hosts {
				c.ip("-n", h.ns, "link", "set", "eth0", "mtu", n)
			}
		}
		mtu("576")
		c.undo = func() { mtu("1500") }
	}},
	{"mixed periods (50, 200 ms)", "SIGHUP", func(c *cell) {
		c.stays = true
		for _, h := range c.hosts[1:] {
			if h.node%2 == 1 {
				h.cfg.Period = 4 * labPeriod
				h.reload()
			}
		}
	}},
	{"one node with other parameters", "restart", func(c *cell) {
		c.apart(func(h *host) { h.cfg.Params = map[string]string{"radius": "7"} })
	}},
	{"reader of the log stands still", "SIGHUP 200 times", func(c *cell) {
		c.stays = true
		for range 200 {
			c.hosts[0].signal(syscall.SIGHUP)
			time.Sleep(time.Millisecond)
		}
	}},
	{"reader of the log has gone", "closed, SIGHUP", func(c *cell) {
		c.stays = true
		c.hosts[0].logs.Close()
		c.hosts[0].signal(syscall.SIGHUP)
	}},
	{"configuration is garbage", "SIGHUP", func(c *cell) {
		c.stays = true
		if err := os.WriteFile(c.hosts[0].file, []byte("\x00{[period: soon"), 0o600); err != nil {
			c.t.Fatal(err)
		}
		c.hosts[0].signal(syscall.SIGHUP)
	}},
	{"disk full, and a crash", "tmpfs, SIGKILL", diskFull},
	{"no file descriptors, and a crash", "prlimit, SIGKILL", func(c *cell) {
		limit := exec.Command("prlimit", "--pid", fmt.Sprint(c.hosts[1].cmd.Process.Pid), "--nofile=3:3")
		if out, err := limit.CombinedOutput(); err != nil {
			c.t.Skipf("prlimit: %v %s", err, out)
		}
		c.hosts[1].signal(syscall.SIGHUP) // it cannot read its file
		c.began = time.Now()
		c.without[0], c.bound = true, crashed
		c.hosts[0].kill()
		c.undo = func() { c.hosts[1].kill() }
	}},
	{"one node with another algorithm", "restart", func(c *cell) {
		c.apart(func(h *host) { h.cfg.Algo = "mo" })
	}},
}

// apart has the last node elect by itself, since it no longer fits the others.
func (c *cell) apart(change func(h *host)) {
	last := len(c.hosts) - 1
	h := c.hosts[last]
	c.cut = func(a, b int) bool { return a == last || b == last }
	c.bound = returned
	h.kill()
	change(h)
	h.start()
}

// loseAcross lets nothing pass the edges that are cut.
func (c *cell) loseAcross(cut func(a, b int) bool) {
	c.reloadAll(func(h *host) {
		for k := range h.cfg.Peers {
			var other int
			fmt.Sscanf(h.cfg.Peers[k].Name, "n%d", &other)
			if cut(h.node, other-1) {
				h.cfg.Peers[k].Link = map[string]string{"loss": "1"}
			}
		}
	})
}

// restartWithState has all terms exceeded after the end of all nodes.
func restartWithState(c *cell) {
	for _, h := range c.hosts {
		h.kill()
		h.cfg.StateDir = c.t.TempDir()
		h.start()
	}
	c.await("agreement with state-dir")
	before := c.hosts[0].fence()
	for _, h := range c.hosts {
		h.kill()
	}
	c.began, c.bound = time.Now(), returned
	for _, h := range c.hosts {
		h.start()
	}
	c.await("agreement after the restart")
	if now := c.hosts[0].fence(); now.Term <= before.Term {
		c.t.Errorf("fence %v after %v", now, before)
	}
}

// diskFull is a crash of the leader while its heir cannot write.
func diskFull(c *cell) {
	h, dir := c.hosts[1], c.t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		c.t.Skipf("no tmpfs: %v", err)
	}
	c.undo = func() { h.kill(); syscall.Unmount(dir, 0) }
	h.kill()
	h.cfg.StateDir = dir
	h.start()
	c.await("agreement with state-dir")
	full, err := os.Create(filepath.Join(dir, "full"))
	if err != nil {
		c.t.Fatal(err)
	}
	for err == nil {
		_, err = full.Write(make([]byte, 4096))
	}
	full.Close()
	c.without[0], c.bound, c.began = true, crashed, time.Now()
	c.hosts[0].kill()
}
