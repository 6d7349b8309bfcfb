package network

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"caucus.example/caucus"
)

func generate(t testing.TB, spec string, seed uint64) *Graph {
	t.Helper()
	g, err := Generate(spec, seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The figures follow from the definitions: a grid of R×C has R(C-1)+C(R-1) edges and
// diameter R+C-2, a torus 2RC and floor(R/2)+floor(C/2), a hypercube d·2^(d-1) and d,
// a binary tree of 2^k-1 nodes 2(k-1), …
func TestGeneratedFigures(t *testing.T) {
	for _, c := range []struct {
		spec                                         string
		nodes, edges, minDegree, maxDegree, diameter int
	}{
		{"line:1", 1, 0, 0, 0, 0},
		{"line:2", 2, 1, 1, 1, 1},
		{"line:7", 7, 6, 1, 2, 6},
		{"ring:3", 3, 3, 2, 2, 1},
		{"ring:64", 64, 64, 2, 2, 32},
		{"ring:n=65", 65, 65, 2, 2, 32},
		{"star:1", 1, 0, 0, 0, 0},
		{"star:6", 6, 5, 1, 5, 2},
		{"tree:15", 15, 14, 1, 3, 6},
		{"tree:10", 10, 9, 1, 3, 5},
		{"grid:1x1", 1, 0, 0, 0, 0},
		{"grid:1x5", 5, 4, 1, 2, 4},
		{"grid:20x50", 1000, 20*49 + 50*19, 2, 4, 68},
		{"torus:3x3", 9, 18, 4, 4, 2},
		{"torus:4x7", 28, 56, 4, 4, 5},
		{"hypercube:0", 1, 0, 0, 0, 0},
		{"hypercube:5", 32, 80, 5, 5, 5},
		{"clique:1", 1, 0, 0, 0, 0},
		{"clique:30", 30, 435, 29, 29, 1},
		{"er:n=20,p=0", 20, 0, 0, 0, 0},
		{"er:n=20,p=100%", 20, 190, 19, 19, 1},
		{"er:n=20,m=190", 20, 190, 19, 19, 1},
		{"ws:n=20,k=4,p=0", 20, 40, 4, 4, 5},
		{"regular:n=20,d=0", 20, 0, 0, 0, 0},
		{"regular:n=20,d=19", 20, 190, 19, 19, 1},
		{"rgg:n=50,radius=2", 50, 50 * 49 / 2, 49, 49, 1},
		{"ba:n=3,m=2", 3, 2, 1, 2, 2},
	} {
		g := generate(t, c.spec, 1)
		checkSimple(t, g)
		minDegree := math.MaxInt
		for i := range g.Len() {
			minDegree = min(minDegree, g.Degree(i))
		}
		m := Measure(t.Context(), g, DiameterBudget)
		got := []int{m.Nodes, m.Edges, minDegree, m.MaxDegree, m.Diameter.Hops}
		want := []int{c.nodes, c.edges, c.minDegree, c.maxDegree, c.diameter}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: nodes, edges, least and greatest degree, diameter (-want +got):\n%s", c.spec, diff)
		}
		if g.Name != c.spec {
			t.Errorf("%s is called %q", c.spec, g.Name)
		}
	}
}

func TestGeneratorRefusals(t *testing.T) {
	for spec, says := range map[string]string{
		"": "line, ring, star, tree, grid, torus, hypercube, clique, rgg, er, ba, ws, " +
			"regular",
		"lattice:5":                     "grid",
		"ring":                          "n of ring",
		"ring:2":                        ">= 3",
		"ring:-5":                       ">= 3",
		"ring:2.5k5":                    "integer",
		"ring:64,64":                    "ring:N",
		"ring:n=3,n=4":                  "only once",
		"ring:m=3":                      "ring:N",
		"line:0":                        ">= 1",
		"line:1.5":                      "integer",
		"line:nan":                      "integer",
		"line:inf":                      "integer",
		"line:0x10":                     "integer",
		"line:1e10":                     "at most 2147483647",
		"line:2e9":                      "at most 100000000 nodes",
		"grid:5":                        "grid:RxC",
		"grid:0x5":                      ">= 1",
		"grid:5x5x5":                    ">= 1",
		"torus:2x5":                     ">= 3",
		"grid:1e6x1e6":                  "at most 100000000 nodes",
		"hypercube:40":                  "at most",
		"hypercube:1e9":                 "at most",
		"clique:1e6":                    "1000000000 edges",
		"er:n=10":                       "exactly one of p and m",
		"er:n=10,p=0.5,m=3":             "exactly one of p and m",
		"er:n=10,p=1.01":                "probability from 0 to 1",
		"er:n=10,p=-0.1":                "probability",
		"er:n=10,p=NaN":                 "probability",
		"er:n=10,p=101%":                "probability",
		"er:n=10,m=46":                  "n(n-1)/2",
		"er:n=0,p=0.5":                  ">= 1",
		"ba:n=5,m=5":                    "1 to n-1",
		"ba:n=5,m=0":                    ">= 1",
		"ws:n=10,k=3,p=0.1":             "even integer",
		"ws:n=10,k=10,p=0.1":            "to n-1",
		"ws:n=10,k=4":                   "p of ws",
		"regular:n=5,d=3":               "n is odd",
		"regular:n=5,d=5":               "0 to n-1",
		"rgg:n=10":                      "exactly one of radius and degree",
		"rgg:n=10,radius=1,degree=3":    "exactly one of radius and degree",
		"rgg:n=10,radius=0":             "> 0",
		"rgg:n=10,radius=-1":            "> 0",
		"rgg:n=10,degree=9.5":           "less than n-1 times",
		"rgg:n=1,degree=1":              "less than n-1 times",
		"rgg:n=10,radius=1,box=0x1":     "two numbers > 0",
		"rgg:n=10,radius=1,box=1":       "two numbers > 0",
		"rgg:n=10,radius=1,conected":    "connected",
		"rgg:n=1e6,radius=1":            "1000000000 edges",
		"rgg:n=9,radius=1e-7,connected": "still falls apart",
		"rgg:n=9,connected=no,radius=1": "rgg:n=N",
	} {
		_, err := Generate(spec, 1)
		var field *caucus.FieldError
		if !errors.As(err, &field) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want a field error that says %q", spec, err, says)
		}
	}
}

