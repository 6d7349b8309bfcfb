package mo_test

import (
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// bound is T_0 … T_most of Theorem 1: after T_x rounds all nodes within x hops of the best follow it.
func bound(k, most int) []int {
	t := make([]int, most+1)
	for x := 1; x <= most; x++ {
		g := (x - 1 + k - 1) / k
		t[x] = t[g] + g + x + 1
	}
	return t
}

// By hand: with K = 1, g = x-1 and T_x = T_(x-1) + 2x = x(x+1). With K = 2: T_1 = 0+0+1+1, T_2 = T_1+1+2+1,
// T_3 = T_1+1+3+1, T_4 = T_2+2+4+1, T_5 = T_2+2+5+1.
func TestBound(t *testing.T) {
	for x, got := range bound(1, 20) {
		if got != x*(x+1) {
			t.Errorf("K = 1: T_%d = %d", x, got)
		}
	}
	for x, want := range []int{0, 2, 6, 7, 13, 14} {
		if got := bound(2, 5)[x]; got != want {
			t.Errorf("K = 2: T_%d = %d, want %d", x, got, want)
		}
	}
}

// connected draws a connected network: a random tree and some more edges.
func connected(t *rapid.T, most int) *network.Graph {
	n := rapid.IntRange(1, most).Draw(t, "n")
	long := rapid.Bool().Draw(t, "long")
	var edges []network.Edge
	for i := 1; i < n; i++ {
		least := 0
		if long {
			least = max(0, i-2)
		}
		edges = append(edges, network.Edge{A: int32(rapid.IntRange(least, i-1).Draw(t, "parent")), B: int32(i), W: 1})
	}
	for range rapid.IntRange(0, n/2).Draw(t, "more") {
		edges = append(edges, network.Edge{A: int32(rapid.IntRange(0, n-1).Draw(t, "a")),
			B: int32(rapid.IntRange(0, n-1).Draw(t, "b")), W: 1})
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ids draws distinct IDs from 10 up and tells which node has the smallest.
func ids(t *rapid.T, n int) (out []caucus.ID, best int) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i, rank := range rapid.Permutation(order).Draw(t, "ids") {
		out = append(out, caucus.ID(10+3*rank))
		if rank == 0 {
			best = i
		}
	}
	return out, best
}

func run(t interface {
	Fatal(...any)
	Helper()
}, c mo.Config, cfg sim.Config) *engine.Rounds[mo.Bid, mo.Bid] {
	t.Helper()
	e, err := mo.New(c)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 1
	r, err := engine.NewRounds(e, &mo.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Property (Theorem 1): from a clean start all nodes within x hops agree after T_x rounds at the latest,
// and for good. Then the stable state: distances are hop distances, the reach is K·ecc+1 everywhere, and the
// best knows its eccentricity.
func TestTheorem1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := connected(t, 24)
		names, best := ids(t, g.Len())
		k := rapid.IntRange(1, 4).Draw(t, "k")
		r := run(t, mo.Config{K: k, TieDepth: rapid.Bool().Draw(t, "D")}, sim.Config{Graph: g, IDs: names})
		defer r.Close()
		checkAgreement(t, r, g, names, best, k, 0)
	})
}

// checkAgreement runs on from round `from`, from which on all IDs are real, to full quiescence.
func checkAgreement(t *rapid.T, r *engine.Rounds[mo.Bid, mo.Bid], g *network.Graph, names []caucus.ID, best, k,
	from int) {
	hops, ecc := network.Hops(g, best), network.Eccentricity(g, best)
	latest := bound(k, ecc)
	quiet := latest[ecc] + 2*ecc + 2
	for round := 0; round <= quiet+3; round++ {
		for i := range names {
			s := r.State(i)
			if round >= latest[hops[i]] && s.Lead != names[best] {
				t.Fatalf("K %d, %d rounds: node %d at %d hops follows %d, should follow %d since round %d", k, round, i,
					hops[i], s.Lead, names[best], latest[hops[i]])
			}
			if round >= quiet && (s.Dist != uint32(hops[i]) || s.Reach != uint32(k*ecc+1) ||
				i == best && s.Depth != uint32(ecc)) {
				t.Fatalf("K %d, %d rounds: %+v at %d hops of %d", k, round, s, hops[i], ecc)
			}
		}
		r.Step()
	}
}

// Property (lemmas): from any state, fake IDs are gone 1 + max(R - d) rounds later; the distance estimate of a node
// after t rounds is at least min(t, hops to the leader it names); and then Theorem 1 holds.
func TestFakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := connected(t, 14)
		names, best := ids(t, g.Len())
		real := map[caucus.ID]int{}
		for i, id := range names {
			real[id] = i
		}
		k, slack := rapid.IntRange(1, 3).Draw(t, "k"), 0
		le := rapid.Bool().Draw(t, "le")
		if le {
			slack = 1
		}
		r := run(t, mo.Config{K: k, LessEq: le}, sim.Config{Graph: g, IDs: names})
		defer r.Close()
		r.Step()
		pool := append([]caucus.ID{1, 5, 9, 500}, names...)
		life := 1 // of the longest-lived copy, fake or not
		for i := range names {
			b := mo.Bid{From: names[i], Lead: rapid.SampledFrom(pool).Draw(t, "lead"),
				Parent: rapid.SampledFrom(pool).Draw(t, "parent"),
				Dist:   rapid.Uint32Range(0, 20).Draw(t, "dist"), Reach: rapid.Uint32Range(0, 40).Draw(t, "reach"),
				Depth: rapid.Uint32Range(0, 20).Draw(t, "depth")}
			r.Inject(i, b, b)
		}
		least, most := map[caucus.ID]int{}, map[caucus.ID]int{}
		for i := range names {
			s := r.State(i)
			if d, ok := least[s.Lead]; !ok || int(s.Dist) < d {
				least[s.Lead] = int(s.Dist)
			}
			most[s.Lead] = max(most[s.Lead], int(s.Reach))
		}
		for id := range least {
			life = max(life, 1+slack+most[id]-least[id])
		}
		for round := 0; round <= life; round++ {
			for i := range names {
				s := r.State(i)
				owner, ok := real[s.Lead]
				if !ok && round >= life {
					t.Fatalf("fake ID %d is alive after %d rounds", s.Lead, round)
				}
				d := math.MaxInt
				if ok {
					d = int(network.Hops(g, owner)[i])
				}
				if int(s.Dist) < min(d, round) {
					t.Fatalf("after %d rounds node %d is %d hops from %d by its estimate, %d in truth", round, i,
						s.Dist, s.Lead, d)
				}
			}
			if round < life {
				r.Step()
			}
		}
		if !le {
			checkAgreement(t, r, g, names, best, k, life)
		}
	})
}

