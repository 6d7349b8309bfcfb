package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/megamerger"
	"caucus.example/caucus/algo/iot/bully"
	"caucus.example/caucus/algo/iot/minfind"
	"caucus.example/caucus/algo/rings/asfar"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"caucus.example/caucus/story"
)

// chat says 0, 1, 2, … on every port, one at its start and one whenever a timer goes off.
type chat struct{ times []int }

type talked struct {
	said uint32
	from [][]uint32 // by port
}

func (chat) Boot(l *caucus.Local) talked { return talked{from: make([][]uint32, l.Degree)} }
func (c chat) Wake(l *caucus.Local, s *talked, _ bool, out *caucus.Outbox[uint32]) {
	for _, at := range c.times {
		out.After(time.Duration(at)*100*time.Millisecond, 0)
	}
	c.Timer(l, s, 0, out)
}
func (chat) Receive(_ *caucus.Local, s *talked, port int, m uint32, _ *caucus.Outbox[uint32]) {
	s.from[port] = append(s.from[port], m)
}
func (chat) Timer(l *caucus.Local, s *talked, _ int, out *caucus.Outbox[uint32]) {
	out.SendAll(l.Degree, -1, s.said)
	s.said++
}
func (chat) Outcome(*caucus.Local, *talked) (o caucus.Outcome) { return o }
func (chat) Kind(*uint32) int                                  { return 0 }
func (chat) Domain(*caucus.World) (s caucus.Values[talked], m caucus.Values[uint32]) {
	return s, m
}

// Whatever befalls frames, every message arrives once and in order, the run ends by itself, and it is the same again.
func TestChannelCarriesAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, err := network.Generate(rapid.SampledFrom([]string{"line:3", "ring:5", "clique:4"}).Draw(t, "graph"), 1)
		if err != nil {
			t.Fatal(err)
		}
		talk := chat{times: rapid.SliceOfN(rapid.IntRange(0, 300), 0, 40).Draw(t, "times")}
		rate := rapid.Float64Range(0.01, 0.7)
		var faults []sim.Fault
		for _, f := range []sim.Fault{
			{Kind: sim.Loss, Rate: rate.Draw(t, "rate")}, {Kind: sim.Duplication, Rate: 0.3, Rounds: 3},
			{Kind: sim.Reordering, Rate: 0.3, Rounds: 3}, {Kind: sim.Partition, At: 2, Until: 9, Nodes: []int{0}},
			{Kind: sim.Crash, At: 5, Nodes: []int{1}},
		} {
			if rapid.Bool().Draw(t, string(f.Kind)) {
				faults = append(faults, f)
				if f.Kind == sim.Crash {
					faults = append(faults, sim.Fault{Kind: sim.Restart, At: 12, Nodes: f.Nodes, Keep: true})
				}
			}
		}
		cfg := sim.Config{Graph: g, Seed: rapid.Uint64().Draw(t, "seed"), Faults: faults, MaxRounds: 10_000,
			Delays: rapid.SampledFrom(delays).Draw(t, "delays"), NoFIFO: rapid.Bool().Draw(t, "no FIFO"),
			Channel: rapid.IntRange(1, 9).Draw(t, "channel")}
		var first string
		for range 2 {
			var steps string
			cfg.Watch = func(x *story.Step) bool { steps += fmt.Sprintf("%+v\n", *x); return true }
			e, err := engine.NewEvents(talk, nil, cfg)
			if err != nil {
				t.Fatal(err)
			}
			for e.Step() {
			}
			if !e.Result().Converged {
				t.Fatal("not at rest")
			}
			for i := range g.Len() {
				s := e.State(i)
				for port, got := range s.from {
					want := make([]uint32, e.State(int(g.Neighbours(i)[port])).said)
					for k := range want {
						want[k] = uint32(k)
					}
					if !slices.Equal(got, want) {
						t.Fatalf("node %d heard %v at port %d, want %v", i, got, port, want)
					}
				}
			}
			if first != "" && steps != first {
				t.Fatal("another run with the same seed")
			}
			first = steps
		}
	})
}

// A node that begins anew gets what is said to its new life, nothing twice, and the run ends, also where a node stays
// down for which something waits.
func TestChannelOfNewLife(t *testing.T) {
	for seed := range uint64(50) {
		talk := chat{times: []int{10, 55, 60, 70, 150, 300, 301, 500}}
		e, err := engine.NewEvents(talk, nil, sim.Config{Graph: generated(t, "ring:4"), Seed: seed, Channel: 1,
			Delays: sim.UniformDelay, MaxRounds: 10_000, Faults: []sim.Fault{{Kind: sim.Loss, Rate: 0.4},
				{Kind: sim.Crash, At: 5, Nodes: []int{1}}, {Kind: sim.Restart, At: 20, Nodes: []int{1}},
				{Kind: sim.Crash, At: 25, Nodes: []int{3}}}})
		if err != nil {
			t.Fatal(err)
		}
		for e.Step() {
		}
		if r := e.Result(); !r.Converged || r.Frames == 0 {
			t.Fatalf("seed %d: not at rest after %g periods", seed, r.Time)
		}
		new, old := e.State(1).from[0], e.State(0).from[0]
		if n := len(new); n < 3 || new[n-1] != 8 || !slices.IsSorted(new) || len(slices.Compact(new)) != n {
			t.Errorf("seed %d: the new life heard %v", seed, new)
		}
		if n := len(old); n < 9 || !slices.Equal(old[n-9:], []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
			t.Errorf("seed %d: of the new life was heard %v", seed, old)
		}
	}
}

