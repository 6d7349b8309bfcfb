package format

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"
	"unicode/utf16"

	"caucus.example/caucus/network"
)

func read(t *testing.T, name, text string, o Options) (*network.Graph, Report) {
	t.Helper()
	g, r, err := Read(strings.NewReader(text), name, "", o)
	if err != nil {
		t.Fatal(err)
	}
	return g, r
}

// picture writes a graph on one line: names with coordinates, then edges with weights.
func picture(g *network.Graph) string {
	var b strings.Builder
	for i := range g.Len() {
		fmt.Fprintf(&b, "%s", g.NodeName(i))
		if g.Located(i) {
			fmt.Fprintf(&b, "@%g,%g", g.X[i], g.Y[i])
		}
		b.WriteString("; ")
	}
	for a := range g.Len() {
		for k := g.Off[a]; k < g.Off[a+1]; k++ {
			if c := int(g.Nbr[k]); c > a {
				fmt.Fprintf(&b, "%s-%s", g.NodeName(a), g.NodeName(c))
				if g.Weight != nil && !math.IsNaN(g.Weight[k]) {
					fmt.Fprintf(&b, "=%g", g.Weight[k])
				}
				b.WriteString(" ")
			}
		}
	}
	for _, name := range sortedKeys(g.Attrs) {
		fmt.Fprintf(&b, "%s=%q ", name, g.Attrs[name])
	}
	return strings.TrimSpace(b.String())
}

