package agent

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"net"
	"os"
	ossignal "os/signal"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/internal/wire"
)

// TestMain is also the program of the nodes that tests run as processes of their own.
func TestMain(m *testing.M) {
	if file := os.Getenv("CAUCUS_TEST_NODE"); file != "" {
		os.Exit(nodeProcess(file))
	}
	if os.Getenv("CAUCUS_FULL") == "" {
		_ = flag.Set("rapid.checks", "50") // unless the command line says otherwise
	}
	_ = flag.Set("test.parallel", "3") // some wait, for sockets
	// Heaps of simulated networks are small, and most of what they allocate is soon forgotten.
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}

func nodeProcess(file string) int {
	cfg, err := Load(file)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	args, err := bounded.Spec.Resolve("", cfg.Params)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	algo, err := bounded.FromArgs(args)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	a, err := New(algo, &bounded.Spec, cfg)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	ctx, stop := ossignal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	ended := make(chan struct{})
	own := pulse{period: cfg.Period}
	go own.count(a.done)
	context.AfterFunc(ctx, func() { // the last status is that of the living
		json.NewEncoder(os.Stdout).Encode(nodeReport{a.Status(), own.beats.Load(), own.stalls.Load()})
		a.Kill()
		close(ended)
	})
	a.Run(context.Background())
	<-ended
	return 0
}

// nodeReport is what a node's process tells at its end.
type nodeReport struct {
	Status Status
	Beats  uint64 // periods that the machine let this process see: a busy one takes some from it
	Stalls uint64 // of them so late that another node may have missed something
}

// pulse is a clock that runs beside an agent, in the same process, and is as late as the machine makes it.
type pulse struct {
	period        time.Duration
	beats, stalls atomic.Uint64
}

func (p *pulse) count(done <-chan struct{}) {
	clock := time.NewTicker(p.period)
	defer clock.Stop()
	for last := time.Now(); ; {
		select {
		case <-clock.C:
		case <-done:
			return
		}
		now := time.Now()
		if p.beats.Add(1); now.Sub(last) > 2*p.period {
			p.stalls.Add(1)
		}
		last = now
	}
}

func TestCliqueElectsAndReelects(t *testing.T) {
	for name, open := range map[string]transports{"v4": onLoopback("127.0.0.1"), "v6": onLoopback("::1"),
		"memory": inMemory} {
		for _, n := range []int{3, 5} {
			t.Run(fmt.Sprint(name, "/", n), func(t *testing.T) {
				f := launch(t, configs(open(t, n), clique(n)))
				term := agree(t, "n1", f.agents...)
				f.agents[0].Kill()
				next := agree(t, "n2", f.agents[1:]...)
				if next <= term {
					t.Errorf("term %d after %d", next, term)
				}
			})
		}
	}
}

// One socket on all addresses speaks v4 and v6.
func TestDualStack(t *testing.T) {
	v6 := onLoopback("::1")(t, 1)[0]
	v4 := onLoopback("127.0.0.1")(t, 1)[0]
	both, err := Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	port := both.Addr().Port()
	cfgs := configs([]Transport{both, v4, v6}, nil)
	cfgs[0].Peers = []Peer{{Addr: v4.Addr().String()}, {Addr: v6.Addr().String()}}
	cfgs[1].Peers = []Peer{{Addr: fmt.Sprintf("127.0.0.1:%d", port)}}
	cfgs[2].Peers = []Peer{{Addr: fmt.Sprintf("[::1]:%d", port)}}
	agree(t, "n1", launch(t, cfgs).agents...)
}

