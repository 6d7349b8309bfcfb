package engine

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/fault"
	"caucus.example/caucus/sim"
	"pgregory.net/rapid"
)

// ear is an algorithm that only listens: its state is what it heard in its last round.
type ear struct{}

type word struct {
	ID    caucus.ID
	Round uint64 // of the sender when it spoke; 0 at its boot
	Nonce uint64
}

type heard struct {
	Round uint64
	Count int
	Words [4]word
}

func (ear) Boot(l *caucus.Local) (heard, word) { return heard{}, word{l.ID, 0, l.Nonce} }

func (ear) Round(l *caucus.Local, s *heard, in caucus.Inbox[word]) word {
	*s = heard{Round: l.Round, Count: len(in.Msgs)}
	copy(s.Words[:], in.Msgs)
	return word{l.ID, l.Round, l.Nonce}
}

func (ear) Outcome(l *caucus.Local, s *heard) caucus.Outcome {
	return caucus.Outcome{Role: caucus.Leader, Leader: l.ID + caucus.ID(s.Count)*100}
}

func (ear) Domain(w *caucus.World) (caucus.Values[heard], caucus.Values[word]) {
	n := uint64(len(w.IDs))
	return caucus.Values[heard]{Len: n, At: func(k uint64) heard { return heard{Round: 1000 + k} }},
		caucus.Values[word]{Len: n, At: func(k uint64) word { return word{ID: w.IDs[k], Round: 1000} }}
}

