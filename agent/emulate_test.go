package agent

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/fault"
)

// fates are what a link does with n datagrams, asked without a socket.
func fates(c fault.Conditions, from, to uint64, n int) (copies []int) {
	l := fault.New(c, from, to)
	for range n {
		_, k := l.Send(time.Unix(0, 0), 4)
		copies = append(copies, k)
	}
	return copies
}

// Numbered datagrams through real sockets: exactly those arrive, and as often, as seed, link and number
// decide, the two directions apart; none comes before its time.
func TestEmulatorOnSockets(t *testing.T) {
	const n = 200
	there := fault.Conditions{Loss: .3, Delay: 20 * time.Millisecond, Jitter: 10 * time.Millisecond, Duplicate: .2,
		Reorder: .2, Within: 30 * time.Millisecond, Seed: 7}
	back := fault.Conditions{Loss: .1, Seed: 7}
	ends := onLoopback("127.0.0.1")(t, 2)
	var emulators [2]*Emulator
	for i, c := range []fault.Conditions{there, back} {
		l := fault.New(c, uint64(i), uint64(1-i))
		emulators[i] = Emulate(ends[i], func(netip.AddrPort) *fault.Link { return l })
	}
	for i, want := range [][]int{fates(there, 0, 1, n), fates(back, 1, 0, n)} {
		from, to := emulators[i], emulators[1-i]
		sent := make([]time.Time, n)
		expected := 0
		for k := range n {
			expected += want[k]
			sent[k] = time.Now()
			if err := from.Send(binary.BigEndian.AppendUint32(nil, uint32(k)), to.Addr()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Microsecond) // the socket buffer must lose none
		}
		got := make([]int, n)
		order := []uint32{}
		least := []time.Duration{10 * time.Millisecond, 0}[i]
		for range expected {
			var buf [16]byte
			size, sender, err := to.Receive(buf[:])
			if err != nil || size != 4 || sender != from.Addr() {
				t.Fatalf("%d bytes from %v: %v", size, sender, err)
			}
			k := binary.BigEndian.Uint32(buf[:])
			if d := time.Since(sent[k]); d < least {
				t.Errorf("datagram %d took %v only", k, d)
			}
			got[k]++
			order = append(order, k)
		}
		if !slices.Equal(got, want) {
			t.Errorf("direction %d: copies\n%v, want\n%v", i, got, want)
		}
		if i == 0 && slices.IsSorted(order) {
			t.Error("no datagram was overtaken")
		}
	}
	for _, e := range emulators {
		e.Close()
	}
}