// rally answers every message for ever.
type rally struct{}

func (rally) Boot(*caucus.Local) (s struct{}) { return s }
func (rally) Wake(l *caucus.Local, _ *struct{}, _ bool, out *caucus.Outbox[uint32]) {
	out.SendAll(l.Degree, -1, 1)
}
func (rally) Receive(_ *caucus.Local, _ *struct{}, port int, m uint32, out *caucus.Outbox[uint32]) {
	out.Send(port, m)
}
func (rally) Timer(*caucus.Local, *struct{}, int, *caucus.Outbox[uint32]) {}
func (rally) Outcome(*caucus.Local, *struct{}) (o caucus.Outcome)         { return o }
func (rally) Kind(*uint32) int                                            { return 0 }
func (rally) Domain(*caucus.World) (s caucus.Values[struct{}], m caucus.Values[uint32]) {
	return s, m
}

// On bad links the channel takes no memory for each message, either.
func TestChannelAllocatesNothing(t *testing.T) {
	e, err := engine.NewEvents(rally{}, nil, sim.Config{Graph: generated(t, "ring:50"), Channel: 2,
		Delays: sim.UniformDelay, Faults: []sim.Fault{{Kind: sim.Loss, Rate: 0.2}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 200_000 {
		e.Step()
	}
	if a := testing.AllocsPerRun(20, func() {
		for range 1000 {
			e.Step()
		}
	}); a != 0 {
		t.Errorf("%g allocations in 1000 events", a)
	}
	if e.Pending() == 0 {
		t.Error("it was over before")
	}
}

// Elections that loss would end without a leader, or with several, end as on good links.
func TestElectionsOverChannels(t *testing.T) {
	for _, graph := range []string{"grid:4x4", "ring:12"} {
		g := generated(t, graph)
		cfg := sim.Config{Graph: g, Strengths: make([]float64, g.Len()), Delays: sim.UniformDelay, MaxRounds: 100_000}
		for i := range cfg.Strengths {
			cfg.Strengths[i] = float64(100 - i)
		}
		elect(t, graph+", minfind", minfind.Algorithm{}, &minfind.Spec, cfg)
		elect(t, graph+", mega-merger", megamerger.Algorithm{}, &megamerger.Spec, cfg)
		if g.Degree(0) == 2 && graph[0] == 'r' {
			elect(t, graph+", as-far", asfar.Algorithm{}, &asfar.Spec, cfg)
		}
	}
	cfg := sim.Config{Graph: generated(t, "clique:6"), Strengths: []float64{9, 8, 7, 6, 5, 4}, Delays: sim.UniformDelay,
		StableFor: 30, MaxRounds: 100_000}
	elect(t, "bully", bully.Algorithm{Config: bully.Config{Heartbeat: 3, Patience: 3}}, &bully.Spec, cfg)
}

// elect runs ten elections with the channel on links that lose three of ten frames, each of which must end with the
// leader of good links, and ten without.
func elect[S, M any](t *testing.T, what string, algo caucus.Events[S, M], spec *caucus.Spec, cfg sim.Config) {
	t.Helper()
	leaders := func() []caucus.ID {
		r, err := engine.RunEvents(t.Context(), algo, spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		list := make([]caucus.ID, len(r.Outcomes))
		for i, o := range r.Outcomes {
			list[i] = o.Leader
		}
		if cfg.Channel > 0 && !r.Converged {
			t.Errorf("%s, seed %d: not at rest", what, cfg.Seed)
		}
		return list
	}
	want, wrong := leaders(), 0
	cfg.Faults = []sim.Fault{{Kind: sim.Loss, Rate: 0.3}}
	for cfg.Seed = range uint64(10) {
		if cfg.Channel = 0; !slices.Equal(leaders(), want) {
			wrong++
		}
		if cfg.Channel = 1; !slices.Equal(leaders(), want) {
			t.Errorf("%s, seed %d: %v lead, want %v", what, cfg.Seed, leaders(), want)
		}
	}
	if wrong == 0 && !spec.Endless {
		t.Errorf("%s: loss does no harm without the channel either", what)
	}
}

// What a channel delivers is one of the orders of good links, of which the checker tries all: the record of a run on
// bad links with the channel is replayed without both.
func TestChannelIsAnOrderOfGoodLinks(t *testing.T) {
	for seed := range uint64(20) {
		cfg := sim.Config{Graph: generated(t, "ring:8"), Seed: seed, Delays: sim.UniformDelay, Channel: 2,
			Faults: []sim.Fault{{Kind: sim.Loss, Rate: 0.4}}}
		record, lines, r := watched(t, cfg)
		cfg.Channel, cfg.Faults, cfg.Replay, cfg.Delays = 0, nil, record, ""
		_, again, of := watched(t, cfg)
		if !slices.Equal(again, lines) || of.TraceHash != r.TraceHash || of.Messages != r.Messages {
			t.Errorf("seed %d: another run", seed)
		}
	}
}
