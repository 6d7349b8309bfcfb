package study

import (
	"context"
	"fmt"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/aggregate/mo"
	"caucus.example/caucus/algo/aggregate/waves"
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

// Sweep has one job for each graph.
func (m Mo) Sweep(version string) *Sweep[MoGraph] {
	return &Sweep[MoGraph]{
		Name: "mo", Version: version, Jobs: m.Graphs, Run: m.graph,
		Options: []Option{
			{"graphs", fmt.Sprint(m.Graphs)}, {"seed", fmt.Sprint(m.Seed)}, {"topology", m.Topology},
			{"fake-at", fmt.Sprint(m.FakeAt)}, {"fooled", fmt.Sprint(m.Fooled)}, {"k", fmt.Sprintf("1..%d", m.MostK)},
		},
	}
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

// variants lists the algorithms in the order of MoGraph.Runs.
func (m Mo) variants() []moVariant {
	list := []moVariant{{}}
	for _, lessEq := range []bool{false, true} {
		for k := range m.MostK {
			list = append(list, moVariant{k + 1, lessEq})
		}
	}
	return list
}

// MoGraph is what was measured on one graph.
type MoGraph struct {
	Seed  uint64  `json:"seed"`  // of the graph
	Drawn int     `json:"drawn"` // graphs drawn until one was connected
	Edges int     `json:"edges"`
	Depth int     `json:"depth"` // eccentricity in hops of the node with the best ID
	Runs  []MoRun `json:"runs"`  // by variant
}

// MoRun is one algorithm on one graph.
type MoRun struct {
	Clean MoElection `json:"clean"`
	Fake  MoElection `json:"fake"`
	Lost  MoElection `json:"lost"`
}

// MoElection is one election, until it came to rest.
type MoElection struct {
	Rounds int `json:"rounds"` // until all agreed for good
	// After 0, 1, … rounds: the nodes that lead, and those that follow the one that will be elected. Both keep their
	// last value for ever.
	Leaders []int `json:"leaders"`
	Agree   []int `json:"agree"`
	Bound   Bound `json:"bound"` // Theorem 1
	Lemmas  Lemma `json:"lemmas"`
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
func (m Mo) network(g int) (*moNetwork, MoGraph, error) {
	const tries = 1000
	var out MoGraph
	seeds := caucus.NewRand(m.Seed, "mo graph", uint64(g))
	for out.Drawn = 1; out.Drawn <= tries; out.Drawn++ {
		out.Seed = seeds.Uint64()
		graph, err := network.Generate(m.Topology, out.Seed)
		if err != nil {
			return nil, out, err
		}
		if network.CheckConnected(graph) != nil {
			continue
		}
		n := graph.Len()
		graph = network.Relabel(graph, shuffled(caucus.NewRand(m.Seed, "mo nodes", uint64(g)), n))
		w := &moNetwork{graph: graph, ids: make([]caucus.ID, n), hops: make([][]int32, n), node: make(map[caucus.ID]int, n)}
		for i, rank := range shuffled(caucus.NewRand(m.Seed, "mo ids", uint64(g)), n) {
			w.ids[i] = fakeID + 1 + caucus.ID(rank)
			w.node[w.ids[i]] = i
			w.hops[i] = network.Hops(graph, i)
		}
		w.best = w.node[fakeID+1]
		for i := range min(m.Fooled, n) {
			w.fooled = append(w.fooled, w.node[fakeID+1+caucus.ID((49+i)%n)]) // IDs 50 to 100 of the paper, from 1
		}
		out.Edges, out.Depth = graph.Edges(), network.Eccentricity(graph, w.best)
		return w, out, nil
	}
	return nil, out, fmt.Errorf("%s: %d graphs drawn, none connected", m.Topology, tries)
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

// graph is a job: all variants on one graph.
func (m Mo) graph(ctx context.Context, g int) (MoGraph, error) {
	w, out, err := m.network(g)
	if err != nil {
		return out, err
	}
	for _, v := range m.variants() {
		run, err := m.run(ctx, w, v)
		if err != nil {
			return out, fmt.Errorf("graph %d, %s: %w", g, v, err)
		}
		out.Runs = append(out.Runs, run)
	}
	return out, nil
}

func (m Mo) run(ctx context.Context, w *moNetwork, v moVariant) (MoRun, error) {
	if v.k == 0 {
		return elections(ctx, w, m, &subject[waves.Place]{
			algo: waves.Waves{}, spec: &waves.Spec, calm: 60,
			lead: func(s *waves.Place) *caucus.ID { return &s.Lead },
			rest: func(s waves.Place) waves.Place { s.Blocked = false; return s },
		})
	}
	algo, err := mo.New(mo.Config{K: v.k, LessEq: v.lessEq})
	if err != nil {
		return MoRun{}, err
	}
	return elections(ctx, w, m, bids(algo, v))
}

// bids is a variant of mo. With tie R a state that does not change in one round never changes again.
func bids(algo *mo.Election, v moVariant) *subject[mo.Bid] {
	return &subject[mo.Bid]{
		algo: algo, spec: &mo.Spec, calm: 1, variant: v,
		lead: func(s *mo.Bid) *caucus.ID { return &s.Lead },
		rest: func(s mo.Bid) mo.Bid { return s },
		span: func(s *mo.Bid) (dist, reach uint32) { return s.Dist, s.Reach },
	}
}
