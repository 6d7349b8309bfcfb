package network

import (
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Generator describes one family of synthetic topologies.
type Generator struct {
	Name   string
	Syntax string // what Generate accepts
	Doc    string
	params []string // accepted keys; the first may stand without its key
	flags  []string // words that stand alone
	build  func(v *values) *Graph
}

// generators is filled in by init because the builders refer back to it through
// their error messages.
var generators []Generator

func init() {
	generators = []Generator{
		{"line", "line:N", "N nodes in a row, N-1 edges", []string{"n"}, nil, makeLine},
		{"ring", "ring:N", "cycle of N >= 3 nodes, ports labelled left and right", []string{"n"}, nil, makeRing},
		{"star", "star:N", "one hub and N-1 leaves; the hub comes first", []string{"n"}, nil, makeStar},
		{"tree", "tree:N", "complete binary tree of N nodes, filled level by level", []string{"n"}, nil, makeTree},
		{"grid", "grid:RxC", "R rows of C nodes, each joined to the next in its row and column", []string{"size"}, nil,
			makeGrid},
		{"torus", "torus:RxC", "grid whose rows and columns close to rings; R, C >= 3", []string{"size"}, nil,
			makeTorus},
		{"hypercube", "hypercube:D", "2^D nodes, joined where their numbers differ in one bit", []string{"d"}, nil,
			makeHypercube},
		{"clique", "clique:N", "N nodes, every two joined", []string{"n"}, nil, makeClique},
		{"rgg", "rgg:n=N,radius=R|degree=D[,box=WxH][,connected]",
			"random geometric graph: N nodes uniform in a box (default 1x1), joined within distance R, or within the " +
				"distance that makes the expected mean degree D; " +
				"connected places the nodes outside the largest component anew until all hang together (below degree " +
				"6 or so that crowds them)",
			[]string{"n", "radius", "degree", "box"}, []string{"connected"}, makeGeometric},
		{"er", "er:n=N,p=P|m=M", "Erdős–Rényi: every pair joined with probability P, or M edges drawn from all pairs",
			[]string{"n", "p", "m"}, nil, makeErdosRenyi},
		{"ba", "ba:n=N,m=M", "Barabási–Albert: each new node joins M < N earlier ones, chosen by their degree; m=1 " +
			"gives a tree", []string{"n", "m"}, nil, makeBarabasiAlbert},
		{"ws", "ws:n=N,k=K,p=P", "Watts–Strogatz: ring in which each node joins its K nearest (K even, < N), each " +
			"edge rewired with probability P", []string{"n", "k", "p"}, nil, makeWattsStrogatz},
		{"regular", "regular:n=N,d=D", "random graph of degree D < N everywhere, N*D even", []string{"n", "d"}, nil,
			makeRegular},
	}
}

// Generators lists the generators with their syntax, for help texts.
func Generators() []Generator { return append([]Generator(nil), generators...) }

// IsGenerator reports whether spec names a generator, whatever follows the name.
func IsGenerator(spec string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(spec), ":")
	return findGenerator(name) != nil
}

func findGenerator(name string) *Generator {
	for i := range generators {
		if generators[i].Name == name {
			return &generators[i]
		}
	}
	return nil
}

// Budget bounds the size of a generated graph. Its arrays take about 24 bytes a node
// and 8 an edge.
type Budget struct{ Nodes, Edges int }

// DefaultBudget is what Generate allows: up to about 2.4 GB for the nodes and 8 GB
// for the edges.
var DefaultBudget = Budget{Nodes: 100_000_000, Edges: 1_000_000_000}

// Generate makes the graph that spec describes, such as "grid:20x50", "ring:64" or
// "rgg:n=1e6,degree=10"; see Generators. Counts may be written as 1e6 or 10k,
// probabilities as 0.1 or 10%. The same spec and seed give the same graph.
// Wrong input gives a *caucus.FieldError.
func Generate(spec string, seed uint64) (*Graph, error) {
	return GenerateWithin(spec, seed, DefaultBudget)
}

