package engine

import (
	"context"
	"math"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"pgregory.net/rapid"
)

// network builds a graph of n nodes from pairs of nodes.
func networkOf(t testing.TB, n int, pairs ...[2]int) *network.Graph {
	t.Helper()
	records := make([]network.Edge, len(pairs))
	for k, p := range pairs {
		records[k] = network.Edge{A: int32(p[0]), B: int32(p[1]), W: math.NaN()}
	}
	g, _, err := network.Build(n, records)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func path(t testing.TB, n int) *network.Graph {
	var pairs [][2]int
	for i := range n - 1 {
		pairs = append(pairs, [2]int{i, i + 1})
	}
	return networkOf(t, n, pairs...)
}

func election(t testing.TB, c bounded.Config) *bounded.Election {
	t.Helper()
	e, err := bounded.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func leaders(outcomes []caucus.Outcome) []caucus.ID {
	out := make([]caucus.ID, len(outcomes))
	for i, o := range outcomes {
		out[i] = o.Leader
	}
	return out
}

// The path of 7 with unit edges: the strongest node, 1, takes 2 to 4 within radius 3 and the
// next strongest that is left, 7, takes 5 and 6. The rim is three hops away: three rounds.
func TestRunPath(t *testing.T) {
	cfg := sim.Config{Graph: path(t, 7), Strengths: []float64{9, 1, 2, 3, 4, 5, 6}, Seed: 1, StableFor: 5}
	r, err := Run(context.Background(), election(t, bounded.Default(3)), &bounded.Spec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := leaders(r.Outcomes), []caucus.ID{1, 1, 1, 1, 7, 7, 7}; !slices.Equal(got, want) {
		t.Errorf("leaders %v, want %v", got, want)
	}
	if r.SettledAt != 3 || r.Rounds != 8 || !r.Converged {
		t.Errorf("settled at %d, stopped at %d, converged %v; want 3, 8, true", r.SettledAt, r.Rounds, r.Converged)
	}
	if want := int64(8 * 2 * 6); r.Messages != want || r.Bytes != 32*want {
		t.Errorf("%d messages of %d bytes, want %d of 32 each", r.Messages, r.Bytes, want)
	}
}

// randomNetwork draws a graph with edges that join near indices more often, and lengths in 64ths.
func randomNetwork(t *rapid.T, most int) (*network.Graph, []float64) {
	n := rapid.IntRange(1, most).Draw(t, "n")
	r := caucus.NewRand(rapid.Uint64().Draw(t, "graph"), "test")
	degree := rapid.IntRange(0, 6).Draw(t, "degree")
	span := rapid.IntRange(1, 40).Draw(t, "span")
	var records []network.Edge
	for range n * degree / 2 {
		a := r.IntN(n)
		b := (a + 1 + r.IntN(span)) % n
		records = append(records, network.Edge{A: int32(a), B: int32(b), W: float64(1+r.IntN(192)) / 64})
	}
	g, _, err := network.Build(n, records)
	if err != nil {
		t.Fatal(err)
	}
	if g.Weight == nil {
		g.Weight = make([]float64, len(g.Nbr))
	}
	return g, g.Weight
}

// naive runs asynchronous rounds of Bounded Election as the definition says: node after
// node in order of phase, each reading what its neighbours sent last.
func naive(algo *bounded.Election, cfg sim.Config, periods int) []bounded.Candidacy {
	g := cfg.Graph
	n := g.Len()
	order := make([]int, n)
	phase := make([]float64, n)
	for i := range order {
		r := caucus.NewRand(cfg.Seed, "phase", uint64(i))
		order[i], phase[i] = i, r.Float64()
	}
	slices.SortFunc(order, func(a, b int) int {
		if phase[a] < phase[b] {
			return -1
		}
		return 1
	})
	state, export := make([]bounded.Candidacy, n), make([]bounded.Candidacy, n)
	booted := make([]bool, n)
	for p := range periods {
		for _, i := range order {
			nonce := caucus.NewRand(cfg.Seed, "nonce", uint64(i))
			l := &caucus.Local{ID: caucus.ID(i + 1), Strength: cfg.Strengths[i], Nonce: nonce.Uint64(),
				Round: uint64(p + 1)}
			if !booted[i] {
				state[i], _ = algo.Boot(l)
				booted[i] = true
			}
			var in caucus.Inbox[bounded.Candidacy]
			for k := g.Off[i]; k < g.Off[i+1]; k++ {
				if j := g.Nbr[k]; booted[j] && (p > 0 || phase[j] < phase[i]) {
					in.Msgs = append(in.Msgs, export[j])
					in.Dist = append(in.Dist, cfg.Lengths[k])
				}
			}
			export[i] = algo.Round(l, &state[i], in)
		}
	}
	return export
}

func TestAsynchronousIsPhaseOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, lengths := randomNetwork(t, 3000)
		cfg := sim.Config{Graph: g, Lengths: lengths, Seed: rapid.Uint64().Draw(t, "seed"), Timing: sim.Asynchronous,
			Workers: rapid.IntRange(1, 4).Draw(t, "workers")}
		for range g.Len() {
			cfg.Strengths = append(cfg.Strengths, float64(len(cfg.Strengths)*7919%13))
		}
		algo, err := bounded.New(bounded.Default(float64(rapid.IntRange(1, 20).Draw(t, "radius"))))
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewRounds(algo, &bounded.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		const periods = 6
		for range periods {
			e.Step()
		}
		for i, want := range naive(algo, cfg, periods) {
			if got := e.Export(i); got != want {
				t.Fatalf("node %d of %d exports %+v, in order of phase %+v", i, g.Len(), got, want)
			}
		}
	})
}
