package format

import (
	"bytes"
	"strings"
	"testing"

	"caucus.example/caucus/network"
)

// fuzz reads arbitrary bytes as one format. What is read must be a proper simple graph
// with distinct names, which reads back from GraphML unless its names cannot be written.
func fuzz(f *testing.F, format Format, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	for _, c := range malformed {
		if c.format == format {
			f.Add([]byte(c.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, r, err := Read(bytes.NewReader(data), "f", format, Options{})
		if err != nil {
			if g != nil || !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("graph %v with the error %v", g, err)
			}
			return
		}
		if r.Merged.Records != r.Merged.SelfLoops+r.Merged.Repeats+g.Edges() {
			t.Fatalf("%+v, but %d edges", r.Merged, g.Edges())
		}
		if _, err := network.Names(g); err != nil {
			t.Fatal(err)
		}
		if g.Len() > 10000 {
			return
		}
		var b bytes.Buffer
		if Write(&b, g, GraphML) != nil {
			return
		}
		if again, _, err := Read(&b, "again", GraphML, Options{}); err != nil || again.Len() != g.Len() ||
			again.Edges() != g.Edges() {
			t.Fatalf("does not read back: %v", err)
		}
	})
}

func FuzzEdgeList(f *testing.F) {
	fuzz(f, EdgeList, "# c\r\n1\t3\r\n3 1 2.5\n", "a,b\n", "\"a b\" c {'weight': 2}\n",
		edgeListMark+"\n# node \"x y\"\n")
}

func FuzzMatrix(f *testing.F) { fuzz(f, Matrix, "0 1\n1 0\n", "0,2.5,0\n0,0,1\n0,0,0\n") }

func FuzzPajek(f *testing.F) {
	fuzz(f, Pajek, "*Vertices 3\n1 \"a b\" 0.1 0.2 0 box ic Red\n*Arcs\n1 2 4\n*Edgeslist\n1 2 3\n",
		"*vertices 2\n*matrix\n0 1\n1 0\n")
}

func FuzzMETIS(f *testing.F) {
	fuzz(f, METIS, "% c\n3 1\n2\n1\n\n", "2 1 111 2\n9 5 6 2 7\n9 8 8 1 7\n")
}

func FuzzMatrixMarket(f *testing.F) {
	fuzz(f, MatrixMarket, "%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 -inf\n2 1 5\n")
}

func FuzzGML(f *testing.F) {
	fuzz(f, GML, "graph [ directed 1 node [ id 7 label \"S&#227;o\" graphics [ x 1.5 y -2 ] ] node [ id 2 ] edge [ "+
		"source 2 target 7 value 3 ] ]")
}

func FuzzGraphML(f *testing.F) {
	fuzz(f, GraphML,
		`<?xml version="1.0"?><graphml><key id="k" for="node" attr.name="label"><default>x</default></key><graph edgedefault="directed"><edge source="b" target="a"><data key="k">3</data></edge><node id="a"><graph><node id="c"/></graph></node><node id="b"><data key="k">hub</data></node></graph></graphml>`)
}

func FuzzGEXF(f *testing.F) {
	fuzz(f, GEXF,
		`<gexf><graph><attributes class="node"><attribute id="c" title="cost"><default>4</default></attribute></attributes><nodes><node id="a" label="Ä"><viz:position x="1" y="2"/><attvalues><attvalue for="c" value="1"/></attvalues></node><node id="b"/></nodes><edges><edge source="a" target="b" weight="2"/></edges></graph></gexf>`)
}

func FuzzDOT(f *testing.F) {
	fuzz(f, DOT, "digraph{3; 2->{3}}", "strict graph \"g\" { node [a=b] {a b} -- subgraph s { c:n:s; d } -- e "+
		"[weight=2, pos=\"1,2!\"] /* c */ }", "graph { <a<b>> -- \"x\" + \"y\" // c\n# d\n -1.5 [c] }")
}

func FuzzNodeLink(f *testing.F) {
	fuzz(f, NodeLink,
		`{"nodes":[{"id":"a","pos":[1,2],"properties":{"x":[1]}},{"id":2}],"links":[{"source":"a","target":"c","weight":3}]}`, `{"nodes":[{},{}],"edges":[{"from":0,"to":1}]}`)
}

func FuzzNetJSON(f *testing.F) {
	fuzz(f, NetJSON,
		`{"type":"NetworkGraph","label":"m","nodes":[{"id":"1","location":{"lng":1,"lat":2}}],"links":[{"source":"1","target":"2","cost":1.5}]}`)
}

func FuzzBatmanVis(f *testing.F) {
	fuzz(f, BatmanVis,
		`{"vis":[{"primary":"p","secondary":["q"],"neighbors":[{"router":"q","neighbor":"r","metric":"1.5"}]}]}`)
}

func FuzzGraph6(f *testing.F) { fuzz(f, Graph6, "DQc\n", ">>graph6<<A_\n") }

func FuzzSparse6(f *testing.F) { fuzz(f, Sparse6, ":Fa@x^\n", ">>sparse6<<:An\n") }

func FuzzInet(f *testing.F) { fuzz(f, Inet, "2 1\n0\t5\t6\n1\t7\t8\n0\t1\t9\n") }

func FuzzBRITE(f *testing.F) {
	fuzz(f, BRITE, "Topology: ( 2 Nodes, 1 Edges )\nNodes: ( 2 )\n0 5 6 1 1 3 AS_NODE\n1 7 8 1 1 4 AS_NODE\nEdges: ( "+
		"1 )\n0 0 1 2.5 1 1 0 1 E_AS U\n")
}

// FuzzDetect lets the content decide the format.
func FuzzDetect(f *testing.F) {
	for _, s := range []string{"graph {", "graph [", "<graphml>", "<a:gexf ", "{", "*Vertices 1", "0 1\n1 0\n",
		"2 1\n0 1 2\n1 2 3\n0 1 1\n", "\xff\xfe<\x00", "\x1f\x8b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, _, err := Read(bytes.NewReader(data), "f", "", Options{})
		if (g == nil) != (err != nil) {
			t.Fatalf("graph %v, error %v", g, err)
		}
	})
}