func TestLeaveAndRestart(t *testing.T) {
	list := onLoopback("127.0.0.1")(t, 4)
	cfgs := configs(list, line(4))
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	watch := f.agents[0].Watch(context.Background())
	if l := <-watch; l.Since.IsZero() {
		t.Errorf("%v since %v", l, l.Since)
	}
	if err := f.agents[0].Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s := f.agents[0].Status(); s.State != "stopped" || !s.Stale(time.Now()) || s.Role != Left || s.LeaderID != 0 {
		t.Errorf("state %q, %v after Leave", s.State, s.Leadership)
	}
	last := Leadership{}
	for l := range watch {
		last = l
	}
	if last.Role != Left {
		t.Errorf("the last event is %v", last)
	}
	agree(t, "n2", f.agents[1:]...)
	cfgs[0].Transport = reopen(t, list[0])
	restart(t, f, 0, cfgs[0])
	agree(t, "n1", f.agents...)
}

func TestContextEndsWithDeparture(t *testing.T) {
	list := onLoopback("127.0.0.1")(t, 2)
	cfgs := configs(list, clique(2))
	a, b := newAgent(t, cfgs[0]), newAgent(t, cfgs[1])
	ctx, cancel := context.WithCancel(context.Background())
	f := &fleet{t: t, cancel: cancel}
	t.Cleanup(f.stop)
	f.add(ctx, a)
	f.add(context.Background(), b)
	agree(t, "n1", a, b)
	cancel()
	agree(t, "n2", b)
	await(t, "the neighbour is dropped", func() bool { return !b.Status().Neighbours[0].Live })
}

func TestStrengthMovesLeader(t *testing.T) {
	f := launch(t, configs(onLoopback("127.0.0.1")(t, 3), clique(3)))
	agree(t, "n1", f.agents...)
	if err := f.agents[2].SetStrength(100); err != nil {
		t.Fatal(err)
	}
	agree(t, "n3", f.agents...)
	for _, x := range []float64{-1, math.NaN(), math.Inf(1)} {
		if err := f.agents[2].SetStrength(x); err == nil {
			t.Errorf("strength %v is accepted", x)
		}
	}
}

