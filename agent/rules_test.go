package agent

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/internal/columns"
	"caucus.example/caucus/internal/wire"
)

const period = 100 * time.Millisecond // of the virtual networks

// Whatever happens, a node that reports a term reports no smaller one later, and under
// another leader (or another life of it) a larger one; and in the end all agree.
func TestTermsNeverGoBack(t *testing.T) {
	termsNeverGoBack(t, nil, 7, 60)
}

// termsNeverGoBack checks that of an algorithm (nil: bounded), on so many nodes at most, with agreement after so many
// rounds of peace.
func termsNeverGoBack(t *testing.T, proto func(*Config) (protocol, error), most, rounds int) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, most).Draw(rt, "n")
		links := line(n)
		for i := range n {
			for j := range i {
				if rapid.Float64Range(0, 1).Draw(rt, "link") < 0.2 {
					links = append(links, [2]int{i, j})
				}
			}
		}
		v := newVirtual(t, rapid.Uint64().Draw(rt, "seed"), n, distinct(links))
		if proto != nil {
			v.proto = proto
		}
		v.loss = rapid.SampledFrom([]float64{0, 0.1, 0.3}).Draw(rt, "loss")
		v.jitter = rapid.SampledFrom([]time.Duration{time.Millisecond, 30 * time.Millisecond,
			150 * time.Millisecond}).Draw(rt, "jitter")
		last := make(map[string]Leadership) // by node and life
		v.seen = func(i int, l Leadership) {
			x := v.nodes[i]
			key := fmt.Sprint(i, "/", x.lives)
			old := last[key]
			if l.Term == 0 {
				return
			}
			other := l.LeaderID != old.LeaderID || l.LeaderNonce != old.LeaderNonce
			if l.Term < old.Term || other && l.Term == old.Term {
				rt.Fatalf("node %s reported %v (%08x) after %v (%08x)", x.cfg.Name, l, l.LeaderNonce, old,
					old.LeaderNonce)
			}
			last[key] = l
		}
		v.upAll()
		for range rapid.IntRange(1, 12).Draw(rt, "events") {
			i := rapid.IntRange(0, n-1).Draw(rt, "node")
			x := v.nodes[i]
			switch what := rapid.IntRange(0, 2).Draw(rt, "what"); {
			case x.agent == nil:
				v.up(i)
			case what == 0:
				v.kill(i)
			case what == 1:
				v.leave(i)
			default:
				x.agent.SetStrength(float64(rapid.IntRange(0, 20).Draw(rt, "strength")))
			}
			v.run(time.Duration(rapid.IntRange(1, 15).Draw(rt, "rounds")) * period)
		}
		v.loss, v.jitter = 0, time.Millisecond
		for i, x := range v.nodes {
			if x.agent == nil {
				v.up(i)
			}
		}
		v.settle("", rounds+int(dampingRounds.most)) // a leader that came and went too often is not believed at once
	})
}

func distinct(links edges) edges {
	seen := make(map[[2]int]bool)
	var out edges
	for _, e := range links {
		if e[0] < e[1] {
			e[0], e[1] = e[1], e[0]
		}
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
	}
	return out
}

// What a resource has seen binds the whole region, whichever node is told.
func TestExceedTerm(t *testing.T) {
	v := newVirtual(t, 12, 4, line(4))
	v.upAll()
	v.settle("n1", 40)
	a := v.nodes[3].agent
	if err := a.ExceedTerm(50); err != nil {
		t.Fatal(err)
	}
	a.ExceedTerm(7) // no way back
	for range 20 {
		v.run(period)
		if term := a.Status().Term; term > 50 {
			break
		}
	}
	v.settle("n1", 20)
	if term := a.Status().Term; term != 51 {
		t.Errorf("term %d, want 51", term)
	}
	if err := a.ExceedTerm(wire.MaxTerm); err == nil {
		t.Error("a term that leaves no room is accepted")
	}
}

