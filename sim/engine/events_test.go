package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/saturation"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/kit/restart"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
	"pgregory.net/rapid"
)

var delays = []sim.Delays{sim.UnitDelay, sim.UniformDelay, sim.ExponentialDelay}
var schedulers = []sim.Scheduler{sim.OldestFirst, sim.NewestFirst, sim.RandomNext, sim.StarvedLast}

// script is an algorithm for looking at the engine: an initiator sends as many numbered messages on every
// port as its ID says, and every node notes what it receives and when its timers go off.
type script struct {
	alarms []time.Duration // set by initiators, numbered from 0
}

type note struct {
	what int // number of a message; -1-k for timer k
	port int
	at   time.Duration
}

type notes struct{ list []note }

func (script) Boot(*caucus.Local) notes { return notes{} }
func (a script) Wake(l *caucus.Local, _ *notes, initiator bool, out *caucus.Outbox[int]) {
	if !initiator {
		return
	}
	for k, after := range a.alarms {
		out.After(after, k)
	}
	for k := range int(l.ID) {
		out.SendAll(l.Degree, -1, k)
	}
}
func (script) Receive(l *caucus.Local, s *notes, port int, m int, _ *caucus.Outbox[int]) {
	s.list = append(s.list, note{m, port, l.Now})
}
func (script) Timer(l *caucus.Local, s *notes, timer int, _ *caucus.Outbox[int]) {
	s.list = append(s.list, note{-1 - timer, -1, l.Now})
}
func (script) Outcome(*caucus.Local, *notes) caucus.Outcome { return caucus.Outcome{Distance: -1} }
func (script) Kind(*int) int                                { return 0 }
func (script) Domain(*caucus.World) (s caucus.Values[notes], m caucus.Values[int]) {
	return s, m
}

