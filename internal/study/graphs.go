package study

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/graphs/yoyo"
	"caucus.example/caucus/internal/jobs"
	"caucus.example/caucus/internal/results"
	"caucus.example/caucus/network"
	"caucus.example/caucus/sim"
)

// Graphs counts the messages of elections on trees, meshes, tori, hypercubes, complete and
// arbitrary networks of growing size, with unit delays and IDs in random order, against the formulas.
type Graphs struct {
	MaxNodes int    // sizes double from 16 to at most this
	Runs     int    // of every algorithm on every network, for each number of initiators
	Seed     uint64 // of networks, IDs and initiators
}

// size is what formulas are made of.
type size struct {
	n, m, d, k float64 // nodes, edges, diameter, initiators
	a, b       float64 // sides of a mesh
}

// contest is an algorithm on the networks that it is compared on.
type contest struct {
	algo     string
	class    string
	run      func(context.Context, sim.Config) (*sim.Result, error)
	formulas []formula
}

type formula struct {
	text, source string
	exact        bool // else an upper bound
	value        func(s size) float64
}

// metric is the name of the rows with what the formula gives.
func (f *formula) metric() string {
	return map[bool]string{true: "exactly ", false: "at most "}[f.exact] + f.text
}

// holds tells whether the messages counted are as the formula says.
func (f *formula) holds(w *wide) bool {
	value := w.of[f.metric()]
	return w.of["messages, most"] <= value && (!f.exact || w.of["messages, least"] == value)
}

const (
	literature = "literature"
	ours       = "this project"
)

// contests lists what is compared.
func contests() []contest {
	log := math.Log2
	return []contest{
		{"elect-min", "trees", registered("elect-min", nil), []formula{
			{"3n + k* - 4", literature, true, func(s size) float64 { return 3*s.n + s.k - 4 }}}},
		{"elect-root", "trees", registered("elect-root", nil), []formula{
			{"3n + k* - 2", literature, true, func(s size) float64 { return 3*s.n + s.k - 2 }}}},
		{"mesh", "meshes", registered("mesh", nil), []formula{
			{"6n + k* + 3(a+b) + max(a,b) - 14", ours, false,
				func(s size) float64 { return 6*s.n + s.k + 3*(s.a+s.b) + max(s.a, s.b) - 14 }},
			{"6(a+b) + 5n + k* - 16", literature, false,
				func(s size) float64 { return 6*(s.a+s.b) + 5*s.n + s.k - 16 }}}},
		{"torus", "tori", registered("torus", nil), []formula{
			{"7n", ours + ", measured", false, func(s size) float64 { return 7 * s.n }}}},
		{"hyper-elect", "hypercubes", registered("hyper-elect", nil), []formula{
			{"7n - (log n)² - 3 log n - 7", literature, false,
				func(s size) float64 { return 7*s.n - log(s.n)*log(s.n) - 3*log(s.n) - 7 }}}},
		{"complete-elect", "complete", registered("complete-elect", nil), []formula{
			{"4n·H(n/2) + n - 1", ours, false, func(s size) float64 {
				return 4*s.n*harmonicSum(math.Floor(s.n/2)) +
					s.n - 1
			}},
			{"2.76 n log n - 1.76 n + 1", literature, false,
				func(s size) float64 { return 2.76*s.n*log(s.n) - 1.76*s.n + 1 }}}},
		{"flood", "arbitrary", registered("flood", nil), []formula{
			{"2mD", literature, true, func(s size) float64 { return 2 * s.m * s.d }}}},
		{"flood-changes", "arbitrary", registered("flood-changes", nil), []formula{
			// every node tells every ID once at most
			{"2mn", ours, false, func(s size) float64 { return 2 * s.m * s.n }}}},
		{"yo-yo", "arbitrary", registered("yo-yo", nil), []formula{
			{"2m(ceil(log n) + 3) - n + 1", ours, false, plainYoYo}}},
		{"yo-yo-plain", "arbitrary", registered("yo-yo-plain", nil), []formula{
			{"2m(ceil(log n) + 3) - n + 1", ours, true, plainYoYo}}},
		{"mega-merger", "arbitrary", registered("mega-merger", nil), []formula{
			{"2m + (2m + 5n log n + n + 1)", literature + ", and 2m for the neighbours' IDs", false,
				func(s size) float64 { return 4*s.m + 5*s.n*log(s.n) + s.n + 1 }},
			{"2m + 5n log n + n + 1", literature, false,
				func(s size) float64 { return 2*s.m + 5*s.n*log(s.n) + s.n + 1 }}}},
	}
}

func plainYoYo(s size) float64 {
	return 2*s.m*float64(yoyo.Iterations(int(s.n))+2) - s.n + 1
}