func TestTermTable(t *testing.T) {
	a, b := wire.Instance{ID: 1, Nonce: 1}, wire.Instance{ID: 2, Nonce: 2}
	var x terms
	for i, step := range []struct {
		follow     wire.Instance
		self       bool
		term, need uint64 // heard from a neighbour that backs the same
		want, asks uint64
	}{
		{a, false, 0, 0, 0, 0}, // follows a, no term heard
		{a, false, 4, 0, 4, 0}, // heard
		{a, false, 3, 0, 4, 0}, // an older copy
		{b, false, 4, 0, 0, 4}, // b must exceed the 4 that a had
		{b, false, 5, 0, 5, 4}, //
		{b, true, 0, 0, 0, 5},  // leads itself, for less than a period: waits
		{b, true, 0, 0, 6, 5},  // one more than ever seen, and than it reported
		{b, true, 6, 6, 7, 6},  // a follower has seen 6 elsewhere
		{b, true, 6, 3, 7, 6},  // no reason to change
		{a, false, 7, 0, 0, 7}, // its own term counts as reported
		{a, false, 9, 8, 9, 8}, // passes on the need of others
		{wire.Instance{}, false, 9, 9, 0, 9},
	} {
		now := time.Unix(0, 0).Add(time.Duration(i) * period)
		x.follow(step.follow, step.self, now)
		x.hear(step.follow, step.term, step.need, false)
		got := x.settle(now, period/2, 0)
		if _, need := x.announce(); got != step.want || need != step.asks {
			t.Errorf("step %d: term %d need %d, want %d and %d", i, got, need, step.want, step.asks)
		}
	}
}

// A follower several hops away learns the leader's name although it is no neighbour.
func TestNamesTravel(t *testing.T) {
	v := newVirtual(t, 1, 8, line(8))
	v.upAll()
	v.settle("n1", 40)
	v.kill(0)
	v.settle("n2", 40)
}

// The leader of a line of 8 ends. After a departure everybody has heard of it within the time a
// datagram takes from end to end, and follows the next leader after one more round per hop at most.
// A crash must be missed for the heartbeat of 3 rounds first: in 10 runs 30 rounds.
func TestLeaveIsFasterThanKill(t *testing.T) {
	rounds := func(end func(v *virtual)) (sum int) {
		for seed := range uint64(10) {
			v := newVirtual(t, seed, 8, line(8))
			v.upAll()
			v.settle("n1", 40)
			v.run(10 * period)
			end(v)
			for ; !allFollow(v, "n2"); v.run(period) {
				sum++
			}
			v.settle("n2", 40)
		}
		return sum
	}
	leave, kill := rounds(func(v *virtual) { v.leave(0) }), rounds(func(v *virtual) { v.kill(0) })
	if leave+20 > kill || leave > 10*7 {
		t.Errorf("10 runs took %d rounds after a departure and %d after a crash; want at most 70, and 20 fewer", leave,
			kill)
	}
}

func allFollow(v *virtual, leader string) bool {
	for _, a := range v.alive() {
		if a.Status().Leader != leader {
			return false
		}
	}
	return true
}

func TestReturnAfterLeave(t *testing.T) {
	v := newVirtual(t, 3, 3, clique(3))
	v.upAll()
	v.settle("n1", 20)
	v.leave(0)
	v.settle("n2", 20)
	v.up(0) // a new nonce: the notice is not about this one
	v.settle("n1", 20)
}

// mute hides that an algorithm is a caucus.Backer.
type mute struct {
	caucus.Rounds[bounded.Candidacy, bounded.Candidacy]
}

// Terms work for algorithms whose messages do not tell the driver whom they support: then the
// envelope does.
func TestWithoutBacker(t *testing.T) {
	v := newVirtual(t, 11, 5, line(5))
	v.proto = func(*Config) (protocol, error) { return erase(columns.OfRounds(mute{election(t)})) }
	v.upAll()
	v.settle("n1", 40)
	v.leave(0)
	v.settle("n2", 40)
}

func TestLossIsTolerated(t *testing.T) {
	v := newVirtual(t, 4, 5, clique(5))
	v.loss = 0.1
	v.upAll()
	v.settle("n1", 60)
}

