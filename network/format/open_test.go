package format

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "grid:2x2") // a file wins over a generator
	if err := os.WriteFile(file, []byte("a b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what         string
		nodes, edges int
		format       Format
	}{
		{"geant2012", 40, 61, GraphML},
		{"Abilene", 11, 14, GraphML},
		{"grid:20x50", 1000, 1930, Generated}, // 20×49 + 19×50
		{file, 2, 1, EdgeList},
	} {
		g, r, err := Open(c.what, 1, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if g.Len() != c.nodes || g.Edges() != c.edges || r.Format != c.format || r.Merged.Records < c.edges {
			t.Errorf("%s: %d nodes, %d edges, %+v", c.what, g.Len(), g.Edges(), r)
		}
	}
	one, _, _ := Open("er:n=50,m=60", 1, Options{})
	two, _, _ := Open("er:n=50,m=60", 2, Options{})
	if picture(one) == picture(two) {
		t.Error("the graph seed changes nothing")
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct{ what, want string }{
		{"gaent2012", `did you mean "geant2012"?`},
		{"geant", `did you mean "geant2012"?`},
		{"grit:2x3", `did you mean "grid:2x3"?`},
		{"grdi:2x3", `did you mean "grid:2x3"?`},
		{"GEANT", `did you mean "geant2012"?`},
		{"Abilenee", `did you mean "abilene"?`},
		{"nowhere.graphml", `topology: found "nowhere.graphml", allowed: a file; a builtin: abilene, `},
		{"nowhere.graphml", `or a generator: line:N, ring:N`},
		{"", `topology: found ""`},
		{t.TempDir(), "allowed: a file, not a folder"},
		{"grid:0x3", "found"},
	} {
		_, _, err := Open(c.what, 1, Options{})
		var field *caucus.FieldError
		if !errors.As(err, &field) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.what, err, c.want)
		}
	}
	if _, _, err := Open("grid:2x2", 1, Options{Weight: "w"}); err == nil {
		t.Error("a generator has no attributes to choose")
	}
}

// TestBuiltins: leaders are called by their real names and lie where they are.
func TestBuiltins(t *testing.T) {
	for _, name := range network.BuiltinNames() {
		g, r, err := Open(name, 1, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !g.Geographic || g.Names == nil || r.Merged.Records == 0 {
			t.Errorf("%s: geographic %v, names %v", name, g.Geographic, g.Names)
		}
	}
	g, _, _ := Open("abilene", 1, Options{})
	if g.NodeName(0) != "New York" || g.X[0] != -74.00597 || g.Y[0] != 40.71427 ||
		g.Attrs["Country"][0] != "United States" {
		t.Errorf("first node of Abilene: %s at %g, %g", g.NodeName(0), g.X[0], g.Y[0])
	}
}
