package sparse_test

import (
	"math"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/sparse"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

type rounds = engine.Rounds[sparse.Vote, sparse.Vote]

func start(t interface{ Fatal(...any) }, c sparse.Config, cfg sim.Config) *rounds {
	e, err := sparse.New(c)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 1
	r, err := engine.NewRounds(e, &sparse.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// shortest gives the distances between all pairs (Floyd, Warshall).
func shortest(g *network.Graph) [][]float64 {
	d := make([][]float64, g.Len())
	for i := range d {
		d[i] = make([]float64, g.Len())
		for j := range d[i] {
			d[i][j] = math.Inf(1)
		}
		d[i][i] = 0
		for s := g.Off[i]; s < g.Off[i+1]; s++ {
			d[i][g.Nbr[s]] = g.Weight[s]
		}
	}
	for k := range d {
		for i := range d {
			for j := range d {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

// Property: from a clean start every node ends within a grain of a leader, leaders are half a grain apart, and
// the broadcast names the nearest, at its distance.
func TestChoice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "n")
		g := algotest.Network(t, n, 8, 0.25)
		cfg := sim.Config{Graph: g, Lengths: g.Weight, Seed: rapid.Uint64Range(0, 99).Draw(t, "seed"),
			Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous}).Draw(t, "timing")}
		for range n {
			cfg.Strengths = append(cfg.Strengths, float64(rapid.IntRange(0, 3).Draw(t, "strength")))
		}
		c := sparse.Config{Grain: rapid.SampledFrom([]float64{0.5, 2, 3, 5, 20}).Draw(t, "grain"),
			Uids: rapid.SampledFrom([]sparse.Uids{sparse.Strength, sparse.Random, sparse.Negated}).Draw(t, "s-uid")}
		r := start(t, c, cfg)
		defer r.Close()
		for range 1000 {
			r.Step()
		}
		d := shortest(g)
		outcomes := r.Outcomes()
		for i, o := range outcomes {
			nearest, at := caucus.None, math.Inf(1)
			for j, p := range outcomes {
				if p.Role != caucus.Leader {
					continue
				}
				if d[i][j] < at {
					nearest, at = p.Leader, d[i][j]
				}
				if i != j && o.Role == caucus.Leader && d[i][j] < c.Grain/2 {
					t.Fatalf("leaders %d and %d are %g apart, grain %g", i+1, j+1, d[i][j], c.Grain)
				}
			}
			if at > c.Grain || o.Leader != nearest || o.Distance != at {
				t.Fatalf("node %d: %+v, nearest leader %d at %g, grain %g", i+1, o, nearest, at, c.Grain)
			}
		}
	})
}

// Not self-stabilising: two nodes, of which one remembers a uid 3 that nobody has and that is less than theirs. In
// lock-step each nominates itself in turn, is told of the ghost, and stands back; it never ends.
func TestGhostStaysForEver(t *testing.T) {
	g, _, err := network.Build(2, []network.Edge{{A: 0, B: 1, W: 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, sparse.Config{Grain: 2, Uids: sparse.Strength, Raw: true},
		sim.Config{Graph: g, Lengths: g.Weight, Strengths: []float64{5, 5}})
	defer r.Close()
	r.Step()
	ghost := sparse.UID{Key: 1, ID: 3}
	r.Inject(0, sparse.Vote{}, sparse.Vote{})
	r.Inject(1, sparse.Vote{Lead: ghost, Dist: 7}, sparse.Vote{Lead: ghost, Dist: 7})
	for range 10000 {
		r.Step()
	}
	alive := false
	for range 100 {
		r.Step()
		for i := range 2 {
			alive = alive || r.State(i).Lead == ghost
		}
	}
	if !alive {
		t.Error("the ghost is gone; Spec.Guarantee says that it stays")
	}
}

// On a line of nine one hop apart with strengths 0 to 8 and grain 4: by strength node 1, the weakest, leads, and so
// does node 6, the weakest of those more than four hops from it; the mirror image by negated strength. Random uids
// change with the seed, the two others do not.
func TestUids(t *testing.T) {
	g, err := network.Generate("line:9", 1)
	if err != nil {
		t.Fatal(err)
	}
	leads := func(uids sparse.Uids, seed uint64) (out []caucus.ID) {
		r := start(t, sparse.Config{Grain: 4, Uids: uids},
			sim.Config{Graph: g, Strengths: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}, Seed: seed})
		defer r.Close()
		for range 100 {
			r.Step()
		}
		for i, o := range r.Outcomes() {
			if o.Role == caucus.Leader {
				out = append(out, caucus.ID(i+1))
			}
		}
		return out
	}
	differ := false
	for seed := range uint64(10) {
		if got := leads(sparse.Strength, seed); !slices.Equal(got, []caucus.ID{1, 6}) {
			t.Errorf("by strength %v lead", got)
		}
		if got := leads(sparse.Negated, seed); !slices.Equal(got, []caucus.ID{4, 9}) {
			t.Errorf("by negated strength %v lead", got)
		}
		differ = differ || !slices.Equal(leads(sparse.Random, seed), leads(sparse.Random, 0))
	}
	if !differ {
		t.Error("random uids are the same for every seed")
	}
}

// Raw output names the leader within half a grain and nobody beyond.
func TestRaw(t *testing.T) {
	g, err := network.Generate("line:5", 1)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, sparse.Config{Grain: 4, Uids: sparse.Strength, Raw: true}, sim.Config{Graph: g})
	defer r.Close()
	for range 50 {
		r.Step()
	}
	for i, want := range []caucus.Outcome{
		{Role: caucus.Leader, Leader: 1, Distance: -1}, {Role: caucus.Follower, Leader: 1, Distance: -1},
		{Distance: -1}, {Distance: -1}, {Distance: -1},
	} {
		if got := r.Outcomes()[i]; got != want {
			t.Errorf("node %d: %+v, want %+v", i+1, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []sparse.Config{{}, {Grain: math.Inf(1), Uids: sparse.Random}, {Grain: 1, Uids: "best"}} {
		if _, err := sparse.New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