func generated(t testing.TB, spec string) *network.Graph {
	g, err := network.Generate(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// play runs the script to its end and gives what node i noted.
func play(t testing.TB, algo script, spec *caucus.Spec, cfg sim.Config, i int) []note {
	t.Helper()
	e, err := engine.NewEvents(algo, spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for e.Step() {
	}
	if !e.Result().Converged {
		t.Fatal("not at rest")
	}
	return e.State(i).list
}

func numbers(list []note) (n []int) {
	for _, x := range list {
		n = append(n, x.what)
	}
	return n
}

// Node 1 sends 0 to 5 to node 2: in order whatever the delays or scheduler, unless FIFO is broken.
func TestOrderOfLink(t *testing.T) {
	base := sim.Config{Graph: generated(t, "line:2"), IDs: []caucus.ID{6, 7}, Initiators: []int{0}, Seed: 3}
	inOrder, reverse := []int{0, 1, 2, 3, 4, 5}, []int{5, 4, 3, 2, 1, 0}
	for _, d := range delays {
		cfg := base
		cfg.Delays = d
		if got := numbers(play(t, script{}, nil, cfg, 1)); !slices.Equal(got, inOrder) {
			t.Errorf("%s: %v", d, got)
		}
		cfg.NoFIFO = true
		if got := numbers(play(t, script{}, nil, cfg, 1)); slices.Equal(got, inOrder) != (d == sim.UnitDelay) {
			t.Errorf("%s without FIFO: %v", d, got)
		}
	}
	for _, s := range schedulers {
		cfg := base
		cfg.Scheduler = s
		if got := numbers(play(t, script{}, nil, cfg, 1)); !slices.Equal(got, inOrder) {
			t.Errorf("%s: %v", s, got)
		}
		cfg.NoFIFO = true
		got := numbers(play(t, script{}, nil, cfg, 1))
		switch s {
		case sim.OldestFirst:
			if !slices.Equal(got, inOrder) {
				t.Errorf("%s without FIFO: %v", s, got)
			}
		case sim.NewestFirst, sim.StarvedLast:
			if !slices.Equal(got, reverse) {
				t.Errorf("%s without FIFO: %v", s, got)
			}
		case sim.RandomNext:
			if slices.Equal(got, inOrder) {
				t.Errorf("%s without FIFO: %v", s, got)
			}
		}
	}
}

// The middle of a line of three hears both ends, which send 0 and 1 each, node 1 first.
func TestSchedulers(t *testing.T) {
	type arrival struct{ number, port int }
	for s, want := range map[sim.Scheduler][]arrival{
		sim.OldestFirst: {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
		// the newest message is on the link of node 3, whose first comes first; as long as one is on it
		sim.NewestFirst: {{0, 1}, {1, 1}, {0, 0}, {1, 0}},
		// of the first messages that of node 3 has waited least; then its second one even less
		sim.StarvedLast: {{0, 1}, {1, 1}, {0, 0}, {1, 0}},
	} {
		cfg := sim.Config{Graph: generated(t, "line:3"), IDs: []caucus.ID{2, 9, 2}, Initiators: []int{0, 2},
			Scheduler: s}
		var got []arrival
		for _, n := range play(t, script{}, nil, cfg, 1) {
			got = append(got, arrival{n.what, n.port})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
}

// Timers and messages of one time come in the order in which they were caused: in Wake the script sets timers
// before it sends, but what it asks for is done by kind, messages first.
func TestTimers(t *testing.T) {
	algo := script{alarms: []time.Duration{2500 * time.Millisecond, time.Second, 0, -time.Second, time.Second}}
	cfg := sim.Config{Graph: generated(t, "line:2"), IDs: []caucus.ID{1, 1}}
	var got []string
	for _, n := range play(t, algo, nil, cfg, 1) {
		got = append(got, fmt.Sprint(n.what, "@", n.at))
	}
	want := []string{"-3@0s", "-4@0s", "0@1s", "-2@1s", "-5@1s", "-1@2.5s"}
	if !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	cfg.Scheduler = sim.NewestFirst // messages first
	if got := numbers(play(t, algo, nil, cfg, 1)); !slices.Equal(got, []int{0, -3, -4, -2, -5, -1}) {
		t.Errorf("with a scheduler: %v", got)
	}
}

// What is breakable is broken only on request, and schedulers refuse what has no meaning with them.
func TestEventsRefused(t *testing.T) {
	ring := generated(t, "ring:4")
	needsFIFO := &caucus.Spec{Name: "picky", Needs: caucus.Needs{FIFO: true}}
	for _, c := range []struct {
		cfg  sim.Config
		want string
	}{
		{sim.Config{NoFIFO: true}, "picky assumes that messages of one link arrive in the order"},
		{sim.Config{Scheduler: "lof"}, `scheduler: found "lof", allowed: fifo, lifo, random, longest-waiting-last`},
		{sim.Config{Scheduler: sim.NewestFirst, Delays: sim.UniformDelay}, `delays: found "uniform", allowed: unit`},
		{sim.Config{Scheduler: sim.NewestFirst, Replay: &story.Story{}}, "replay: found"},
		{sim.Config{Scheduler: sim.NewestFirst, Faults: []sim.Fault{{Kind: sim.Crash}}}, "faults: found"},
		{sim.Config{Scheduler: sim.NewestFirst, Channel: 1}, `channel: found "1", allowed: 0 with a scheduler`},
		{sim.Config{Replay: &story.Story{}, Channel: 1}, `channel: found "1", allowed: 0 with a scheduler`},
		{sim.Config{Channel: 1e6 + 1}, `channel: found "1000001", allowed: 0 to 1000000`},
		{sim.Config{Channel: -1}, `channel: found "-1", allowed: 0`},
		{sim.Config{Faults: []sim.Fault{{Kind: sim.Expiry, Rounds: 3}}}, `faults[0].kind: found "expiry"`},
		{sim.Config{Faults: []sim.Fault{{Kind: sim.Loss}}}, `faults[0].rate: found "0"`},
	} {
		c.cfg.Graph = ring
		if _, err := engine.NewEvents(script{}, needsFIFO, c.cfg); err == nil || !strings.Contains(err.Error(),
			c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
	if _, err := engine.NewEvents(script{}, needsFIFO, sim.Config{Graph: ring, NoFIFO: true,
		Unsafe: true}); err != nil {
		t.Error(err)
	}
	same := sim.Config{Graph: ring, IDs: []caucus.ID{4, 2, 3, 4}}
	if _, err := engine.NewEvents(asfar.Algorithm{}, &asfar.Spec, same); err == nil ||
		!strings.Contains(err.Error(), "nodes 1 and 4 both have ID 4") ||
		!strings.Contains(err.Error(), "Angluin 1980") {
		t.Errorf("equal IDs: %v", err)
	}
}

// A delivery allocates nothing once the queues are as long as they get.
func TestEventsAllocateNothing(t *testing.T) {
	for _, cfg := range []sim.Config{
		{Delays: sim.UnitDelay}, {Delays: sim.UniformDelay}, {Delays: sim.ExponentialDelay},
		{Scheduler: sim.OldestFirst}, {Scheduler: sim.NewestFirst}, {Scheduler: sim.RandomNext},
		{Scheduler: sim.StarvedLast},
	} {
		cfg.Graph = generated(t, "ring:500")
		e, err := engine.NewEvents(asfar.Algorithm{}, &asfar.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for range 20_000 { // of 125,750
			e.Step()
		}
		if a := testing.AllocsPerRun(20, func() {
			for range 1000 {
				e.Step()
			}
		}); a != 0 {
			t.Errorf("%s %s: %g allocations in 1000 events", cfg.Delays, cfg.Scheduler, a)
		}
	}
}

// liar draws and says that it does not.
type liar struct{ script }

func (liar) Timeless() bool { return true }
func (liar) Receive(l *caucus.Local, s *notes, port int, m int, _ *caucus.Outbox[int]) {
	s.list = append(s.list, note{m, port, time.Duration(l.Rand.IntN(6))})
}

// What makes no streams for an algorithm that says it is Timeless says so when it draws all the same, also when a node
// has begun anew since.
func TestTimelessDoesNotDraw(t *testing.T) {
	for _, faults := range [][]sim.Fault{nil, {{At: 8, Kind: sim.Crash}, {At: 9, Kind: sim.Restart, Nodes: []int{2}}}} {
		cfg := sim.Config{Graph: generated(t, "ring:3"), Seed: 1, Faults: faults}
		if _, err := engine.RunEvents(t.Context(), liar{}, nil, cfg); err == nil ||
			!strings.Contains(err.Error(), "draws random numbers and says that it is Timeless") {
			t.Errorf("drawn: %v", err)
		}
	}
}

// prudent draws when a node begins, and then no more.
type prudent struct{ script }

func (prudent) Timeless() bool { return true }
func (prudent) Boot(l *caucus.Local) notes {
	return notes{[]note{{what: l.Rand.IntN(1 << 30)}}}
}

// Whoever is Timeless may draw what it begins with: every node in every life something else.
func TestTimelessDrawsAtBoot(t *testing.T) {
	drawn := map[int]bool{}
	e, err := engine.NewEvents(prudent{}, nil, sim.Config{Graph: generated(t, "ring:3"), Seed: 1,
		Faults: []sim.Fault{{At: 3, Kind: sim.Crash}, {At: 5, Kind: sim.Restart}}})
	if err != nil {
		t.Fatal(err)
	}
	for goOn := true; goOn; goOn = e.Step() {
		for i := range 3 {
			drawn[e.State(i).list[0].what] = true
		}
	}
	if len(drawn) != 6 {
		t.Errorf("%d different draws in 2 lives of 3 nodes", len(drawn))
	}
}

// watched runs As Far and gives its events as text, and the result.
func watched(t interface{ Fatal(...any) }, cfg sim.Config) (*story.Story, []string, *sim.Result) {
	record := &story.Story{}
	var lines []string
	cfg.Watch = func(h *story.Step) bool {
		record.Steps = append(record.Steps, story.Step{Time: h.Time, What: h.What, Node: h.Node, Number: h.Number,
			Timer: h.Timer, Where: "here"})
		lines = append(lines, fmt.Sprintf("%+v", *h))
		return true
	}
	r, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return record, lines, r
}

// Property: whatever orders the messages, crashes and loss included, the same configuration gives the same
// events; watching changes nothing; and the record of a run, replayed, gives the run again.
func TestSameAgainAndReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		g, err := network.Generate(fmt.Sprint("ring:", n), 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Graph: g, Seed: rapid.Uint64().Draw(t, "seed"), NoFIFO: rapid.Bool().Draw(t, "no FIFO")}
		for _, k := range rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for i := range n {
				if !yield(i) {
					return
				}
			}
		})).Draw(t, "ids") {
			cfg.IDs = append(cfg.IDs, caucus.ID(k+1))
		}
		if rapid.Bool().Draw(t, "scheduled") {
			cfg.Scheduler = rapid.SampledFrom(schedulers).Draw(t, "scheduler")
		} else {
			cfg.Delays = rapid.SampledFrom(delays).Draw(t, "delays")
			if rapid.Bool().Draw(t, "faults") {
				cfg.Faults = []sim.Fault{{At: 2.5, Kind: sim.Crash, Nodes: []int{1}}, {At: 4, Kind: sim.Restart},
					{At: 1, Until: 3, Kind: sim.Loss, Rate: 0.3}}
				more := []sim.Fault{{At: 1, Until: 6, Kind: sim.Delay, Rounds: 2},
					{Kind: sim.Latency, Value: 1.5, Spread: 1},
					{Kind: sim.Reordering, Rate: 0.4, Rounds: 4}, {Kind: sim.Duplication, Rate: 0.3, Rounds: 3},
					{At: 2, Kind: sim.Corrupt, Nodes: []int{0, 2}}, {At: 3, Kind: sim.FakeLeader, Fake: 99},
					{At: 3.5, Kind: sim.Restart, Keep: true}}
				cfg.Faults = append(cfg.Faults, rapid.SliceOfN(rapid.SampledFrom(more), 0, 3).Draw(t, "more")...)
			}
		}
		record, lines, r := watched(t, cfg)
		_, again, _ := watched(t, cfg)
		plain, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		replay := cfg
		replay.Scheduler, replay.Replay = "", record
		_, replayed, rr := watched(t, replay)
		if !slices.Equal(lines, again) {
			t.Fatal("not the same events again")
		}
		if !slices.Equal(lines, replayed) {
			t.Fatalf("replayed otherwise:\n%s\nwas\n%s", strings.Join(replayed, "\n"), strings.Join(lines, "\n"))
		}
		if plain.TraceHash != r.TraceHash || rr.TraceHash != r.TraceHash || plain.Messages != r.Messages ||
			rr.Time != r.Time {
			t.Fatalf("traces %x watched, %x not, %x replayed", r.TraceHash, plain.TraceHash, rr.TraceHash)
		}
		if cfg.Faults == nil {
			for i, o := range r.Outcomes { // As Far holds under every order
				if id := cfg.IDs[i]; o.Leader != 1 || (id == 1) != (o.Role == caucus.Leader) {
					t.Fatalf("node %d with ID %d ends with %+v", i, id, o)
				}
			}
		}
	})
}

// A record of another run stops the replay, and says where.
func TestReplayOfAnotherRun(t *testing.T) {
	cfg := sim.Config{Graph: generated(t, "ring:4"), Scheduler: sim.RandomNext}
	record, _, _ := watched(t, cfg)
	cfg.Scheduler = ""
	for want, change := range map[string]func(c *story.Step){
		"message #99 is not on its way": func(c *story.Step) { c.Number = 99 },
		"is on its way to":              func(c *story.Step) { c.Node = (c.Node + 1) % 4 },
		"no timer is set":               func(c *story.Step) { c.What = story.Timer },
	} {
		cfg.Replay = &story.Story{Steps: slices.Clone(record.Steps)}
		change(&cfg.Replay.Steps[5])
		cfg.Replay.Steps[5].Where = "record:7"
		_, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, cfg)
		if err == nil || !strings.HasPrefix(err.Error(), "record:7: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// half a record: the oldest message first from there on
	cfg.Replay = &story.Story{Steps: record.Steps[:6]}
	if _, _, r := watched(t, cfg); !r.Converged || r.Outcomes[2].Leader != 1 {
		t.Errorf("after half a record: %+v", r)
	}
}

// With a scheduler time is the longest chain of messages: around a ring of n, and once more for the notification.
func TestLongestChain(t *testing.T) {
	for _, s := range schedulers {
		_, _, r := watched(t, sim.Config{Graph: generated(t, "ring:9"), Scheduler: s})
		if r.Time != 18 {
			t.Errorf("%s: %g, want 2·9", s, r.Time)
		}
	}
}

// On the increasing ring of 4 the messages are those of IDs 1 (4 hops), 2, 3 and 4 (3, 2, 1 hops), and 4 notifications:
// 14. Node k (from 0) passes on or sends the IDs from 1 to k+1.
func TestCounts(t *testing.T) {
	g := generated(t, "ring:4")
	_, _, r := watched(t, sim.Config{Graph: g})
	if want := []int64{2, 3, 4, 5}; !slices.Equal(r.Sent, want) {
		t.Errorf("sent %v, want %v", r.Sent, want)
	}
	if want := []int64{5, 2, 3, 4}; !slices.Equal(r.Received, want) {
		t.Errorf("received %v, want %v", r.Received, want)
	}
	if r.Events != 4+14 {
		t.Errorf("%d events, want 4 wake-ups and 14 arrivals", r.Events)
	}
	// two kinds: 1 bit; IDs up to 4: 3 bits
	if got := r.Bits(&asfar.Spec, &sim.Config{Graph: g}); got != 14*(1+3) {
		t.Errorf("%d bits, want 56", got)
	}
	large := sim.Config{Graph: g, IDs: []caucus.ID{1, 2, 3, 1 << 40}}
	if got := r.Bits(&asfar.Spec, &large); got != 14*(1+41) {
		t.Errorf("%d bits with a large ID, want %d", got, 14*42)
	}
}

// Bits of saturation on a tree of n nodes, all of them initiators, as algorithms count them: Elect-Min has n + n - 2
// messages with an ID (SATURATE, TERMINATE), Elect-Root 2 + n - 2 (ELECTION, TERMINATE).
func TestBitsOfSaturation(t *testing.T) {
	g := generated(t, "tree:20")
	const n, id = 20, 5
	for _, c := range []struct {
		algo           saturation.Algorithm
		spec           *caucus.Spec
		messages, bits int64
	}{
		{saturation.Algorithm{}, &saturation.MinSpec, 3*n + n - 4, 2*(4*n-4) + id*(2*n-2)},
		{saturation.Algorithm{Root: true}, &saturation.RootSpec, 3*n + n - 2, 2*(4*n-2) + id*n},
	} {
		cfg := sim.Config{Graph: g}
		r, err := engine.RunEvents(context.Background(), c.algo, c.spec, cfg)
		if err != nil || r.Messages != c.messages || r.Bits(c.spec, &cfg) != c.bits {
			t.Errorf("%s: %d messages, %d bits, want %d, %d (%v)", c.spec.Name, r.Messages, r.Bits(c.spec, &cfg),
				c.messages, c.bits, err)
		}
	}
}

func TestEventLimits(t *testing.T) {
	g := generated(t, "ring:8")
	_, _, r := watched(t, sim.Config{Graph: g, MaxEvents: 11})
	if r.Converged || r.Events != 11 {
		t.Errorf("%d events, converged %v, want 11, false", r.Events, r.Converged)
	}
	for _, s := range []sim.Scheduler{"", sim.RandomNext} {
		if _, _, r = watched(t, sim.Config{Graph: g, MaxRounds: 5, Scheduler: s}); r.Converged || r.Time != 5 {
			t.Errorf("%q: time %g, converged %v, want 5, false", s, r.Time, r.Converged)
		}
	}
	stop := sim.Config{Graph: g, Watch: func(h *story.Step) bool { return h.Number != 3 }}
	r, err := engine.RunEvents(context.Background(), asfar.Algorithm{}, &asfar.Spec, stop)
	if err != nil || r.Events != 8+3 || r.Converged {
		t.Errorf("%v, %d events, converged %v; want an end after message 3", err, r.Events, r.Converged)
	}
}

// Node 2 is down from 0.5 to 2.5: of node 1's messages it misses those of time 1, and as a new instance
// begins anew: it sends its own messages, which node 3 gets at 3.5.
func TestCrashAndRestart(t *testing.T) {
	cfg := sim.Config{Graph: generated(t, "line:3"), IDs: []caucus.ID{2, 1, 3}, Initiators: []int{0},
		Faults: []sim.Fault{{At: 0.5, Kind: sim.Crash, Nodes: []int{1}}, {At: 2.5, Kind: sim.Restart, Nodes: []int{1}}}}
	if got := play(t, script{}, nil, cfg, 1); got != nil {
		t.Errorf("node 2 got %v", got)
	}
	want := []note{{0, 0, 3500 * time.Millisecond}}
	if got := play(t, script{}, nil, cfg, 2); !slices.Equal(got, want) {
		t.Errorf("node 3 got %v, want %v", got, want)
	}
	cfg.Faults = cfg.Faults[:1]
	e, err := engine.NewEvents(script{}, nil, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for e.Step() {
	}
	if r := e.Result(); r.Live[1] || !r.Live[0] || !r.Converged {
		t.Errorf("live %v, converged %v", r.Live, r.Converged)
	}
	// timers do not outlive their node
	algo := script{alarms: []time.Duration{3 * time.Second}}
	cfg.Initiators = []int{1}
	cfg.Faults = append(cfg.Faults, sim.Fault{At: 1, Kind: sim.Restart})
	if got := play(t, algo, nil, cfg, 1); len(got) != 1 || got[0].at != 4*time.Second {
		t.Errorf("timers %v, want that of the second life, at 4", got)
	}
}

func TestLoss(t *testing.T) {
	base := sim.Config{Graph: generated(t, "line:3"), IDs: []caucus.ID{200, 1, 1}, Initiators: []int{0}}
	for rate, want := range map[float64][2]int{1: {0, 0}, 0.25: {120, 180}} {
		cfg := base
		cfg.Faults = []sim.Fault{{Kind: sim.Loss, Rate: rate}}
		if got := len(play(t, script{}, nil, cfg, 1)); got < want[0] || got > want[1] {
			t.Errorf("rate %g: %d of 200 arrive", rate, got)
		}
	}
	for _, f := range []sim.Fault{{Kind: sim.Loss, Rate: 1, Nodes: []int{2}}, {Kind: sim.Loss, Rate: 1, At: 1}} {
		cfg := base
		cfg.Faults = []sim.Fault{f}
		if got := len(play(t, script{}, nil, cfg, 1)); got != 200 {
			t.Errorf("%+v: %d of 200 arrive", f, got)
		}
	}
}

// What links do to the messages 0, 1, 2 that node 1 sends at 0 and that take a period: delayed by 2 they come at 3,
// with a latency of 1.5 at 2.5, doubled within one round at 1 and again at 2. One direction alone, or a time that is
// over, concerns nobody else.
func TestLinksHoldBack(t *testing.T) {
	at := func(list ...float64) (notes []note) {
		for k, x := range list {
			notes = append(notes, note{k % 3, 0, time.Duration(x * float64(time.Second))})
		}
		return notes
	}
	for _, c := range []struct {
		fault sim.Fault
		want  []note
	}{
		{sim.Fault{Kind: sim.Delay, Rounds: 2}, at(3, 3, 3)},
		{sim.Fault{Kind: sim.Latency, Value: 1.5}, at(2.5, 2.5, 2.5)},
		{sim.Fault{Kind: sim.Duplication, Rounds: 1}, at(1, 1, 1, 2, 2, 2)},
		{sim.Fault{Kind: sim.Reordering, Rate: 1, Rounds: 1}, at(2, 2, 2)},
		{sim.Fault{Kind: sim.Delay, Rounds: 2, Links: [][2]int{{0, 1}}}, at(3, 3, 3)},
		{sim.Fault{Kind: sim.Delay, Rounds: 2, Links: [][2]int{{1, 0}}}, at(1, 1, 1)},
		{sim.Fault{Kind: sim.Delay, Rounds: 2, Nodes: []int{1}, Way: fault.Out}, at(1, 1, 1)},
		{sim.Fault{Kind: sim.Delay, Rounds: 2, At: 1, Until: 5}, at(1, 1, 1)},
	} {
		cfg := sim.Config{Graph: generated(t, "line:2"), IDs: []caucus.ID{3, 1}, Initiators: []int{0},
			Faults: []sim.Fault{c.fault}}
		if got := play(t, script{}, nil, cfg, 1); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.fault, got, c.want)
		}
	}
}

// Whether a message that is held back is overtaken: by those of its link only where FIFO is off, or where a fault
// reorders them.
func TestHeldBackKeepsOrder(t *testing.T) {
	for _, c := range []struct {
		kind    sim.FaultKind
		noFIFO  bool
		ordered bool
	}{{sim.Delay, false, true}, {sim.Delay, true, false}, {sim.Reordering, false, false}} {
		cfg := sim.Config{Graph: generated(t, "line:2"), IDs: []caucus.ID{50, 1}, Initiators: []int{0},
			NoFIFO: c.noFIFO, Faults: []sim.Fault{{Kind: c.kind, Rate: 0.5, Rounds: 3}}}
		got := numbers(play(t, script{}, nil, cfg, 1))
		if len(got) != 50 || slices.IsSorted(got) != c.ordered {
			t.Errorf("%s, no FIFO %v: %v", c.kind, c.noFIFO, got)
		}
	}
}

// A node that keeps what it had goes on with it: what was sent to it while it stood still is lost, and its timer that
// was due at 2 goes off at 4, when it runs again, that of 6 when it is due.
func TestKeep(t *testing.T) {
	cfg := sim.Config{Graph: generated(t, "line:2"), IDs: []caucus.ID{2, 1}, Initiators: []int{0, 1}}
	cfg.Faults = []sim.Fault{
		{At: 1.5, Kind: sim.Crash, Nodes: []int{1}}, {At: 4, Kind: sim.Restart, Keep: true}}
	algo := script{alarms: []time.Duration{2 * time.Second, 6 * time.Second}}
	want := []note{{0, 0, time.Second}, {1, 0, time.Second}, {-1, -1, 4 * time.Second}, {-2, -1, 6 * time.Second}}
	if got := play(t, algo, nil, cfg, 1); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A node that hears of a leader that does not exist, and would be better than all others, makes everybody follow it
// where the best that anybody has named counts; a state that is drawn stays with its node in an election that is over.
// Elections that restart get over both.
func TestForged(t *testing.T) {
	g := generated(t, "ring:5")
	lie := sim.Fault{At: 20, Kind: sim.FakeLeader, Nodes: []int{3}, Fake: 99, Value: 7}
	drawn := sim.Fault{At: 20, Kind: sim.Corrupt, Nodes: []int{3}}
	layer, err := restart.New(asfar.Algorithm{}, &asfar.Spec, restart.Config{Every: time.Second, Patience: 12,
		Ports: restart.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	restarts := restart.SpecOf(&asfar.Spec)
	for name, c := range map[string]struct {
		run   func(sim.Config) (*sim.Result, error)
		fault sim.Fault
		want  [5]caucus.ID // leaders; 0: any
	}{
		"told":            {runOf(minfind.Algorithm{}, &minfind.Spec), lie, [5]caucus.ID{99, 99, 99, 99, 99}},
		"drawn":           {runOf(asfar.Algorithm{}, &asfar.Spec), drawn, [5]caucus.ID{1, 1, 1, 0, 1}},
		"told, restarts":  {runOf(layer, restarts), lie, [5]caucus.ID{1, 1, 1, 1, 1}},
		"drawn, restarts": {runOf(layer, restarts), drawn, [5]caucus.ID{1, 1, 1, 1, 1}},
	} {
		r, err := c.run(sim.Config{Graph: g, Seed: 2, MaxRounds: 20000, StableFor: 2000,
			Faults: []sim.Fault{c.fault}})
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range r.Outcomes {
			if c.want[i] != 0 && o.Leader != c.want[i] {
				t.Errorf("%s: node %d ends as %s of %d, want %d", name, i+1, o.Role, o.Leader, c.want[i])
			}
		}
		if c.want[3] == 0 && r.Outcomes[3].Leader == 1 {
			t.Errorf("%s: node 4 holds what it held", name)
		}
	}
}

func runOf[S, M any](algo caucus.Events[S, M], spec *caucus.Spec) func(sim.Config) (*sim.Result, error) {
	return func(cfg sim.Config) (*sim.Result, error) {
		return engine.RunEvents(context.Background(), algo, spec, cfg)
	}
}

// doubling answers every message by two.
type doubling struct{ script }

func (doubling) Receive(l *caucus.Local, _ *notes, port int, m int, out *caucus.Outbox[int]) {
	out.Send(port, m)
	out.Send(port, m)
}

// Messages that multiply end a run while there is room for them: 5 million are on their way after 22.3 doublings.
func TestMessagesMultiply(t *testing.T) {
	cfg := sim.Config{Graph: generated(t, "line:2"), IDs: []caucus.ID{1, 1}, Initiators: []int{0}}
	r, err := engine.RunEvents(t.Context(), doubling{}, nil, cfg)
	if err != nil || !r.Flooded || r.Converged || r.Rounds != 23 {
		t.Errorf("%v: flooded %v, converged %v, after %d periods", err, r.Flooded, r.Converged, r.Rounds)
	}
}

// What every message takes comes on top: unit delays of 1 + 0.5 periods, uniform ones from 2.5 to 3.5. Nodes know the
// bound.
func TestLeast(t *testing.T) {
	cfg := sim.Config{Graph: generated(t, "line:3"), IDs: []caucus.ID{1, 1, 1}, Initiators: []int{0}, Least: 0.5}
	if got := play(t, script{}, nil, cfg, 1); len(got) != 1 || got[0].at != 1500*time.Millisecond {
		t.Errorf("%v, want a message at 1.5", got)
	}
	cfg.Delays, cfg.Least = sim.UniformDelay, 2.5
	if got := play(t, script{}, nil, cfg, 1); len(got) != 1 || got[0].at < 2500*time.Millisecond ||
		got[0].at > 3500*time.Millisecond {
		t.Errorf("%v, want a message from 2.5 to 3.5", got)
	}
	cfg.Delays, cfg.Scheduler = "", sim.RandomNext
	if _, err := engine.NewEvents(script{}, nil, cfg); err == nil || !strings.Contains(err.Error(), "least") {
		t.Errorf("%v", err)
	}
}

// A node that is down from 0.5 to 2.5 of a run of 3.5 periods was up for 1.5.
func TestUp(t *testing.T) {
	cfg := sim.Config{Graph: generated(t, "line:3"), IDs: []caucus.ID{2, 1, 3}, Initiators: []int{0},
		Faults: []sim.Fault{{At: 0.5, Kind: sim.Crash, Nodes: []int{1}}, {At: 2.5, Kind: sim.Restart, Nodes: []int{1}}}}
	r, err := engine.RunEvents(context.Background(), script{}, nil, cfg)
	if err != nil || r.Time != 3.5 || !slices.Equal(r.Up, []float64{3.5, 1.5, 3.5}) {
		t.Errorf("%v: up %v of %v", err, r.Up, r.Time)
	}
}