// GenerateWithin is Generate with a budget of one's own. A spec beyond it is refused
// before anything is allocated.
func GenerateWithin(spec string, seed uint64, budget Budget) (*Graph, error) {
	spec = strings.TrimSpace(spec)
	name, args, _ := strings.Cut(spec, ":")
	gen := findGenerator(name)
	if gen == nil {
		return nil, caucus.NotAmong("generator", name, generatorNames())
	}
	v := &values{gen: gen, args: args, given: map[string]string{}, budget: budget,
		rand: caucus.NewRand(seed, "topology "+gen.Name)}
	v.parse(args)
	if v.err != nil {
		return nil, v.err
	}
	g := gen.build(v)
	if v.err != nil {
		return nil, v.err
	}
	g.Name = spec
	return g, nil
}

func generatorNames() []string {
	names := make([]string, len(generators))
	for i, gen := range generators {
		names[i] = gen.Name
	}
	return names
}

// values are the arguments of a spec. The first thing wrong stays in err; readers
// then give zero values, so that a builder checks once, with fits.
type values struct {
	gen    *Generator
	args   string // as written
	given  map[string]string
	budget Budget
	rand   caucus.Rand
	err    error
}

func (v *values) parse(args string) {
	if strings.TrimSpace(args) == "" {
		return
	}
	for i, part := range strings.Split(args, ",") {
		key, value, keyed := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case !keyed && contains(v.gen.flags, key):
			value = "on"
		case !keyed && i == 0 && key != "":
			key, value = v.gen.params[0], key
		case !keyed || !contains(v.gen.params, key):
			v.fail("argument of "+v.gen.Name, part, v.gen.Syntax)
			return
		}
		if _, twice := v.given[key]; twice {
			v.fail("argument of "+v.gen.Name, part, key+" only once")
			return
		}
		v.given[key] = strings.TrimSpace(value)
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func (v *values) fail(field, found, allowed string) {
	if v.err == nil {
		v.err = caucus.Wrong(field, found, allowed)
	}
}

// wrong reports the value of a key.
func (v *values) wrong(key, allowed string) {
	v.fail(key+" of "+v.gen.Name, v.given[key], allowed+" ("+v.gen.Syntax+")")
}

func (v *values) has(key string) bool { _, ok := v.given[key]; return ok }

// count reads an integer >= least that fits a node index.
func (v *values) count(key string, least int) int {
	n, ok := parseCount(v.given[key])
	if !ok || n < float64(least) {
		v.wrong(key, "an integer >= "+strconv.Itoa(least))
		return 0
	}
	if n > maxNodes {
		v.wrong(key, "at most "+strconv.Itoa(maxNodes))
		return 0
	}
	return int(n)
}

// pair reads "AxB" with a function for each half.
func (v *values) pair(key string, ok func(string) (float64, bool), allowed string) (a, b float64) {
	first, second, found := strings.Cut(v.given[key], "x")
	a, okA := ok(first)
	b, okB := ok(second)
	if !found || !okA || !okB {
		v.wrong(key, allowed)
		return 0, 0
	}
	return a, b
}

// probability reads a number from 0 to 1, or a percentage.
func (v *values) probability(key string) float64 {
	text, percent := strings.CutSuffix(v.given[key], "%")
	p, ok := parseNumber(text)
	if percent {
		p /= 100
	}
	if !ok || p < 0 || p > 1 {
		v.wrong(key, "a probability from 0 to 1")
		return 0
	}
	return p
}

// length reads a number > 0.
func (v *values) length(key string) float64 {
	x, ok := parseLength(v.given[key])
	if !ok {
		v.wrong(key, "a number > 0 (1e-9 to 1e9)")
	}
	return x
}

// fits reports whether to go on: nothing wrong so far, and the graph within budget.
func (v *values) fits(nodes, edges float64) bool {
	if v.err != nil {
		return false
	}
	if nodes > float64(min(v.budget.Nodes, maxNodes)) || edges > float64(v.budget.Edges) {
		v.fail("size of "+v.gen.Name, strconv.FormatFloat(nodes, 'g', 6, 64)+" nodes, "+
			strconv.FormatFloat(edges, 'g', 6, 64)+" edges",
			"at most "+strconv.Itoa(min(v.budget.Nodes, maxNodes))+" nodes, "+strconv.Itoa(v.budget.Edges)+" edges")
		return false
	}
	return true
}
