package format

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caucus.example/caucus/network"
)

const shared = "../../../shared/data"

// facts are the figures of one file, counted by other programs; see the README there.
type facts struct {
	Format        string   `json:"format"`
	Nodes         int      `json:"nodes"`
	Records       int      `json:"edge_records"`
	SelfLoops     int      `json:"self_loops"`
	Repeats       int      `json:"repeated_or_reversed_edges"`
	Edges         int      `json:"simple_undirected_edges"`
	Components    int      `json:"components"`
	Largest       int      `json:"largest_component"`
	LargestCount  int      `json:"components_of_that_size"`
	Isolated      int      `json:"isolated_nodes"`
	MaxDegree     int      `json:"max_degree"`
	Diameter      int      `json:"diameter_of_largest_component"`
	Directed      *bool    `json:"directed"`
	Unlocated     *int     `json:"nodes_without_coordinates"`
	Located       *int     `json:"nodes_with_position"`
	SharingLabel  *int     `json:"nodes_sharing_a_label"`
	LinksWithCost *int     `json:"links_with_cost"`
	WeightMin     *float64 `json:"weight_min"`
	WeightMax     *float64 `json:"weight_max"`
	CostMin       *float64 `json:"cost_min"`
	CostMax       *float64 `json:"cost_max"`
}

// unsupported are the formats in the folder that the package does not read.
var unsupported = map[string]bool{"coords": true, "core": true, "cooja": true}

// undeclared names the files with edges to nodes that the list of nodes does not hold, or with an infinite weight.
var undeclared = map[string]bool{"topologies/mesh17.json": true, "topologies/skew_fp64.mtx": true}

// formatOf translates the folder's names for formats.
var formatOf = map[string]Format{"adjmatrix": Matrix, "rocketfuel": EdgeList, "meshjson": NodeLink,
	"clab": "containerlab"}

