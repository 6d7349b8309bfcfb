package agent

import (
	"testing"
	"time"

	"caucus.example/caucus/internal/wire"
)

// bytesAtRest gives what a link of a line of ten carries in a second with headers, both directions together.
func bytesAtRest(v *virtual, links int) float64 {
	const headers, length = 28, 20 * time.Second
	sum := 0
	v.sent = func(p packet) { sum += len(p.data) + headers }
	v.run(length)
	v.sent = nil
	return float64(sum) / length.Seconds() / float64(links)
}

// Steady cost with headers is under 1 kB/s a link at a period of 100 ms.
func TestBytesAtRest(t *testing.T) {
	for name, links := range map[string]edges{"line": line(10), "clique": clique(5)} {
		n := map[string]int{"line": 10, "clique": 5}[name]
		v := newVirtual(t, 1, n, links)
		v.upAll()
		v.settle("n1", 100)
		v.run(3 * nameEvery * period)
		if got := bytesAtRest(v, len(links)); got >= 1000 {
			t.Errorf("%s: %.0f bytes a link and second, want less than 1000", name, got)
		}
	}
}

// What is told as a difference is what is told whole, while datagrams are lost and nodes end and begin in between:
// every message that a node holds of a live peer is one that this peer has sent.
func TestDifferencesUnderLoss(t *testing.T) {
	for seed := range uint64(5) {
		v := newVirtual(t, seed, 6, ring(6))
		v.loss = 0.3
		patches := 0
		said := map[wire.Instance]map[string]bool{}
		v.sent = func(p packet) {
			if keepSaid(t, v, p, said) {
				patches++
			}
		}
		v.upAll()
		for round := range 600 {
			if round%40 == 39 {
				i := round / 40 % 6
				v.kill(i)
				v.up(i)
			}
			v.run(period)
			for _, a := range v.alive() {
				for _, p := range a.peers {
					if body := held(t, a, p); p.live && !said[p.inst][body] {
						t.Fatalf("seed %d, round %d: %s holds %x of %s, which has not said that", seed, round,
							a.cfg.Name, body, a.nameOf(p))
					}
				}
			}
		}
		if patches < 1000 {
			t.Errorf("seed %d: %d messages as differences, want at least 1000", seed, patches)
		}
		v.loss = 0
		v.settle("n1", 100)
	}
}

// keepSaid keeps the message of the sender of a datagram, and tells whether it goes as a difference.
func keepSaid(t *testing.T, v *virtual, p packet, said map[wire.Instance]map[string]bool) bool {
	e, err := v.decode(p)
	if err != nil {
		t.Fatal(err)
	}
	a := v.nodes[v.at(p.from)].agent
	body, err := a.rounds.export()
	if err != nil {
		t.Fatal(err)
	}
	if said[a.self] == nil {
		said[a.self] = map[string]bool{}
	}
	said[a.self][string(body)] = true
	return wire.IsPatch(e.Body)
}

// held is the message that an agent has of a peer.
func held(t *testing.T, a *Agent, p *peer) string {
	algorithm := a.rounds.(*erased)
	body, err := algorithm.codec.Encode(algorithm.Message(p.slot))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// twoAtRest are n1, which leads, and n2, for so long that each holds the other's base.
func twoAtRest(t *testing.T) (v *virtual, a, b *Agent) {
	t.Helper()
	v = newVirtual(t, 1, 2, line(2))
	v.upAll()
	v.settle("n1", 100)
	v.run(3 * nameEvery * period)
	return v, v.nodes[0].agent, v.nodes[1].agent
}

// A node that is put back to an earlier state has another base than its peers hold, and tells whole what they cannot
// know; peers that say that they hold a base that the node has not are heard again within five of their datagrams.
func TestBaseOfAnotherTime(t *testing.T) {
	v, a, b := twoAtRest(t)
	if !a.peers[0].holds || !b.peers[0].holds {
		t.Fatal("no base is held after 48 periods at rest")
	}
	a.base = telling{body: []byte{0x81, 7}, digest: digest([]byte{0x81, 7}), telling: 0}
	v.run(period)
	if a.peers[0].holds {
		t.Error("n1 takes a base that it has no more for held")
	}
	v.run((baseWhole + 2) * period)
	if !a.peers[0].hears {
		t.Errorf("n1 is not heard %d periods after it lost its base", baseWhole+3)
	}
	v.settle("n1", 100)
}

// A base that nobody has heard of yet is no base for a difference, however soon the next messages follow: the one that
// a peer has said that it holds is another.
func TestNewBaseIsHeldByNobody(t *testing.T) {
	v, a, b := twoAtRest(t)
	a.base.body, a.base.unlike = nil, baseAfter
	v.cut = func(from, _ int) bool { return from == 0 }
	for range baseTold {
		a.broadcast(v.now)
	}
	v.cut = nil
	a.broadcast(v.now)
	v.run(5 * time.Millisecond)
	said, err := a.rounds.export()
	if got := held(t, b, b.peers[0]); err != nil || got != string(said) || len(b.count.Dropped) > 0 {
		t.Errorf("n2 holds %x of n1, which has said %x (%v), and has dropped %v", got, said, err, b.count.Dropped)
	}
}
