package fleet

import (
	"testing"
	"time"

	"caucus.example/caucus/agent"
)

// Hosts that are told no more than a group address and an interface find each other on their segment, without any route
// beyond it, elect, and elect again; one whose interface goes and comes back is found again.
func TestSegment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 30 s")
	}
	program := built(t)
	for name, group := range map[string]string{
		"v4": "239.7.4.1:7402%eth0",
		"v6": "[ff02::7402]:7402%eth0", // whose senders have link-local addresses with zones
	} {
		t.Run(name, func(t *testing.T) {
			var all [][2]int
			for i := range 5 {
				for j := range i {
					all = append(all, [2]int{j, i})
				}
			}
			l := newLab(t, program, 5, all)
			time.Sleep(2 * time.Second) // until link-local addresses are known to be nobody else's
			for _, h := range l.hosts {
				h.cfg.Peers, h.cfg.Multicast = nil, agent.Segments{group}
				h.start()
			}
			dead := map[int]bool{}
			agrees := func(what string) {
				t.Helper()
				began := time.Now()
				parts := l.regions(func(i int) bool { return dead[i] }, func(a, b int) bool { return false })
				for !l.agreed(parts) {
					if time.Since(began) > 20*time.Second {
						t.Fatalf("%s: no agreement in 20 s", what)
					}
					time.Sleep(labPeriod)
				}
				t.Logf("%s: %.1f periods", what, float64(time.Since(began))/float64(labPeriod))
			}
			agrees("from the start")
			dead[0] = true
			l.hosts[0].kill()
			agrees("after a crash")
			l.ip("-n", l.hosts[4].ns, "link", "set", "eth0", "down")
			dead[4] = true
			for began := time.Now(); l.hosts[4].leadership().Leader != "n5"; time.Sleep(labPeriod) {
				if time.Since(began) > 20*time.Second {
					t.Fatal("the host whose interface is down does not lead itself")
				}
			}
			agrees("without a host whose interface is down")
			l.ip("-n", l.hosts[4].ns, "link", "set", "eth0", "up")
			dead[4] = false
			agrees("with it again")
		})
	}
}
