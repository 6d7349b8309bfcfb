package bounded_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/bounded"
	"caucus.example/caucus/algo/algotest"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
	"caucus.example/caucus/sim/engine"
	"pgregory.net/rapid"
)

// peel computes the fixpoint with the whole network in view: class after class of equal
// strength (with sid: node after node, by strength and ID), those not yet taken lead themselves
// and take, by shortest paths through nodes not yet taken, what is within the radius.
func peel(g *network.Graph, c bounded.Config, length func(float64) float64, strengths []float64) (lead []caucus.ID,
	dist []float64) {
	n := g.Len()
	lead, dist = make([]caucus.ID, n), make([]float64, n)
	nodes := make([]int, n)
	for i := range nodes {
		nodes[i] = i
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(strengths[b], strengths[a]) })
	for len(nodes) > 0 {
		size := 1
		for c.DistFirst && size < n && size < len(nodes) && strengths[nodes[size]] == strengths[nodes[0]] {
			size++
		}
		takeAll(g, c, length, nodes[:size], lead, dist)
		nodes = nodes[size:]
	}
	return lead, dist
}

// takeAll lets those of a class that are not yet taken take their regions, nearest
// first, smaller ID on equal distance.
func takeAll(g *network.Graph, c bounded.Config, length func(float64) float64, class []int, lead []caucus.ID,
	dist []float64) {
	type reach struct {
		node int
		lead caucus.ID
		dist float64
	}
	var open []reach
	for _, i := range class {
		if lead[i] == caucus.None {
			open = append(open, reach{i, caucus.ID(i + 1), 0})
		}
	}
	for len(open) > 0 {
		k := 0
		for o := range open {
			if open[o].dist < open[k].dist || open[o].dist == open[k].dist && open[o].lead < open[k].lead {
				k = o
			}
		}
		r := open[k]
		open = slices.Delete(open, k, k+1)
		if lead[r.node] != caucus.None || r.dist > c.Radius || c.RadiusLess && r.dist >= c.Radius {
			continue
		}
		lead[r.node], dist[r.node] = r.lead, r.dist
		for s := g.Off[r.node]; s < g.Off[r.node+1]; s++ {
			open = append(open, reach{int(g.Nbr[s]), r.lead, r.dist + length(g.Weight[s])})
		}
	}
}

// The example of the derivation: a stronger leader's candidacy does not pass through nodes that
// support a better one. Row 1-2-3-4, edges 1, R = 3: with strengths 5 9 1 7, 2 takes all within 3.
// With R = 1: 2 takes 1 and 3, and 4, although nothing stronger than it is near, leads itself.
func TestPeel(t *testing.T) {
	g, strengths := line(t, 4, 1), []float64{5, 9, 1, 7}
	same := func(x float64) float64 { return x }
	for _, c := range []struct {
		c    bounded.Config
		want []caucus.ID
	}{
		{bounded.Config{Radius: 3}, []caucus.ID{2, 2, 2, 2}},
		{bounded.Config{Radius: 1}, []caucus.ID{2, 2, 2, 4}},
		{bounded.Config{Radius: 1, RadiusLess: true}, []caucus.ID{1, 2, 3, 4}},
	} {
		if got, _ := peel(g, c.c, same, strengths); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.c, got, c.want)
		}
	}
}

// drawnCase is a random network and election. Lengths and radii are multiples of 1/64, so
// that sums of lengths are exact in whatever order they are added.
type drawnCase struct {
	g         *network.Graph
	c         bounded.Config
	e         *bounded.Election
	strengths []float64
	timing    sim.Timing
	seed      uint64
}

