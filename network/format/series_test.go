package format

import (
	"strings"
	"testing"
)

// pair is a file with the graphs a-b and b-c in one format, and the name of the second one.
var pairs = []struct{ file, text, second, union, alone string }{
	{"a.net", "*Network one\n*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n" +
		"*Network two\n*Vertices 3\n2 \"b\"\n3 \"c\"\n*Edges\n2 3\n", "two", "a; b; c; a-b b-c", "1; b; c; b-c"},
	{"a.net", "*Vertices 2\n*Edges\n1 2\n*Network two\n*Vertices 3\n*Edges\n2 3\n", "two", "1; 2; 3; 1-2 2-3",
		"1; 2; 3; 2-3"},
	{"a.ned", "network One { submodules: a: N; b: N; connections: a.g <--> b.g; }\n" +
		"network Two { submodules: b: N; c: N; connections: b.g <--> c.g; }\n", "Two", "a; b; c; a-b b-c", "b; c; b-c"},
	{"a.gml", "graph [ label one node [ id 1 label a ] node [ id 2 label b ] edge [ source 1 target 2 ] ]\n" +
		"graph [ node [ id 2 label b ] node [ id 3 label c ] edge [ source 2 target 3 ] label \"two\" ]\n", "two",
		"a; b; c; a-b b-c", "b; c; b-c"},
	{"a.graphml", `<graphml><graph id="one"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph>` +
		`<graph id="two"><node id="b"/><node id="c"/><edge source="b" target="c"/></graph></graphml>`, "two",
		"a; b; c; a-b b-c", "b; c; b-c"},
	{"a.dot", "graph one { a -- b }\ngraph two { b -- c }\n", "two", "a; b; c; a-b b-c", "b; c; b-c"},
	{"a.g6", "A_\nBG\n", "2", "1; 2; 3; 1-2 2-3", "1; 2; 3; 2-3"},
	{"a.s6", ">>sparse6<<:An\n:Bp\n", "2", "1; 2; 3; 1-2 2-3", "1; 2; 3; 2-3"},
	{"a.json", `{"graphs":[{"id":"one","nodes":{"a":{},"b":{}},"edges":[{"source":"a","target":"b"}]},` +
		`{"id":"two","nodes":{"b":{},"c":{}},"edges":[{"source":"b","target":"c"}]}]}`, "two", "a; b; c; a-b b-c",
		"b; c; b-c"},
	{"a.json", `{"type":"NetworkCollection","collection":[` +
		`{"type":"NetworkGraph","label":"one","nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b"}]},` +
		`{"type":"NetworkGraph","label":"two","nodes":[{"id":"b"},{"id":"c"}],"links":[{"source":"b","target":"c"}]}]}`,
		"two", "a; b; c; a-b b-c", "b; c; b-c"},
}

// TestSeveralGraphs: one rule for all formats. The union, with what the graphs share; or one, by its name or number.
func TestSeveralGraphs(t *testing.T) {
	for _, c := range pairs {
		g, r := read(t, c.file, c.text, Options{})
		if got := picture(g); got != c.union {
			t.Errorf("%s: the union is %s, want %s", c.file, got, c.union)
		}
		shared := "1 nodes"
		if strings.HasPrefix(c.union, "1;") || c.file == "a.net" { // numbered: those of the smaller graph
			shared = "2 nodes"
		}
		want := "read as their union; " + shared + " stand in several"
		notes := strings.Join(r.Notes, "|")
		if !strings.Contains(notes, "2 graphs (") || !strings.Contains(notes, want) {
			t.Errorf("%s: notes %q lack %q", c.file, notes, want)
		}
		for _, choice := range []string{c.second, "2"} {
			if g, _ := read(t, c.file, c.text, Options{Graph: choice}); picture(g) != c.alone {
				t.Errorf("%s, graph %s: %s, want %s", c.file, choice, picture(g), c.alone)
			}
		}
		_, _, err := Read(strings.NewReader(c.text), c.file, "", Options{Graph: "three"})
		if err == nil || !strings.Contains(err.Error(), `graph: found "three"`) {
			t.Errorf("%s: a graph that is not there: %v", c.file, err)
		}
	}
}

// TestNoUnion: nodes of one id with two labels are not one node.
func TestNoUnion(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"a.net", "*Network x\n*Vertices 1\n1 \"a\"\n*Network y\n*Vertices 1\n1 \"b\"\n"},
		{"a.gml", `graph [ node [ id 1 label "a" ] ] graph [ node [ id 1 label "b" ] ]`},
		{"a.json", `{"graphs":[{"nodes":{"1":{"label":"a"}}},{"nodes":{"1":{"label":"b"}}}]}`},
	} {
		_, _, err := Read(strings.NewReader(c.text), c.file, "", Options{})
		if err == nil || !strings.Contains(err.Error(), `node 1 is called "a" in one graph and "b" in another`) {
			t.Errorf("%s: %v", c.file, err)
		}
		if _, r := read(t, c.file, c.text, Options{Lenient: true}); !strings.Contains(strings.Join(r.Notes, "|"),
			"forgiven: 1 nodes of one id with two labels") {
			t.Errorf("%s: notes %q", c.file, r.Notes)
		}
		read(t, c.file, c.text, Options{Graph: "2"})
	}
}

// TestPajekProject: what a project holds beside its network is left out, with the values that follow it.
func TestPajekProject(t *testing.T) {
	g, r := read(t, "a.paj", "*Partition q\n*Vertices 2\n1\n2\n*Network x\n*Vertices 2\n*Edges\n1 2\n"+
		"*Partition p\n*Vertices 2\n1\n2\n*Vector v\n*Vertices 2\n0.5\n0.5\n", Options{})
	if picture(g) != "1; 2; 1-2" || len(r.Notes) != 3 {
		t.Errorf("%s, notes %q", picture(g), r.Notes)
	}
}