// small are files whose graphs can be seen by eye.
var small = []struct {
	what, file, text string
	want             Format
	graph            string
}{
	{"tabs, CRLF, comments, repeats and loops", "a.txt", "# c\r\n% c\r\n1\t3\r\n3 1\r\n3 3\r\n", EdgeList,
		`1; 3; 1-3`},
	{"old Mac line ends", "a.txt", "a b\rb c", EdgeList, `a; b; c; a-b b-c`},
	{"commas, header, weight", "a.csv", "Source,Target,Weight\nNew York,Oslo,2.5\nOslo,Rome,\n", EdgeList,
		`New York; Oslo; Rome; New York-Oslo=2.5 Oslo-Rome`},
	{"commas with blanks", "a.txt", "a, b, 3\nb, c, 4\n", EdgeList, `a; b; c; a-b=3 b-c=4`},
	{"commas within names", "a.txt", "Oslo,+NO1 Rome,+IT2 7\n", EdgeList,
		`Oslo,+NO1; Rome,+IT2; Oslo,+NO1-Rome,+IT2=7`},
	{"quotes", "a.txt", "\"New York\" \"a \\\"b\\\"\" 2\n", EdgeList, `New York; a "b"; New York-a "b"=2`},
	{"quotes of a spreadsheet", "a.csv", "\"New \"\"Y\"\", York\",b,2\n", EdgeList,
		`New "Y", York; b; New "Y", York-b=2`},
	{"a table of Gephi", "a.csv",
		"Source,Target,Type,Id,Label,timeset,Weight\nA,B,Undirected,0,,,1.5\nB,C,Undirected,1,,,2\n", EdgeList,
		`A; B; C; A-B=1.5 B-C=2`},
	{"a table with an id first", "a.csv", "Id,Label,Source,Target,Weight\n1,e1,A,B,2\n2,e2,B,C,3\n", EdgeList,
		`A; B; C; A-B=2 B-C=3`},
	{"a table with tabs", "a.txt", "Source\tTarget\tfree text\nNew York\tOslo\tx\n", EdgeList,
		`New York; Oslo; New York-Oslo`},
	{"Rocketfuel's names", "a.intra", "Oslo,+NO1 Rome,+IT,2\n", EdgeList,
		`Oslo,+NO1; Rome,+IT,2; Oslo,+NO1-Rome,+IT,2`},
	{"NetworkX, two attributes", "a.edgelist",
		"a b {'latency': 5.5, 'weight': 10}\nb c {'note': 'x, {y}', 'weight': 2}\n", EdgeList,
		`a; b; c; a-b=10 b-c=2`},
	{"NetworkX data", "a.edgelist", "1 2 {}\n2 3 {'weight': 4.5, 'c': 1}\n", EdgeList, `1; 2; 3; 1-2 2-3=4.5`},
	{"order and isolated nodes of ours", "a.txt",
		edgeListMark + "\n# node \"z\"\n# node \"b c\"\n# node \"a\"\na z\n", EdgeList, `z; b c; a; z-a`},
	{"matrix", "a.txt", "0 1 0\n1 0 0\n0 0 0\n", Matrix, `1; 2; 3; 1-2`},
	{"weighted matrix", "a.adj", "0,2.5\n0,0\n", Matrix, `1; 2; 1-2=2.5`},
	{"Pajek", "a.net", "free text\n*Vertices 3\n1 \"New York\" 0.1 0.2\n3 c 0 0 box ic Red\n*Arcs\n1 2 " +
		"4\n*Edges\n2 3\n", Pajek,
		`New York@0.1,0.2; 2; c@0,0; New York-2=4 2-c ic=["" "" "Red"] shape=["" "" "box"]`},
	{"Pajek lists", "a", "*vertices 4\n*arcslist\n1 2 3\n*edgeslist\n4 1\n", Pajek, `1; 2; 3; 4; 1-2 1-3 1-4`},
	{"Pajek, a partition before the vertices", "a", "*Partition p\n1\n2\n*Vertices 2\n*Edges\n1 2\n", Pajek, `1; 2; 1-2`},
	{"Pajek matrix", "a", "*Vertices 2\n*Matrix\n0 3\n3 0\n", Pajek, `1; 2; 1-2=3`},
	{"METIS with isolated node", "a.graph", "% c\n3 1\n2\n1\n\n", METIS, `1; 2; 3; 1-2`},
	{"METIS by its content", "a.txt", "4 3\n2 3\n1 4\n1\n2\n", METIS, `1; 2; 3; 4; 1-2 1-3 2-4`},
	{"METIS with all weights", "a.graph", "2 1 111 2\n9 5 6 2 7\n9 8 8 1 7\n", METIS,
		`1; 2; 1-2=7 weight=["5" "8"]`},
	{"MatrixMarket", "a", "%%MatrixMarket matrix coordinate real general\n% c\n3 3 2\n1 2 -3e2\n2 1 5\n",
		MatrixMarket, `1; 2; 3; 1-2=-300`},
	{"graph6 of the path 2-0-3, 1-4 (nauty's manual)", "a.g6", "DQc\n", Graph6, `1; 2; 3; 4; 5; 1-3 1-5 2-4 4-5`},
	{"sparse6 (nauty's manual)", "a.s6", ":Fa@x^\n", Sparse6, `1; 2; 3; 4; 5; 6; 7; 1-2 1-3 2-3 6-7`},
	{"GML", "a.txt", "Creator \"x\"\ngraph [ directed 1 edge [ source 2 target 7 value 3 ]\nnode [ id 7 label " +
		"\"S&#227;o &amp; A\" graphics [ x 1.5 y -2 ] ] node [ id 2 ] ]", GML, `São & A@1.5,-2; 2; São & A-2=3`},
	{"GEXF 1.3", "a.xml",
		`<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz"><graph><attributes class="edge"><attribute id="c" title="cost"><default>4</default></attribute></attributes><nodes><node id="a" label="Ä"><viz:position x="1" y="2" z="0"/></node><node id="b"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`, GEXF, `Ä@1,2; b; Ä-b=4`},
	{"GraphML with defaults and edges first", "a.xml",
		`<graphml><key id="k" for="node" attr.name="role"><default>leaf</default></key><key id="w" for="edge" attr.name="cost"><default>2</default></key><graph edgedefault="directed"><edge source="b" target="a"/><edge source="b" target="c"><data key="w">3</data></edge><node id="a"/><node id="b"><data key="k">hub</data></node><node id="c"/></graph></graphml>`, GraphML, `a; b; c; a-b=2 b-c=3 role=["leaf" "hub" "leaf"]`},
	{"yEd", "a.graphml",
		`<graphml xmlns:y="u"><key id="d" for="node" yfiles.type="nodegraphics"/><graph><node id="n0"><data key="d"><y:ShapeNode><y:Geometry x="1" y="2"/><y:NodeLabel>Rome</y:NodeLabel><y:NodeLabel>remark</y:NodeLabel></y:ShapeNode></data></node></graph></graphml>`, GraphML, `Rome@1,2;`},
	{"DOT: edges to sets named before", "a.gv", "digraph{3; 2->{3}}", DOT, `3; 2; 3-2`},
	{"DOT: sets at both ends, chains", "a.gv",
		"strict graph \"g\" { {a b} -- subgraph s { c; d } -- e [weight=2] }", DOT,
		`a; b; c; d; e; a-c=2 a-d=2 b-c=2 b-d=2 c-e=2 d-e=2`},
	{"DOT: ports, strings, comments, keywords", "a.dot",
		"/* c */ DiGraph {\n# line\nNODE [shape=box]; \"a\":n:se -> \"b \" + \"c\" // c\n<x<i>y</i>> -> -1.5; é; " +
			"x = y }", DOT,
		`a; b c; <x<i>y</i>>; -1.5; é; a-b c <x<i>y</i>>--1.5 shape=["box" "box" "box" "box" "box"]`},
	{"DOT: defaults end with their subgraph", "a.dot",
		"graph { a -- b; subgraph { edge [weight=5]; b -- c } c -- d; a [pos=\"1,2!\"] }", DOT,
		`a@1,2; b; c; d; a-b b-c=5 c-d`},
	{"NetJSON", "a.json",
		`{"type":"NetworkGraph","nodes":[{"id":"10.0.0.1","label":"roof","location":{"lng":12.5,"lat":41.9}},{"id":"10.0.0.2","properties":{"os":"x"}}],"links":[{"source":"10.0.0.1","target":"10.0.0.2","cost":1.5}]}`, NetJSON, `roof@12.5,41.9; 10.0.0.2; roof-10.0.0.2=1.5 os=["" "x"]`},
	{"NetworkX with edges", "a.json",
		`{"directed":true,"edges":[{"source":2,"target":1,"weight":3}],"nodes":[{"id":1,"pos":[5,6]},{"id":2}]}`,
		NodeLink, `1@5,6; 2; 1-2=3`},
	{"D3 by place", "a.json",
		`{"nodes":[{"name":"Ann"},{"name":"Bo"}],"links":[{"source":1,"target":0,"value":8}]}`, NodeLink,
		`Ann; Bo; Ann-Bo=8`},
	{"vis.js", "a.json", `{"nodes":[{"id":"a","label":"A"},{"id":"b"}],"edges":[{"from":"a","to":"b"}]}`, NodeLink,
		`A; b; A-b`},
	{"NetJSON, other addresses of a node", "a.json",
		`{"type":"NetworkGraph","nodes":[{"id":"p","local_addresses":["q","r"]},{"id":"s"}],"links":[{"source":"s","target":"r","cost":1}]}`, NetJSON, `p; s; p-s=1`},
	{"meshviewer", "a.json",
		`{"nodes":[{"node_id":"01","hostname":"roof","location":{"longitude":7,"latitude":50}},{"node_id":"02"}],"links":[{"source":"01","target":"02"}]}`, NodeLink, `roof@7,50; 02; roof-02`},
	{"nodes by name", "a.json", `{"nodes":[{"name":"Ann"},{"name":"Bo"}],"links":[{"source":"Ann","target":"Bo"}]}`,
		NodeLink, `Ann; Bo; Ann-Bo`},
	{"links alone", "a.json", `{"links":[{"source":"a","target":"b"},{"source":"b","target":"c"}]}`, NodeLink,
		`a; b; c; a-b b-c`},
	{"batman-adv", "a.json",
		`{"vis":[{"primary":"p","secondary":["q"],"neighbors":[]},{"primary":"r","neighbors":[{"router":"r","neighbor":"q","metric":"1.5"}]}]}`, BatmanVis, `p; r; p-r=1.5`},
	{"Inet", "a.txt", "2 1\n0\t5\t6\n1\t7\t8\n0\t1\t9\n", Inet, `0@5,6; 1@7,8; 0-1=9`},
	{"DIMACS, colouring", "a", "c c\np edge 3 2\ne 1 2\ne 2 3\n", "dimacs", `1; 2; 3; 1-2 2-3`},
	{"DIMACS, arcs", "a", "p sp 2 2\na 1 2 5\na 2 1 5\n", "dimacs", `1; 2; 1-2=5`},
	{"adjacency list", "a.txt", "#x.py\n1 2 3 4\n2 3\n3\n4\n", "adjlist", `1; 2; 3; 4; 1-2 1-3 1-4 2-3`},
	{"batadv lines, folded", "a.json",
		`{ "router" : "a2", "neighbor" : "b", "label" : "1.5" }` + "\n" + `{ "secondary" : "a2", "of" : "a" }` + "\n" +
			`{ "primary" : "a" }`, BatmanVis, `a; b; a-b=1.5`},
	{"olsrd, folded", "a.json",
		`{"topology":[{"lastHopIP":"a","destinationIP":"b2","tcEdgeCost":2048}],"mid":[{"ipAddress":"b","aliases":[{"ipAddress":"b2"}]}]}`,
		"olsr-jsoninfo", `a; b; a-b=2`},
	{"olsrd, text", "a", "Table: Topology\nDest. IP\tLast hop IP\tLQ\tNLQ\tCost\na\tb2\t1\t1\t3\n\nTable: " +
		"MID\nIP address\tAliases\nb\tb2;b3\n", "olsr-txtinfo", `b; a; b-a=3`},
	{"bmx", "a.json", `[{"name":"a","links":[{"name":"b","rxRate":90}]}]`, "bmx", `a; b; a-b`},
	{"JGF, two graphs", "a.json",
		`{"graphs":[{"id":"g","nodes":{"a":{"label":"A"},"b":{}},"edges":[{"source":"a","target":"b","metadata":{"value":3}}]},{"nodes":{"b":{}}}]}`,
		"jgf", `A; b; A-b=3`},
	{"NetJSON collection", "a.json",
		`{"type":"NetworkCollection","collection":[{"type":"NetworkGraph","nodes":[{"id":"a"}],"links":[]},{"type":"NetworkGraph","nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b","cost":2}]}]}`,
		NetJSON, `a; b; a-b=2`},
	{"Cytoscape, elements", "a.json",
		`{"elements":{"nodes":[{"data":{"id":"box"}},{"data":{"id":"a","parent":"box"},"position":{"x":1,"y":2}},{"data":{"id":"b"}}],"edges":[{"data":{"id":"e","source":"a","target":"b","weight":4}}]}}`,
		"cytoscape", `a@1,2; b; a-b=4 parent=["box" ""]`},
	{"Cytoscape, list", "a.json",
		`[{"group":"nodes","data":{"id":"a"}},{"group":"nodes","data":{"id":"b"}},{"group":"edges","data":{"source":"a","target":"b"}}]`,
		"cytoscape", `a; b; a-b`},
	{"Gluon's graph.json", "graph.json",
		`{"version":1,"batadv":{"directed":false,"nodes":[{"id":"m1","node_id":"x"},{"id":"m2"}],"links":[{"source":0,"target":1,"tq":1.5,"vpn":true}]}}`,
		NodeLink, `m1; m2; m1-m2 node_id=["x" ""]`},
	{"Containerlab", "a.yml",
		"name: lab\ntopology:\n  defaults:\n    kind: linux\n  nodes:\n    a:\n    b: {kind: bridge}\n    c:\n      " +
			"group: g\n" +
			"  links:\n    - endpoints: [\"a:eth1\", \"b:e1\"]\n    - endpoints:\n        - node: b\n          " +
			"interface: e2\n" +
			"        - {node: c, interface: eth1}\n    - endpoints: [\"a:eth2\", \"host:x\"]\n", "containerlab",
		`a; b; c; a-b b-c group=["" "" "g"] kind=["linux" "bridge" "linux"]`},
	{"NED", "a.ned", "package p;\nnetwork N\n{\n  types: channel C extends D { delay = 1us; }\n  submodules:\n" +
		"    a: T { @display(\"i=x;p=3,4\"); gates: g[2]; }\n    b[2]: T; // two\n    idle: Q;\n  connections " +
		"allowunconnected:\n" +
		"    a.g++ <--> C { delay = 2us; } <--> b[1].g++;\n    a.g++ --> b[0].g;\n}\nsimple M {}\n", "ned",
		`a@3,4; b[0]; b[1]; a-b[0] a-b[1]`},
	{"NED, a ring of a size by default", "a",
		"network N\n{\n parameters:\n  int n @prompt(\"how many\") = default(4);\n @display(\"bgb=1,2\");\n" +
			" submodules:\n  a[n]: T { gates: g[2]; }\n connections allowunconnected:\n  for i=0..n-1 {\n" +
			"   a[i].out++ --> { delay = 1ms; @display(\"if=x\"); } --> a[(i+1)%n].in++;\n  }\n}\n", "ned",
		`a[0]; a[1]; a[2]; a[3]; a[0]-a[1] a[0]-a[3] a[1]-a[2] a[2]-a[3]`},
	{"NED, a grid with conditions", "a",
		"network N {\n double h = default(2) @prompt(\"h\"); double w = 3;\n" +
			" submodules:\n  n[h*w]: T {}; c: Q;\n connections:\n  for i=0..h-1, for j=0..w-1 {\n" +
			"   n[i*w+j].p[0] <--> C <--> n[(i+1)*w+j].p[1] " +
			"if i!=h-1;\n" +
			"   n[i*w+j].p <--> C <--> n[(i*w+j)+1].p if j!=w-1; };\n}\n", "ned",
		`n[0]; n[1]; n[2]; n[3]; n[4]; n[5]; n[0]-n[1] n[0]-n[3] n[1]-n[2] n[1]-n[4] n[2]-n[5] n[3]-n[4] n[4]-n[5]`},
	{"NED, a binary tree, a loop behind", "a",
		"network N {\n int h = default(3);\n submodules:\n  n[2^h-1]: T;\n connections:\n" +
			"  n[i].l <--> n[2*i+1].p for i=0..2^(h-1)-2;\n" +
			"  for i=0..sizeof(n)-1, for j=i..sizeof(n)-1, if j==2*i+2 { n[i].r <--> n[j].p; }\n}\n", "ned",
		`n[0]; n[1]; n[2]; n[3]; n[4]; n[5]; n[6]; n[0]-n[1] n[0]-n[2] n[1]-n[3] n[1]-n[4] n[2]-n[5] n[2]-n[6]`},
	{"NED, a cube of a module that is extended", "a",
		"module Cube {\n parameters: int dim; string t;\n submodules:\n  n[2^dim]: <t> like I { address = index; }\n" +
			" connections:\n  for i=0..2^dim-1, for j=0..dim-1 {\n" +
			"   n[i].p[j] <--> n[i#(1<<j)].p[j] if (i < i#(1<<j));\n  }\n}\n" +
			"network N extends Cube {\n dim = 2;\n}\n", "ned",
		`n[0]; n[1]; n[2]; n[3]; n[0]-n[1] n[0]-n[2] n[1]-n[3] n[2]-n[3]`},
	{"NED, constant conditions", "a",
		"network N {\n bool far = default(false); int k = far ? 9 : 2;\n submodules:\n  a: T; b: T if far;\n" +
			"  c[k]: T if !far;\n connections:\n  a.g --> b.g if far;\n" +
			"  if !far && k > 1 { a.g --> c[k-1].g; a.g --> c[0].g; }\n}\n", "ned", `a; c[0]; c[1]; a-c[0] a-c[1]`},
	{"CAIDA", "a", "# c\n1|2|-1\n2|3|0|bgp\n", "as-rel", `1; 2; 3; 1-2 2-3`},
	{"Rocketfuel", "a", "7 @Oslo,+NO + bb\t(3) &1 -> <8> {-5}  =h.net r0\n8 @T (1) -> <7> =h.net! r1\n-5 =x r0\n",
		"rocketfuel", `7; 8; 7-8 backbone=["bb" ""] label=["h.net" "h.net"] place=["Oslo, NO" "T"]`},
	{"SNDlib", "a", "?SNDlib native format; type: network; version: 1.0\n# c\nNODES (\n A ( 10.5 53.1 )\n B ( 8 50 " +
		")\n)\n" +
		"LINKS (\n L1 ( A B ) 1.0 0.0 2.0 0.0 ( 4.0 5.0 )\n)\nDEMANDS (\n D ( A B ) 1 2.0 UNLIMITED\n)\n", "sndlib",
		`A@10.5,53.1; B@8,50; A-B`},
	{"SNDlib XML", "a.xml",
		`<network xmlns="u"><networkStructure><nodes coordinatesType="pixel"><node id="A"><coordinates><x>1</x><y>2</y></coordinates></node><node id="B"/></nodes><links><link id="L"><source>A</source><target>B</target></link></links></networkStructure><demands><demand id="d"><source>B</source><target>A</target></demand></demands></network>`,
		"sndlib-xml", `A@1,2; B; A-B`},
	{"OSPF", "a.json",
		`{"routerLinkStates":{"areas":{"0.0.0.0":[{"linkStateId":"r1","routerLinks":{"link0":{"linkType":"another Router (point-to-point)","neighborRouterId":"r2"},"link1":{"linkType":"a Transit Network","designatedRouterAddress":"n"},"link2":{"linkType":"Stub Network"}}}]}}}`,
		"ospf", `r1; net n; r2; r1-net n r1-r2`},
	{"LLDP", "a.json",
		`{"lldp":{"interface":[{"eth0":{"chassis":{"sw":{"id":{"type":"mac","value":"m"}}}}},{"eth1":{"chassis":{"sw":{"id":{"type":"mac","value":"m"}}}}}]}}`,
		"lldp", `this host; sw; this host-sw`},
	{"routes", "a.json", `[{"dst":"default","gateway":"g","dev":"e"},{"dst":"10/8","dev":"e"}]`, "iproute",
		`this host; g; this host-g`},
	{"neighbours", "a.json",
		`[{"dst":"h","dev":"e","lladdr":"m","state":["REACHABLE"]},{"dst":"i","dev":"e","state":["FAILED"]}]`, "iproute",
		`this host; m; this host-m`},
	{"GT-ITM", "a", "GRAPH (#nodes #edges id uu vv ww xx yy zz):\n2 2 g\n\nVERTICES (index name u v w x y z):\n0 T:0 " +
		"3 4\n" +
		"1 1 5 6\n\nEDGES (from-node to-node length a b):\n0 1 9 0\n", "gt-itm", `T:0@3,4; 1@5,6; T:0-1=9`},
	{"GraphBase", "a", "* GraphBase graph (util_types ZZZIIZIZZZZZZZ,2V,102A)\n\"geo\",2,2\n* " +
		"Vertices\n\"a\",A0,3,4\n" +
		"\"b\",A1,5,6\n* Arcs\nV1,0,9,0\nV0,0,9,0\n* Checksum 5\n", "gt-itm", `a@3,4; b@5,6; a-b=9`},
	{"TOSSIM", "a", "gain\t1\t2\t-60.5\ngain 2 1 -70\nnoise 1 -105 4\n", "tossim", `1; 2; 1-2`},
	{"BRITE", "a", "Topology: ( 2 Nodes, 1 Edges )\nModel (3): 1\n\nNodes: ( 2 )\n0 5 6 1 1 3 AS_NODE\n1 7 8 1 1 " +
		"4 AS_NODE\n\nEdges: ( 1 )\n0 0 1 2.5 1 1 0 1 E_AS U\n", BRITE,
		`0@5,6; 1@7,8; 0-1=2.5 AS=["3" "4"] type=["AS_NODE" "AS_NODE"]`},
}

