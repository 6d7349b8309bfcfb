package agent

import (
	"bytes"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// keyFile writes keys for a group.
func keyFile(t testing.TB, keys ...seal.Key) string {
	t.Helper()
	text := "# a group's\n"
	for _, k := range keys {
		text += k.Text() + "\n"
	}
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// sealedNetwork is a virtual network of a group with a key.
func sealedNetwork(t testing.TB, seed uint64, n int, links edges) *virtual {
	v := newVirtual(t, seed, n, links)
	file := keyFile(t, seal.NewKey())
	for _, x := range v.nodes {
		x.cfg.KeyFile = file
	}
	return v
}

// A group with a key elects as one without, also when nodes or all of them come back, and everything that it sends is
// sealed. A new life is heard as soon as expiry + 2 periods allow.
func TestSealedGroup(t *testing.T) {
	for _, links := range []edges{clique(5), line(5)} {
		v := sealedNetwork(t, 1, 5, links)
		v.sent = func(p packet) {
			if _, ok := seal.ReadHead(p.data); !ok {
				t.Errorf("in clear: %x", p.data)
			}
		}
		v.upAll()
		v.settle("n1", 30)
		for _, i := range []int{0, 2} {
			v.kill(i)
			v.run(20 * period)
			v.up(i)
			heard := func() bool { return len(v.nodes[i].agent.inbox()) > 0 }
			if took := v.within(time.Minute, "a new life is heard", heard); took > 5*period {
				t.Errorf("heard after %v", took)
			}
			v.settle("n1", 30)
		}
		for i := range v.nodes {
			v.kill(i)
		}
		v.run(20 * period)
		v.upAll()
		v.settle("n1", 30)
		for _, a := range v.alive() {
			for reason, n := range a.count.Dropped {
				// What was sent before the answer to a challenge may come after it, and what was sent before a datagram
				// that was asked for.
				if reason != dropUnproven && reason != dropUndescribed &&
					(reason != dropReplay && reason != dropOld || n > 4) {
					t.Errorf("%s has dropped %d because of %s", a.cfg.Name, n, reason)
				}
			}
		}
	}
}

// A machine that is put back to an earlier state counts from there; its peers hear it again within expiry + 2
// periods, by another challenge.
func TestSealedSnapshot(t *testing.T) {
	for _, periods := range []time.Duration{10, 3000} {
		v := sealedNetwork(t, 2, 3, clique(3))
		v.upAll()
		v.settle("n1", 30)
		a := v.nodes[0].agent
		ring, seq := *a.ring, a.seq
		v.run(periods * period)
		*a.ring, a.seq = ring, seq
		v.run(5 * period)
		v.settle("n1", 30)
		for i, b := range v.alive() {
			if silent := v.now.Sub(b.peers[0].heard); i > 0 && silent > 2*period {
				t.Errorf("%d periods back: not heard by %s for %v", periods, b.cfg.Name, silent)
			}
		}
	}
}

// An adversary who hears and sends everything, but has no key, changes nothing: no leader, no term, no neighbour; and
// what is sent to where it speaks from is never more than it has sent itself.
func TestAdversary(t *testing.T) {
	v := sealedNetwork(t, 3, 5, clique(5))
	var recorded []packet
	reflected, invested := make(map[netip.AddrPort]int), make(map[netip.AddrPort]int)
	strange := netip.MustParseAddrPort("10.0.0.99:7400")
	v.sent = func(p packet) {
		recorded = append(recorded, p)
		reflected[p.to] += len(p.data)
	}
	v.upAll()
	v.settle("n1", 30)
	v.kill(0) // the recorded leader of a former life
	v.run(20 * period)
	v.kill(1)
	v.run(20 * period)
	v.up(0)
	v.up(1)
	v.settle("n1", 60)
	old := slices.Clone(recorded)
	v.run(50 * period) // so that two lives can be told by what they send
	before := make([]Leadership, 5)
	for i, a := range v.alive() {
		before[i] = a.lead
	}
	inject := func(from, to netip.AddrPort, data []byte) {
		invested[from] += len(data)
		v.queue = append(v.queue, packet{at: v.now, from: from, to: to, data: bytes.Clone(data)})
	}
	attacks := map[string]func(k int, p packet){
		"what was sent before, again":            func(_ int, p packet) { inject(p.from, p.to, p.data) },
		"the same, to somebody else":             func(k int, p packet) { inject(p.from, v.nodes[k%5].addr, p.data) },
		"the same, from an address of one's own": func(_ int, p packet) { inject(strange, p.to, p.data) },
		"to oneself, what one has sent before":   func(k int, p packet) { inject(v.nodes[k%5].addr, p.from, p.data) },
		"changed in one bit": func(k int, p packet) {
			data := bytes.Clone(p.data)
			data[k%len(data)] ^= 1 << (k % 8)
			inject(p.from, p.to, data)
		},
		"with a great count": func(_ int, p packet) {
			data := bytes.Clone(p.data)
			for i := 25; i < 31; i++ {
				data[i] = 0xff
			}
			inject(p.from, p.to, data)
		},
		"not sealed": func(k int, p packet) { inject(p.from, p.to, forged(t, v, k)) },
		"noise":      func(k int, p packet) { inject(p.from, p.to, bytes.Repeat([]byte{byte(k)}, k%1300)) },
	}
	for name, attack := range attacks {
		clear(reflected)
		clear(invested)
		for k := range 40 * 50 {
			attack(k, old[(k*7919)%len(old)])
			if k%50 == 0 {
				v.run(period)
			}
		}
		v.run(2 * period)
		for i, a := range v.alive() {
			if a.lead != before[i] {
				t.Errorf("%s: %s has %v, %v before", name, a.cfg.Name, a.lead, before[i])
			}
			if n := len(a.inbox()); n != 4 {
				t.Errorf("%s: %s has %d neighbours", name, a.cfg.Name, n)
			}
			if len(a.twins.list) > 0 {
				t.Errorf("%s: %s takes itself for two", name, a.cfg.Name)
			}
		}
		if reflected[strange] > invested[strange] {
			t.Errorf("%s: %d bytes come back for %d", name, reflected[strange], invested[strange])
		}
	}
}

// forged is what somebody without a key could wish: the strongest candidate there is, with a term far ahead, and all
// others gone.
func forged(t *testing.T, v *virtual, k int) []byte {
	t.Helper()
	a := v.nodes[k%5].agent
	e := wire.Envelope{
		Link:  wire.Link{Hears: wire.Mark(v.nodes[4].agent.self.Nonce), Gap: 1},
		Group: a.group, Sender: wire.Instance{ID: a.self.ID, Nonce: 1},
		Seq:  uint32(k * 1000),
		Term: 1 << 40, Need: 1 << 41, About: &a.about, Gone: []wire.Instance{v.nodes[(k+1)%5].agent.self},
	}
	says := a.rounds.(*erased).Export().(*bounded.Candidacy)
	said := *says
	says.Val, says.Dist, says.Hops, says.Lead, says.Nonce = math.Inf(-1), 0, 0, a.self.ID, 1
	data, err := a.encodeExport(&e, false)
	*says = said
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(data)
}

// Nobody announces the end of another: not a member that has the group's key, nor in a group without keys, neither with
// a secret that it makes up nor, as a former version does, with none. With the right one all believe it at once.
func TestForgedDeparture(t *testing.T) {
	for name, v := range map[string]*virtual{
		"keys": sealedNetwork(t, 3, 5, clique(5)), "no keys": newVirtual(t, 3, 5, clique(5)),
	} {
		v.upAll()
		v.settle("n1", 30)
		v.run(20 * period)
		leader, member := v.nodes[0].agent, v.nodes[4].agent
		before := v.nodes[2].agent.lead.Number
		for k := range 100 {
			e := member.compose(v.now)
			e.Gone = []wire.Instance{leader.self}
			if k%2 == 0 {
				e.Secrets = []uint64{uint64(k)}
			}
			for _, p := range member.peers {
				e.Link = wire.Link{Hears: p.hearing(), Gap: 1}
				data, err := member.encodeFor(p, &e)
				if err != nil {
					t.Fatal(err)
				}
				member.transmitTo(p.addr, data)
			}
			v.run(period / 2)
		}
		if a := v.nodes[2].agent; a.lead.Number != before || a.gone.has(leader.self) {
			t.Errorf("%s: a member has announced the end of another: %v", name, a.lead)
		}
		delete(member.gone, leader.self)
		member.gone.add(leader.self, leader.secret, v.now, period)
		member.broadcast(v.now)
		v.run(period / 2)
		if !v.nodes[2].agent.gone.has(leader.self) {
			t.Errorf("%s: nor is it believed with the secret", name)
		}
	}
}

// Without keys the same forgeries do work: the test above can fail.
func TestAdversaryWithoutKeys(t *testing.T) {
	v := newVirtual(t, 3, 5, clique(5))
	v.upAll()
	v.settle("n1", 30)
	changes := v.nodes[4].agent.lead.Number
	for k := range 200 {
		v.queue = append(v.queue,
			packet{at: v.now, from: v.nodes[k%5].addr, to: v.nodes[4].addr, data: forged(t, v, k)})
		v.run(period / 10)
	}
	if v.nodes[4].agent.lead.Number == changes {
		t.Error("nothing has changed")
	}
}

// reconfigure gives every node, one a second in any order, another configuration by a reload.
func reconfigure(v *virtual, change func(*Config)) {
	for _, i := range []int{3, 0, 4, 1, 2} {
		change(&v.nodes[i].cfg)
		if a := v.nodes[i].agent; a != nil {
			next, err := v.nodes[i].cfg.Resolve()
			if err != nil {
				v.t.Fatal(err)
			}
			next.Logger = a.cfg.Logger
			a.reload(next, v.now)
		}
		v.run(time.Second)
	}
}

// Keys are changed in two steps while nodes are at work, and a group gets its first key in three, without a change of
// leader. One who was away meanwhile is told apart, and hears nobody.
func TestKeysChangeAtWork(t *testing.T) {
	v := newVirtual(t, 4, 5, clique(5))
	v.loss = 0.1
	v.upAll()
	v.settle("n1", 30)
	v.run(10 * period)
	before := make([]Leadership, 5)
	for i, a := range v.alive() {
		before[i] = a.lead
	}
	same := func(step string) {
		t.Helper()
		v.run(10 * period)
		for i, a := range v.alive() {
			if a.lead.Number != before[i].Number {
				t.Errorf("%s: %s has %v, %v before", step, a.cfg.Name, a.lead, before[i])
			}
		}
	}
	old, young := seal.NewKey(), seal.NewKey()
	first, both, turned, second := keyFile(t, old), keyFile(t, old, young), keyFile(t, young, old), keyFile(t, young)
	for _, step := range []struct {
		name, file, unsealed string
	}{
		{"a key, and nothing sealed yet", first, sendUnsealed}, {"sealed", first, acceptUnsealed},
		{"only sealed", first, ""},
		{"another key is known", both, ""}, {"and used", turned, ""}, {"the first is forgotten", second, ""},
	} {
		reconfigure(v, func(c *Config) { c.KeyFile, c.Unsealed = step.file, step.unsealed })
		same(step.name)
	}
	v.kill(4)
	v.nodes[4].cfg.KeyFile = first
	v.run(20 * period)
	v.up(4)
	v.run(20 * period)
	away := v.nodes[4].agent
	if why := away.peers[0].refused; !strings.Contains(why,
		"key: "+young.ID.String()+" there, ["+old.ID.String()+"] here") {
		t.Errorf("the one who was away: %q", why)
	}
	for _, x := range v.nodes[:4] {
		if x.agent.count.Dropped[dropKey] == 0 || x.agent.peers[3].refused == "" {
			t.Errorf("%s does not tell the one apart who was away: %v", x.cfg.Name, x.agent.count.Dropped)
		}
	}
}

func TestKeysAreChecked(t *testing.T) {
	good := keyFile(t, seal.NewKey())
	open := keyFile(t, seal.NewKey())
	os.Chmod(open, 0o604)
	none := keyFile(t)
	for text, want := range map[string]string{
		"key-file: " + good:                        "",
		"key-file: " + good + "\nunsealed: accept": "",
		"key-file: " + open: "node.yaml:2: key-file: found \"" + open +
			" with permissions 0604\", allowed: 0600",
		"key-file: " + none:                         "found no key",
		"key-file: /no/such/file":                   "no such file",
		"unsealed: accept":                          "unsealed: found \"accept\", allowed: only with key-file",
		"key-file: " + good + "\nunsealed: perhaps": "node.yaml:3: unsealed: found \"perhaps\"",
	} {
		_, err := Parse("node.yaml", []byte("name: a\n"+text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
