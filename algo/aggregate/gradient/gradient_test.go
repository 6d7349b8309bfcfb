package gradient_test

import (
	"container/heap"
	"math"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/gradient"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// network draws a network of up to 14 nodes, connected or not, with lengths from 1/4 to 3 in quarters and strengths 0
// to 3.
func networkOf(t *rapid.T) (*network.Graph, []float64) {
	n := rapid.IntRange(1, 14).Draw(t, "n")
	g := algotest.Network(t, n, 12, 0.25)
	strengths := make([]float64, n)
	for i := range strengths {
		strengths[i] = float64(rapid.IntRange(0, 3).Draw(t, "strength"))
	}
	return g, strengths
}

// nearest is Dijkstra's algorithm from all sources at once: by node the distance and the source, smaller
// IDs first; sources are found by their definition.
func nearest(g *network.Graph, strengths []float64, c gradient.Config) ([]float64, []caucus.ID) {
	dist, lead := make([]float64, g.Len()), make([]caucus.ID, g.Len())
	var q queue
	for i := range dist {
		dist[i] = math.Inf(1)
		source := strengths[i] >= c.MinStrength
		for _, j := range g.Neighbours(i) {
			source = source && (strengths[i] > strengths[j] || strengths[i] == strengths[j] && i < int(j))
		}
		if source {
			q = append(q, place{0, caucus.ID(i + 1), i})
		}
	}
	heap.Init(&q)
	for len(q) > 0 {
		p := heap.Pop(&q).(place)
		if lead[p.node] != caucus.None {
			continue
		}
		dist[p.node], lead[p.node] = p.dist, p.lead
		for s := g.Off[p.node]; s < g.Off[p.node+1]; s++ {
			if d := p.dist + g.Weight[s]; d <= c.MaxDistance {
				heap.Push(&q, place{d, p.lead, int(g.Nbr[s])})
			}
		}
	}
	return dist, lead
}

type place struct {
	dist float64
	lead caucus.ID
	node int
}

type queue []place

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	return q[a].dist < q[b].dist || q[a].dist == q[b].dist && q[a].lead < q[b].lead
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)   { *q = append(*q, x.(place)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// Property: in every timing and from any state, distances and leaders become those of Dijkstra's algorithm.
func TestGradient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, strengths := networkOf(t)
		c := gradient.Config{MaxDistance: rapid.SampledFrom([]float64{math.Inf(1), 1, 2.5, 6}).Draw(t, "max-distance")}
		if !math.IsInf(c.MaxDistance, 1) {
			c.MinStrength = float64(rapid.IntRange(0, 3).Draw(t, "min-strength"))
		}
		e, err := gradient.New(c)
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.NewRounds(e, &gradient.Spec,
			sim.Config{Graph: g, Lengths: g.Weight, Strengths: strengths, Workers: 1, Seed: 1,
				Timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t,
					"timing")})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		r.Step()
		for i := range strengths {
			m := gradient.Mark{From: caucus.ID(i + 1),
				Strength: rapid.SampledFrom([]float64{0, 3, 9, math.NaN()}).Draw(t, "wrong strength"),
				Dist: rapid.SampledFrom([]float64{0, 0.5, 3, 20, -1, math.NaN(), math.Inf(1)}).Draw(t,
					"wrong dist"), Lead: caucus.ID(rapid.IntRange(0, 20).Draw(t, "wrong lead"))}
			r.Inject(i, m, m)
		}
		// No true distance exceeds 13 edges of length 3, and a wrong one rises by 1/4 a round; a jittered round takes
		// up to 1.1 periods.
		for range 250 {
			r.Step()
		}
		dist, lead := nearest(g, strengths, c)
		for i := range strengths {
			if s := r.State(i); s.Lead != lead[i] || s.Dist != dist[i] {
				t.Fatalf("node %d: %+v, want %d at %g", i+1, s, lead[i], dist[i])
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	for _, c := range []gradient.Config{{}, {MaxDistance: math.NaN()}, {MaxDistance: 1, MinStrength: -1},
		{MaxDistance: math.Inf(1), MinStrength: 1}} {
		if _, err := gradient.New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
