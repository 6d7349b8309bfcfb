package fleet

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// labNetwork is a network of the matrix. The leader, node 0, is at the end of the line.
type labNetwork struct {
	name  string
	nodes int
	edges [][2]int
}

func labNetworks() []labNetwork {
	clique, line := labNetwork{"clique 5", 5, nil}, labNetwork{"line 5", 5, nil}
	for i := range 5 {
		for j := range i {
			clique.edges = append(clique.edges, [2]int{j, i})
		}
		if i > 0 {
			line.edges = append(line.edges, [2]int{i - 1, i})
		}
	}
	backbone := labNetwork{"backbone 12", 12, [][2]int{{0, 6}, {1, 5}, {2, 9}, {4, 10}}} // a ring with chords
	for i := range 12 {
		backbone.edges = append(backbone.edges, [2]int{i, (i + 1) % 12})
	}
	return []labNetwork{clique, line, backbone}
}

// TestMatrix disturbs fleets of real processes, each a host, in every way of the list and looks whether each region
// agrees on one leader afterwards. Without -matrix.full it runs half of the faults on the clique and the other half
// on the line, and compares no times: a machine of CI may be busy.
func TestMatrix(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for k, n := range labNetworks() {
		if !*matrixFull && k == 2 {
			break
		}
		t.Run(strings.ReplaceAll(n.name, " ", ""), func(t *testing.T) {
			if !*matrixFull {
				t.Parallel()
			}
			l := newLab(t, built(t), n.nodes, n.edges)
			for _, h := range l.hosts {
				h.start()
			}
			figures := map[string]string{}
			for i, f := range matrixFaults {
				if *matrixFull || i%2 == k {
					t.Run(strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) { figures[f.name] = l.suffer(t, f) })
				}
			}
			if *matrixTable != "" {
				writeColumn(t, *matrixTable, k, figures)
			}
		})
	}
}

// built is the program, made once.
func built(t testing.TB) string {
	t.Helper()
	program, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// programFolder is TestMain's.
var programFolder string

var program = sync.OnceValues(func() (string, error) {
	name := filepath.Join(programFolder, "caucus")
	build := exec.Command("go", "build", "-o", name, "caucus.example/caucus/cmd/caucus")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %v %s", err, out)
	}
	return name, nil
})

// writeColumn puts the figures of a network into the table of a document: the rows that begin with a fault's name.
func writeColumn(t *testing.T, file string, k int, figures map[string]string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, f := range matrixFaults {
		row := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "| "+f.name+" |") })
		if row < 0 {
			t.Errorf("%s: no row for %q", file, f.name)
			continue
		}
		cells := strings.Split(lines[row], "|")
		if figure, ran := figures[f.name]; ran && len(cells) == 7 { // empty, fault, how, three networks, empty
			cells[3+k] = " " + figure + " "
			lines[row] = strings.Join(cells, "|")
		}
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// suffer makes one fault, waits for agreement, and restores the fleet. It gives what was measured and the bound.
func (l *lab) suffer(t *testing.T, f matrixFault) string {
	l.t = t
	c := &cell{lab: l, without: map[int]bool{}, cut: func(int, int) bool { return false }, undo: func() {}}
	c.restored()
	_, before := l.settledSince()
	c.began = time.Now()
	f.make(c)
	defer func() {
		c.undo()
		c.restore()
	}()
	switch {
	case c.watch > 0:
		return c.sampled()
	case c.stays:
		for tries := 1; ; tries++ {
			time.Sleep(20 * labPeriod)
			_, after := l.settledSince()
			if after == before {
				return "no change"
			}
			if tries == 3 || *matrixFull {
				t.Fatalf("%d changes of leader, role or term", after-before)
			}
			c.undo() // a machine of CI may be busy, and processes late
			c.restore()
			c.restored()
			_, before = l.settledSince()
			f.make(c)
		}
	}
	since := c.await("agreement")
	took := max(0, since.Sub(c.began).Seconds()/labPeriod.Seconds())
	d := 0
	for _, r := range l.regions(func(i int) bool { return c.without[i] }, c.cut) {
		d = max(d, l.diameter(r, c.cut))
	}
	bound := c.bound(d)
	t.Logf("%.1f periods, bound %d", took, bound)
	if *matrixFull && took > float64(bound) {
		t.Errorf("%.1f periods, bound %d", took, bound)
	}
	for i := range c.without {
		if lead := l.hosts[i].leads(); lead && f.name != "stopped" {
			t.Errorf("n%d leads as well", i+1)
		}
	}
	return fmt.Sprintf("%.1f / %d", took, bound)
}

// sampled gives the share of time for which all agreed, and how often somebody's leader or term changed.
func (c *cell) sampled() string {
	_, first := c.settledSince()
	time.Sleep(c.learn)
	_, before := c.settledSince()
	good, all := 0, 0
	for end := time.Now().Add(c.watch); time.Now().Before(end); time.Sleep(labPeriod / 2) {
		all++
		if c.settled() {
			good++
		}
	}
	_, after := c.settledSince()
	c.t.Logf("%d changes in %v, then agreed %d of %d times, %d changes", before-first, c.learn, good, all, after-before)
	if good == 0 {
		c.t.Error("never agreed")
	}
	return fmt.Sprintf("%d changes, then %d, agreed %d %%", before-first, after-before, 100*good/all)
}

// await waits until the regions that remain have agreed and nothing has changed for ten periods, and gives when that
// was.
func (c *cell) await(what string) time.Time {
	c.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(labPeriod / 10) {
		since, _ := c.settledSince()
		quiet, acted := time.Since(since) > 10*labPeriod, time.Since(c.began) > 20*labPeriod
		if quiet && acted && c.settled() {
			return since
		}
	}
	for _, h := range c.hosts {
		c.t.Logf("%s: %v", h.cfg.Name, h.leadership())
	}
	c.t.Fatalf("no %s within 30 s", what)
	return time.Time{}
}

func (c *cell) restored() {
	whole := &cell{lab: c.lab, without: map[int]bool{}, cut: func(int, int) bool { return false }}
	whole.await("agreement without a fault")
}

// restore gives every node its configuration, and its process where it has ended or must not be kept.
func (c *cell) restore() {
	for _, h := range c.hosts {
		again := h.cmd == nil || h.cfg.StateDir != "" || len(h.cfg.Params) > 0 || c.watch > 0 // it has learnt of loss
		h.cfg = c.clean(h.node)
		if again {
			h.kill()
			h.start()
		} else {
			h.reload()
		}
	}
}

func (h *host) leadership() agent.Leadership {
	h.lab.mu.Lock()
	defer h.lab.mu.Unlock()
	return h.lead
}

func (h *host) fence() agent.Fence { return h.leadership().Fence() }
func (h *host) leads() bool        { l := h.leadership(); return l.Leads() }
