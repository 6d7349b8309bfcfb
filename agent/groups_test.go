package agent

import (
	"container/heap"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/seal"
	"caucus.example/caucus/internal/wire"
)

// ofGroups makes the agents of a node in virtual time, all at its address, and has datagrams handed on by its hub.
func (v *virtual) ofGroups(i int, keys []seal.Key, groups ...Config) (agents []*Agent) {
	x := v.nodes[i]
	h := newHub(x, nil, keys)
	for _, g := range groups {
		c := x.cfg
		c.Group, c.Strength, c.keys = g.Group, g.Strength, keys
		c.hub, c.Transport = h, outlet{h}
		c.defaults()
		proto, err := erase(columns.OfRounds(election(v.t)))
		if err != nil {
			v.t.Fatal(err)
		}
		a, err := start(proto, c, uint64(wire.Group(g.Group))<<8+uint64(i), uint64(i))
		if err != nil {
			v.t.Fatal(err)
		}
		a.now = func() time.Time { return v.now }
		h.add(a.hubbed)
		agents = append(agents, a)
	}
	return agents
}

// groupsInVirtualTime runs nodes in several groups for a while: nodes[i] has an agent for each of its groups.
func groupsInVirtualTime(v *virtual, nodes [][]*Agent, d time.Duration) {
	for end := v.now.Add(d); v.now.Before(end); {
		next := end
		var who *Agent
		for _, list := range nodes {
			for _, a := range list {
				if at := a.next(); at.Before(next) {
					next, who = at, a
				}
			}
		}
		arrives := len(v.queue) > 0 && v.queue[0].at.Before(next)
		if arrives {
			next = v.queue[0].at
		}
		if next.After(v.now) {
			v.now = next
		}
		switch {
		case arrives:
			p := heap.Pop(&v.queue).(packet)
			d := datagram{p.data, len(p.data), p.from, v.now, nil}
			list := nodes[v.at(p.to)]
			if len(list) == 0 {
				continue
			}
			to := list[0]
			if h := to.cfg.hub; h != nil {
				m := h.whose(d)
				to = list[slices.IndexFunc(list, func(a *Agent) bool { return a.hubbed == m })]
			}
			to.receive(d)
		case who != nil:
			who.wake(v.now)
		}
	}
}

// Nodes in several groups elect in each as if it were alone, with keys and without; a node of one group alone hears
// its group from them. Nothing goes to the agent of another group.
func TestGroupsElectApart(t *testing.T) {
	for _, keys := range [][]seal.Key{nil, {seal.NewKey()}} {
		v := newVirtual(t, 1, 4, clique(4))
		v.jitter = 0 // nothing is overtaken
		nodes := make([][]*Agent, 4)
		for i := range 3 {
			nodes[i] = v.ofGroups(i, keys, Config{Group: "rising", Strength: float64(i)},
				Config{Group: "falling", Strength: float64(9 - i)}, Config{Group: "middle", Strength: float64(i % 2)})
		}
		v.nodes[3].cfg.Group, v.nodes[3].cfg.keys = "rising", keys
		v.nodes[3].cfg.Strength = 7
		c := v.nodes[3].cfg
		c.defaults()
		proto, _ := v.proto(&c)
		alone, err := start(proto, c, 99, 99)
		if err != nil {
			t.Fatal(err)
		}
		nodes[3] = []*Agent{alone}
		for _, list := range nodes {
			for _, a := range list {
				a.boot(v.now)
			}
		}
		groupsInVirtualTime(v, nodes, 10*time.Second)
		want := map[string]string{"rising": "n4", "falling": "n1", "middle": "n2"}
		for i, list := range nodes {
			for _, a := range list {
				s := a.Status()
				if s.Leader != want[s.Group] || s.Term == 0 {
					t.Errorf("keys %v: node %d in %s: %v", keys != nil, i, s.Group, s.Leadership)
				}
				for why, n := range s.Counters.Dropped {
					// who is not in the other groups is asked there, in full; that ends in the first one
					if i < 3 && n > 0 && why != dropGroup && why != dropUnproven && why != dropUndescribed {
						t.Errorf("keys %v: node %d in %s dropped %d: %s", keys != nil, i, s.Group, n, why)
					}
				}
			}
		}
	}
}

// Ten groups cost the bytes of ten nodes: brief datagrams stay brief, and none goes to a group that it is not for.
func TestGroupsBytes(t *testing.T) {
	t.Parallel()
	perNode := func(links edges, first, groups int) float64 {
		const n, periods = 10, 64
		v := newVirtual(t, 1, n, links)
		nodes := make([][]*Agent, n)
		list := make([]Config, groups)
		for g := range list {
			list[g].Group = fmt.Sprint("g", first+g)
		}
		for i := range n {
			nodes[i] = v.ofGroups(i, nil, list...)
			for _, a := range nodes[i] {
				a.boot(v.now)
			}
		}
		groupsInVirtualTime(v, nodes, 48*period) // at rest
		bytes := 0
		v.sent = func(p packet) { bytes += len(p.data) }
		groupsInVirtualTime(v, nodes, periods*period)
		return float64(bytes) / n / periods
	}
	for _, c := range []struct {
		name  string
		links edges
	}{{"line", line(10)}, {"clique", clique(10)}} {
		apart, ten := 0.0, perNode(c.links, 0, 10)
		for g := range 10 {
			apart += perNode(c.links, g, 1)
		}
		t.Logf("%s of 10: %.0f bytes a period and node in one group, %.0f in ten", c.name, apart/10, ten)
		if ten > 1.02*apart {
			t.Errorf("%s: %.0f bytes, in ten networks %.0f", c.name, ten, apart)
		}
	}
}