func TestCounts(t *testing.T) {
	for text, want := range map[string]float64{"12": 12, "1e3": 1000, "10k": 10000, "1.1k": 1100, "2M": 2e6, " 7 ": 7} {
		if n, ok := parseCount(text); !ok || n != want {
			t.Errorf("%q is %v (%t), want %v", text, n, ok, want)
		}
	}
}

var randomSpecs = []string{"rgg:n=500,degree=6", "rgg:n=300,degree=8,connected", "rgg:n=200,radius=0.3,box=10x0.5",
	"er:n=200,p=0.03",
	"er:n=200,m=700", "er:n=40,m=700", "ba:n=200,m=1", "ba:n=200,m=3", "ws:n=200,k=6,p=0.2", "ws:n=20,k=18,p=1",
	"regular:n=100,d=3", "regular:n=9,d=4", "regular:n=60,d=50"}

func TestSeedDecides(t *testing.T) {
	for _, spec := range randomSpecs {
		a, b, other := generate(t, spec, 7), generate(t, spec, 7), generate(t, spec, 8)
		checkSimple(t, a)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s: two graphs of one seed differ:\n%s", spec, diff)
		}
		if cmp.Equal(a.Nbr, other.Nbr) {
			t.Errorf("%s: another seed gives the same graph", spec)
		}
	}
}