// Property: le agrees as well, no later than lt may.
func TestLessEqualAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := connected(t, 16)
		names, best := ids(t, g.Len())
		k := rapid.IntRange(1, 3).Draw(t, "k")
		timing := rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t, "timing")
		r := run(t, mo.Config{K: k, LessEq: true}, sim.Config{Graph: g, IDs: names, Timing: timing, Seed: 3})
		defer r.Close()
		ecc := network.Eccentricity(g, best)
		for range 2*bound(k, ecc)[ecc] + 2 {
			r.Step()
		}
		for i, o := range r.Outcomes() {
			if o.Leader != names[best] || (o.Role == caucus.Leader) != (i == best) {
				t.Fatalf("node %d: %+v", i, o)
			}
		}
	})
}

// Property: with max-reach R the regions are those of Bounded Election with R hops and equal strengths.
func TestMaxReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := connected(t, 20)
		names, _ := ids(t, g.Len())
		most := rapid.IntRange(1, 4).Draw(t, "max-reach")
		r := run(t, mo.Config{K: rapid.IntRange(1, 3).Draw(t, "k"), MaxReach: most}, sim.Config{Graph: g, IDs: names})
		defer r.Close()
		e, err := bounded.New(bounded.Config{Radius: float64(most)})
		if err != nil {
			t.Fatal(err)
		}
		b, err := engine.NewRounds(e, &bounded.Spec, sim.Config{Graph: g, IDs: names, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		for range 500 {
			r.Step()
			b.Step()
		}
		want := b.Outcomes()
		for i, o := range r.Outcomes() {
			if o.Leader != want[i].Leader || o.Role != want[i].Role || float64(r.State(i).Dist) != want[i].Distance {
				t.Fatalf("node %d: %+v, Bounded Election %+v", i, o, want[i])
			}
		}
	})
}