// A node is stopped for 10 s, during which the leader dies and another takes over. After it
// goes on it claims nothing until it has heard its neighbours, and it does not believe
// what waited in its socket.
func TestSuspension(t *testing.T) {
	v := newVirtual(t, 5, 4, clique(4))
	v.upAll()
	v.settle("n1", 20)
	n4 := v.nodes[3].agent
	v.nodes[3].agent = nil // does not run; its socket still receives
	var waiting []packet
	v.sent = func(p packet) {
		if p.to == v.nodes[3].addr {
			waiting = append(waiting, p)
		}
	}
	v.run(5 * period)
	v.sent = nil
	old := n4.status.Load().Leadership
	v.kill(0)
	v.run(10 * time.Second)
	v.nodes[3].agent = n4
	heard := n4.count.Received
	n4.tick(v.now)
	for _, p := range waiting {
		n4.receive(datagram{p.data, len(p.data), p.from, v.now, nil})
	}
	if s := n4.Status(); s.Role != "undecided" || s.LeaderID != caucus.None {
		t.Errorf("reports %v right after the suspension, want undecided", s.Leadership)
	}
	// 3 neighbours, 4 rounds until they miss it and ask it less often
	if got := n4.count.Dropped[dropStale]; got != n4.count.Received-heard || got < 12 {
		t.Errorf("%d of %d datagrams from before were dropped, want all of at least 12", got, n4.count.Received-heard)
	}
	v.seen = func(i int, l Leadership) {
		if i == 3 && l.Leader == old.Leader {
			t.Errorf("believes in %v again", l)
		}
	}
	v.settle("n2", 20)
}

func TestRestartIsNoDuplicate(t *testing.T) {
	for seed := range uint64(10) {
		v := newVirtual(t, seed, 4, line(4))
		v.upAll()
		v.settle("n1", 30)
		for range 3 {
			v.kill(0)
			v.up(0) // hears of its former self from the others
			v.run(5 * period)
			v.settle("n1", 30)
		}
		v.run(30 * period)
		for _, a := range v.alive() {
			if d := a.Status().Duplicates; len(d) != 0 {
				t.Errorf("seed %d: %s reports %+v", seed, a.cfg.Name, d)
			}
		}
	}
}

// Two nodes are called n1. Neighbours of each other know at once, a common neighbour after a
// period, and a node that hears of itself from afar after a while.
func TestDuplicateIDs(t *testing.T) {
	for name, c := range map[string]struct {
		links    edges
		reporter int
		addr     string
	}{
		"neighbour": {clique(3), 0, "10.0.0.3:7400"},
		"between":   {edges{{0, 1}, {1, 2}}, 1, "10.0.0.1:7400 and 10.0.0.3:7400"},
		"afar":      {edges{{0, 1}, {1, 2}}, -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVirtual(t, 7, 3, c.links)
			v.nodes[2].cfg.Name, v.nodes[2].cfg.ID = "n1", 1
			v.upAll()
			v.run(60 * period)
			var reports []Duplicate
			for i, a := range v.alive() {
				// from afar it is the instance with the larger nonce that follows the other
				if i == c.reporter || c.reporter < 0 && i != 1 {
					reports = append(reports, a.Status().Duplicates...)
				}
			}
			a, b := v.nodes[0].agent.self.Nonce, v.nodes[2].agent.self.Nonce
			if len(reports) != 1 || reports[0].ID != 1 || reports[0].Nonces != [2]uint32{min(a, b), max(a, b)} ||
				reports[0].Addr != c.addr {
				t.Errorf("reports %+v, want one of id 1, nonces %d and %d, at %q", reports, a, b, c.addr)
			}
		})
	}
}

func TestOldSequencesAreDropped(t *testing.T) {
	v := newVirtual(t, 8, 2, clique(2))
	v.upAll()
	var kept []byte
	for _, p := range v.queue {
		if p.from == v.nodes[1].addr {
			kept = p.data
		}
	}
	v.settle("n1", 20)
	a := v.nodes[0].agent
	for range 3 {
		a.receive(datagram{kept, len(kept), v.nodes[1].addr, v.now, nil})
	}
	if a.count.Dropped[dropOld] < 3 {
		t.Errorf("dropped %v, want 3 old ones", a.count.Dropped)
	}
}

func TestSerialArithmetic(t *testing.T) {
	p := peer{live: true}
	now := time.Now()
	from := func(nonce, seq uint32) bool {
		e := &wire.Envelope{Sender: wire.Instance{ID: 1, Nonce: nonce}, Seq: seq}
		ok := p.fresh(e, now)
		if ok {
			p.seq, p.live = seq, true
		}
		return ok
	}
	for i, c := range []struct {
		nonce, seq uint32
		want       bool
	}{
		{1, 1<<32 - 2, true}, {1, 1<<32 - 2, false}, {1, 1<<32 - 1, true}, {1, 0, true}, {1, 1<<32 - 1, false},
		{1, 5, true},
		{2, 1, true}, {1, 6, false}, {2, 1, false}, {2, 2, true}, // a new life; the former one is too late
	} {
		if got := from(c.nonce, c.seq); got != c.want {
			t.Errorf("datagram %d (%d, %d): %v, want %v", i, c.nonce, c.seq, got, c.want)
		}
	}
}

