package study

import (
	"context"
	"fmt"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/waves"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
)

// Mo is the set-up of the simulations of Mo et al.: random geometric graphs with random IDs, an
// election from a clean start, one disturbed by a fake leader, and one after the loss of the leader.
type Mo struct {
	Graphs   int    // how many
	Seed     uint64 // of graphs, IDs and victims
	Topology string // generator of the graphs; those that are not connected are thrown away
	FakeAt   int    // rounds before the fake leader
	Fooled   int    // nodes that take it for theirs
	MostK    int    // K from 1
}

// NewMo is what the paper has.
func NewMo(graphs int, seed uint64) Mo {
	return Mo{Graphs: graphs, Seed: seed, Topology: "rgg:n=500,radius=0.25,box=4x1", FakeAt: 10, Fooled: 51, MostK: 8}
}

// Study has one job for each graph.
func (m Mo) Study() *Study {
	return &Study{jobs.Batch{
		Name: "mo", Jobs: m.Graphs, Run: m.measure,
		Options: jobs.List("graphs", m.Graphs, "seed", m.Seed, "topology", m.Topology,
			"fake-at", m.FakeAt, "fooled", m.Fooled, "k", fmt.Sprintf("1..%d", m.MostK)),
	}, m.find}
}

// moVariant is an algorithm of the comparison.
type moVariant struct {
	k      int // 0: colour waves
	lessEq bool
}

func (v moVariant) String() string {
	if v.k == 0 {
		return "waves"
	}
	return fmt.Sprintf("K=%d %s", v.k, v.cmp())
}

func (v moVariant) cmp() string {
	switch {
	case v.k == 0:
		return ""
	case v.lessEq:
		return "le"
	}
	return "lt"
}

// variants lists the algorithms.
func (m Mo) variants() []moVariant {
	list := []moVariant{{}}
	for _, lessEq := range []bool{false, true} {
		for k := range m.MostK {
			list = append(list, moVariant{k + 1, lessEq})
		}
	}
	return list
}

// moNetwork is a graph with its IDs and what is known of it.
type moNetwork struct {
	graph  *network.Graph
	ids    []caucus.ID // fakeID < all
	best   int         // node of the smallest ID
	hops   [][]int32   // from every node to every node
	node   map[caucus.ID]int
	fooled []int
	whole  []bool // what the loss of the best leaves connected to the next; nil: not known yet
}

// fakeID is better than any node's.
const fakeID caucus.ID = 1

// network draws connected graph number g. Nodes of the generator are numbered along a curve through the
// box, so they are put in random order first, lest the fooled ones be neighbours.
func (m Mo) network(g int) (*moNetwork, error) {
	const tries = 1000
	seeds := caucus.NewRand(m.Seed, "mo graph", uint64(g))
	for range tries {
		graph, err := network.Generate(m.Topology, seeds.Uint64())
		if err != nil {
			return nil, err
		}
		if network.CheckConnected(graph) != nil {
			continue
		}
		n := graph.Len()
		graph = network.Relabel(graph, shuffled(caucus.NewRand(m.Seed, "mo nodes", uint64(g)), n))
		w := &moNetwork{graph: graph, ids: make([]caucus.ID, n), hops: make([][]int32, n),
			node: make(map[caucus.ID]int, n)}
		for i, rank := range shuffled(caucus.NewRand(m.Seed, "mo ids", uint64(g)), n) {
			w.ids[i] = fakeID + 1 + caucus.ID(rank)
			w.node[w.ids[i]] = i
			w.hops[i] = network.Hops(graph, i)
		}
		w.best = w.node[fakeID+1]
		for i := range min(m.Fooled, n) {
			w.fooled = append(w.fooled, w.node[fakeID+1+caucus.ID((49+i)%n)]) // IDs 50 to 100 of the paper, from 1
		}
		return w, nil
	}
	return nil, fmt.Errorf("%s: %d graphs drawn, none connected", m.Topology, tries)
}

// shuffled gives the numbers below n in random order.
func shuffled(r caucus.Rand, n int) []int32 {
	order := make([]int32, n)
	for i := range order {
		j := r.IntN(i + 1)
		order[i], order[j] = order[j], int32(i)
	}
	return order
}

// moNet is the kind of network of all rows.
const moNet = "rgg"

// measure is a job: all variants on one graph. Its rows are of the variant, and of the graph by its number from 1.
func (m Mo) measure(ctx context.Context, g int) (results.Rows, error) {
	w, err := m.network(g)
	if err != nil {
		return nil, err
	}
	out := &recorder{Row: results.Row{Network: moNet, N: len(w.ids), Seed: uint64(g + 1), X: results.None}}
	out.Series = moVariant{}.String()
	out.add("depth", float64(network.Eccentricity(w.graph, w.best)))
	out.add("edges", float64(w.graph.Edges()))
	for _, v := range m.variants() {
		out.Series = v.String()
		if err := m.run(ctx, w, v, out); err != nil {
			return nil, fmt.Errorf("graph %d, %s: %w", g, v, err)
		}
	}
	return out.rows, nil
}

func (m Mo) run(ctx context.Context, w *moNetwork, v moVariant, out *recorder) error {
	if v.k == 0 {
		return elections(ctx, w, m, &subject[waves.Place]{
			algo: waves.Spec.Name, calm: 60,
			lead: func(s *waves.Place) *caucus.ID { return &s.Lead },
			rest: func(s waves.Place) waves.Place { s.Blocked = false; return s },
		}, out)
	}
	return elections(ctx, w, m, bids(v), out)
}

// bids is a variant of mo. With tie R a state that does not change in one round never changes again.
func bids(v moVariant) *subject[mo.Bid] {
	return &subject[mo.Bid]{
		algo: mo.Spec.Name, params: map[string]string{"k": strconv.Itoa(v.k), "mabf-cmp": v.cmp()},
		calm: 1, variant: v,
		lead: func(s *mo.Bid) *caucus.ID { return &s.Lead },
		rest: func(s mo.Bid) mo.Bid { return s },
		span: func(s *mo.Bid) (dist, reach uint32) { return s.Dist, s.Reach },
	}
}