func drawCase(t *rapid.T) drawnCase {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	levels := rapid.IntRange(1, 4).Draw(t, "levels")
	d := drawnCase{
		timing: rapid.SampledFrom([]sim.Timing{sim.Synchronous, sim.Asynchronous, sim.Jittered}).Draw(t, "timing"),
		seed:   rapid.Uint64Range(0, 1000).Draw(t, "seed"),
	}
	d.g = algotest.Network(t, n, 192, 1.0/64)
	for range n {
		d.strengths = append(d.strengths, float64(rapid.IntRange(0, levels-1).Draw(t, "strength")))
	}
	d.c = bounded.Config{
		Radius:     float64(rapid.SampledFrom([]int{1, 2, 3, 5, 8, 16}).Draw(t, "radius")),
		RadiusLess: rapid.Bool().Draw(t, "lt"),
		DistFirst:  rapid.Bool().Draw(t, "sdi"),
		Clamp:      rapid.Bool().Draw(t, "clamp"),
		Heartbeat:  rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "heartbeat"),
		Nonce:      rapid.Bool().Draw(t, "nonce"),
	}
	if d.timing == sim.Jittered && d.c.Heartbeat == 1 {
		// A neighbour may run twice between two beats of a leader that is only a little slower.
		d.c.Heartbeat = 3
	}
	if d.c.Heartbeat > 0 && rapid.Bool().Draw(t, "inf") {
		d.c.Radius = math.Inf(1)
	}
	var err error
	if d.e, err = bounded.New(d.c); err != nil {
		t.Fatal(err)
	}
	return d
}

// candidacy draws one of any kind: from the domain, or wild.
func (d *drawnCase) candidacy(t *rapid.T, nonces []uint32) bounded.Candidacy {
	n := d.g.Len()
	anyFloat := rapid.SampledFrom([]float64{0, -0.25, -1, -2, -3, -4, -9, 7, math.NaN(), math.Inf(1), math.Inf(-1),
		-1e300})
	anyDist := rapid.SampledFrom([]float64{0, 0.5, 1, 2, 4, 7.5, 100, -1, math.NaN(), math.Inf(1), math.Inf(-1),
		5e-324})
	c := bounded.Candidacy{
		Val: anyFloat.Draw(t, "val"), Dist: anyDist.Draw(t, "dist"),
		Lead: caucus.ID(rapid.IntRange(0, n+2).Draw(t, "lead")),
		Seq:  rapid.Uint16().Draw(t, "seq"), Age: rapid.Uint8().Draw(t, "age"), Hops: rapid.Uint8().Draw(t, "hops"),
	}
	if i := int(c.Lead) - 1; i >= 0 && i < n && rapid.Bool().Draw(t, "real") {
		c.Nonce = nonces[i]
		if rapid.Bool().Draw(t, "strength") {
			c.Val = -d.strengths[i]
		}
	} else if rapid.Bool().Draw(t, "nonce") {
		c.Nonce = rapid.Uint32Range(1, 3).Draw(t, "nonce value")
	}
	return c
}

// settle is more rounds than any of these cases needs: a candidacy without support dies within
// max(R/l, 64)+1 rounds without heartbeat, at most 16*64+1 here, once for each strength level and
// once for the ghosts of each strength that a wild state may name.
func (d *drawnCase) settle() int {
	if d.c.Heartbeat > 0 {
		return 400
	}
	if d.c.Clamp {
		return 65*20 + 100
	}
	return int(d.c.Radius)*64*20 + 100
}

// Property: from a clean start and from any state, in every timing, leaders and distances
// become those of the peeling and stay so.
func TestFixpointIsPeeling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawCase(t)
		cfg := sim.Config{Graph: d.g, Lengths: d.g.Weight, Strengths: d.strengths, Seed: d.seed, Timing: d.timing,
			Workers: 1}
		r, err := engine.NewRounds(d.e, &bounded.Spec, cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if rapid.Bool().Draw(t, "ghosts") {
			r.Step()
			nonces := make([]uint32, d.g.Len())
			for i := range nonces {
				nonces[i] = r.State(i).Nonce
				if d.c.Nonce {
					nonce := caucus.NewRand(d.seed, "nonce", uint64(i))
					nonces[i] = uint32(nonce.Uint64())
				}
			}
			for i := range nonces {
				r.Inject(i, d.candidacy(t, nonces), d.candidacy(t, nonces))
			}
		}
		for range d.settle() {
			r.Step()
		}
		lead, dist := peel(d.g, d.c, d.e.Length, d.strengths)
		for range 40 {
			for i, o := range r.Outcomes() {
				if o.Leader != lead[i] || o.Distance != dist[i] {
					t.Fatalf("%s\nafter %d rounds node %d follows %d at %g, by peeling %d at %g\nstate %+v",
						d.describe(), r.Periods(), i+1, o.Leader, o.Distance, lead[i], dist[i], r.State(i))
				}
			}
			r.Step()
		}
	})
}