func readFacts(t *testing.T) map[string]facts {
	data, err := os.ReadFile(filepath.Join(shared, "facts.json"))
	if os.IsNotExist(err) {
		t.Skipf("%s is not there: it holds real files that are not ours to ship", shared)
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]facts{}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFacts reads every real file of a format that we support and compares all figures.
func TestFacts(t *testing.T) {
	all := readFacts(t)
	read := 0
	var skipped []string
	for _, path := range sortedKeys(all) {
		if filepath.Dir(path) != "topologies" {
			continue
		}
		f := all[path]
		if unsupported[f.Format] {
			skipped = append(skipped, f.Format+" ("+filepath.Base(path)+")")
			continue
		}
		read++
		t.Run(filepath.Base(path), func(t *testing.T) {
			g, r, err := ReadFile(filepath.Join(shared, path), "", Options{})
			if undeclared[path] {
				if err == nil {
					t.Fatal("edges to nodes that are not listed, or infinite weights, are no error")
				}
				g, r, err = ReadFile(filepath.Join(shared, path), "", Options{Lenient: true})
			}
			if err != nil {
				t.Fatal(err)
			}
			checkFacts(t, f, g, r)
		})
	}
	if read < 60 {
		t.Errorf("only %d files read", read)
	}
	sort.Strings(skipped)
	t.Logf("%d files read; formats not supported: %v", read, skipped)
}

// TestUnsupported: files of other formats give an error, not a graph that makes no sense.
func TestUnsupported(t *testing.T) {
	for path, f := range readFacts(t) {
		if filepath.Dir(path) != "topologies" || !unsupported[f.Format] {
			continue
		}
		if g, r, err := ReadFile(filepath.Join(shared, path), "", Options{}); err == nil {
			t.Errorf("%s was read as %s with %d nodes", path, r.Format, g.Len())
		}
	}
}

func checkFacts(t *testing.T, f facts, g *network.Graph, r Report) {
	want := Format(f.Format)
	if other, ok := formatOf[f.Format]; ok {
		want = other
	}
	if r.Format != want {
		t.Errorf("detected as %s, want %s", r.Format, want)
	}
	m := network.Measure(context.Background(), g, network.DiameterBudget)
	diameter := m.Diameter.Hops
	if f.LargestCount > 1 { // the figure is the greatest of all largest components
		diameter = greatestDiameter(g, m.Largest)
	}
	located, weighted := 0, 0
	least, greatest := math.Inf(1), math.Inf(-1)
	for i := range g.Len() {
		if g.Located(i) {
			located++
		}
	}
	for _, w := range g.Weight {
		if !math.IsNaN(w) {
			weighted++
			least, greatest = min(least, w), max(greatest, w)
		}
	}
	same := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	same("nodes", m.Nodes, f.Nodes)
	same("edge records", r.Merged.Records, f.Records)
	same("self-loops", r.Merged.SelfLoops, f.SelfLoops)
	same("repeats", r.Merged.Repeats, f.Repeats)
	same("edges", m.Edges, f.Edges)
	same("components", m.Components, f.Components)
	same("largest component", m.Largest, f.Largest)
	same("isolated nodes", m.Isolated, f.Isolated)
	same("greatest degree", m.MaxDegree, f.MaxDegree)
	same("diameter", diameter, f.Diameter)
	if f.Unlocated != nil {
		same("nodes without coordinates", g.Len()-located, *f.Unlocated)
		if !g.Geographic {
			t.Error("the coordinates are longitudes and latitudes")
		}
	}
	if f.Located != nil {
		same("nodes with coordinates", located, *f.Located)
	}
	if f.SharingLabel != nil {
		same("nodes that share a label", r.Renamed, *f.SharingLabel)
	}
	if f.LinksWithCost != nil {
		same("edges with a weight", weighted/2, *f.LinksWithCost)
	}
	for _, pair := range [][2]*float64{{f.WeightMin, &least}, {f.WeightMax, &greatest}, {f.CostMin, &least},
		{f.CostMax, &greatest}} {
		if pair[0] != nil && *pair[0] != *pair[1] {
			t.Errorf("least or greatest weight %g, want %g", *pair[1], *pair[0])
		}
	}
	if f.Directed != nil && r.Format != EdgeList && r.Directed != *f.Directed {
		t.Errorf("directed: %v, want %v", r.Directed, *f.Directed)
	}
	if _, err := network.Names(g); err != nil {
		t.Error(err)
	}
}

// TestRealFilesConvert writes every real file but the largest, which would take long under
// -race, in every format and reads it back.
func TestRealFilesConvert(t *testing.T) {
	all := readFacts(t)
	for _, path := range sortedKeys(all) {
		if filepath.Dir(path) != "topologies" || unsupported[all[path].Format] {
			continue
		}
		g, _, err := ReadFile(filepath.Join(shared, path), "", Options{Lenient: undeclared[path]})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if g.Len() > 5000 {
			continue
		}
		for _, f := range Writable() {
			if diff := convertDiff(g, f); diff != "" {
				t.Errorf("%s as %s: %.2000s", path, f, diff)
			}
		}
	}
}

// convertDiff writes a graph, reads it back and says what differs.
func convertDiff(g *network.Graph, f Format) string {
	var b bytes.Buffer
	if err := Write(&b, g, f); err != nil {
		return err.Error()
	}
	got, _, err := Read(&b, "x", "", Options{})
	if err != nil {
		return err.Error()
	}
	want := *g
	if f == EdgeList {
		want.Name, want.X, want.Y, want.Geographic, got.Name = "", nil, nil, false, ""
	} else if !sameAttrs(got.Attrs, g.Attrs) {
		return "attributes differ: " + cmp.Diff(g.Attrs, got.Attrs)
	}
	want.Attrs, got.Attrs = nil, nil // some are renamed; see TestAttributeNames
	if slices.Equal(want.Off, got.Off) && slices.Equal(want.Nbr, got.Nbr) && slices.Equal(want.Names, got.Names) &&
		sameNumbers(want.Weight, got.Weight) && sameNumbers(want.X, got.X) && sameNumbers(want.Y, got.Y) &&
		want.Name == got.Name && want.Geographic == got.Geographic {
		return ""
	}
	return "differs: " + cmp.Diff(&want, got, sameGraph...) // takes long for large graphs
}

func sameNumbers(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

func greatestDiameter(g *network.Graph, size int) int {
	c := network.FindComponents(g)
	d := 0
	for i := range g.Len() {
		if c.Size[c.Label[i]] == size {
			d = max(d, network.Eccentricity(g, i))
		}
	}
	return d
}