func TestRandomGraphsKeepTheirPromises(t *testing.T) {
	for seed := range uint64(20) {
		if g := generate(t, "er:n=40,m=700", seed); g.Edges() != 700 {
			t.Errorf("er: %d edges, want 700", g.Edges())
		}
		if g := generate(t, "er:n=200,m=700", seed); g.Edges() != 700 {
			t.Errorf("er: %d edges, want 700", g.Edges())
		}
		for _, m := range []int{1, 3} {
			g := generate(t, map[int]string{1: "ba:n=200,m=1", 3: "ba:n=200,m=3"}[m], seed)
			if g.Edges() != m*(200-m) || CheckConnected(g) != nil {
				t.Errorf("ba m=%d: %d edges, want %d, connected: %v", m, g.Edges(), m*(200-m), CheckConnected(g))
			}
		}
		if g := generate(t, "ba:n=200,m=1", seed); CheckTree(g) != nil {
			t.Errorf("ba with m=1 is no tree: %v", CheckTree(g))
		}
		if g := generate(t, "ws:n=200,k=6,p=0.2", seed); g.Edges() != 600 {
			t.Errorf("ws: %d edges, want 600", g.Edges())
		}
		if g := generate(t, "rgg:n=300,degree=8,connected", seed); g.Len() != 300 || CheckConnected(g) != nil {
			t.Errorf("rgg connected: %d nodes, %v", g.Len(), CheckConnected(g))
		}
		for spec, d := range map[string]int{"regular:n=100,d=3": 3, "regular:n=9,d=4": 4, "regular:n=60,d=50": 50,
			"regular:n=6,d=2": 2, "regular:n=5,d=2": 2} {
			g := generate(t, spec, seed)
			checkSimple(t, g)
			for i := range g.Len() {
				if g.Degree(i) != d {
					t.Errorf("%s: node %d has degree %d", spec, i, g.Degree(i))
				}
			}
		}
	}
}

// Every edge of G(n,p) is there with probability p: with 19,900 pairs and p = 0.03 the
// mean is 597 and the standard deviation 24.06, so that the mean of 100 graphs lies
// within 5 × 2.406 of 597. The first and the last pair must not be special.
func TestErdosRenyiIsFair(t *testing.T) {
	const graphs = 100
	sum, first, last := 0, 0, 0
	for seed := range uint64(graphs) {
		g := generate(t, "er:n=200,p=0.03", seed)
		sum += g.Edges()
		dense := generate(t, "er:n=20,p=0.5", seed)
		if dense.Port(0, 1) >= 0 {
			first++
		}
		if dense.Port(18, 19) >= 0 {
			last++
		}
	}
	if mean := float64(sum) / graphs; math.Abs(mean-597) > 12 {
		t.Errorf("mean of %v edges, want 597 ± 12", mean)
	}
	if first < 25 || first > 75 || last < 25 || last > 75 {
		t.Errorf("first pair joined %d times, last pair %d times in %d graphs with p = 0.5", first, last, graphs)
	}
}

// Each of the 20 sets of 3 of the 6 pairs has probability 1/20; of 4000 draws 200,
// standard deviation 13.8.
func TestEdgeSetsAreUniform(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(4000) {
		g := generate(t, "er:n=4,m=3", seed)
		var key strings.Builder
		for k := range 6 {
			a, b := pairOf(k)
			if g.Port(int(a), int(b)) >= 0 {
				key.WriteByte(byte('0' + k))
			}
		}
		count[key.String()]++
	}
	for set, times := range count {
		if times < 130 || times > 270 {
			t.Errorf("edges %s drawn %d times, want 200 ± 70", set, times)
		}
	}
	if len(count) != 20 {
		t.Errorf("%d different graphs, want 20", len(count))
	}
}

func TestPairNumbers(t *testing.T) {
	k := 0
	for a := range int32(200) {
		for b := range a {
			if x, y := pairOf(k); x != a || y != b {
				t.Fatalf("pair %d is (%d,%d), want (%d,%d)", k, x, y, a, b)
			}
			k++
		}
	}
	for _, a := range []int{94906266, 99_999_999, math.MaxInt32} { // squares beyond 2^53
		for _, k := range []int{a * (a - 1) / 2, a*(a+1)/2 - 1} {
			if x, y := pairOf(k); int(x) != a || int(y) != k-a*(a-1)/2 {
				t.Errorf("pair %d is (%d,%d), want row %d", k, x, y, a)
			}
		}
	}
}

