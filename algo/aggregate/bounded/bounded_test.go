package bounded_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

func graph(t testing.TB, n int, edges ...network.Edge) *network.Graph {
	t.Helper()
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// line is a path of n nodes with equal edges.
func line(t testing.TB, n int, length float64) *network.Graph {
	var edges []network.Edge
	for i := range n - 1 {
		edges = append(edges, network.Edge{A: int32(i), B: int32(i + 1), W: length})
	}
	return graph(t, n, edges...)
}

func elect(t testing.TB, faithful, options string) *bounded.Election {
	t.Helper()
	given := map[string]string{}
	for _, pair := range strings.Fields(options) {
		name, value, _ := strings.Cut(pair, "=")
		given[name] = value
	}
	args, err := bounded.Spec.Resolve(faithful, given)
	if err != nil {
		t.Fatal(err)
	}
	e, err := bounded.FromArgs(args)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

type rounds = engine.Rounds[bounded.Candidacy, bounded.Candidacy]

func start(t testing.TB, e *bounded.Election, cfg sim.Config) *rounds {
	t.Helper()
	cfg.Workers = 1
	if cfg.Lengths == nil {
		cfg.Lengths = cfg.Graph.Weight
	}
	r, err := engine.NewRounds(e, &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func steps(r *rounds, n int) *rounds {
	for range n {
		r.Step()
	}
	return r
}

func leaders(r *rounds) []caucus.ID {
	var out []caucus.ID
	for _, o := range r.Outcomes() {
		out = append(out, o.Leader)
	}
	return out
}

// haunt gives every node the candidacy of a dead node 99 of strength 9.
func haunt(r *rounds, nodes int) {
	ghost := bounded.Candidacy{Val: -9, Lead: 99}
	for i := range nodes {
		r.Inject(i, ghost, ghost)
	}
}

// freeAt is the first round after which no node supports the ghost 99 and none does in the 20 after.
func freeAt(t testing.TB, r *rounds, limit int) int {
	t.Helper()
	free := -1
	for i := 1; i <= limit; i++ {
		r.Step()
		if slices.Contains(leaders(r), 99) {
			free = -1
		} else if free < 0 {
			free = i
		}
		if free > 0 && i >= free+20 {
			return free
		}
	}
	t.Fatalf("not free of the ghost after %d rounds", limit)
	return 0
}

func TestCandidacySize(t *testing.T) {
	if got := unsafe.Sizeof(bounded.Candidacy{}); got != 32 {
		t.Errorf("a candidacy takes %d bytes, want 32", got)
	}
}

// Seven nodes in a row, unit edges, radius 3: the strongest, 1, takes what is at most (le) or
// less than (lt) 3 away; then the strongest left, 7; then, with lt, 4 alone: 5 is taken.
// Six of equal strength, radius 2: with the paper's order every node is its own nearest
// of that strength; with sid 1 takes 2 and 3, and 4 takes 5 and 6.
func TestCleanStart(t *testing.T) {
	s7, s6 := []float64{9, 1, 2, 3, 4, 5, 6}, []float64{1, 1, 1, 1, 1, 1}
	for _, c := range []struct {
		faithful, options string
		strengths         []float64
		rounds            int
		want              []caucus.ID
	}{
		{"", "radius=3 radius-cmp=le", s7, 3, []caucus.ID{1, 1, 1, 1, 7, 7, 7}},
		{"", "radius=3 radius-cmp=lt", s7, 3, []caucus.ID{1, 1, 1, 4, 7, 7, 7}},
		{"paper", "radius=3", s7, 3, []caucus.ID{1, 1, 1, 1, 7, 7, 7}},
		{"artefact", "radius=3", s7, 3, []caucus.ID{1, 1, 1, 4, 7, 7, 7}},
		{"paper", "radius=2", s6, 6, []caucus.ID{1, 2, 3, 4, 5, 6}},
		{"", "radius=2", s6, 6, []caucus.ID{1, 1, 1, 4, 4, 4}},
		{"", "radius=inf", s6, 6, []caucus.ID{1, 1, 1, 1, 1, 1}},
		{"", "radius=inf hop-limit=1", s6, 12, []caucus.ID{1, 1, 3, 3, 5, 5}},
		{"", "radius=inf hop-limit=1", s7, 12, []caucus.ID{1, 1, 3, 5, 5, 7, 7}},
	} {
		r := steps(start(t, elect(t, c.faithful, c.options),
			sim.Config{Graph: line(t, len(c.strengths), 1), Strengths: c.strengths}), c.rounds)
		if got := leaders(r); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %v after %d rounds, want %v", c.faithful, c.options, got, c.rounds, c.want)
		}
		if before := leaders(r); !slices.Equal(leaders(steps(r, 20)), before) {
			t.Errorf("%s %s: still changing", c.faithful, c.options)
		}
	}
}

// Two nodes joined by an edge of length 0 that both hold the candidacy of a dead node pass
// it to and fro without its growing; the clamp makes it grow, the heartbeat makes it old.
func TestZeroLengthGhost(t *testing.T) {
	for _, c := range []struct {
		faithful, options string
		forever           bool
	}{
		{"paper", "radius=100", true},
		{"artefact", "radius=100", true},
		{"", "radius=100", false},
		{"", "radius=100 heartbeat=0", false},
		{"", "radius=100 clamp=off", false},
	} {
		r := start(t, elect(t, c.faithful, c.options),
			sim.Config{Graph: line(t, 2, 0), Strengths: []float64{1, 2}, Unsafe: true})
		haunt(r, 2)
		if c.forever {
			if got := leaders(steps(r, 10_000)); !slices.Equal(got, []caucus.ID{99, 99}) {
				t.Errorf("%s: the ghost is gone: %v", c.faithful, got)
			}
			continue
		}
		if free := freeAt(t, r, 200); free > 67 {
			t.Errorf("%s: free of the ghost after %d rounds", c.options, free)
		}
		if got := leaders(steps(r, 10)); !slices.Equal(got, []caucus.ID{2, 2}) {
			t.Errorf("%s: %v, want the stronger node, 2", c.options, got)
		}
	}
}

// Without heartbeat a ghost gains one edge a round: over an edge of 0.5 it is longer than 100 in
// round 201, and the live candidacy arrives in round 202. R = 400: 802.
func TestGhostWithoutHeartbeat(t *testing.T) {
	for _, c := range []struct {
		radius string
		stable int
	}{{"100", 202}, {"400", 802}} {
		for _, faithful := range []string{"", "paper"} {
			r := start(t, elect(t, faithful, "heartbeat=0 clamp=off radius="+c.radius),
				sim.Config{Graph: line(t, 2, 0.5), Strengths: []float64{1, 2}})
			haunt(r, 2)
			want := []caucus.ID{2, 2}
			if got := leaders(steps(r, c.stable-1)); slices.Equal(got, want) {
				t.Errorf("R=%s %s: stable before round %d", c.radius, faithful, c.stable)
			}
			if got := leaders(steps(r, 1)); !slices.Equal(got, want) {
				t.Errorf("R=%s %s: %v after %d rounds", c.radius, faithful, got, c.stable)
			}
		}
	}
}

// Copies of a ghost that claim to be equally far from it do not support each other: each may be
// the other's follower. They wait one round for news, and go, whatever the radius and the lengths.
func TestHeartbeatIsIndependentOfLengths(t *testing.T) {
	for _, beats := range []int{1, 3, 7} {
		for _, radius := range []string{"1", "100", "400", "1e6", "inf"} {
			for _, length := range []float64{1e-6, 0.01, 0.5, 1} {
				if radius == "1" && length == 1 {
					continue // the ghost would die of length
				}
				e := elect(t, "", fmt.Sprintf("radius=%s heartbeat=%d", radius, beats))
				r := start(t, e, sim.Config{Graph: line(t, 3, length), Strengths: []float64{1, 2, 3}})
				haunt(r, 3)
				if free := freeAt(t, r, 100); free != min(beats, 2) {
					t.Errorf("R=%s, length %g, heartbeat %d: free after %d rounds", radius, length, beats, free)
				}
			}
		}
	}
}

// The leader at the end of a line stops, and its last message stays for long. Its neighbour
// reads the last beat one round later, gives up after heartbeat rounds without another, and
// every further node one round after the one before.
func TestGivingUpByHops(t *testing.T) {
	const crash = 10
	for _, beats := range []int{2, 3, 7} {
		e := elect(t, "", fmt.Sprintf("radius=100 heartbeat=%d", beats))
		r := start(t, e, sim.Config{Graph: line(t, 5, 0.25), Strengths: []float64{9, 1, 2, 3, 4}, Faults: []sim.Fault{
			{At: crash, Kind: sim.Crash, Nodes: []int{0}},
			{At: 0, Kind: sim.Expiry, Rounds: 1000},
		}})
		last := make([]int, 5) // round after which a node last followed node 1
		for round := 1; round <= 60; round++ {
			r.Step()
			for i, leader := range leaders(r) {
				if leader == 1 {
					last[i] = round
				}
			}
		}
		for hops := 1; hops < 5; hops++ {
			// News in round crash+1 at the latest; age 1 to beats in the rounds after it.
			if want := crash + beats + hops - 1; last[hops] != want {
				t.Errorf("heartbeat %d, %d hops: followed the dead leader until round %d, want %d", beats, hops,
					last[hops], want)
			}
		}
	}
}

// News that is late at every hop is waited for: a node at h hops bears h-1 rounds more than the heartbeat.
func TestPatienceGrowsWithHops(t *testing.T) {
	e := elect(t, "", "radius=100 heartbeat=3")
	leader := bounded.Candidacy{Val: -9, Lead: 1, Seq: 100}
	for hops := 1; hops <= 20; hops++ {
		s, up := leader, leader
		s.Hops, up.Hops = uint8(hops), uint8(hops-1)
		bears := 0
		for ; bears < 50; bears++ {
			e.Round(&caucus.Local{ID: 7}, &s, caucus.Inbox[bounded.Candidacy]{Msgs: []bounded.Candidacy{up},
				Dist: []float64{1}})
			if s.Lead != 1 {
				break
			}
		}
		// the round in which it gives up is number heartbeat+hops-1, the age in sixteenths stopping at 15 rounds
		if want := min(3+hops-1, 15) - 1; bears != want {
			t.Errorf("%d hops: bears %d rounds without news, want %d", hops, bears, want)
		}
	}
}

// A leader that restarts with its old identity counts from 0, far behind what its followers
// hold. It must overtake their echoes before they give it up.
func TestHeartbeatSurvivesRestart(t *testing.T) {
	e := elect(t, "", "radius=10")
	r := steps(start(t, e, sim.Config{Graph: line(t, 3, 1), Strengths: []float64{9, 1, 1}}), 100)
	l := caucus.Local{ID: 1, Strength: 9, Nonce: uint64(r.State(0).Nonce)}
	r.Inject(0, first(e.Boot(&l)), second(e.Boot(&l)))
	for k := range 20 {
		if got := leaders(steps(r, 1)); !slices.Equal(got, []caucus.ID{1, 1, 1}) {
			t.Fatalf("%d rounds after the restart: %v", k+1, got)
		}
	}
	if seq := r.State(0).Seq; seq < 100 {
		t.Errorf("the leader counts %d, behind what its followers had", seq)
	}
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// A leader that restarts with a new nonce is another instance: the old one dies like any ghost.
func TestRestartWithNewNonce(t *testing.T) {
	r := start(t, elect(t, "", "radius=10"), sim.Config{Graph: line(t, 3, 1), Strengths: []float64{9, 1, 1},
		Faults: []sim.Fault{{At: 10, Kind: sim.Crash, Nodes: []int{0}}, {At: 11, Kind: sim.Restart, Nodes: []int{0}}}})
	old := steps(r, 10).State(0).Nonce
	steps(r, 20)
	for i := range 3 {
		if s := r.State(i); s.Lead != 1 || s.Nonce == old {
			t.Errorf("node %d supports instance %d of node %d (the first was %d)", i+1, s.Nonce, s.Lead, old)
		}
	}
}

// Two nodes with one ID: with the nonce on one of them gives up and knows of the other;
// with it off each drops the other's candidacy and both lead (algorithms.md section 1).
func TestTwins(t *testing.T) {
	cfg := sim.Config{Graph: line(t, 3, 1), IDs: []caucus.ID{7, 8, 7}, Unsafe: true}
	r := steps(start(t, elect(t, "", "radius=10"), cfg), 10)
	leads, twin := 0, 0
	for i, o := range r.Outcomes() {
		if o.Role == caucus.Leader {
			leads++
		}
		if o.Twin != 0 {
			twin++
			if other := r.State(2 - i).Nonce; o.Twin != uint64(other) {
				t.Errorf("node %d reports twin %d, the other instance is %d", i+1, o.Twin, other)
			}
		}
	}
	if leads != 1 || twin != 1 {
		t.Errorf("%d lead and %d report a twin, want 1 and 1: %+v", leads, twin, r.Outcomes())
	}
	r = steps(start(t, elect(t, "", "radius=10 nonce=off"), cfg), 10)
	if out := r.Outcomes(); out[0].Role != caucus.Leader || out[2].Role != caucus.Leader {
		t.Errorf("without nonce: %+v, want both twins to lead", out)
	}
}

// Whatever a strength was, after some rounds the result is as if it had always been what it is.
func TestStrengthChanges(t *testing.T) {
	r := start(t, elect(t, "", "radius=2"), sim.Config{Graph: line(t, 5, 1), Strengths: []float64{9, 1, 1, 1, 5},
		Faults: []sim.Fault{
			{At: 20, Kind: sim.Strength, Nodes: []int{2}, Value: 10},
			{At: 40, Kind: sim.Strength, Nodes: []int{2}, Value: 1},
			{At: 60, Kind: sim.Strength, Nodes: []int{0}, Value: 0},
		}})
	for _, want := range [][]caucus.ID{
		{1, 1, 1, 5, 5}, // 5 takes 4: 1 reaches only 3
		{3, 3, 3, 3, 3},
		{1, 1, 1, 5, 5},
		{2, 2, 5, 5, 5}, // 5 takes 3 and 4; 2 takes 1 by strength
	} {
		steps(r, 20)
		if got := leaders(r); !slices.Equal(got, want) {
			t.Errorf("after %d rounds %v, want %v", r.Periods(), got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		c    bounded.Config
		want string
	}{
		{"radius 0", bounded.Config{}, "radius"},
		{"radius NaN", bounded.Config{Radius: math.NaN()}, "radius"},
		{"radius negative", bounded.Config{Radius: -1}, "radius"},
		{"nothing ends a ghost", bounded.Config{Radius: math.Inf(1), Nonce: true}, "heartbeat and hop-limit are off"},
		{"hops", bounded.Config{Radius: 1, HopLimit: 256}, "hop-limit"},
		{"heartbeat", bounded.Config{Radius: 1, Heartbeat: 16}, "heartbeat"},
	} {
		if _, err := bounded.New(c.c); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error about %s", c.name, err, c.want)
		}
	}
	if _, err := bounded.New(bounded.Default(math.Inf(1))); err != nil {
		t.Errorf("defaults with radius inf: %v", err)
	}
}

// Three copies of one ghost, each ahead of the next modulo 2^16, must not keep each other
// young: with radius inf nothing but age ends them.
func TestBeatsInACircle(t *testing.T) {
	g := graph(t, 3, network.Edge{A: 0, B: 1, W: 1}, network.Edge{A: 1, B: 2, W: 1}, network.Edge{A: 2, B: 0, W: 1})
	r := start(t, elect(t, "", "radius=inf"), sim.Config{Graph: g, Strengths: []float64{1, 2, 3}})
	for i, seq := range []uint16{0, 22000, 44000} {
		ghost := bounded.Candidacy{Val: -9, Lead: 99, Seq: seq}
		r.Inject(i, ghost, ghost)
	}
	if free := freeAt(t, r, 100); free != 2 {
		t.Errorf("free of the ghost after %d rounds, want 2", free)
	}
}

// What an operator gets who names a radius: clamp, nonce and a heartbeat of 3. Edges count at least a 64th of a finite
// radius; a limit of hops ends candidacies as a heartbeat does, and the hops are counted for it.
func TestOptions(t *testing.T) {
	all := bounded.Config{Radius: 5, Clamp: true, Heartbeat: 3, Nonce: true}
	if got := bounded.Default(5); got != all {
		t.Errorf("defaults %+v, want %+v", got, all)
	}
	for _, c := range []struct {
		c          bounded.Config
		edge, want float64
	}{
		{bounded.Config{Radius: 128, Clamp: true}, 0, 2}, {bounded.Config{Radius: 128, Clamp: true}, 1, 2},
		{bounded.Config{Radius: 128, Clamp: true}, 3, 3},
		{bounded.Config{Radius: 128}, 0, 0}, {bounded.Config{Radius: math.Inf(1), Clamp: true, Heartbeat: 3}, 1, 1},
	} {
		e, err := bounded.New(c.c)
		if err != nil || e.Length(c.edge) != c.want {
			t.Errorf("%+v: an edge of %g counts %g, want %g (%v)", c.c, c.edge, e.Length(c.edge), c.want, err)
		}
	}
	hops := bounded.Config{Radius: math.Inf(1), HopLimit: 2}
	near, far := candidacy(3, 1, 7), candidacy(4, 1, 8)
	near.Hops, far.Hops = 1, 2
	want := candidacy(3, 2, 7)
	want.Hops, want.Age = 2, 1
	if got := supports(t, hops, heard{near, 1}, heard{far, 1}); got != want {
		t.Errorf("hop-limit 2: supports %+v, want %+v", got, want)
	}
}
