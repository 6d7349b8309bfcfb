package agent

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	layer "caucus.example/caucus/algo/kit/restart"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/wire"
)

// script is an event algorithm that writes down what happens to it. It sends 0, 1, 2, … on every port, one at its start
// and one whenever timer 0 goes off, which is set by the given times.
type script struct {
	times []time.Duration
}

type notes struct {
	Said   uint32
	Heard  [][]uint32 // by port
	Rang   []string
	Woken  int
	Leader caucus.ID
}

func (script) Boot(l *caucus.Local) notes { return notes{Heard: make([][]uint32, l.Degree)} }
func (a script) Wake(l *caucus.Local, s *notes, initiator bool, out *caucus.Outbox[uint32]) {
	s.Woken++
	if initiator {
		s.Leader = l.ID
		a.say(l, s, out)
	}
	for k, d := range a.times {
		out.After(d, k)
	}
}
func (script) say(l *caucus.Local, s *notes, out *caucus.Outbox[uint32]) {
	out.SendAll(l.Degree, -1, s.Said)
	out.Send(l.Degree, 99) // no such port
	s.Said++
}
func (script) Receive(_ *caucus.Local, s *notes, port int, m uint32, _ *caucus.Outbox[uint32]) {
	s.Heard[port] = append(s.Heard[port], m)
}
func (a script) Timer(l *caucus.Local, s *notes, timer int, out *caucus.Outbox[uint32]) {
	s.Rang = append(s.Rang, fmt.Sprint(timer, " at ", l.Now))
	if len(a.times) > 20 { // only then: it talks
		a.say(l, s, out)
	}
}
func (script) Outcome(_ *caucus.Local, s *notes) caucus.Outcome {
	return caucus.Outcome{Role: caucus.Follower, Leader: s.Leader, Distance: -1}
}
func (script) Kind(*uint32) int { return 0 }
func (script) Domain(*caucus.World) (s caucus.Values[notes], m caucus.Values[uint32]) {
	return s, m
}

func hosting[S, M any](algo caucus.Events[S, M]) func(*Config) (protocol, error) {
	return func(cfg *Config) (protocol, error) { return eraseEvents(columns.OfEvents(algo), cfg) }
}

func (v *virtual) notes(i int) *notes {
	return v.nodes[i].agent.events.algo.algo.State(0).(*notes)
}

// On links that lose and reorder datagrams every message arrives once, in the order of sending, at the port of its
// sender.
func TestMessagesArriveInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := newVirtual(t, rapid.Uint64().Draw(rt, "seed"), 3, line(3))
		v.loss = rapid.Float64Range(0, 0.5).Draw(rt, "loss")
		v.jitter = rapid.SampledFrom([]time.Duration{0, time.Millisecond, 250 * time.Millisecond}).Draw(rt, "jitter")
		talk := script{times: make([]time.Duration, rapid.IntRange(21, 60).Draw(rt, "messages"))}
		for k := range talk.times {
			talk.times[k] = time.Duration(rapid.IntRange(0, 2000).Draw(rt, "time")) * time.Millisecond
		}
		v.proto = hosting(talk)
		v.upAll()
		v.run(3 * time.Second)
		v.loss, v.jitter = 0, 0
		v.run(20 * period)
		var want []uint32
		for k := range len(talk.times) + 1 {
			want = append(want, uint32(k))
		}
		for i, ports := range []int{1, 2, 1} {
			heard := v.notes(i).Heard
			if len(heard) != ports {
				rt.Fatalf("node %d has %d ports, want %d", i, len(heard), ports)
			}
			for p := range heard {
				if !slices.Equal(heard[p], want) {
					rt.Fatalf("node %d heard %v at port %d", i, heard[p], p)
				}
			}
			n := v.nodes[i].agent.Status()
			if c, k := n.Counters.Messages, uint64(ports*len(want)); c != (MessageCounters{Sent: k, Received: k}) ||
				n.Neighbours[0].Queued != 0 {
				rt.Fatalf("counted %+v, want %d sent and received; %d queued", c, k, n.Neighbours[0].Queued)
			}
		}
	})
}

// A message does not wait for the next period, neither at the first node nor where it is passed on: minfind needs no
// more than the way takes.
func TestMessagesDoNotWait(t *testing.T) {
	v := newVirtual(t, 5, 10, line(10))
	v.proto = hosting(minfind.Algorithm{})
	for i := range v.nodes {
		v.nodes[i].cfg.Strength = float64(10 - i)
	}
	v.upAll()
	v.run(period - 1) // less than a round, with a phase at random
	for i, x := range v.nodes {
		if o := x.agent.proto.outcome(&x.agent.local); o.Leader != 1 {
			t.Errorf("node %d follows %d after one period", i+1, o.Leader)
		}
	}
}