// The cell grid must find exactly the pairs that a look at all pairs finds.
func TestGeometricAgainstAllPairs(t *testing.T) {
	for _, c := range []struct {
		spec   string
		radius float64
	}{
		{"rgg:n=400,radius=0.07", 0.07}, {"rgg:n=200,radius=0.3,box=10x0.5", 0.3},
		{"rgg:n=200,radius=0.3,box=0.01x50", 0.3},
		{"rgg:n=50,radius=0.6", 0.6}, {"rgg:n=300,radius=1e-6", 1e-6}, {"rgg:n=1,radius=0.1", 0.1},
	} {
		g := generate(t, c.spec, 3)
		checkSimple(t, g)
		edges := 0
		for i := range g.Len() {
			for j := range i {
				near := math.Hypot(g.X[i]-g.X[j], g.Y[i]-g.Y[j]) <= c.radius
				if near != (g.Port(i, j) >= 0) {
					t.Fatalf("%s: nodes %d and %d near: %t, joined: %t", c.spec, i, j, near, !near)
				}
				if near {
					edges++
				}
			}
		}
		if edges != g.Edges() {
			t.Errorf("%s: %d edges, want %d", c.spec, g.Edges(), edges)
		}
	}
}

// The mean degree has a standard deviation of about 2·sqrt(m)/n (1 in 200 here) plus
// what the clustering adds; 2 % is far outside of both, and the border effect alone
// would take 4 % in the narrow box.
func TestGeometricMeanDegree(t *testing.T) {
	for _, spec := range []string{"rgg:n=40000,degree=10", "rgg:n=40000,degree=10,box=20x1"} {
		g := generate(t, spec, 5)
		if mean := float64(len(g.Nbr)) / float64(g.Len()); math.Abs(mean-10) > 0.2 {
			t.Errorf("%s: mean degree %v", spec, mean)
		}
	}
}

// Neighbours in space must be near in number: in random order their numbers would
// differ by n/3 on average.
func TestGeometricNumbering(t *testing.T) {
	g := generate(t, "rgg:n=20000,degree=10", 1)
	if gap := meanGap(g); gap > float64(g.Len())/50 {
		t.Errorf("neighbours' numbers differ by %v on average in %d nodes", gap, g.Len())
	}
}

func meanGap(g *Graph) float64 {
	sum := 0.0
	for i := range g.Len() {
		for _, j := range g.Neighbours(i) {
			sum += math.Abs(float64(i) - float64(j))
		}
	}
	return sum / float64(len(g.Nbr))
}