// Property: with tie R everything comes to rest, parents too; with tie D parents may alternate for ever (M2),
// while leaders and distances rest all the same.
func TestTie(t *testing.T) {
	restless := 0
	for seed := range uint64(40) {
		g, err := network.Generate("ws:14,k=4,p=0.3", seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, byDepth := range []bool{false, true} {
			r := run(t, mo.Config{K: 2, TieDepth: byDepth}, sim.Config{Graph: g})
			for range 200 {
				r.Step()
			}
			before := make([]mo.Bid, g.Len())
			for i := range before {
				before[i] = r.State(i)
			}
			r.Step()
			for i, was := range before {
				switch now := r.State(i); {
				case now == was:
				case !byDepth || now.Lead != was.Lead || now.Dist != was.Dist:
					t.Errorf("seed %d, node %d: %+v, then %+v", seed, i+1, was, now)
				default:
					restless++
				}
			}
			r.Close()
		}
	}
	if restless == 0 {
		t.Error("no parent alternates with tie D: the switch has no effect")
	}
}

// A dead leader is given up: no neighbour renews its reach.
func TestLeaderLost(t *testing.T) {
	g, err := network.Generate("grid:6x6", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, timing := range []sim.Timing{sim.Synchronous, sim.Asynchronous} {
		r := run(t, mo.Config{K: 2}, sim.Config{Graph: g, Timing: timing, Seed: 1,
			Faults: []sim.Fault{{At: 100, Kind: sim.Crash, Nodes: []int{0}}}})
		defer r.Close()
		for range 250 {
			r.Step()
		}
		for i, o := range r.Outcomes() {
			if i > 0 && o.Leader != 2 {
				t.Errorf("%s: node %d: %+v", timing, i+1, o)
			}
		}
	}
}

// Whatever the numbers, a round neither panics nor overflows.
func FuzzRound(f *testing.F) {
	f.Add(uint64(1), uint64(7), uint32(0), uint32(1), uint32(0), uint16(2), false)
	f.Add(uint64(0), uint64(0), uint32(math.MaxUint32), uint32(math.MaxUint32), uint32(math.MaxUint32), uint16(1000),
		true)
	f.Add(uint64(3), uint64(7), uint32(math.MaxInt32), uint32(math.MaxUint32), uint32(math.MaxUint32), uint16(1), true)
	f.Fuzz(func(t *testing.T, lead, parent uint64, dist, reach, depth uint32, k uint16, le bool) {
		e, err := mo.New(mo.Config{K: int(k%1000) + 1, LessEq: le})
		if err != nil {
			t.Fatal(err)
		}
		m := mo.Bid{From: 2, Lead: caucus.ID(lead), Parent: caucus.ID(parent), Dist: dist, Reach: reach, Depth: depth}
		l, s := caucus.Local{ID: 7, Degree: 1}, m
		out := e.Round(&l, &s, caucus.Inbox[mo.Bid]{Msgs: []mo.Bid{m}, Dist: []float64{1}})
		if out != s || s.Lead == caucus.None || s.Lead > 7 || s.Reach == 0 && s.Lead == 7 ||
			s.Dist > mo.Limit+1 || s.Lead != 7 && s.Dist != m.Dist+1 {
			t.Fatalf("%+v of %+v", s, m)
		}
		e.Outcome(&l, &s)
	})
}

func TestRefusals(t *testing.T) {
	for _, c := range []mo.Config{{}, {K: 1001}, {K: 1, MaxReach: -1}} {
		if _, err := mo.New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