// The stamps of a process's groups are told apart, whatever nonces are drawn.
func TestStampsAreApart(t *testing.T) {
	h := newHub(nil, nil, nil)
	seen := map[uint16]bool{}
	for k := range 3000 {
		group := wire.Group(fmt.Sprint("g", k))
		self := wire.Instance{ID: 7, Nonce: 5}
		for !h.apart(group, self) {
			self.Nonce++
		}
		if s := wire.Stamp(group, self); seen[s] {
			t.Fatalf("group %d has the stamp %d of another", k, s)
		} else {
			seen[s] = true
		}
	}
}

func madeHere(t *testing.T) func(Config) (*Agent, error) {
	return func(c Config) (*Agent, error) { return New(election(t), &bounded.Spec, c) }
}

const twoGroups = `
name: n1
listen: 127.0.0.1:0
http: 127.0.0.1:0
profile: loopback
strength: 3
groups:
  - {group: a}
  - {group: b, strength: 5, profile: lan}
`

// One HTTP endpoint answers for all; a reload touches the groups that it is about.
func TestGroupsOfAProcess(t *testing.T) {
	dir := t.TempDir()
	// A busy machine makes nobody undecided.
	rest := "expiry: 50\nstate-dir: " + dir + "\nhosts-file: " + filepath.Join(dir, "hosts") + "\n"
	cfg, err := Parse("x.yaml", []byte(twoGroups+rest))
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGroups(cfg, madeHere(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- g.Run(ctx) }()
	get := func(path string) (int, string) {
		answer, err := http.Get("http://" + g.HTTPAddr() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(data)
	}
	await(t, "both lead", func() bool { code, _ := get("/readyz"); return code == http.StatusOK })
	var all Statuses
	_, text := get("/v1/status")
	if err := json.Unmarshal([]byte(text), &all); err != nil || all.Schema != GroupsSchema || len(all.Groups) != 2 ||
		all.Groups[1].Group != "b" || all.Groups[1].Strength != 5 || all.Groups[0].Strength != 3 ||
		all.Groups[1].Period != 100*time.Millisecond || all.Groups[0].HTTP != g.HTTPAddr() {
		t.Errorf("%v %s", err, text)
	}
	if code, text := get("/v1/leader"); code != http.StatusNotFound || !strings.Contains(text, "a, b") {
		t.Error(code, text)
	}
	if _, text := get("/metrics"); !strings.Contains(text, `caucus_is_leader{group="a"} 1`) ||
		!strings.Contains(text, `caucus_strength{group="b"} 5`) {
		t.Error(text)
	}
	names := g.Agents()
	before := names[0].Status()

	next, err := Parse("x.yaml", []byte(strings.Replace(twoGroups, "{group: b, strength: 5, profile: lan}",
		"{group: c, params: {radius: 2}}", 1)+rest))
	if err != nil {
		t.Fatal(err)
	}
	changed, restart, err := g.Reload(next)
	if want := []string{"c: begins", "b: leaves"}; err != nil || !slices.Equal(changed, want) || len(restart) > 0 {
		t.Errorf("%q %q %v", changed, restart, err)
	}
	await(t, "the new one leads", func() bool {
		_, text := get("/v1/leader?group=c")
		return strings.Contains(text, `"leader": "n1"`)
	})
	if after := names[0].Status(); after.Nonce != before.Nonce || after.LastRound.Before(before.LastRound) ||
		after.Counters.LeaderChanges != before.Counters.LeaderChanges {
		t.Errorf("a was touched: %v, before %v", after.Leadership, before.Leadership)
	}
	await(t, "names of both", func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, "hosts"))
		return strings.Contains(string(text), "leader.a.caucus") && strings.Contains(string(text), "leader.c.caucus")
	})
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, group := range []string{"a", "b", "c"} {
		if _, err := os.Stat(filepath.Join(dir, group, logbookFile)); err != nil {
			t.Error(err)
		}
	}
}