// What has left arrives although its sender closes; then nothing is sent any more.
func TestEmulatorCloses(t *testing.T) {
	ends := onLoopback("127.0.0.1")(t, 2)
	l := fault.New(fault.Conditions{Delay: 30 * time.Millisecond}, 0, 1)
	e := Emulate(ends[0], func(netip.AddrPort) *fault.Link { return l })
	for k := range 3 {
		e.Send([]byte{byte(k)}, ends[1].Addr())
	}
	e.Close()
	e.Send([]byte{3}, ends[1].Addr())
	for k := range 3 {
		var buf [1]byte
		if _, _, err := ends[1].Receive(buf[:]); err != nil || buf[0] != byte(k) {
			t.Fatalf("%v, %v: want datagram %d", buf, err, k)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.flight) != 0 {
		t.Error("a closed emulator keeps datagrams")
	}
	ends[1].Close()
}

// A flood does not fill the memory, and closing does not wait for what takes a minute.
func TestEmulatorIsBounded(t *testing.T) {
	ends := onLoopback("127.0.0.1")(t, 2)
	defer ends[1].Close()
	l := fault.New(fault.Conditions{Delay: time.Minute}, 0, 1)
	e := Emulate(ends[0], func(netip.AddrPort) *fault.Link { return l })
	for range maxInFlight + 10 {
		e.Send([]byte{1}, ends[1].Addr())
	}
	if e.Overflowed() != 10 || len(e.flight) != maxInFlight {
		t.Errorf("%d overflowed, %d on the way", e.Overflowed(), len(e.flight))
	}
	e.Close()
}

func TestLinkConfiguration(t *testing.T) {
	const text = `name: a
link: {loss: 20%, delay: 10ms±5ms}
peers:
- addr: 127.0.0.1:1
- addr: 127.0.0.1:2
  link: {loss: 0, rate: 64kbit/s}
`
	c, err := Parse("node.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"loss=20% delay=10ms±5ms seed=1", "delay=10ms±5ms rate=64000bit/s seed=1"} {
		got, err := c.conditions(&c.Peers[i])
		if err != nil || got.String() != want {
			t.Errorf("peer %d: %v, %v, want %s", i, got, err, want)
		}
	}
	for change, want := range map[string]string{
		"20%/20":                `node.yaml:2: link.loss: found "20", allowed: a probability from 0 to 1`,
		"10ms±5ms/10":           `node.yaml:2: link.delay: found "10", allowed: a time from 0s to 1m`,
		"loss: 0/loss: x":       `node.yaml:6: peers[1].link.loss: found "x"`,
		"20%, delay/20%, dealy": `node.yaml:2: link: found "dealy"`,
		"link: {loss: 20%, delay: 10ms±5ms}/lnik: {}": `node.yaml:2: `,
	} {
		old, replacement, _ := strings.Cut(change, "/")
		_, err := Parse("node.yaml", []byte(strings.Replace(text, old, replacement, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", change, err, want)
		}
	}
}

// rough conditions, and the parameters that suit them: with a fifth of all datagrams lost, three in a
// row are on 0.8 % of all occasions, ten in a row on 10⁻⁷.
func rough(cfgs []Config) {
	for i := range cfgs {
		cfgs[i].Link = map[string]string{"loss": "20%", "delay": "10ms±5ms", "duplicate": "10%", "reorder": "10%",
			"seed": "5"}
		cfgs[i].Period, cfgs[i].Expiry = 40*time.Millisecond, 10
	}
}

// Real agents settle on one leader and its successor in spite of loss, delay, duplicates and
// reordering; the counters show that all of it happened.
func TestElectionOnBadLinks(t *testing.T) {
	t.Parallel()
	for name, links := range map[string]edges{"line": line(6), "clique": clique(6)} {
		t.Run(name, func(t *testing.T) {
			cfgs := configs(onLoopback("127.0.0.1")(t, 6), links)
			rough(cfgs)
			f := launch(t, cfgs)
			agree(t, "n1", f.agents...)
			// The leader at the end of the line, so that the rest stays together.
			f.agents[0].Kill()
			agree(t, "n2", f.agents[1:]...)
			var all fault.Counts
			old := uint64(0)
			for _, a := range f.agents[1:] {
				await(t, fmt.Sprint(a.cfg.Name, " sends on"),
					func() bool { return a.Status().Counters.Emulated.Sent > 60 })
				c := a.Status().Counters
				if c.Emulated.Sent != c.Sent {
					t.Errorf("%d of %d datagrams emulated", c.Emulated.Sent, c.Sent)
				}
				all.Add(c.Emulated)
				old += c.Dropped[dropOld]
			}
			if all.Lost == 0 || all.Doubled == 0 || all.HeldBack == 0 || old == 0 {
				t.Errorf("counts %+v, %d old", all, old)
			}
		})
	}
}

// Agents measure what is emulated: no round trip takes less than the two ways.
func TestEmulatedRoundTrip(t *testing.T) {
	cfgs := configs(onLoopback("127.0.0.1")(t, 2), line(2))
	for i, delay := range []string{"30ms", "10ms"} {
		cfgs[i].Metric = RTT
		cfgs[i].Link = map[string]string{"delay": delay}
	}
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	for _, a := range f.agents {
		await(t, a.cfg.Name+" has measured a round trip", func() bool { return a.Status().Neighbours[0].RTT > 0 })
		if n := a.Status().Neighbours[0]; n.RTT < 40*time.Millisecond {
			t.Errorf("%s measures %v, want at least 40 ms", a.cfg.Name, n.RTT)
		}
	}
}

// Conditions can be changed while the agent runs; a link goes on counting.
func TestReloadLink(t *testing.T) {
	cfgs := configs(onLoopback("127.0.0.1")(t, 2), line(2))
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	change := func(text map[string]string) {
		t.Helper()
		for i, a := range f.agents {
			next := cfgs[i]
			next.Link = text
			changed, _, err := a.Reload(next)
			if err != nil || !slices.Equal(changed, []string{"link"}) {
				t.Fatalf("changed %v: %v", changed, err)
			}
		}
	}
	change(map[string]string{"loss": "1"})
	await(t, "both are alone", func() bool { return f.agents[0].Status().Leads() && f.agents[1].Status().Leads() })
	lost := f.agents[0].Status().Counters.Emulated.Lost
	change(nil)
	agree(t, "n1", f.agents...)
	if now := f.agents[0].Status().Counters.Emulated.Lost; lost == 0 || now < lost {
		t.Errorf("%d lost, then %d", lost, now)
	}
	bad := cfgs[0]
	bad.Link = map[string]string{"loss": "2"}
	if _, _, err := f.agents[0].Reload(bad); err == nil || !strings.Contains(err.Error(), "link.loss") {
		t.Error(err)
	}
}