// Strangers and garbage are dropped, counted by reason and change nothing.
func TestForeignDatagrams(t *testing.T) {
	list := onLoopback("127.0.0.1")(t, 3)
	cfgs := configs(list[:2], clique(2))
	cfgs[0].Peers = append(cfgs[0].Peers, Peer{Addr: list[2].Addr().String()}) // a peer that talks nonsense
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	fitting := f.agents[0].about
	foreign := fitting
	foreign.Algo = "mo"
	numbered := func(group string, about *wire.About, seq uint32) []byte {
		b, err := encodeEnvelope(&wire.Envelope{Group: wire.Group(group), Sender: wire.Instance{ID: 77, Nonce: 1},
			Seq: seq, Body: []byte{0x01}, Link: wire.Link{Gap: 1}, About: about})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	envelope := func(group string, about *wire.About) []byte { return numbered(group, about, 1) }
	version := envelope("caucus", nil)
	version[1] = 9
	stranger := onLoopback("127.0.0.1")(t, 1)[0]
	random := caucus.NewRand(1, "garbage")
	garbage := make([]byte, 300)
	for i := range garbage {
		garbage[i] = byte(random.Uint64())
	}
	garbage[0] = 0
	to := list[0].Addr()
	for _, c := range []struct {
		from   Transport
		data   []byte
		reason string
	}{
		{stranger, envelope("caucus", nil), dropUnknown},
		{list[2], garbage, dropMalformed},
		{list[2], nil, dropMalformed},
		{list[2], make([]byte, 4000), dropOversize},
		{list[2], envelope("others", nil), dropGroup},
		{list[2], version, dropVersion},
		{list[2], envelope("caucus", nil), dropUndescribed},
		{list[2], numbered("caucus", &foreign, 2), dropAlgorithm},
		// the envelope is right, the message is none of bounded
		{list[2], numbered("caucus", &fitting, 3), dropMalformed},
	} {
		before := f.agents[0].Status().Counters.Dropped[c.reason]
		var sent time.Time
		await(t, "drop counted as "+c.reason, func() bool {
			if time.Since(sent) > time.Second { // once more where a busy agent had no room for it
				if err := c.from.Send(c.data, to); err != nil {
					t.Fatal(err)
				}
				sent = time.Now()
			}
			return f.agents[0].Status().Counters.Dropped[c.reason] > before
		})
	}
	for range 1000 {
		list[2].Send(garbage[:random.IntN(len(garbage))], to)
		garbage[random.IntN(len(garbage))]++
	}
	stranger.Close()
	list[2].Close()
	agree(t, "n1", f.agents...)
}

func TestOtherGroupsDoNotMix(t *testing.T) {
	cfgs := configs(onLoopback("127.0.0.1")(t, 4), clique(4))
	cfgs[2].Group, cfgs[3].Group = "b", "b"
	f := launch(t, cfgs)
	agree(t, "n1", f.agents[:2]...)
	agree(t, "n3", f.agents[2:]...)
}

func TestDuplicateIDOverUDP(t *testing.T) {
	cfgs := configs(onLoopback("127.0.0.1")(t, 2), clique(2))
	cfgs[1].ID = 1
	f := launch(t, cfgs)
	await(t, "both report the duplicate", func() bool {
		a, b := f.agents[0].Status(), f.agents[1].Status()
		return len(a.Duplicates) == 1 && len(b.Duplicates) == 1 && a.Duplicates[0].Nonces == b.Duplicates[0].Nonces &&
			a.Duplicates[0].ID == 1
	})
}

func TestPeersByName(t *testing.T) {
	list := onLoopback("127.0.0.1")(t, 2)
	cfgs := configs(list, clique(2))
	for i := range cfgs {
		cfgs[i].Peers[0].Addr = fmt.Sprintf("localhost:%d", list[1-i].Addr().Port())
	}
	agree(t, "n1", launch(t, cfgs).agents...)
}

func TestUnresolvablePeer(t *testing.T) {
	cfgs := configs(onLoopback("127.0.0.1")(t, 2), clique(2))
	cfgs[0].Peers = append(cfgs[0].Peers, Peer{Addr: "no-such-host.invalid:7400", Name: "ghost"})
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	if n := f.agents[0].Status().Neighbours[1]; n.Live || n.Name != "ghost" {
		t.Errorf("peer that cannot be resolved: %+v", n)
	}
}

func TestMetrics(t *testing.T) {
	for _, metric := range []string{Weight, RTT} {
		t.Run(metric, func(t *testing.T) {
			cfgs := configs(onLoopback("127.0.0.1")(t, 3), line(3))
			for i := range cfgs {
				cfgs[i].Metric = metric
				for k := range cfgs[i].Peers {
					cfgs[i].Peers[k].Length = 2.5
				}
			}
			f := launch(t, cfgs)
			agree(t, "n1", f.agents...)
			s := f.agents[2].Status()
			switch n := s.Neighbours[0]; {
			case metric == Weight && s.Distance != 5:
				t.Errorf("distance %v over two edges of 2.5", s.Distance)
			case metric == RTT && (n.RTT <= 0 || n.Length < 0.1 || s.Distance < 0.2): // the floor is 0.1 ms
				t.Errorf("round-trip time %v, length %v, distance %v", n.RTT, n.Length, s.Distance)
			}
		})
	}
}

func TestReload(t *testing.T) {
	list := onLoopback("127.0.0.1")(t, 3)
	cfgs := configs(list, clique(3))
	full := cfgs[0].Peers
	cfgs[0].Peers = full[:1]
	f := launch(t, cfgs)
	agree(t, "n1", f.agents...)
	next := cfgs[0]
	next.Peers, next.Strength, next.Expiry, next.Group, next.HTTP = full, 0, 5, "other", "127.0.0.1:0"
	changed, restart, err := f.agents[0].Reload(next)
	if err != nil || fmt.Sprint(changed) != "[peers strength expiry]" || fmt.Sprint(restart) != "[group http]" {
		t.Errorf("changed %v, needs restart %v, error %v", changed, restart, err)
	}
	agree(t, "n2", f.agents...)
	await(t, "the new peer is a neighbour", func() bool { return f.agents[0].Status().Neighbours[1].Live })
	next.Strength = -1
	if _, _, err := f.agents[0].Reload(next); err == nil || f.agents[0].Status().Strength != 0 {
		t.Errorf("a wrong configuration is taken over: %v", err)
	}
	f.agents[0].Kill()
	next.Strength = 1
	if _, _, err := f.agents[0].Reload(next); !errors.Is(err, ErrNotRunning) {
		t.Errorf("reload of a dead agent: %v", err)
	}
}

func TestWatch(t *testing.T) {
	f := launch(t, configs(onLoopback("127.0.0.1")(t, 2), clique(2)))
	ctx, cancel := context.WithCancel(context.Background())
	idle := f.agents[1].Watch(ctx) // nobody reads; the loop must not care
	agree(t, "n1", f.agents...)
	watch := f.agents[1].Watch(context.Background())
	if l := <-watch; l.Leader != "n1" || l.Role != "follower" || l.Term == 0 {
		t.Errorf("starts with %v", l)
	}
	f.agents[0].Kill()
	for l := range watch {
		if l.Leads() {
			break
		}
	}
	func() { // the other watcher has been told, too, once this is free
		f.agents[1].watchers.mu.Lock()
		defer f.agents[1].watchers.mu.Unlock()
	}()
	cancel()
	latest := 0
	for l := range idle { // ends: ctx is done
		latest++
		if !l.Leads() {
			t.Errorf("a slow reader gets %v, want the latest state", l)
		}
	}
	if latest > 1 {
		t.Errorf("a slow reader gets %d states", latest)
	}
	f.agents[1].Kill()
	await(t, "the channel is closed at the end", func() bool {
		select {
		case _, open := <-watch:
			return !open
		default:
			return false
		}
	})
	if l, open := <-f.agents[1].Watch(context.Background()); !open || l.Leader != "n2" {
		t.Errorf("a dead agent tells %v, %v; want its last state", l, open)
	}
}

func TestKillBeforeRun(t *testing.T) {
	tr := onLoopback("127.0.0.1")(t, 1)[0]
	a := newAgent(t, Config{Name: "x", Transport: tr, HTTP: "127.0.0.1:0"})
	a.Kill()
	if err := a.Run(context.Background()); err == nil {
		t.Error("a killed agent runs")
	}
	reopen(t, tr).Close()
	if err := a.Leave(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestAlone(t *testing.T) {
	f := launch(t, configs(onLoopback("127.0.0.1")(t, 1), nil))
	agree(t, "n1", f.agents...)
}

func TestPortInUse(t *testing.T) {
	tr := onLoopback("127.0.0.1")(t, 1)[0]
	defer tr.Close()
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	for _, c := range []Config{
		{Name: "x", Listen: tr.Addr().String()},
		{Name: "x", Listen: "127.0.0.1:0", HTTP: web.Addr().String()},
	} {
		if _, err := New(election(t), &bounded.Spec, c); err == nil || !strings.Contains(err.Error(), "in use") {
			t.Errorf("%+v: error %v, want that the port is in use", c, err)
		}
	}
}

func TestDeployable(t *testing.T) {
	if err := deployable(&bounded.Spec, &Config{}); err != nil {
		t.Error(err)
	}
	if err := deployable(&asfar.Spec, &Config{}); err == nil {
		t.Error("an algorithm for rings is deployed at a node without peers")
	}
	for beats, want := range map[string]string{
		"0": "", "2": "", "15": "",
		"1":   `heartbeat: found "1", allowed: an integer >= 0 and <= 15, for agents not 1`,
		"1.0": `heartbeat: found "1.0", allowed: an integer >= 0 and <= 15, for agents not 1`,
	} {
		err := deployable(&bounded.Spec, &Config{Params: map[string]string{"heartbeat": beats, "radius": "3"}})
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != want {
			t.Errorf("heartbeat %s: error %v, want %q", beats, err, want)
		}
	}
}