// Timers go off at their time, those of one time in the order of setting, whatever else happens. While the process is
// suspended the algorithm's clock stands still.
func TestTimers(t *testing.T) {
	ms := time.Millisecond
	v := newVirtual(t, 1, 1, nil)
	v.proto = hosting(script{times: []time.Duration{30 * ms, 5 * ms, 30 * ms, 0, -ms, 900 * ms, 1<<63 - 1}})
	v.upAll()
	v.run(500 * ms)
	a := v.nodes[0].agent
	v.now = a.due.Add(5 * time.Second)
	a.wake(v.now)
	if early := v.notes(0).Rang; len(early) != 5 {
		t.Errorf("after the suspension %v have gone off", early)
	}
	v.run(time.Second)
	want := []string{"3 at 0s", "4 at 0s", "1 at 5ms", "0 at 30ms", "2 at 30ms", "5 at 900ms"}
	if got := v.notes(0).Rang; !slices.Equal(got, want) {
		t.Errorf("timers went off %v, want %v", got, want)
	}
}

// A node that is not to start wakes with its first message and not before, once, and not as an initiator.
func TestAsleep(t *testing.T) {
	v := newVirtual(t, 2, 3, line(3))
	v.proto = hosting(script{})
	for i := range v.nodes {
		v.nodes[i].cfg.Asleep = i > 0
	}
	v.upAll()
	v.run(3 * period)
	for i, want := range []notes{
		{Said: 1, Heard: [][]uint32{nil}, Woken: 1, Leader: 1},
		{Said: 0, Heard: [][]uint32{{0}, nil}, Woken: 1},
		{Said: 0, Heard: [][]uint32{nil}, Woken: 0},
	} {
		if got := v.notes(i); !reflect.DeepEqual(*got, want) {
			t.Errorf("node %d: %+v, want %+v", i+1, *got, want)
		}
	}
}

// What is sent to a peer that is not there yet waits for it, within the bounds of the channel; what waited for a peer
// that begins anew is lost, and both are counted.
func TestMessagesToTheAbsent(t *testing.T) {
	v := newVirtual(t, 3, 2, clique(2))
	v.proto = hosting(script{times: make([]time.Duration, 1100)}) // with the first 1101 messages
	v.up(0)
	v.run(period)
	s := v.nodes[0].agent.Status()
	if c, queued := s.Counters.Messages, s.Neighbours[0].Queued; c.Sent != 1101 || c.Lost != 77 || queued != 1024 {
		t.Errorf("%+v with %d queued, want 1101 sent, 77 lost, 1024 queued", c, queued)
	}
	v.up(1)
	v.run(20 * period)
	if n := len(v.notes(1).Heard[0]); n != 1024 {
		t.Errorf("%d messages arrived, want the 1024 that waited", n)
	}
	v.kill(1)
	v.run(2 * period)
	for range 10 {
		v.nodes[0].agent.events.call(&v.nodes[0].agent.local,
			func() { v.nodes[0].agent.events.algo.algo.Timer(0, &v.nodes[0].agent.local, 0) })
	}
	v.up(1)
	v.run(5 * period)
	if c, heard := v.nodes[0].agent.Status().Counters.Messages, v.notes(1).Heard[0]; c.Lost != 87 || len(heard) != 0 {
		t.Errorf("%+v lost, want 77 and the 10 that waited for the one that died; the next heard %v", c, heard)
	}
}

// A node that was suspended, and for whom its peers have given it up, goes on where it was: what was sent to it comes
// once it is back.
func TestSuspensionLosesNothing(t *testing.T) {
	v := newVirtual(t, 8, 2, clique(2))
	talk := script{times: make([]time.Duration, 40)}
	for k := range talk.times {
		talk.times[k] = time.Duration(k) * period / 2
	}
	v.proto = hosting(talk)
	v.upAll()
	v.run(period)
	sleeper := v.nodes[1].agent
	v.nodes[1].agent = nil // nobody calls it
	v.run(30 * period)
	if n := v.nodes[0].agent.Status().Neighbours[0]; n.Live || n.Queued == 0 {
		t.Fatalf("the peer of a suspended node: %+v", n)
	}
	v.nodes[1].agent = sleeper
	v.run(40 * period)
	for i := range v.nodes {
		if heard := v.notes(i).Heard[0]; len(heard) != 41 || !slices.IsSorted(heard) {
			t.Errorf("node %d heard %v", i+1, heard)
		}
	}
}