func TestGeneratedCoordinates(t *testing.T) {
	// Along these edges neighbours lie exactly 1 apart.
	for _, spec := range []string{"line:9", "ring:3", "ring:64", "grid:4x6", "star:9"} {
		g := generate(t, spec, 1)
		lengths, _, err := Lengths(g, MetricDistance, LengthOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for k, l := range lengths {
			if math.Abs(l-1) > 1e-9 {
				t.Errorf("%s: edge end %d has length %v, want 1", spec, k, l)
			}
		}
	}
	for _, spec := range []string{"tree:13", "torus:3x4", "hypercube:4", "clique:6", "ws:n=12,k=4,p=0.5"} {
		g := generate(t, spec, 1)
		places := map[[2]float64]bool{}
		for i := range g.Len() {
			places[[2]float64{g.X[i], g.Y[i]}] = true
		}
		if len(places) != g.Len() {
			t.Errorf("%s: %d places for %d nodes", spec, len(places), g.Len())
		}
	}
}

func TestRingLabels(t *testing.T) {
	for _, n := range []string{"3", "4", "17"} {
		g := generate(t, "ring:"+n, 1)
		if err := CheckLabels(g, caucus.Ring); err != nil {
			t.Errorf("ring:%s: %v", n, err)
		}
		at := 0 // going right n times leads round once
		for range g.Len() {
			for k := g.Off[at]; k < g.Off[at+1]; k++ {
				if g.Labels[k] == caucus.Right {
					at = int(g.Nbr[k])
					break
				}
			}
			if at == 0 {
				break
			}
		}
		if at != 0 {
			t.Errorf("ring:%s: going right does not lead round", n)
		}
	}
}

func TestGeneratorsAreDocumented(t *testing.T) {
	for _, gen := range Generators() {
		if !strings.HasPrefix(gen.Syntax, gen.Name+":") || gen.Doc == "" {
			t.Errorf("generator %+v lacks syntax or doc", gen)
		}
		if !IsGenerator(gen.Name + ":whatever") {
			t.Errorf("%s is not recognised", gen.Name)
		}
	}
	if IsGenerator("geant2012") || IsGenerator("file.graphml") {
		t.Error("a file name is taken for a generator")
	}
}

func TestBudgetIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(randomSpecs).Draw(t, "spec")
		budget := Budget{Nodes: rapid.IntRange(0, 600).Draw(t, "nodes"),
			Edges: rapid.IntRange(0, 3000).Draw(t, "edges")}
		g, err := GenerateWithin(spec, rapid.Uint64().Draw(t, "seed"), budget)
		if err != nil {
			return
		}
		// Random models are judged by their expected number of edges.
		if g.Len() > budget.Nodes || float64(g.Edges()) > 2*float64(budget.Edges)+50 {
			t.Fatalf("%s: %d nodes, %d edges within %+v", spec, g.Len(), g.Edges(), budget)
		}
	})
}

func FuzzGenerate(f *testing.F) {
	for _, gen := range Generators() {
		f.Add(gen.Syntax, uint64(1))
	}
	for _, spec := range randomSpecs {
		f.Add(spec, uint64(2))
	}
	for _, spec := range []string{"grid:20x50", "ring:64", "hypercube:99999", "er:n=9,p=1e-300",
		"rgg:n=3,radius=1e-9,box=1e9x1e9", "tree:1e3", "regular:7,d=6", "clique:"} {
		f.Add(spec, uint64(3))
	}
	f.Fuzz(func(t *testing.T, spec string, seed uint64) {
		g, err := GenerateWithin(spec, seed, Budget{Nodes: 1000, Edges: 5000})
		if err != nil {
			return
		}
		checkSimple(t, g)
		if g.Len() > 1000 {
			t.Fatalf("%q made %d nodes", spec, g.Len())
		}
	})
}

// TestRegularIsUniform: of the 70 graphs of 6 nodes of degree 3, 60 are prisms, which have triangles; 7000 draws are
// within four standard deviations of that.
func TestRegularIsUniform(t *testing.T) {
	const draws = 7000
	prisms := 0
	for seed := range uint64(draws) {
		g := generate(t, "regular:n=6,d=3", seed)
		row := g.Neighbours(0)
		for _, a := range row {
			for _, b := range row {
				if slices.Contains(g.Neighbours(int(a)), b) {
					prisms++
					goto next
				}
			}
		}
	next:
	}
	share, deviation := float64(prisms)/draws, math.Sqrt(6.0/7*1/7/draws)
	if math.Abs(share-6.0/7) > 4*deviation {
		t.Errorf("%.4f are prisms, want %.4f", share, 6.0/7)
	}
}

// However many cores share the work, and whether or not all find room where they write, the graph is the same.
func TestCoresChangeNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, spec := range []string{"rgg:n=200000,degree=8", "rgg:n=70000,degree=0.1",
		"rgg:n=50000,radius=0.9,box=200x2"} {
		var graphs [2]*Graph
		for k := range graphs {
			runtime.GOMAXPROCS(1 + 4*k)
			var err error
			if graphs[k], err = Generate(spec, 7); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(graphs[0].Off, graphs[1].Off) || !slices.Equal(graphs[0].Nbr, graphs[1].Nbr) ||
			len(graphs[0].Nbr) == 0 {
			t.Errorf("%s: one core makes %d edges, and five make %d or others", spec, graphs[0].Edges(),
				graphs[1].Edges())
		}
	}
}