func TestSamples(t *testing.T) {
	formats := map[Format]bool{}
	for _, c := range small {
		formats[c.want] = true

		t.Run(c.what, func(t *testing.T) {
			g, r := read(t, c.file, c.text, Options{})
			if r.Format != c.want {
				t.Errorf("detected as %s, want %s", r.Format, c.want)
			}
			if got := picture(g); got != c.graph {
				t.Errorf("got  %s\nwant %s", got, c.graph)
			}
		})
	}
	for _, f := range Formats() {
		if !formats[f] && f != kindGluonNodes.format { // two files: TestNodesBeside
			t.Errorf("no sample of %s", f)
		}
	}
}

// TestEncodings reads one graph in every encoding.
func TestEncodings(t *testing.T) {
	const gml = "graph [ node [ id 1 label \"Zürich\" ] node [ id 2 label \"Genève\" ] edge [ source 1 target 2 ] ]"
	const xml = `<graphml><key id="l" for="node" attr.name="label"/><graph><node id="1"><data key="l">Zürich</data></node><node id="2"><data key="l">Genève</data></node><edge source="1" target="2"/></graph></graphml>`
	latin := func(s string) string {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r))
		}
		return string(b)
	}
	wide := func(s string, big bool) string {
		var b []byte
		for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
			if big {
				b = append(b, byte(u>>8), byte(u))
			} else {
				b = append(b, byte(u), byte(u>>8))
			}
		}
		return string(b)
	}
	zip := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprint(z, s)
		z.Close()
		return b.String()
	}
	for _, c := range []struct{ what, text, encoding string }{
		{"UTF-8", gml, "UTF-8"},
		{"UTF-8 with mark", "\ufeff" + gml, "UTF-8 with byte order mark"},
		{"UTF-16 little", wide(gml, false), "UTF-16LE"},
		{"UTF-16 big", wide(gml, true), "UTF-16BE"},
		{"UTF-16 XML", wide(`<?xml version="1.0" encoding="UTF-16"?>`+xml, false), "UTF-16LE"},
		{"UTF-16 without mark", wide(gml, false)[2:], "UTF-16LE"},
		{"UTF-16 big without mark", wide(gml, true)[2:], "UTF-16BE"},
		{"declared UTF-16, but is not", `<?xml version="1.0" encoding="UTF-16"?>` + xml, "UTF-8"},
		{"undeclared ISO-8859-1", latin(gml), "ISO-8859-1"},
		{"declared ISO-8859-1", latin(`<?xml version="1.0" encoding="ISO-8859-1"?>` + xml), "ISO-8859-1"},
		{"gzip", zip(gml), "UTF-8"},
	} {
		g, r, err := Read(strings.NewReader(c.text), "x.gml.gz", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got, want := picture(g), "Zürich; Genève; Zürich-Genève"; got != want || r.Encoding != c.encoding {
			t.Errorf("%s: %s in %s, want %s in %s", c.what, got, r.Encoding, want, c.encoding)
		}
	}
}