func listen(t testing.TB, cfg sim.Config) *Rounds[heard, word] {
	t.Helper()
	cfg.Workers = 1
	e, err := NewRounds[heard, word](ear{}, nil, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// log runs some periods and gives what node i heard in each, as "sender.round"; "-" for
// nothing and "off" while it does not run.
func log(e *Rounds[heard, word], i, periods int) string {
	var out []string
	for range periods {
		e.Step()
		s := e.State(i)
		switch {
		case !e.Live()[i]:
			out = append(out, "off")
		case s.Count == 0:
			out = append(out, "-")
		default:
			var words []string
			for _, w := range s.Words[:s.Count] {
				words = append(words, fmt.Sprintf("%d.%d", w.ID, w.Round))
			}
			out = append(out, strings.Join(words, "+"))
		}
	}
	return strings.Join(out, " ")
}

// Two nodes; what node 2 hears of node 1, and the other way round, in each synchronous
// round, the first of which is at time 0. What is sent in one round is heard in the next.
func TestFaultsSynchronous(t *testing.T) {
	one, two := []int{0}, []int{1}
	for _, c := range []struct {
		name   string
		faults []sim.Fault
		at     int
		want   string
	}{
		{"none", nil, 1, "1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7"},
		{"crash: heard for 3 more rounds", []sim.Fault{{At: 2, Kind: sim.Crash, Nodes: one}}, 1,
			"1.0 1.1 1.2 1.2 1.2 - - -"},
		{"crash of all", []sim.Fault{{At: 2, Kind: sim.Crash}}, 1, "1.0 1.1 off off off off off off"},
		{"crash, expiry of 1", []sim.Fault{{Kind: sim.Expiry, Rounds: 1}, {At: 2, Kind: sim.Crash, Nodes: one}}, 1,
			"1.0 1.1 1.2 - - - - -"},
		{"crash, expiry of 5", []sim.Fault{{Kind: sim.Expiry, Rounds: 5}, {At: 2, Kind: sim.Crash, Nodes: one}}, 1,
			"1.0 1.1 1.2 1.2 1.2 1.2 1.2 -"},
		{"restart clean: heard at once", []sim.Fault{{At: 2, Kind: sim.Crash, Nodes: one}, {At: 4,
			Kind: sim.Restart, Nodes: one}},
			1, "1.0 1.1 1.2 1.2 1.0 1.1 1.2 1.3"},
		{"restart clean: itself", []sim.Fault{{At: 2, Kind: sim.Crash, Nodes: one}, {At: 4, Kind: sim.Restart,
			Nodes: one}}, 0,
			"2.0 2.1 off off 2.4 2.5 2.6 2.7"},
		{"restart with old state", []sim.Fault{{At: 2, Kind: sim.Crash, Nodes: one},
			{At: 4, Kind: sim.Restart, Nodes: one, Keep: true}}, 1, "1.0 1.1 1.2 1.2 1.2 1.3 1.4 1.5"},
		{"join", []sim.Fault{{At: 3, Kind: sim.Join, Nodes: one}}, 1, "- - - 1.0 1.1 1.2 1.3 1.4"},
		{"leave: forgotten at once", []sim.Fault{{At: 2, Kind: sim.Leave, Nodes: one}}, 1, "1.0 1.1 - - - - - -"},
		{"leave and join", []sim.Fault{{At: 2, Kind: sim.Leave, Nodes: one}, {At: 4, Kind: sim.Join, Nodes: one}}, 1,
			"1.0 1.1 - - 1.0 1.1 1.2 1.3"},
		{"all lost: the last stays", []sim.Fault{{At: 2, Until: 5, Kind: sim.Loss, Rate: 1}}, 1,
			"1.0 1.1 1.2 1.2 1.2 1.2 1.6 1.7"},
		{"all lost, expiry of 2", []sim.Fault{{Kind: sim.Expiry, Rounds: 2}, {At: 2, Kind: sim.Loss, Rate: 1}}, 1,
			"1.0 1.1 1.2 1.2 - - - -"},
		{"loss elsewhere", []sim.Fault{{At: 2, Kind: sim.Loss, Rate: 1, Nodes: []int{2}}}, 1,
			"1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7"},
		{"loss on the links of a node", []sim.Fault{{At: 2, Kind: sim.Loss, Rate: 1, Nodes: two}}, 1,
			"1.0 1.1 1.2 1.2 1.2 1.2 1.2 1.2"},
		{"loss of what a node sends", []sim.Fault{{At: 2, Kind: sim.Loss, Rate: 1, Nodes: one, Way: fault.Out}}, 1,
			"1.0 1.1 1.2 1.2 1.2 1.2 1.2 1.2"},
		{"loss of what a node sends: it hears", []sim.Fault{{At: 2, Kind: sim.Loss, Rate: 1, Nodes: one,
			Way: fault.Out}}, 0,
			"2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7"},
		{"loss of what a node receives", []sim.Fault{{At: 2, Kind: sim.Loss, Rate: 1, Nodes: two, Way: fault.In}}, 1,
			"1.0 1.1 1.2 1.2 1.2 1.2 1.2 1.2"},
		{"loss of what a node receives: it is heard", []sim.Fault{{At: 2, Kind: sim.Loss, Rate: 1, Nodes: two,
			Way: fault.In}},
			0, "2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7"},
		{"latency of 1.5: seen in the second round from then", []sim.Fault{{At: 2, Until: 4, Kind: sim.Latency,
			Value: 1.5}}, 1,
			"1.0 1.1 1.2 1.2 1.2 1.5 1.6 1.7"},
		{"latency: what later messages overtake is dropped", []sim.Fault{{At: 2, Until: 3, Kind: sim.Latency,
			Value: 2.5}}, 1,
			"1.0 1.1 1.2 1.2 1.4 1.5 1.6 1.7"},
		{"delay", []sim.Fault{{At: 2, Until: 4, Kind: sim.Delay, Rounds: 2}}, 1, "1.0 1.1 1.2 1.2 1.2 1.5 1.6 1.7"},
		{"leave: what is on its way is gone too",
			[]sim.Fault{{Kind: sim.Delay, Rounds: 3}, {At: 3, Kind: sim.Leave, Nodes: one}, {At: 4, Kind: sim.Join,
				Nodes: one}}, 1,
			"1.0 1.0 1.0 - - - - 1.0"},
		{"partition: what is on its way is gone too",
			[]sim.Fault{{Kind: sim.Delay, Rounds: 3}, {At: 2, Until: 4, Kind: sim.Partition, Nodes: one}}, 1,
			"1.0 1.0 - - 1.4 1.4 1.4 1.4"},
		{"duplication: an old one comes again", []sim.Fault{{At: 2, Until: 3, Kind: sim.Duplication, Rounds: 1}}, 1,
			"1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7"},
		{"partition", []sim.Fault{{At: 2, Until: 4, Kind: sim.Partition, Nodes: one}}, 1,
			"1.0 1.1 - - 1.4 1.5 1.6 1.7"},
		{"partition of both", []sim.Fault{{At: 2, Until: 4, Kind: sim.Partition}}, 1,
			"1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7"},
		{"heal", []sim.Fault{{At: 2, Kind: sim.Partition, Nodes: one}, {At: 5, Kind: sim.Heal}}, 1,
			"1.0 1.1 - - - 1.5 1.6 1.7"},
		{"crash between rounds", []sim.Fault{{At: 1.5, Kind: sim.Crash, Nodes: one}}, 1, "1.0 1.1 1.2 1.2 1.2 - - -"},
	} {
		for _, boxes := range []bool{false, true} {
			cfg := sim.Config{Graph: networkOf(t, 3, [2]int{0, 1}), Faults: slices.Clone(c.faults), Seed: 1}
			if boxes { // the same with a message kept for each end of an edge
				cfg.Faults = append(cfg.Faults, sim.Fault{Kind: sim.Loss, Rate: 1, Nodes: []int{2}})
			}
			if got := log(listen(t, cfg), c.at, 8); got != c.want {
				t.Errorf("%s (boxes %v): node %d hears\n%s, want\n%s", c.name, boxes, c.at+1, got, c.want)
			}
		}
	}
}

// With seed 1 the phase of node 1 is before or after that of node 2; either way a
// message is heard in the first round of the other after it was sent.
func TestFaultsAsynchronous(t *testing.T) {
	for seed := range uint64(10) {
		phase := func(i int) float64 {
			r := caucus.NewRand(seed, "phase", uint64(i))
			return r.Float64()
		}
		want := map[string]string{
			"none": "1.1 1.2 1.3 1.4 1.5 1.6 1.7", "crash": "1.1 1.2 1.2 1.2 - - -",
			"restart": "1.1 1.2 1.2 1.1 1.2 1.3 1.4",
			"leave":   "1.1 1.2 - - - - -", "join": "- - - 1.1 1.2 1.3 1.4", "partition": "1.1 1.2 - - 1.5 1.6 1.7",
		}
		if phase(0) > phase(1) { // node 2 hears everything one round of its own later
			want = map[string]string{
				"none": "- 1.1 1.2 1.3 1.4 1.5 1.6", "crash": "- 1.1 1.2 1.2 1.2 - -",
				"restart": "- 1.1 1.2 1.2 1.1 1.2 1.3",
				"leave":   "- 1.1 - - - - -", "join": "- - - - 1.1 1.2 1.3", "partition": "- 1.1 - - 1.4 1.5 1.6",
			}
		}
		one := []int{0}
		for name, faults := range map[string][]sim.Fault{
			"none":      nil,
			"crash":     {{At: 2, Kind: sim.Crash, Nodes: one}},
			"restart":   {{At: 2, Kind: sim.Crash, Nodes: one}, {At: 3, Kind: sim.Restart, Nodes: one}},
			"leave":     {{At: 2, Kind: sim.Leave, Nodes: one}},
			"join":      {{At: 3, Kind: sim.Join, Nodes: one}},
			"partition": {{At: 2, Until: 4, Kind: sim.Partition, Nodes: one}},
		} {
			for _, boxes := range []bool{false, true} {
				cfg := sim.Config{Graph: networkOf(t, 3, [2]int{0, 1}), Faults: faults, Seed: seed,
					Timing: sim.Asynchronous}
				if boxes {
					cfg.Faults = append(slices.Clone(faults), sim.Fault{Kind: sim.Loss, Rate: 1, Nodes: []int{2}})
				}
				if got := log(listen(t, cfg), 1, 7); got != want[name] {
					t.Errorf("seed %d, %s (boxes %v): node 2 hears\n%s, want\n%s", seed, name, boxes, got, want[name])
				}
			}
		}
	}
}

// A restart with lost state is another instance, one with the old state the same.
func TestRestartNonce(t *testing.T) {
	for _, keep := range []bool{false, true} {
		e := listen(t, sim.Config{Graph: path(t, 2),
			Faults: []sim.Fault{{At: 2, Kind: sim.Crash, Nodes: []int{0}},
				{At: 4, Kind: sim.Restart, Nodes: []int{0}, Keep: keep}}})
		log(e, 0, 2)
		before := e.Export(0).Nonce
		log(e, 0, 4)
		if same := e.Export(0).Nonce == before; same != keep {
			t.Errorf("keep %v: same nonce %v", keep, same)
		}
	}
}

// Of 200 nodes in a ring 400 messages are sent a round; a fifth of them lost leaves 80
// ± 8 unheard, over 50 rounds 4000 ± 57.
func TestLossRate(t *testing.T) {
	const n, rounds = 200, 50
	var pairs [][2]int
	for i := range n {
		pairs = append(pairs, [2]int{i, (i + 1) % n})
	}
	e := listen(t, sim.Config{Graph: networkOf(t, n, pairs...), Seed: 5,
		Faults: []sim.Fault{{Kind: sim.Expiry, Rounds: 1}, {Kind: sim.Loss, Rate: 0.2}}})
	e.Step()
	lost := 0
	for range rounds {
		e.Step()
		for i := range n {
			lost += 2 - e.State(i).Count
		}
	}
	if math.Abs(float64(lost)-4000) > 5*57 {
		t.Errorf("%d of 20000 messages lost, want 4000 ± 57", lost)
	}
}

// With reordering an older message may come after a newer one.
func TestReordering(t *testing.T) {
	e := listen(t, sim.Config{Graph: path(t, 2), Seed: 3, Faults: []sim.Fault{{Kind: sim.Reordering, Rate: 0.5,
		Rounds: 4}}})
	last, back := uint64(0), 0
	for range 200 {
		e.Step()
		if s := e.State(1); s.Count == 1 {
			r := s.Words[0].Round
			if r < last {
				back++
			}
			if age := s.Round - 1 - r; age > 4+4 {
				t.Fatalf("round %d reads a message of round %d", s.Round, r)
			}
			last = r
		}
	}
	if back < 10 {
		t.Errorf("went back %d times in 200 rounds", back)
	}
}

func TestCorrupt(t *testing.T) {
	for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered} {
		algo := election(t, bounded.Default(20))
		cfg := sim.Config{Graph: path(t, 40), Seed: 2, Timing: timing, Workers: 1, Strengths: benchStrengths(40),
			StableFor: 10,
			Faults:    []sim.Fault{{At: 0, Kind: sim.Corrupt}, {At: 50, Kind: sim.Corrupt, Nodes: []int{3, 4, 5}}}}
		clean := cfg
		clean.Faults = nil
		e, err := NewRounds(algo, &bounded.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		e.applyFaults(0)
		ghosts := 0
		for i := range 40 {
			if s := e.State(i); s.Lead != caucus.ID(i+1) {
				ghosts++
			}
		}
		if ghosts < 30 {
			t.Errorf("%s: %d of 40 states were changed", timing, ghosts)
		}
		got, err := Run(context.Background(), algo, &bounded.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Run(context.Background(), algo, &bounded.Spec, clean)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(leaders(got.Outcomes), leaders(want.Outcomes)) || got.SettledAt < 50 {
			t.Errorf("%s: settled at %d with leaders %v, without corruption %v", timing, got.SettledAt,
				leaders(got.Outcomes), leaders(want.Outcomes))
		}
	}
}

// A fake leader is followed, until its followers miss it.
func TestFakeLeader(t *testing.T) {
	e, err := NewRounds(election(t, bounded.Default(20)), &bounded.Spec, sim.Config{Graph: path(t, 5), Every: 1,
		Faults: []sim.Fault{{At: 10, Kind: sim.FakeLeader, Nodes: []int{2}, Fake: 77, Value: 5}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 11 {
		e.Step()
	}
	if got := leaders(e.Outcomes()); !slices.Equal(got, []caucus.ID{1, 77, 77, 77, 1}) &&
		!slices.Equal(got, []caucus.ID{1, 77, 1, 77, 1}) {
		t.Errorf("one round after the fault: %v, want the neighbours of node 3 to follow 77", got)
	}
	for range 20 {
		e.Step()
	}
	if got := leaders(e.Outcomes()); !slices.Equal(got, []caucus.ID{1, 1, 1, 1, 1}) {
		t.Errorf("20 rounds later: %v", got)
	}
	if s := e.Result().Samples[10]; s.Regions != 2 {
		t.Errorf("sample of round 11: %+v, want 2 regions, the ghost's and 1's", s)
	}
}

// Leaders stands for whoever leads when the fault begins.
func TestLeadersCrash(t *testing.T) {
	r, err := Run(context.Background(), election(t, bounded.Default(3)), &bounded.Spec, sim.Config{Graph: path(t, 7),
		Strengths: []float64{9, 1, 2, 3, 4, 5, 6}, StableFor: 10,
		Faults: []sim.Fault{{At: 20, Kind: sim.Crash, Leaders: true}}})
	if err != nil {
		t.Fatal(err)
	}
	// 6 and 5..3; 2 is stronger than nothing but itself within what 6 leaves.
	if got, want := leaders(r.Outcomes), []caucus.ID{0, 2, 6, 6, 6, 6, 0}; !slices.Equal(got, want) {
		t.Errorf("leaders %v, want %v", got, want)
	}
	if r.SettledAt < 23 || r.SettledAt > 32 || !r.Converged {
		t.Errorf("settled at %d, want a few rounds after 20", r.SettledAt)
	}
}

func TestFaultsRefused(t *testing.T) {
	for _, c := range []struct {
		f    sim.Fault
		want string
	}{
		{sim.Fault{Kind: sim.Crash, Nodes: []int{7}}, `faults[0].nodes: found "7", allowed: node indices from 0 to 2`},
		{sim.Fault{Kind: sim.Crash, Nodes: []int{-1}},
			`faults[0].nodes: found "-1", allowed: node indices from 0 to 2`},
		{sim.Fault{Kind: "crush"}, `faults[0].kind: found "crush", allowed: crash, restart`},
		{sim.Fault{Kind: sim.Crash, At: -1}, `faults[0].at: found "-1"`},
		{sim.Fault{Kind: sim.Crash, At: math.NaN()}, `faults[0].at: found "NaN"`},
		{sim.Fault{Kind: sim.Crash, Until: 3}, `faults[0].until: found "3"`},
		{sim.Fault{Kind: sim.Loss, Rate: 0.5, At: 3, Until: 3}, `faults[0].until: found "3"`},
		{sim.Fault{Kind: sim.Loss}, `faults[0].rate: found "0"`},
		{sim.Fault{Kind: sim.Loss, Rate: 1.1}, `faults[0].rate: found "1.1"`},
		{sim.Fault{Kind: sim.Loss, Rate: math.NaN()}, `faults[0].rate: found "NaN"`},
		{sim.Fault{Kind: sim.Delay}, `faults[0].rounds: found "0"`},
		{sim.Fault{Kind: sim.Expiry, Rounds: -1}, `faults[0].rounds: found "-1"`},
		{sim.Fault{Kind: sim.Strength, Value: -2}, `faults[0].value: found "-2"`},
		{sim.Fault{Kind: sim.FakeLeader, Value: math.Inf(1)}, `faults[0].value: found "+Inf"`},
		{sim.Fault{Kind: sim.Join, Leaders: true}, `faults[0].leaders: found "true"`},
		{sim.Fault{Kind: sim.Heal, Nodes: []int{1}}, `faults[0].nodes: found "1 nodes"`},
	} {
		_, err := NewRounds[heard, word](ear{}, nil, sim.Config{Graph: path(t, 3), Faults: []sim.Fault{c.f}})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v\nwant %s…", c.f, err, c.want)
		}
	}
}

// drawFaults draws a schedule of up to 8 faults in the first 12 rounds.
func drawFaults(t *rapid.T, n int) []sim.Fault {
	kinds := []sim.FaultKind{sim.Crash, sim.Restart, sim.Join, sim.Leave, sim.Loss, sim.Duplication, sim.Delay,
		sim.Reordering, sim.Latency, sim.Expiry, sim.Partition,
		sim.Heal, sim.Strength, sim.Corrupt, sim.FakeLeader}
	var out []sim.Fault
	for range rapid.IntRange(0, 8).Draw(t, "faults") {
		f := sim.Fault{
			At: float64(rapid.IntRange(0, 48).Draw(t, "at")) / 4, Kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
			Rate: 0.3, Rounds: rapid.IntRange(1, 4).Draw(t, "rounds"),
			Value: float64(rapid.IntRange(0, 20).Draw(t, "value")) / 2,
			Keep:  rapid.Bool().Draw(t, "keep"),
		}
		if f.Kind == sim.Latency {
			f.Spread = f.Value / 2
		}
		if f.Kind.Lasts() && rapid.Bool().Draw(t, "ends") {
			f.Until = f.At + float64(rapid.IntRange(1, 20).Draw(t, "lasts"))/4
		}
		if f.Kind != sim.Heal && f.Kind != sim.Expiry {
			switch rapid.IntRange(0, 5).Draw(t, "who") {
			case 0:
			case 1:
				f.Leaders = f.Kind != sim.Join && f.Kind != sim.Restart
			default:
				for i := rapid.IntRange(0, n-1).Draw(t, "first"); i < n; i += 1 + n/50 {
					f.Nodes = append(f.Nodes, i)
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// Property: the number of workers changes nothing, and in asynchronous runs neither does the
// order that the engine chooses: a fault without effect in every period makes it run in order of phase.
func TestWorkersAndOrderChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, lengths := randomNetwork(t, 1500)
		cfg := sim.Config{Graph: g, Lengths: lengths, Strengths: benchStrengths(g.Len()),
			Seed: rapid.Uint64().Draw(t, "seed"), Every: 3, MaxRounds: 16, Traffic: rapid.Bool().Draw(t, "traffic"),
			Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Exponential}).Draw(t,
				"timing"),
			Faults: drawFaults(t, g.Len())}
		algo, err := bounded.New(bounded.Default(8))
		if err != nil {
			t.Fatal(err)
		}
		run := func(cfg sim.Config) *sim.Result {
			r, err := Run(context.Background(), algo, &bounded.Spec, cfg)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		cfg.Workers = 1
		want := run(cfg)
		cfg.Workers = rapid.IntRange(2, 4).Draw(t, "workers")
		if got := run(cfg); !reflect.DeepEqual(got, want) {
			t.Fatalf("%d workers: %s", cfg.Workers, difference(got, want))
		}
		if !cfg.Traffic {
			cfg.Traffic = true
			got := run(cfg)
			if got.Sent, got.Received, got.Up = nil, nil, nil; !reflect.DeepEqual(got, want) {
				t.Fatalf("counting by node: %s", difference(got, want))
			}
			cfg.Traffic = false
		}
		if cfg.Timing != sim.Asynchronous {
			return
		}
		cfg.Faults = slices.Clone(cfg.Faults)
		for k := range cfg.MaxRounds {
			cfg.Faults = append(cfg.Faults, sim.Fault{At: float64(k) + 0.875, Kind: sim.Crash, Nodes: []int{}})
		}
		if got := run(cfg); !reflect.DeepEqual(got, want) {
			t.Fatalf("in order of phase: %s", difference(got, want))
		}
	})
}

func difference(got, want *sim.Result) string {
	a, b := reflect.ValueOf(*got), reflect.ValueOf(*want)
	var out []string
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			out = append(out, fmt.Sprintf("%s: %v, want %v", a.Type().Field(i).Name, a.Field(i).Interface(),
				b.Field(i).Interface()))
		}
	}
	return strings.Join(out, "\n")
}
