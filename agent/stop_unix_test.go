//go:build unix

package agent

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Three processes; one that is stopped for two seconds (a hundred periods) and goes on
// finds back, whether it leads or follows.
func TestStopAndContinue(t *testing.T) {
	t.Parallel()
	addr := func(tr Transport) string { return tr.Addr().String() }
	for strength, after := range map[int]string{5: "n1", 20: "child"} {
		t.Run(fmt.Sprint("strength=", strength), func(t *testing.T) {
			list := onLoopback("127.0.0.1")(t, 2)
			spare := onLoopback("127.0.0.1")(t, 1)[0]
			spare.Close() // the child takes its port
			file := t.TempDir() + "/node.yaml"
			text := fmt.Sprintf("name: child\nlisten: %s\nprofile: loopback\nhttp: off\nstrength: %d\npeers:\n  - "+
				"addr: %s\n  - addr: %s\n", addr(spare), strength, addr(list[0]), addr(list[1]))
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			cfgs := configs(list, clique(2))
			for i := range cfgs {
				cfgs[i].Peers = append(cfgs[i].Peers, Peer{Addr: addr(spare)})
			}
			f := launch(t, cfgs)
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), "CAUCUS_TEST_NODE="+file)
			child.Stderr = os.Stderr
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { child.Process.Kill(); child.Wait() }()
			alive := func() bool { return f.agents[0].Status().Neighbours[1].Live }
			await(t, "child is a neighbour", alive)
			agree(t, after, f.agents...)
			child.Process.Signal(syscall.SIGSTOP)
			await(t, "child is missed", func() bool { return !alive() })
			agree(t, "n1", f.agents...)
			time.Sleep(2 * time.Second)
			child.Process.Signal(syscall.SIGCONT)
			await(t, "child is back", alive)
			agree(t, after, f.agents...)
			await(t, "child follows too", func() bool {
				n := f.agents[0].Status().Neighbours[1]
				return n.Live && n.Leader == after
			})
		})
	}
}