func (d *drawnCase) describe() string {
	text := fmt.Sprintf("%+v, %s, strengths %v, edges", d.c, d.timing, d.strengths)
	for i := range d.g.Len() {
		for s := d.g.Off[i]; s < d.g.Off[i+1]; s++ {
			if j := int(d.g.Nbr[s]); j > i {
				text += fmt.Sprintf(" %d-%d:%g", i+1, j+1, d.g.Weight[s])
			}
		}
	}
	return text
}

// Whatever a state and messages hold, a round neither panics nor lets a value through that the next
// node would choke on: the distance stays within the radius and an ID is named.
func FuzzRound(f *testing.F) {
	f.Add(-9.0, 0.0, uint64(99), uint32(0), uint16(0), uint8(0), uint8(0), 1.0, uint8(0))
	f.Add(math.NaN(), math.NaN(), uint64(0), uint32(1), uint16(65535), uint8(255), uint8(255), 1e-300, uint8(255))
	f.Add(math.Inf(-1), math.Inf(1), uint64(1), uint32(0), uint16(32768), uint8(16), uint8(1), math.MaxFloat64,
		uint8(3))
	f.Fuzz(func(t *testing.T, val, dist float64, lead uint64, nonce uint32, seq uint16, age, hops uint8, length float64,
		options uint8) {
		if !(length > 0) || math.IsInf(length, 1) {
			t.Skip("a driver's lengths are finite and > 0")
		}
		e, err := bounded.New(bounded.Config{Radius: 10, RadiusLess: options&1 != 0, DistFirst: options&2 != 0,
			Clamp:    options&4 != 0,
			HopLimit: int(options >> 6), Heartbeat: int(options >> 3 & 7), Nonce: true})
		if err != nil {
			t.Fatal(err)
		}
		m := bounded.Candidacy{Val: val, Dist: dist, Lead: caucus.ID(lead), Nonce: nonce, Seq: seq, Age: age,
			Hops: hops}
		other := m
		other.Seq, other.Age = seq+1, 0
		l := caucus.Local{ID: 1, Strength: 2, Degree: 3}
		s := m
		for range 3 {
			out := e.Round(&l, &s, caucus.Inbox[bounded.Candidacy]{Msgs: []bounded.Candidacy{m, other, s},
				Dist: []float64{length, length, length}})
			if out != s {
				t.Fatalf("exports %+v but holds %+v", out, s)
			}
			if s.Lead == caucus.None || !(s.Dist >= 0 && s.Dist <= 10) || math.IsNaN(s.Val) {
				t.Fatalf("supports %+v", s)
			}
			if s.Lead != l.ID && -s.Val < l.Strength {
				t.Fatalf("supports %+v, weaker than itself", s)
			}
			e.Outcome(&l, &s)
		}
	})
}

func TestDomain(t *testing.T) {
	e, err := bounded.New(bounded.Default(10))
	if err != nil {
		t.Fatal(err)
	}
	w := caucus.World{IDs: []caucus.ID{1, 2, 99}, Strengths: []float64{0, 7}, Dists: []float64{0, 1, 2.5}, Counter: 4}
	states, messages := e.Domain(&w)
	if want := uint64(3 * 2 * 3 * 4 * 3); states.Len != want || messages.Len != want {
		t.Fatalf("%d states, %d messages, want %d: IDs × strengths × distances × beats × ages below the limit",
			states.Len, messages.Len, want)
	}
	seen := map[bounded.Candidacy]bool{}
	for k := range states.Len {
		c := states.At(k)
		seen[c] = true
		if !slices.Contains(w.IDs, c.Lead) || !slices.Contains(w.Strengths, -c.Val) ||
			!slices.Contains(w.Dists, c.Dist) {
			t.Fatalf("value %d is outside the world: %+v", k, c)
		}
		if leader, _ := e.Backs(&c); leader != c.Lead {
			t.Fatalf("%+v backs %d", c, leader)
		}
	}
	if len(seen) != int(states.Len) {
		t.Errorf("%d distinct values of %d", len(seen), states.Len)
	}
}