func TestNamesAreDistinct(t *testing.T) {
	for _, c := range []struct{ labels, want []string }{
		{[]string{"A", "B", "C"}, []string{"A", "B", "C"}},
		{[]string{"A", "B", "A"}, []string{"A (10)", "B", "A (12)"}},
		{[]string{"A", "", "A"}, []string{"A (10)", "11", "A (12)"}},
		{[]string{"11", "", "B"}, []string{"11 (10)", "11 (11)", "B"}},
		{[]string{"A", "A (10)", "A"}, []string{"A (10) (10)", "A (10) (11)", "A (12)"}},
	} {
		var b strings.Builder
		for i, l := range c.labels {
			fmt.Fprintf(&b, "node [ id %d label %q ]\n", 10+i, l)
		}
		g, r := read(t, "x.gml", "graph [ "+b.String()+"]", Options{})
		if strings.Join(g.Names, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q: got %q, want %q", c.labels, g.Names, c.want)
		}
		if plain := strings.Join(c.labels, "|") == strings.Join(c.want, "|"); plain != (r.Renamed == 0) {
			t.Errorf("%q: renamed %d", c.labels, r.Renamed)
		}
	}
}

func TestOptions(t *testing.T) {
	const gml = `graph [
node [ id 1 label "a" code "A" lon 200 lat 10 u 1 v 2 ]
node [ id 2 label "b" code "B" lon 100 lat 10 u 3 v 4 ]
edge [ source 1 target 2 delay 5 value 6 note "x" ] ]`
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, `a@200,10; b@100,10; a-b=6 code=["A" "B"] u=["1" "3"] v=["2" "4"]`},
		{Options{Name: "code", Weight: "Delay", X: "u", Y: "v"},
			`A@1,2; B@3,4; A-B=5 label=["a" "b"] lat=["10" "10"] lon=["200" "100"]`},
		{Options{Name: "id", Weight: "none"},
			`1@200,10; 2@100,10; 1-2 code=["A" "B"] label=["a" "b"] u=["1" "3"] v=["2" "4"]`},
	} {
		g, _ := read(t, "x.gml", gml, c.o)
		if got := picture(g); got != c.want {
			t.Errorf("%+v:\ngot  %s\nwant %s", c.o, got, c.want)
		}
		if g.Geographic != (c.o.X == "") {
			t.Errorf("%+v: geographic is %v", c.o, g.Geographic)
		}
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Weight: "dely"},
			`x.gml: weight: found "dely", allowed: delay, note, value; did you mean "delay"? (the edge attributes of this file)`},
		{Options{Weight: "note"}, `x.gml:4: weight attribute "note": found "x", allowed: a finite number`},
		{Options{Name: "nick"},
			`x.gml: name: found "nick", allowed: id, code, label, u, v (the node attributes of this file)`},
		{Options{X: "u"}, `x, y: found "u,", allowed: both names or neither`},
		{Options{X: "u", Y: "w"},
			`x.gml: coordinates: found "w", allowed: code, label, lat, lon, u, v (the node attributes of this file)`},
		{Options{X: "u", Y: "code"}, `x.gml: coordinates: found "A", allowed: a number`},
	} {
		_, _, err := Read(strings.NewReader(gml), "x.gml", "", c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v:\ngot  %v\nwant %s", c.o, err, c.want)
		}
	}
}

