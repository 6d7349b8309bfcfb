package agent

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus/algo/rings/asfar"
)

func TestDiscoverIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		"{dns: ['a.example:7400', _caucus._udp.example.org], file: /x, every: 5s}": "",
		"{dns: [a.example]}":                         `discover.dns[0]: found "a.example", allowed: host:port`,
		"{dns: [_caucus._tcp.example]}":              `discover.dns[0]: found "_caucus._tcp.example", allowed: host:port, or _service`,
		"{file: x}":                                  `discover.file: found "x", allowed: an absolute path`,
		"{mdns: [a, b, c, d, e, f, g, h, i]}":        `discover.mdns: found "9", allowed: at most 8`,
		"{mdns: [" + strings.Repeat("e", 256) + "]}": `allowed: the name of an interface, each once`,
		"{mdns: [eth0, eth0]}":                       `discover.mdns[1]: found "eth0", allowed: the name of an interface, each once`,
		"{file: /x}\nmetric: weight":                 `metric: found "weight", allowed: hops, rtt, etx with discover`,
		"{every: 5s}":                                `discover.every: found "5s", allowed: only with`,
		"{file: /x, every: 1ms}":                     `discover.every: found "1ms", allowed: 1s to 1h`,
		"{fil: /x}":                                  `unknown field "fil"; did you mean "file"?`,
	} {
		_, err := Parse("node.yaml", []byte("name: a\ndiscover: "+text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	c := Config{Discover: Discover{File: "/x"}}
	if err := deployable(&asfar.Spec, &c); err == nil || !strings.Contains(err.Error(), "its ports") {
		t.Error(err)
	}
}

// A list that another program writes is taken as a whole or not at all.
func TestReadPeers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "peers")
	for text, want := range map[string]string{
		"10.0.0.1:7400\n# all\n\n  b.example:7400 # near\n": "[10.0.0.1:7400 b.example:7400]",
		"":                            "[]",
		"10.0.0.1:7400\n10.0.0.2:74x": ":2: found \"10.0.0.2:74x\", allowed: host:port",
		"10.0.0.1:7400\n:7400\n":      ":2: found \":7400\", allowed: host:port",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := readPeers(file)
		if got := fmt.Sprint(found, err); err == nil && fmt.Sprint(found) != want || err != nil &&
			!strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Nodes find each other in a file, and take in and drop what comes to be there and goes. What is wrong with it
// meanwhile changes nothing. The node's own address may be in it.
func TestDiscoverByFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "peers")
	write := func(addrs ...string) {
		t.Helper()
		if err := os.WriteFile(file+".new", []byte(strings.Join(addrs, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
	}
	sockets := onLoopback("127.0.0.1")(t, 3)
	cfgs := configs(sockets, nil)
	var addrs []string
	for i := range cfgs {
		cfgs[i].Discover = Discover{File: file, Every: time.Second}
		addrs = append(addrs, sockets[i].Addr().String())
	}
	write(addrs[:2]...)
	f := launch(t, cfgs)
	agree(t, "n1", f.agents[0], f.agents[1])
	write(addrs...)
	agree(t, "n1", f.agents...)
	if err := os.WriteFile(file, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	agree(t, "n1", f.agents...)
	write(addrs[0], addrs[1])
	await(t, "the third is left to itself", func() bool { return len(f.agents[0].Status().Neighbours) == 1 })
}

// Slots of peers that have gone are used again: a node that sees many come and go keeps as many as it has at a time.
func TestSlotsAreUsedAgain(t *testing.T) {
	v := newVirtual(t, 1, 2, line(2))
	v.upAll()
	v.settle("n1", 30)
	a := v.nodes[0].agent
	for i := range 1000 {
		a.takeDiscovered([]string{fmt.Sprintf("10.1.%d.%d:7400", i/250, i%250),
			fmt.Sprintf("10.2.%d.%d:7400", i/250, i%250)})
	}
	if a.slots > 5 {
		t.Errorf("%d slots for 3 peers", a.slots)
	}
	var slots []int
	for _, p := range a.peers {
		slots = append(slots, p.slot)
	}
	if slices.Sort(slots); len(slices.Compact(slots)) != 3 {
		t.Errorf("slots %v", slots)
	}
	v.settle("n1", 1)
}

// Names that resolve to many. The addresses are those of this machine's own resolver for localhost.
func TestDiscoverByName(t *testing.T) {
	d := Discover{DNS: []string{"localhost:7400"}}
	found, err := d.look(context.Background(), nil)
	if err != nil || !slices.Contains(found, "127.0.0.1:7400") {
		t.Error(found, err)
	}
	d.DNS = append(d.DNS, "no-such-host.invalid:1", "_caucus._udp.invalid")
	if found, err := d.look(context.Background(), nil); err == nil || !slices.Contains(found, "127.0.0.1:7400") {
		t.Error(found, err)
	}
	own := ownAddresses(netip.MustParseAddrPort("[::]:7400"))
	if !own[netip.MustParseAddrPort("127.0.0.1:7400")] || own[netip.MustParseAddrPort("127.0.0.1:7401")] {
		t.Error(own)
	}
}

// A node that looks for its peers leads nobody before the first look has come to its end: it would take the lead from
// one who is to keep it. A look that takes too long is not waited for.
func TestFirstLookComesFirst(t *testing.T) {
	t.Parallel()
	for _, found := range []bool{true, false} {
		v := newVirtual(t, 1, 1, nil)
		v.up(0)
		a := v.nodes[0].agent
		a.looking = true
		v.run(time.Second)
		if a.lead.Leads() || a.settled {
			t.Fatal("leads before it has looked")
		}
		if found {
			a.looking = false
		} else {
			v.run(firstLook - time.Second)
		}
		v.run(time.Duration(a.cfg.Expiry+3) * period)
		if !a.lead.Leads() {
			t.Errorf("does not lead alone after the first look; found: %t", found)
		}
	}
}