// The first datagram of a restarted peer overtakes one of its former life, which nobody has heard
// of. The agent must not stay deaf to the living one.
func TestLateDatagramOfFormerLife(t *testing.T) {
	v := newVirtual(t, 13, 2, clique(2))
	v.up(1)
	late := v.queue[0].data
	v.kill(1)
	v.queue = nil
	v.upAll()
	v.settle("n1", 20)
	v.nodes[0].agent.receive(datagram{late, len(late), v.nodes[1].addr, v.now, nil})
	v.run(20 * period)
	if p := v.nodes[0].agent.peers[0]; p.inst != v.nodes[1].agent.self || !p.live {
		t.Errorf("hears %+v (live %v), want %+v", p.inst, p.live, v.nodes[1].agent.self)
	}
}

func TestTablesAreBounded(t *testing.T) {
	d := make(departures)
	now := time.Now()
	for i := range 10 * maxDepartures {
		d.add(wire.Instance{ID: caucus.ID(i + 1), Nonce: 1}, 5, now.Add(time.Duration(i)), period)
	}
	if len(d) != maxDepartures || !d.has(wire.Instance{ID: 10 * maxDepartures, Nonce: 1}) {
		t.Errorf("%d departures, want the latest %d", len(d), maxDepartures)
	}
	if got, secrets := d.notices(); len(got) != wire.MaxTold || len(secrets) != len(got) || secrets[0] != 5 {
		t.Errorf("%d notices in a datagram, want %d", len(got), wire.MaxTold)
	}
	if d.expire(now.Add(goneRounds*period + time.Second)); len(d) != 0 {
		t.Errorf("%d departures are never forgotten", len(d))
	}
	names := nameTable{names: make(map[caucus.ID]nameEntry)}
	names.learn(1, "one", true)
	for i := range 10 * maxNames {
		names.learn(caucus.ID(i+2), strings.Repeat("x", i%9+1), false)
		names.get(1)
	}
	if len(names.names) != maxNames || names.get(1) != "one" {
		t.Errorf("%d names, want %d with the one in use", len(names.names), maxNames)
	}
	if names.learn(1, "two", false) || names.get(1) != "one" {
		t.Error("hearsay replaced what a node says of itself")
	}
}

// A message without a nonce is taken to mean the departed instance for a while only.
func TestDeparturesWithoutNonce(t *testing.T) {
	d := make(departures)
	now := time.Now()
	d.add(wire.Instance{ID: 7, Nonce: 9}, 5, now, period)
	for after, want := range map[time.Duration]bool{0: true, 10 * period: true, 17 * period: false} {
		if got := d.names(wire.Instance{ID: 7}, now.Add(after)); got != want {
			t.Errorf("after %v: %v, want %v", after, got, want)
		}
	}
	if d.names(wire.Instance{ID: 7, Nonce: 8}, now) {
		t.Error("another instance is taken for the departed one")
	}
}

// Whatever a peer sends, the agent neither panics nor grows.
func FuzzDatagram(f *testing.F) {
	v := newVirtual(f, 9, 2, clique(2))
	v.upAll()
	for _, p := range v.queue {
		f.Add(p.data)
	}
	v.leave(1)
	for _, p := range v.queue {
		f.Add(p.data)
	}
	f.Add([]byte("\x88\x01\x1a\xff\xff\xff\xff"))
	from := v.nodes[1].addr
	a := v.nodes[0].agent
	f.Fuzz(func(t *testing.T, data []byte) {
		v.t, v.queue = t, nil
		a.receive(datagram{data, len(data), from, v.now, nil})
		a.receive(datagram{data, len(data), netip.AddrPortFrom(from.Addr(), 1), v.now, nil}) // an unknown address
		v.now = v.now.Add(period)
		a.tick(v.now)
		if len(a.gone) > maxDepartures || len(a.names.names) > maxNames || len(a.twins.list) > maxDuplicates ||
			len(a.peers) != 1 || len(a.peers[0].moves) > maxMoves || len(a.damping) > maxDamped {
			t.Error("a table grew beyond its bound")
		}
	})
}