// The peers of an event algorithm are its ports: only what is no part of the algorithm's view changes while it runs.
func TestReloadOfEvents(t *testing.T) {
	v := newVirtual(t, 6, 3, line(3))
	v.proto = hosting(minfind.Algorithm{})
	v.upAll()
	a := v.nodes[1].agent
	next := a.cfg
	next.Peers = slices.Clone(next.Peers)
	next.Peers[0].Name, next.Peers[0].Link = "x", map[string]string{"loss": "50%"}
	if changed, restart := a.reload(next, v.now); fmt.Sprint(changed, restart) != "[peers] []" ||
		a.peers[0].link == nil {
		t.Errorf("changed %v, needs restart %v", changed, restart)
	}
	for what, change := range map[string]func(){
		"order": func() { slices.Reverse(next.Peers) }, "number": func() { next.Peers = next.Peers[:1] },
		"length": func() { next.Peers[0].Length = 7 },
	} {
		next.Peers = slices.Clone(a.cfg.Peers)
		change()
		if changed, restart := a.reload(next, v.now); fmt.Sprint(changed, restart) != "[] [peers]" ||
			len(a.peers) != 2 {
			t.Errorf("%s of peers: changed %v, needs restart %v", what, changed, restart)
		}
	}
}

// As for algorithms of rounds: with the restart layer, and with one that watches its leader itself.
func TestTermsOfEventsNeverGoBack(t *testing.T) {
	again, err := layer.New(minfind.Algorithm{}, &minfind.Spec, layer.Config{Every: period, Patience: 8})
	if err != nil {
		t.Fatal(err)
	}
	termsNeverGoBack(t, hosting(again), 4, 600)
}

// The leader of a complete network dies and returns; the terms are those of agents, not the algorithm's own.
func TestBullyOnAgents(t *testing.T) {
	v := newVirtual(t, 4, 5, clique(5))
	v.proto = hosting(bully.Algorithm{Config: bully.Config{Heartbeat: 3, Patience: 3}})
	v.loss = 0.1
	for _, x := range v.nodes {
		x.cfg.Known.Delay = 2 * period
	}
	v.upAll()
	v.settle("n1", 100)
	term := v.nodes[4].agent.Status().Term
	v.kill(0)
	v.settle("n2", 200)
	next := v.nodes[4].agent.Status().Term
	v.up(0)
	v.settle("n1", 200)
	if last := v.nodes[4].agent.Status().Term; next <= term || last <= next {
		t.Errorf("terms %d, %d, %d; want rising", term, next, last)
	}
}

// Where messages do not tell one life of the leader from the next, its followers' terms do: the new life goes beyond
// them.
func TestTermOfReturnedLeader(t *testing.T) {
	var term terms
	now := time.Unix(1, 0)
	me := wire.Instance{ID: 1}
	term.follow(me, true, now)
	term.settle(now.Add(time.Second), period/2, 0)
	term.hear(me, 7, 2, false)
	if got := term.settle(now.Add(2*time.Second), period/2, 0); got != 8 {
		t.Errorf("term %d after a follower's 7, want 8", got)
	}
}

// Whatever a peer sends, the host neither panics nor grows.
func FuzzEvents(f *testing.F) {
	again, err := layer.New(minfind.Algorithm{}, &minfind.Spec, layer.Config{Every: period, Patience: 8})
	if err != nil {
		f.Fatal(err)
	}
	v := newVirtual(f, 9, 2, clique(2))
	v.proto = hosting(again)
	v.sent = func(p packet) { f.Add(p.data) }
	v.upAll()
	v.run(5 * period)
	v.sent = nil
	from := v.nodes[1].addr
	a := v.nodes[0].agent
	f.Fuzz(func(t *testing.T, data []byte) {
		v.t, v.queue = t, nil
		a.receive(datagram{data, len(data), from, v.now, nil})
		v.now = v.now.Add(period)
		a.wake(v.now)
		if n := a.events.ports[0].channel.Waiting(); n > 1024 || len(a.events.alarms) > 10 ||
			len(a.gone) > maxDepartures {
			t.Errorf("a table grew beyond its bound: %d messages, %d timers", n, len(a.events.alarms))
		}
	})
}
