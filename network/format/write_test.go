package format

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"caucus.example/caucus/network"
)

// anyGraph draws a graph with names, weights, coordinates and attributes that are hard to write.
func anyGraph(t *rapid.T) *network.Graph {
	text := rapid.StringOfN(rapid.OneOf(
		rapid.RuneFrom([]rune(`ab1 "'\<>&#%,;:=[]{}()+-*/!~?|éß日🙂`)), rapid.Rune()), 1, 12, -1).Filter(writable)
	names := rapid.SliceOfNDistinct(text, 1, 12, rapid.ID[string]).Draw(t, "names")
	n := len(names)
	node := rapid.Int32Range(0, int32(n-1))
	value := rapid.OneOf(rapid.Just(math.NaN()), rapid.Float64(), rapid.Just(math.MaxFloat64), rapid.Just(0.1),
		rapid.Just(math.Copysign(0, -1)))
	weighted := rapid.Bool().Draw(t, "weighted")
	var edges []network.Edge
	for range rapid.IntRange(0, 20).Draw(t, "edges") {
		e := network.Edge{A: node.Draw(t, "a"), B: node.Draw(t, "b"), W: nan}
		if weighted {
			e.W = value.Draw(t, "w")
		}
		edges = append(edges, e)
	}
	g, _, err := network.Build(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	g.Names, g.Name = names, text.Draw(t, "name")
	if plainNumbers(names) {
		g.Names = nil
	}
	if rapid.Bool().Draw(t, "located") {
		drawCoordinates(t, g)
	}
	if rapid.Bool().Draw(t, "attributes") {
		g.Attrs = map[string][]string{"kind": make([]string, n), "two words": make([]string, n)}
		for _, col := range g.Attrs {
			for i := range col {
				col[i] = rapid.OneOf(rapid.Just(""), text).Draw(t, "value")
			}
			col[0] = "some" // a column without any value is not written
		}
	}
	return g
}

func drawCoordinates(t *rapid.T, g *network.Graph) {
	g.Geographic = rapid.Bool().Draw(t, "geographic")
	g.X, g.Y = make([]float64, g.Len()), make([]float64, g.Len())
	for i := range g.X {
		g.X[i], g.Y[i] = nan, nan
		if i == 0 || rapid.Bool().Draw(t, "here") {
			g.X[i], g.Y[i] = rapid.Float64Range(-180, 180).Draw(t, "x"), rapid.Float64Range(-90, 90).Draw(t, "y")
		}
	}
}

func writable(s string) bool {
	return writableNames(&network.Graph{Off: []int{0, 0}, Names: []string{s}}) == nil
}

var sameGraph = []cmp.Option{cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}

// TestRoundTrip: what is written reads back as the same graph, except for what Lost says.
func TestRoundTrip(t *testing.T) {
	for _, f := range Writable() {
		t.Run(string(f), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := anyGraph(t)
				if g.Weight != nil && allNaN(g.Weight) {
					g.Weight = nil
				}
				var b bytes.Buffer
				if err := Write(&b, g, f); err != nil {
					t.Fatal(err)
				}
				got, r, err := Read(bytes.NewReader(b.Bytes()), "x", "", Options{})
				if err != nil {
					t.Fatalf("%v in\n%s", err, b.String())
				}
				if r.Format != f || r.Merged.Repeats+r.Merged.SelfLoops > 0 {
					t.Fatalf("read back as %+v", r)
				}
				if f == EdgeList {
					g.Name, g.X, g.Y, g.Geographic, g.Attrs, got.Name = "", nil, nil, false, nil, ""
				}
				if diff := cmp.Diff(g, got, sameGraph...); diff != "" {
					t.Fatalf("(-written +read)\n%s\nin\n%s", diff, b.String())
				}
			})
		})
	}
}

func allNaN(xs []float64) bool {
	for _, x := range xs {
		if !math.IsNaN(x) {
			return false
		}
	}
	return true
}

// TestAttributeNames: an attribute called like a part of the format must not become one.
func TestAttributeNames(t *testing.T) {
	g, _, err := network.Build(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	g.Names = []string{"one"}
	g.Attrs = map[string][]string{"Label": {"wrong"}, "x": {"7"}, "y": {"8"}, "x_": {"9"}, "id": {"5"}}
	for _, f := range []Format{GraphML, DOT, NodeLink} {
		var b bytes.Buffer
		if err := Write(&b, g, f); err != nil {
			t.Fatal(err)
		}
		got, _, err := Read(&b, "x", f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.NodeName(0) != "one" || got.X != nil || len(got.Attrs) != 5 {
			t.Errorf("%s: name %q, X %v, attributes %v", f, got.NodeName(0), got.X, got.Attrs)
		}
		if got.Attrs["x_"][0]+got.Attrs["x__"][0] != "79" {
			t.Errorf("%s: attributes %v, want x as x_ and x_ as x__", f, got.Attrs)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	g, _, _ := network.Build(1, nil)
	var b bytes.Buffer
	err := Write(&b, g, GML)
	if want := `format to write: found "gml", allowed: graphml, dot, nodelink, edgelist`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	g.Names = []string{"bell\x07here"}
	if err := Write(&b, g, DOT); err == nil || b.Len() > 0 {
		t.Errorf("a name with a control character: error %v, %d bytes written", err, b.Len())
	}
}

// The name of a file decides its format, and an unknown one is refused.
func TestByExtension(t *testing.T) {
	if f, err := ByExtension("a/b.GraphML"); f != GraphML || err != nil {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := ByExtension("g.xyz"); err == nil || !strings.Contains(err.Error(), ".xyz") {
		t.Error(err)
	}
}

func TestLost(t *testing.T) {
	g, _, err := Open("abilene", 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ring, err := network.Generate("ring:3", 1)
	if err != nil {
		t.Fatal(err)
	}
	ring.X, ring.Y, ring.Name = nil, nil, ""
	for _, c := range []struct {
		g    *network.Graph
		f    Format
		want string
	}{
		{g, GraphML, ""},
		{g, EdgeList, "coordinates, node attributes, the graph's name"},
		{ring, NodeLink, "the directions of ports"},
		{ring, EdgeList, "the directions of ports"},
	} {
		if got := strings.Join(Lost(c.g, c.f), ", "); got != c.want {
			t.Errorf("%s as %s loses %q, want %q", c.g.Name, c.f, got, c.want)
		}
	}
}

// TestLinesInNames: a label of several lines, as yEd has them, is written and read back in every format.
func TestLinesInNames(t *testing.T) {
	g, _ := read(t, "x.gml", "graph [ node [ id 1 label \"core\n10.0.0.1\" ] node [ id 2 label \"a\tb\" ] edge [ "+
		"source 1 target 2 ] ]", Options{})
	if g.Names[0] != "core\n10.0.0.1" || g.Names[1] != "a\tb" {
		t.Fatalf("names %q", g.Names)
	}
	for _, f := range Writable() {
		if diff := convertDiff(g, f); diff != "" {
			t.Errorf("%s: %s", f, diff)
		}
	}
}