// networks lists the generators of a class with about n nodes, n a power of two from 16. In a complete
// network the messages grow with n log n but the memory with n², so its size ends at 512.
func networks(class string, n int) []string {
	log := bits.Len(uint(n)) - 1
	switch class {
	case "trees":
		return []string{fmt.Sprint("line:", n), fmt.Sprint("star:", n), fmt.Sprint("tree:", n),
			fmt.Sprintf("ba:n=%d,m=1", n)}
	case "meshes":
		a := 1 << (log / 2)
		return []string{fmt.Sprintf("grid:%dx%d", a, n/a)}
	case "tori":
		a := 1 << (log / 2)
		return []string{fmt.Sprintf("torus:%dx%d", a, n/a)}
	case "hypercubes":
		return []string{fmt.Sprint("hypercube:", log)}
	case "complete":
		if n > 512 {
			return nil
		}
		return []string{fmt.Sprint("clique:", n)}
	}
	a := 1 << (log / 2)
	list := []string{fmt.Sprint("ring:", n), fmt.Sprintf("torus:%dx%d", a, n/a), fmt.Sprintf("ba:n=%d,m=3", n),
		fmt.Sprintf("regular:n=%d,d=8", n)}
	if n <= 128 { // what dense networks do shows on small ones
		list = append(list, fmt.Sprint("clique:", n))
	}
	return list
}

// graphJob is an algorithm on a network, with all or one initiator.
type graphJob struct {
	contest
	topology string
	one      bool
}

// Limits of Graphs.
const (
	GraphsLeastN = 16
	GraphsMostN  = 1 << 14
)

// Study has one job for each algorithm, network and number of initiators.
func (g Graphs) Study() *Study {
	list := g.list()
	return &Study{jobs.Batch{
		Name: "graphs", Jobs: len(list),
		Options: jobs.List("max-n", g.MaxNodes, "runs", g.Runs, "seed", g.Seed),
		Run:     func(ctx context.Context, job int) (results.Rows, error) { return g.run(ctx, job, list[job]) },
	}, g.find}
}

// list has all jobs, in the order of the report: by algorithm, then by size.
func (g Graphs) list() []graphJob {
	var list []graphJob
	for _, c := range contests() {
		for n := GraphsLeastN; n <= g.MaxNodes; n *= 2 {
			for _, t := range networks(c.class, n) {
				list = append(list, graphJob{c, t, false}, graphJob{c, t, true})
			}
		}
	}
	return list
}

// run does one job, and gives what the algorithm needs on the network, measured over the initiators, and the formulas.
func (g Graphs) run(ctx context.Context, job int, j graphJob) (results.Rows, error) {
	graph, err := network.Generate(j.topology, g.Seed)
	if err != nil {
		return nil, err
	}
	measures := network.Measure(ctx, graph, math.MaxInt)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if measures.Components > 1 {
		return nil, fmt.Errorf("%s with graph seed %d is not connected", j.topology, g.Seed)
	}
	s := size{n: float64(graph.Len()), m: float64(graph.Edges()), d: float64(measures.Diameter.Hops),
		k: float64(graph.Len())}
	if j.one {
		s.k = 1
	}
	var messages, times []float64
	for run := range g.Runs {
		cfg := g.config(graph, job, run, j.one)
		cfg.Known = caucus.Known{Nodes: graph.Len(), Diameter: measures.Diameter.Hops}
		r, err := j.run(ctx, cfg)
		if err != nil {
			return nil, err
		}
		if err := oneLeader(r, cfg.IDs); err != nil {
			return nil, fmt.Errorf("%s on %s: %w", j.algo, j.topology, err)
		}
		messages, times = append(messages, float64(r.Messages)), append(times, r.Time)
	}
	out := recorder{Row: results.Row{Series: j.algo, Network: j.topology, N: graph.Len(), X: s.k}}
	m := results.MeanOf(messages)
	out.add("edges", s.m)
	out.add("diameter", s.d)
	out.add("messages, least", m.Least)
	out.add("messages, mean", m.Value)
	out.add("messages, most", m.Most)
	out.add("ideal time, mean", results.MeanOf(times).Value)
	if j.class == "meshes" {
		fmt.Sscanf(j.topology, "grid:%gx%g", &s.a, &s.b)
	}
	for _, f := range j.formulas {
		out.add(f.metric(), f.value(s))
	}
	return out.rows, nil
}

// config draws the order of IDs, and who starts.
func (g Graphs) config(graph *network.Graph, job, run int, one bool) sim.Config {
	n := graph.Len()
	rand := caucus.NewRand(g.Seed, "graphs", uint64(job), uint64(run))
	cfg := sim.Config{Graph: graph, Seed: g.Seed, IDs: make([]caucus.ID, n)}
	for i, k := range shuffled(rand, n) {
		cfg.IDs[i] = caucus.ID(k + 1)
	}
	if one {
		cfg.Initiators = []int{rand.IntN(n)}
	}
	return cfg
}