// TestDOTLabels: DOT nodes go by their IDs unless asked.
func TestDOTLabels(t *testing.T) {
	const dot = `graph { n1 [label="Rome"]; n2 [label="Oslo"]; n1 -- n2 }`
	g, _ := read(t, "x.gv", dot, Options{})
	if got, want := picture(g), `n1; n2; n1-n2 label=["Rome" "Oslo"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	g, _ = read(t, "x.gv", dot, Options{Name: "label"})
	if got, want := picture(g), `Rome; Oslo; Rome-Oslo`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestColumns chooses the weight of an edge list.
func TestColumns(t *testing.T) {
	const text = "a b x 5\nb c y 6\n"
	g, _ := read(t, "e.txt", text, Options{Weight: "4"})
	if got, want := picture(g), "a; b; c; a-b=5 b-c=6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	g, _ = read(t, "e.txt", text, Options{Weight: "none"})
	if got, want := picture(g), "a; b; c; a-b b-c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

const pairOfGML = "graph [ node [ id 1 label \"a\" ] node [ id 2 label \"b\" ] edge [ source 1 target 2 ] ]\n" +
	"graph [ node [ id 2 label \"b\" ] node [ id 3 label \"c\" ] edge [ source 2 target 3 ] ]\n"

const pairOfPajek = "*Network one\n*Vertices 2\n*Edges\n1 2\n*Network two\n*Vertices 3\n*Edges\n1 3\n"

// TestChoices: which edges of a file stay.
func TestChoices(t *testing.T) {
	const table = "Source,Target,Type,Weight\na,b,vpn,1\nb,c,radio,2\nc,d,radio,3\n"
	const gains = "gain 1 2 -80\ngain 2 3 -99\ngain 3 1 -101\n"
	const lab = "topology:\n  nodes:\n    a:\n    b:\n    c:\n    sw: {kind: bridge}\n  links:\n    - endpoints: " +
		"[a:1, sw:1]\n" +
		"    - endpoints: [b:1, sw:2]\n    - endpoints: [c:1, sw:3]\n"
	const two = "network A { submodules: x: T; y: T; connections: x.g <--> y.g; }\n" +
		"network B extends A { submodules: z: T; connections: z.g <--> C <--> y.g; }\n"
	const pairOfGraphML = "<graphml><graph id='one'><node id='a'/><node id='b'/><edge source='a' target='b'/></graph>" +
		"<graph id='two'><node id='b'/><node id='c'/><edge source='b' target='c'/></graph></graphml>"
	const pairOfDOT = "graph one { a -- b }\nstrict digraph two { b -> c }"
	for _, c := range []struct {
		file, text string
		o          Options
		want       string // a graph, or a part of the error
	}{
		{"a.csv", table, Options{Without: "VPN"}, "a; b; c; d; b-c=2 c-d=3"},
		{"a.csv", table, Options{Where: "weight=2"}, "a; b; c; d; b-c=2"},
		{"a.csv", table, Options{Where: "type=radio", Without: "vpn"}, "a; b; c; d; b-c=2 c-d=3"},
		{"a.csv", table, Options{Without: "wpn"}, `without: found "wpn", allowed: radio, vpn; did you mean "vpn"?`},
		{"a.csv", table, Options{Where: "kind=radio"}, `where: found "kind", allowed: Source, Target, Type, Weight`},
		{"a.csv", table, Options{Where: "radio"}, "ATTRIBUTE=VALUE"},
		{"a.csv", table, Options{MinGain: "-90"}, "no edge of this file has a gain"},
		{"a.csv", table, Options{Graph: "2"}, "this file holds one graph"},
		{"a.csv", "from_id,to_id,ms\na,b,4\n", Options{Source: "from_id", Target: "to_id", Weight: "ms"},
			"a; b; a-b=4"},
		{"a.txt", "caller callee\n1 2\n2 3\n3 4\n", Options{Source: "caller", Target: "callee"},
			"1; 2; 3; 4; 1-2 2-3 3-4"},
		{"a.csv", "from_id,to_id,ms\na,b,4\n", Options{Source: "from", Target: "to_id"},
			`source: found "from", allowed: from_id, to_id, ms`},
		{"a.csv", "from_id,to_id\na,b\n", Options{Source: "from_id"}, "both titles or neither"},
		{"a.gml", "graph [ node [ id 1 x 7.5 y 50 ] ]", Options{Source: "a", Target: "b"}, "no columns with titles"},
		{"a.txt", gains, Options{MinGain: "-100"}, "1; 2; 3; 1-2 2-3"},
		{"a.txt", gains, Options{MinGain: "loud"}, "min-gain"},
		{"a.yml", lab, Options{Clique: true}, `a; b; c; a-b a-c b-c kind=["" "" ""]`},
		{"a.ned", two, Options{}, "x; y; z; x-y y-z"},
		{"a.ned", two, Options{Graph: "B"}, "x; y; z; x-y y-z"},
		{"a.ned", two, Options{Graph: "2"}, "x; y; z; x-y y-z"},
		{"a.gml", pairOfGML, Options{}, "a; b; c; a-b b-c"},
		{"a.gml", pairOfGML, Options{Graph: "2"}, "b; c; b-c"},
		{"a.gml", pairOfGML, Options{Graph: "3"}, "allowed: 1, 2; or a number from 1 to 2"},
		{"a.net", pairOfPajek, Options{Graph: "two"}, "1; 2; 3; 1-3"},
		{"a.net", pairOfPajek, Options{Graph: "1"}, "1; 2; 1-2"},
		{"a.net", pairOfPajek, Options{Graph: "three"}, "graph: found \"three\", allowed: one, two"},
		{"a.ned", two, Options{Graph: "C"}, `graph: found "C", allowed: A, B`},
		{"a.graphml", pairOfGraphML, Options{}, "a; b; c; a-b b-c"},
		{"a.graphml", pairOfGraphML, Options{Graph: "two"}, "b; c; b-c"},
		{"a.graphml", pairOfGraphML, Options{Graph: "1"}, "a; b; a-b"},
		{"a.graphml", pairOfGraphML, Options{Graph: "three"}, `graph: found "three", allowed: one, two`},
		{"a.dot", pairOfDOT, Options{}, "a; b; c; a-b b-c"},
		{"a.dot", pairOfDOT, Options{Graph: "two"}, "b; c; b-c"},
		{"a.dot", pairOfDOT, Options{Graph: "1"}, "a; b; a-b"},
		{"a.g6", ">>graph6<<A_\nBG\n", Options{}, "1; 2; 3; 1-2 2-3"},
		{"a.g6", ">>graph6<<A_\nBG\n", Options{Graph: "1"}, "1; 2; 1-2"},
		{"a.g6", ">>graph6<<A_\nBG\n", Options{Graph: "2"}, "1; 2; 3; 2-3"},
		{"a.s6", ">>sparse6<<:An\n:Bd\n", Options{Graph: "1"}, "1; 2; 1-2"},
	} {
		g, _, err := Read(strings.NewReader(c.text), c.file, "", c.o)
		switch {
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%+v: error %v, want %s", c.o, err, c.want)
		case err == nil && picture(g) != c.want:
			t.Errorf("%+v: got %s, want %s", c.o, picture(g), c.want)
		}
	}
	g, _, err := Read(strings.NewReader("graph [ node [ id 1 x 7.5 y 50 ] ]"), "a.gml", "", Options{Geographic: true})
	if err != nil || !g.Geographic {
		t.Errorf("x and y declared degrees: %v, %v", g, err)
	}
	_, _, err = Read(strings.NewReader("graph [ node [ id 1 x 7.5 y 500 ] ]"), "a.gml", "", Options{Geographic: true})
	if err == nil || !strings.Contains(err.Error(), "latitude 500 is no place on Earth") {
		t.Errorf("degrees that are none: %v", err)
	}
}

// TestTitles chooses the weight by the title of a column or the name of an attribute.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ file, text, weight, want string }{
		{"a.csv", "Source,Target,Delay\na,b,5\n", "delay", "a; b; a-b=5"},
		{"a.csv", "Source,Target,Delay\na,b,5\n", "3", "a; b; a-b=5"},
		{"a.csv", "Source,Target,Weight\na,b,5\n", "none", "a; b; a-b"},
		{"a.txt", "a b {'latency': 5.5, 'bw': 10}\nb c {'latency': 1.5, 'bw': 10}\nc a {'latency': 1.0, 'bw': 10}\n",
			"latency",
			"a; b; c; a-b=5.5 a-c=1 b-c=1.5"},
	} {
		g, _ := read(t, c.file, c.text, Options{Weight: c.weight})
		if got := picture(g); got != c.want {
			t.Errorf("%s: got %s, want %s", c.weight, got, c.want)
		}
	}
	_, _, err := Read(strings.NewReader("a b 5\n"), "a.txt", "", Options{Weight: "delay"})
	if err == nil || !strings.Contains(err.Error(), `weight: found "delay"`) {
		t.Errorf("a list without titles has no weight of a name: %v", err)
	}
}

// TestForeign: a file of another kind is refused by its name, not read as an edge list.
func TestForeign(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# movements\n$node_(0) set X_ 5.0\n$node_(0) set Y_ 5.0\n", "ns-2"},
		{"0 CONN 1 2 up\n5\tCONN\t1\t2\tdown\n", "The ONE"},
		{"Id,Label,Modularity\n1,a,2\n2,b,3\n", "table of nodes"},
		{"20 1 2\n20 3 4\n40 1 2\n60 1 2\n60 3 4\n", "contacts with times"},
		{"1 2 20\n3 4 20\n1 2 40\n1 2 60\n3 4 60\n", "contacts with times"},
		{"<gpx/>", "tracks"},
		{"caller callee\n1 2\n2 3\n3 4\n", "titles that are not known (caller, callee)"},
		{`{"dependencies":{}}`, "members dependencies"},
		{"name: clos\n\nthings:\n  a:\n", "YAML"},
		{"# adjacency list\na b c d e\nb c\n", "5 columns"},
		{"1 8 4032 4033 1 0\n3 4 5 6 1 0\n", "6 columns"},
	} {
		g, _, err := Read(strings.NewReader(c.text), "a.txt", "", Options{})
		if err == nil || g != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one that says %s", c.text, err, c.want)
		}
	}
}

func TestNotes(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.txt", "a b 1\nb a 2\n", "1 repeated records have another weight than the first of their pair, which stays"},
		{"a.json", `{"vis":[{"primary":"a","neighbors":[{"router":"a","neighbor":"b"}]}]}`,
			`node "b" is not in the list of nodes; added, since 1 edge ends name it`},
		{"a.gml", "graph [ node [ id 1 Longitude 5 Latitude 95 ] ]",
			"longitude 5, latitude 95 is no place on Earth; coordinates are taken as planar"},
		{"a.gml", "graph [ node [ id 1 x 5 y 9 ] node [ id 2 x \"?\" y 9 ] ]",
			`1 coordinates are not numbers, as "?"; those nodes count as without coordinates`},
		{"a.g6", "A_\nA?\n", "2 graphs (1, 2), read as their union; 2 nodes stand in several, as their ids say; " +
			"one graph can be chosen, by its name or number"},
		{"a.txt", "4 3\n1 2\n2 3\n3 4\n", "the first line, 4 3, may be meant as the numbers of nodes and edges; it " +
			"was read as an edge"},
		{"a.csv", "source,target\na,b\n", "line 1 taken as a header: source,target"},
	} {
		_, r := read(t, c.file, c.text, Options{})
		if strings.Join(r.Notes, "|") != c.want {
			t.Errorf("%s: got %q, want %q", c.file, r.Notes, c.want)
		}
	}
}

// TestLenient: faults that are errors by default are counted by their reason.
func TestLenient(t *testing.T) {
	for _, c := range []struct{ file, text, graph, note string }{
		{"a.json", `{"nodes":[{"id":"a"},{"id":"a"}],"links":[{"source":"a","target":"b"},{"source":"b"}]}`,
			"a; b; a-b",
			"1 edge ends that name no node of the list|1 links without an end left out|1 repeated node ids"},
		{"a.gml", "graph [ node [ id 1 ] node [ id 1 ] edge [ source 1 target 2 ] ]", "1; 2; 1-2",
			"1 edge ends that name no node of the list|1 repeated node ids"},
		{"a.net", "*Vertices 2\n*Edges\n1 2\n1 4\n", "1; 2; 3; 4; 1-2 1-4",
			"1 edge ends that name no node of the list"},
		{"a.txt", "a b inf\nb c 2\n", "a; b; c; a-b b-c=2", "1 weights that are not finite; those edges have none"},
		{"a.json", `{"nodes":[{"id":"a","x":"inf","y":1},{"id":"b","x":1,"y":2}],"links":[]}`, "a; b@1,2;",
			"1 coordinates that are not finite; those nodes have none"},
	} {
		if _, _, err := Read(strings.NewReader(c.text), c.file, "", Options{}); err == nil {
			t.Errorf("%s is read without lenient", c.text)
		}
		g, r := read(t, c.file, c.text, Options{Lenient: true})
		if got := picture(g); got != c.graph {
			t.Errorf("got %s, want %s", got, c.graph)
		}
		notes := strings.Join(r.Notes, "|")
		for _, want := range strings.Split(c.note, "|") {
			if !strings.Contains(notes, "forgiven: "+want) {
				t.Errorf("notes %q lack %q", notes, want)
			}
		}
	}
}

// TestRareAttributes: a column for each of many attributes that one node has must not be made.
func TestRareAttributes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"links":[],"nodes":[`)
	for i := range 3000 {
		fmt.Fprintf(&b, `%s{"id":%d,"a%d":1,"all":2}`, strings.Repeat(",", min(i, 1)), i, i)
	}
	g, r := read(t, "a.json", b.String()+"]}", Options{})
	if g.Attrs["all"] == nil || len(g.Attrs) > 1+maxCells/3000 || len(r.Notes) != 1 {
		t.Errorf("%d attributes kept, notes %v", len(g.Attrs), r.Notes)
	}
}

func TestEveryFormatIsTested(t *testing.T) {
	names := map[string]bool{}
	for _, c := range malformed {
		names[string(c.format)] = true
	}
	for _, f := range Formats() {
		if !names[string(f)] {
			t.Errorf("no malformed input for %s", f)
		}
	}
	for _, f := range Formats() {
		about, extensions := About(f)
		if about == "" || !sort.SliceIsSorted(extensions, func(int, int) bool { return false }) {
			t.Errorf("%s is not described", f)
		}
	}
}

// A GML node without an id is there, isolated, as other readers have it.
func TestNodeWithoutID(t *testing.T) {
	g, r, err := Read(strings.NewReader("graph [ node [ id 1 ]\nnode [ ]\nnode [ id 2 ] edge [ source 1 target 2 ] ]"),
		"f.gml", GML, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if g.Len() != 3 || g.Edges() != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "line 2") {
		t.Errorf("%d nodes, %d edges, notes %q", g.Len(), g.Edges(), r.Notes)
	}
}