// What is wrong with an entry is told with the line that it stands on.
func TestGroupsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"region: true\ngroups:\n  - group: a\n    region: false":         `x.yaml:4: groups[0].region: found "false"`,
		"strength: 3\ngroups: [{group: a, strength: 0}]":                 `groups[0].strength: found "0"`,
		"groups: [{group: a/b}]":                                         `x.yaml:1: groups[0].group: found "a/b"`,
		"groups: [{group: VI_1}, {group: vi_1}]":                         `groups[1].group: found "vi_1", allowed: a name that differs from "VI_1"`,
		"groups: [{strength: 2}]":                                        `groups[0].group`,
		"groups:\n  - {group: a}\n  - {group: a}":                        `x.yaml:3: groups[1].group: found "a", allowed: a name that no other entry has`,
		"group: x\ngroups: [{group: a}]":                                 `x.yaml:1: group: found "x", allowed: nothing beside groups`,
		"groups:\n  - group: a\n    listen: :7400":                       `x.yaml:3: groups[0].listen`,
		"groups:\n  - group: a\n    period: 1ns":                         `x.yaml:3: groups[0]: period: found`,
		"groups:\n  - group: a\n    perod: 1s":                           `did you mean "period"?`,
		"groups:\n  - group: a\n    groups: [{group: b}]":                `groups[0].groups`,
		"groups:\n  - group: a\n  - group: b\n    strength: -1":          `x.yaml:4: groups[1]: strength`,
		"groups: [" + strings.Repeat("{group: a}, ", 64) + "{group: b}]": `at most 64`,
	} {
		_, err := Parse("x.yaml", []byte(text+"\nname: n\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant %s", text, err, want)
		}
	}
	for _, text := range []string{"group: VI_1", "groups: [{group: VI_1}, {group: VI_2}]"} {
		if _, err := Parse("x.yaml", []byte(text+"\nname: n\n")); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// An entry says what is other than at the top; who names another algorithm or profile takes nothing of theirs.
func TestGroupsInherit(t *testing.T) {
	c, err := Parse("x.yaml", []byte(`
name: n
period: 50ms
expiry: 7
params: {radius: 9}
strength: 4
peers: [10.0.0.1:7400]
groups:
  - {group: same}
  - {group: slow, profile: wan}
  - {group: other, algo: max, strength: 1, peers: ["10.0.0.2:7400"]}
`))
	if err != nil {
		t.Fatal(err)
	}
	list := c.ByGroup()
	if x := list[0]; x.Period != 50*time.Millisecond || x.Expiry != 7 || x.Params["radius"] != "9" || x.Strength != 4 {
		t.Errorf("%+v", x)
	}
	if x := list[1]; x.Period != time.Second || x.Expiry != 4 || x.Params["radius"] != "9" {
		t.Errorf("%+v", x)
	}
	if x, peers := list[2], []Peer{{Addr: "10.0.0.2:7400"}}; x.Params != nil || x.Strength != 1 ||
		!reflect.DeepEqual(x.Peers, peers) {
		t.Errorf("%+v", x)
	}
}

// Many nodes with ten groups each, beside as many with one, on a ring in one process, each node with a socket: what a
// node takes. It does not depend on how many there are, so that thousands are reckoned from it.
//
//	go test -run '^$' -bench FleetOfGroups -benchtime 1x ./agent
func BenchmarkFleetOfGroups(b *testing.B) {
	const n, rest = 300, 20 * time.Second
	for _, groups := range []int{1, 10} {
		b.Run(fmt.Sprint("groups=", groups), func(b *testing.B) {
			idle := footprint(b)
			var agents []*Agent
			var ended sync.WaitGroup
			ctx, stop := context.WithCancel(b.Context())
			for _, cfg := range configs(onLoopback("127.0.0.1")(b, n), ring(n)) {
				cfg.Period, cfg.Expiry = time.Second, 3
				for g := range groups {
					cfg.Groups = append(cfg.Groups, Config{Group: fmt.Sprint("g", g)})
				}
				make := func(c Config) (*Agent, error) { return New(election(b), &bounded.Spec, c) }
				node, err := NewGroups(cfg, make)
				if err != nil {
					b.Fatal(err)
				}
				agents = append(agents, node.Agents()...)
				ended.Go(func() { node.Run(ctx) })
			}
			sum := func() (c Counters) {
				for _, a := range agents {
					s := a.Status()
					c.Sent, c.SentBytes = c.Sent+s.Counters.Sent, c.SentBytes+s.Counters.SentBytes
					c.Rounds, c.LateRounds = c.Rounds+s.Counters.Rounds, c.LateRounds+s.Counters.LateRounds
				}
				return c
			}
			time.Sleep(rest)
			before, busy := sum(), cpu(b)
			time.Sleep(rest)
			after, used := sum(), cpu(b)-busy
			each := n * rest.Seconds()
			b.ReportMetric(0, "ns/op") // nothing is timed: the nodes rest
			b.ReportMetric(used.Seconds()*1000/each, "cpu-ms/node/s")
			b.ReportMetric(float64(after.Sent-before.Sent)/each, "datagrams/node/s")
			b.ReportMetric(float64(after.SentBytes-before.SentBytes)/each, "B/node/s")
			b.ReportMetric((footprint(b)-idle)/n/1024, "KiB/node")
			late, rounds := after.LateRounds-before.LateRounds, after.Rounds-before.Rounds
			b.ReportMetric(100*float64(late)/float64(rounds), "%late-rounds")
			stop()
			ended.Wait()
		})
	}
}
