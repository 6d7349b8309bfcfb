package prasle_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/iot/prasle"
	"caucus.example/caucus/algo/kit/rank"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
)

func graph(t interface{ Fatal(...any) }, spec string) *network.Graph {
	g, err := network.Generate(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ranks draws the strengths that make ranks of 1 to 254, as the published experiments have them.
func ranks(n int, seed uint64) []float64 {
	r, s := caucus.NewRand(seed, "ranks"), make([]float64, n)
	for i := range s {
		s[i] = 255 - float64(1+r.IntN(254))
	}
	return s
}

func diameter(g *network.Graph) int {
	d := 0
	for i := range g.Len() {
		d = max(d, network.Eccentricity(g, i))
	}
	return d
}

func reliable(t interface{ Fatal(...any) }, c prasle.ReliableConfig) *prasle.Reliable {
	if c.T == 0 {
		c.T = 1
	}
	a, err := prasle.NewReliable(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func runReliable(t interface{ Fatal(...any) }, c prasle.ReliableConfig, cfg sim.Config) *sim.Result {
	r, err := engine.RunEvents(context.Background(), reliable(t, c), &prasle.ReliableSpec, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// best is the node of least rank.
func best(strengths []float64) caucus.ID {
	b := 0
	for i, s := range strengths {
		if s > strengths[b] {
			b = i
		}
	}
	return caucus.ID(b + 1)
}

// The paper's listing in lock-step, K = D, ranks of 1 to 254, mean over 400 draws: messages on rings of 10, 20 and 40,
// without and with neighbour-knows. Everybody knows after D rounds and decides when K are over.
func TestPublishedMessages(t *testing.T) {
	for _, c := range []struct {
		n         int
		all, less float64
	}{{10, 53.6, 35.6}, {20, 132.8, 85.7}, {40, 318.2, 198.0}} {
		g := graph(t, fmt.Sprint("ring:", c.n))
		d := c.n / 2
		for knows, want := range map[bool]float64{false: c.all, true: c.less} {
			sum := 0.0
			for draw := range 400 {
				cfg := sim.Config{Graph: g, Strengths: ranks(c.n, uint64(draw)), Known: caucus.Known{Diameter: d}}
				r := runReliable(t, prasle.ReliableConfig{K: d, NeighbourKnows: knows}, cfg)
				sum += float64(r.Messages)
				for i, o := range r.Outcomes {
					if o.Leader != best(cfg.Strengths) || !o.Final {
						t.Fatalf("ring of %d, draw %d, node %d: %+v", c.n, draw, i+1, o)
					}
				}
				// Round k ends at k·(1 + 1/64).
				if known := float64(r.SettledAt); known > math.Ceil(float64(d)*(1+1./64)) {
					t.Fatalf("ring of %d, draw %d: all know after %g delays, %d rounds are enough", c.n, draw, known, d)
				}
			}
			if mean := sum / 400; math.Abs(mean/want-1) > 0.02 {
				t.Errorf("ring of %d, neighbour-knows %v: %.1f messages, want %.1f ± 2 %%", c.n, knows, mean, want)
			}
		}
	}
}

// On a clique, where one round tells all, neighbour-knows has nothing to save: 473 on the mesh of 40 is the other
// published count.
func TestMeshAndClique(t *testing.T) {
	mean := func(spec string, knows bool) float64 {
		g, sum := graph(t, spec), 0.0
		for draw := range 200 {
			d := diameter(g)
			sum += float64(runReliable(t, prasle.ReliableConfig{K: d, NeighbourKnows: knows},
				sim.Config{Graph: g, Strengths: ranks(g.Len(), uint64(draw)),
					Known: caucus.Known{Diameter: d}}).Messages)
		}
		return sum / 200
	}
	if m := mean("grid:5x8", false); math.Abs(m/473-1) > 0.05 {
		t.Errorf("mesh of 5 x 8: %.1f messages, want 473 ± 5 %%", m)
	}
	plain, knows := mean("clique:10", false), mean("clique:10", true)
	if knows < 0.85*plain || knows > plain {
		t.Errorf("clique: %.1f messages, %.1f with neighbour-knows", plain, knows)
	}
}

// K below the diameter is refused; in an unsafe run several nodes lead and none notices.
func TestTooFewRounds(t *testing.T) {
	err := reliable(t, prasle.ReliableConfig{K: 4}).Demands(caucus.Known{Diameter: 10})
	if err == nil || !strings.HasPrefix(err.Error(), `k: found "4", allowed: at least the diameter, 10`) {
		t.Errorf("error %v", err)
	}
	if err := reliable(t, prasle.ReliableConfig{K: 10}).Demands(caucus.Known{Diameter: 10}); err != nil {
		t.Error(err)
	}
	// Strengths rise along the line: news of the best meets nodes that have found nothing better for 4 rounds.
	g, s := graph(t, "line:20"), make([]float64, 20)
	s[0], s[19] = 9, 8
	r := runReliable(t, prasle.ReliableConfig{K: 4},
		sim.Config{Graph: g, Strengths: s, Known: caucus.Known{Diameter: 19}})
	leaders := 0
	for _, o := range r.Outcomes {
		if !o.Final {
			t.Fatalf("%+v", o)
		}
		if o.Role == caucus.Leader {
			leaders++
		}
	}
	if leaders < 2 {
		t.Errorf("%d leaders with K = 4 on a line of 20", leaders)
	}
}

// Any node may start alone: the default K covers the flood that wakes the others.
func TestOneInitiator(t *testing.T) {
	g := graph(t, "line:15")
	for i := range 15 {
		s := ranks(15, uint64(i))
		r := runReliable(t, prasle.ReliableConfig{},
			sim.Config{Graph: g, Strengths: s, Known: caucus.Known{Diameter: 14}, Initiators: []int{i}})
		for k, o := range r.Outcomes {
			if o.Leader != best(s) || !o.Final {
				t.Fatalf("initiator %d, node %d: %+v", i+1, k+1, o)
			}
		}
	}
}

// The published code needs (K + 3)·T where the paper has K·T: one round more, of which the first lasts three times as
// long.
func TestArtefactTime(t *testing.T) {
	g := graph(t, "ring:10")
	for _, c := range []struct {
		artefact bool
		rounds   float64
	}{{false, 7}, {true, 10}} {
		s := ranks(10, 3)
		r := runReliable(t, prasle.ReliableConfig{K: 7, Artefact: c.artefact},
			sim.Config{Graph: g, Strengths: s, Known: caucus.Known{Diameter: 5}})
		if want := c.rounds * (1 + 1./64); math.Abs(r.Time-want) > 1e-9 {
			t.Errorf("artefact %v: %g delays, want %g", c.artefact, r.Time, want)
		}
	}
}

// A minimum that nobody has any more stays: the best node dies after its first words.
func TestDeadMinimumStays(t *testing.T) {
	g, s := graph(t, "ring:10"), ranks(10, 1)
	dead := int(best(s)) - 1
	r := runReliable(t, prasle.ReliableConfig{K: 30},
		sim.Config{Graph: g, Strengths: s, Known: caucus.Known{Diameter: 5},
			Faults: []sim.Fault{{At: 0.5, Kind: sim.Crash, Nodes: []int{dead}}}})
	for i, o := range r.Outcomes {
		if i != dead && (o.Leader != best(s) || !o.Final) {
			t.Errorf("node %d: %+v", i+1, o)
		}
	}
}

func TestReliableRefuses(t *testing.T) {
	for _, c := range []prasle.ReliableConfig{{K: -1, T: 1}, {K: prasle.MaxK + 1, T: 1}, {T: 0}, {T: math.NaN()},
		{T: math.Inf(1)}} {
		if _, err := prasle.NewReliable(c); err == nil {
			t.Errorf("%+v accepted", c)
		}
	}
}

// The published program asks a neighbour that it has not heard after T. On a line of two whose better end loses its
// only message, sent at time 0, the other one asks at 1 and is answered at 2, within the first round of 3T. In the
// paper's rounds, as many, it never knows.
func TestAsks(t *testing.T) {
	g := graph(t, "line:2")
	for artefact, want := range map[bool]caucus.ID{true: 2, false: 1} {
		r := runReliable(t, prasle.ReliableConfig{K: 4, Artefact: artefact},
			sim.Config{Graph: g, Strengths: []float64{1, 2}, Known: caucus.Known{Diameter: 1},
				Faults: []sim.Fault{{Kind: sim.Loss, Rate: 1, Until: 0.5}}})
		if got := r.Outcomes[0].Leader; got != want || !r.Outcomes[0].Final {
			t.Errorf("artefact %v: node 1 follows %d, want %d", artefact, got, want)
		}
		// Two are lost; the published program sends two queries and two answers, and the first node tells the news.
		if want := map[bool]int64{true: 7, false: 2}[artefact]; r.Messages != want {
			t.Errorf("artefact %v: %d messages, want %d", artefact, r.Messages, want)
		}
	}
}

// However short a round is, K is no less than the diameter: the rounds that it takes then are more than an integer
// holds.
func TestShortestRounds(t *testing.T) {
	g := graph(t, "ring:5")
	for _, length := range []float64{1e-3, 1e-17, 1e-300} {
		strengths := ranks(g.Len(), 1)
		r := runReliable(t, prasle.ReliableConfig{T: length},
			sim.Config{Graph: g, Strengths: strengths, Seed: 1, Known: caucus.Known{Diameter: diameter(g)}})
		for i, o := range r.Outcomes {
			if o.Leader != best(strengths) {
				t.Errorf("T = %g: node %d follows %d, not %d", length, i+1, o.Leader, best(strengths))
			}
		}
	}
}

// A node listens K times. If K is not given: the hops, a share of a round for each hop's delay, as much for the flood
// that woke it, and one more.
func TestRoundsFromKnowledge(t *testing.T) {
	for _, c := range []struct {
		k        int
		t        float64
		diameter int
		want     int32
	}{
		{1, 1, 4, 1}, {9, 1, 4, 9}, {0, 1, 4, 4 + 8 + 1}, {0, 2, 4, 4 + 4 + 1}, {0, 1, 1, 1 + 2 + 1},
		{0, 1, 0, 1 + 2 + 1}, {0, 1e-300, 4, prasle.MaxK},
	} {
		r := reliable(t, prasle.ReliableConfig{K: c.k, T: c.t})
		var s prasle.Node
		r.Wake(&caucus.Local{ID: 5, Known: caucus.Known{Diameter: c.diameter}}, &s, true, &caucus.Outbox[rank.Pair]{})
		if s.Round != c.want {
			t.Errorf("K = %d, T = %g, diameter %d: %d rounds, want %d", c.k, c.t, c.diameter, s.Round, c.want)
		}
	}
}

// Where nobody asks, a query is no candidate and is not answered. A corrupt state that does not hold what each
// neighbour has told lets the node tell all.
func TestReliableCorrupt(t *testing.T) {
	n := woken(t, prasle.ReliableConfig{K: 2}, true)
	n.sends()
	if n.hears(0, rank.Pair{}); n.sends() != "" {
		t.Error("answers a query, which the paper does not know")
	}
	n = woken(t, prasle.ReliableConfig{K: 2, NeighbourKnows: true}, true)
	n.sends()
	n.hears(0, pair(-3, 7))
	n.s.Said = n.s.Said[:1]
	if n.round(); n.sends() != "1:7 2:7 " {
		t.Error("a node that has lost what its neighbours told keeps the news for itself")
	}
}

// Rounds take time even where nobody knows a bound on the delay, which an unsafe run permits: they do not end at once.
func TestRoundsTakeTime(t *testing.T) {
	for delay, want := range map[time.Duration]time.Duration{0: 2 * time.Millisecond, time.Second: 2 * time.Second} {
		var s prasle.Node
		var out caucus.Outbox[rank.Pair]
		l := &caucus.Local{ID: 1, Degree: 1, Known: caucus.Known{Delay: delay, Diameter: 1}}
		reliable(t, prasle.ReliableConfig{T: 2}).Wake(l, &s, true, &out)
		if len(out.Alarms) != 1 || out.Alarms[0].After < want || out.Alarms[0].After > want+want/32 {
			t.Errorf("delay %v: %+v, want one after %v", delay, out.Alarms, want)
		}
	}
}
