package format

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
)

// malformed inputs with the exact error that each gives.
var malformed = []struct {
	format Format
	text   string
	want   string
}{
	{EdgeList, "a b\nc\n", `f:2: found "c", expected two nodes and an optional weight`},
	{EdgeList, "a b x\n",
		`f:1: weight (column 3): found "x", allowed: a finite number; another column or none can be chosen as the weight`},
	{EdgeList, "\"a b\n", `f:1: the quoted name "a b is malformed`},
	{EdgeList, "a b 5 6\n",
		`f:1: found 4 columns, allowed: two nodes and an optional weight (a column can be chosen as the weight, or none)`},
	{EdgeList, "a b {'w': 1\n", `f:1: attributes: found "{'w': 1", allowed: a dictionary such as {'weight': 5}`},
	{EdgeList, "a b c {'w': 1}\n",
		`f:1: found 5 columns, allowed: two nodes and an optional weight (a column can be chosen as the weight, or none)`},
	{EdgeList, "Source,Target\na,b,c\n", `f:2: a row of 3 columns under 2 titles`},
	{EdgeList, "Source,Target,Weight\na,b,c\n", `f:2: weight (column Weight): found "c", allowed: a finite number`},
	{EdgeList, "a,,b\n", `f:1: found "a,,b": a node has an empty name`},
	{EdgeList, "# only comments\n", `f: no nodes (read as edgelist)`},
	{EdgeList, edgeListMark + "\n# node a\n", `f:2: found "a", expected a node's name in quotes`},
	{EdgeList, edgeListMark + "\n# node \"a\"\n# node \"a\"\n", `f:3: node id "a" stands twice, first on line 2`},
	{Matrix, "0 1\n1 0 0\n", `f:2: row 2 has 3 columns, the first has 2`},
	{Matrix, "0 1\n1 0\n0 0\n", `f:3: a row more than the 2 columns`},
	{Matrix, "0 1 0\n1 0 0\n", `f:2: 2 rows, but 3 columns`},
	{Matrix, "0 x\n1 0\n", `f:1: column 2: found "x", allowed: a finite number`},
	{METIS, "", `f:0: no header; expected nodes, edges and an optional format`},
	{METIS, "3\n", `f:1: header: found "3", expected nodes, edges and an optional format of three digits 0 or 1`},
	{METIS, "3 1 7\n",
		`f:1: header: found "3 1 7", expected nodes, edges and an optional format of three digits 0 or 1`},
	{METIS, "1000000000000 1\n", `f:1: claims 1000000000000 nodes, but the file has only 16 bytes`},
	{METIS, "3 1\n2\n1\n", `f:3: the header says 3 nodes, but 2 lines follow it`},
	{METIS, "2 1\n2\n1\n1\n", `f:4: found "1" after the lines of all 2 nodes`},
	{METIS, "2 1\n3\n1\n", `f:2: node: found "3", allowed: a number from 1 to 2`},
	{METIS, "2 1 1\n2 5\n1\n", `f:3: the neighbour 1 lacks its weight`},
	{METIS, "2 1 1\n2 x\n1 x\n", `f:2: weight: found "x", allowed: a finite number`},
	{METIS, "2 1 11\n\n1\n", `f:2: 0 numbers, but a line starts with 1 sizes and weights of its node`},
	{METIS, "3 2\n2\n1 3\n\n", `f:4: the header says 2 edges, each in two lines, but the lines have 3 neighbours`},
	{MatrixMarket, "%%MatrixMarket matrix array real general\n2 2\n",
		`f:1: layout: found "array", allowed: coordinate`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate complex general\n",
		`f:1: field: found "complex", allowed: pattern, real, integer`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate real hermitian\n",
		`f:1: symmetry: found "hermitian", allowed: general, symmetric, skew-symmetric`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate\n",
		`f:1: found "%%MatrixMarket matrix coordinate", expected %%MatrixMarket matrix coordinate FIELD SYMMETRY`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 1\n",
		`f:2: 3 rows and 4 columns; an adjacency matrix is square`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate pattern general\n3 x 1\n1 1\n",
		`f:2: size: found "x", allowed: an integer >= 0`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate pattern general\n3 3\n",
		`f:2: found "3 3", expected the size line: rows, columns, entries`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate pattern general\n9000000000 9000000000 1\n1 1\n",
		`f:2: claims 9000000000 nodes, but the file has only 77 bytes`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n",
		`f:3: 1 entries, but the size line says 2`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n2 3\n",
		`f:4: an entry more than the 1 that the size line says`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 2\n",
		`f:3: node: found "0", allowed: a number from 1 to 3`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n",
		`f:3: an entry of 2 fields, expected 3`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 x\n",
		`f:3: value: found "x", allowed: a finite number`},
	{Pajek, "1 2\n", `f:1: no section *Vertices`},
	{Pajek, "*Arcs\n1 2\n", `f:1: section: found "*Arcs", expected *Vertices first`},
	{Pajek, "*Vertices\n", `f:1: *Vertices lacks the number of vertices`},
	{Pajek, "*Vertices 1000000000000\n", `f:1: claims 1000000000000 nodes, but the file has only 24 bytes`},
	{Pajek, "*Vertices 2\n1 \"a\n", `f:2: the quoted name "a is malformed`},
	{Pajek, "*Vertices 2\n1 a\n1 b\n", `f:3: vertex 1 stands twice, first on line 2`},
	{Pajek, "*Vertices 2\n*Edges\n1 3\n", `f:3: node: found "3", allowed: a number from 1 to 2`},
	{Pajek, "*Vertices 2\n*Edges\n1\n", `f:3: found "1", expected two vertices and an optional value`},
	{Pajek, "*Vertices 2\n*Edges\n1 2 x\n", `f:3: value: found "x", allowed: a finite number`},
	{Pajek, "*Vertices 2\n*Edge\n1 2\n",
		`f:2: section: found "*Edge", allowed: *Vertices, *Edges, *Arcs, *Edgeslist, *Arcslist, *Matrix`},
	{Pajek, "*Vertices 2\n*Matrix\n0 1\n", `f:3: *Matrix has 1 rows for 2 vertices`},
	{Pajek, "*Vertices 2\n*Matrix\n0 1 1\n", `f:3: row 1 of *Matrix has 3 columns; 2 rows and columns are allowed`},
	{GML, "graph [ node [ id 1 ]", `f:1: the list graph of line 1 is not closed`},
	{GML, "graph [\nnode [ id 1 ]\nnode [ id 1 ] ]", `f:3: node id "1" stands twice, first on line 2`},
	{GML, "graph [\nnode [ id 1 ]\nedge [ source 1 ] ]", `f:3: an edge lacks its source or target`},
	{GML, "graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ] ]",
		`f:3: edge names node "2", which the file does not declare`},
	{GML, "graph [\nnode [ id 1 label \"a ] ]", `f:2: a string is not closed`},
	{GML, "graph 5", `f:1: graph: found "5", expected [`},
	{GML, "graph [ label ]", `f:1: the key label has no value`},
	{GML, "graph [ ]\ngraph [ ]", `f: no nodes (read as gml)`},
	{EdgeList, "a b\n// more\n", `f:2: found "// more": looks like a comment; those of an edge list begin with # or %`},
	{"containerlab", "topology: " + strings.Repeat("[", 300), "f:1: YAML: values nest deeper than 200"},
	{"containerlab", "topology:\n  " + strings.Repeat("- ", 300), "f:2: YAML: values nest deeper than 200"},
	{"containerlab", "topology:\n  nodes:\n---\nb: 1\n", "f:4: YAML: a second document; a lab is one"},
	{"ned", "network A { submodules: a[900000]: N; connections: a[0].g <--> a[1].g; }\n" +
		"network B { submodules: a[900000]: N; connections: a[0].g <--> a[1].g; }",
		"f:2: NED: more than 1048576 submodules (in network B of A, B, one of which can be chosen)"},
	{DOT, "graph {\n{" + manyNames("a") + "} -- {" + manyNames("b") + "} }",
		"f:2: edges between subgraphs stand for more than 4194304 edges"},
	{Pajek, "*Network a\n*Network b\n*Vertices 2\n", `f:2: no section *Vertices`},
	{Pajek, "*Network a\n*Vertices 2\n*Matrix\n0 1\n*Network b\n*Vertices 2\n",
		`f:5: *Matrix has 1 rows for 2 vertices`},
	{GML, "graph [ [ ] ]", `f:1: found "[", expected a key`},
	{GML, "graph [ a " + strings.Repeat("[ a ", 300), `f:1: lists nest deeper than 200`},
	{GraphML, "<graphml><graph>\n<node/></graph></graphml>", `f:2: <node> lacks the attribute "id"`},
	{GraphML, "<graphml><graph>\n<node id=\"a\"/>\n<node id=\"a\"/></graph></graphml>",
		`f:3: node id "a" stands twice, first on line 2`},
	{GraphML, "<graphml><graph><node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/></graph></graphml>",
		`f:2: edge names node "b", which the file does not declare`},
	{GraphML, "<graphml><graph>\n<node id=\"a\">\n", `f:3: XML: unexpected EOF`},
	{GraphML, "<graphml><graph>\n<node id=\"a\"></edge>", `f:2: XML: element <node> closed by </edge>`},
	{GraphML, "<graphml>&bomb;</graphml>", `f:1: XML: invalid character entity &bomb;`},
	{GraphML, "<graphml></graphml>", `f:1: no <graph> in the file`},
	{GraphML, "<graphml><graph/>\n<graph></graphml>", `f:2: XML: element <graph> closed by </graphml>`},
	{GraphML, "<graphml><graph edgedefault=\"both\"/></graphml>",
		`f:1: edgedefault: found "both", allowed: directed, undirected`},
	{GraphML, "<html></html>", `f:1: root element: found <html>, allowed: <graphml>`},
	{GraphML, "<graphml><graph><hyperedge><endpoint node=\"a\"/></hyperedge></graph></graphml>",
		`f:1: a hyperedge with 1 ends; an edge has 2`},
	{GraphML, strings.Repeat("<graphml>", 300), `f:1: XML: elements nest deeper than 200`},
	{GraphML, "<graphml><graph><node id=\"\"/></graph></graphml>", `f:1: a node has an empty id`},
	{GEXF, "<gexf><graph><nodes>\n<node label=\"a\"/>", `f:2: <node> lacks the attribute "id"`},
	{GEXF, "<gexf><graph><nodes><node id=\"a\"/></nodes>\n<edges><edge source=\"a\"/>",
		`f:2: <edge> lacks the attribute "target"`},
	{GEXF, "<gexf><graph><nodes><node id=\"a\"/></nodes>\n<edges><edge source=\"a\" target=\"a\" weight=\"w\"/>",
		`f:2: weight: found "w", allowed: a finite number`},
	{GEXF, "<gexf></gexf>", `f:1: no <graph> in the file`},
	{DOT, "graph { a -> b }", `f:1: found "->", but edges of this kind of graph are written "--"`},
	{DOT, "digraph {\na -> \n}", `f:3: found "}", expected a node, a subgraph or }`},
	{DOT, "digraph {\na -> b", `f:2: the { of line 1 is not closed`},
	{DOT, "graph {}\nnode {}", `f:2: found "node", expected graph or digraph`},
	{DOT, "graph { \"a }", `f:1: a string is not closed`},
	{DOT, "graph { <a }", `f:1: an HTML string is not closed`},
	{DOT, "graph { /* a }", `f:1: a comment is not closed`},
	{DOT, "graph { a [b= }", `f:1: found "}", expected a value`},
	{DOT, "graph { a [b", `f:1: found the end of the file, expected an attribute or ]`},
	{DOT, "graph { \"a\" + b }", `f:1: + joins quoted strings only`},
	{DOT, "graph { a: }", `f:1: found "}", expected a port`},
	{DOT, "graph { ? }", `f:1: unexpected character '?'`},
	{DOT, "graf {}", `f:1: found "graf", expected graph or digraph`},
	{DOT, "graph {" + strings.Repeat("{", 300), `f:1: subgraphs nest deeper than 200`},
	{NodeLink, "{\"nodes\": [],\n\"links\": [}", `f:2: JSON: invalid character '}' at start of value`},
	{NodeLink, "{\"nodes\": [{\"id\":1}]", `f:1: JSON: the file ends early`},
	{NodeLink, "{\"nodes\": []}", `f:1: JSON: no list "links" or "edges"`},
	{NodeLink, `{"nodes":[{"id":"a"}],"links":[{"source":"a","target":"b"}]}`,
		`f:1: edge names node "b", which the file does not declare`},
	{NodeLink, `{"nodes":[],"links":[{"source":"0","target":0}]}`,
		`f:1: edge names node "0", which the file does not declare`},
	{NodeLink, `{"nodes":[{"x":1}],"links":[{"source":"a","target":"b"}]}`,
		`f:1: JSON: links name nodes in words, but nodes have none of id, node_id, name, label`},
	{NodeLink, `{"nodes":[{"name":"a"},{"name":"a"}],"links":[{"source":"a","target":"a"}]}`,
		`f:1: JSON: links name nodes by name, but "a" stands twice, first on line 1`},
	{NetJSON, `{"nodes":[{"id":"a","local_addresses":["c"]},{"id":"b","local_addresses":["c"]}],"links":[]}`,
		`f:1: address "c" belongs to node "a" and to node "b"`},
	{NodeLink, "{\"links\": []}", `f:1: JSON: no list "nodes"`},
	{NodeLink, "{\"nodes\": 5}", `f:1: JSON: nodes: found 5, expected [`},
	{NodeLink, "{\"nodes\": [\n7]}", `f:2: JSON: nodes: found 7, expected an object`},
	{NodeLink, "{\"nodes\": [{\"id\":1},\n{\"id\":1}], \"links\":[]}",
		`f:2: node id "1" stands twice, first on line 1`},
	{NodeLink, "{\"nodes\": [{\"id\":1},\n{\"a\":1}], \"links\":[]}",
		`f:2: JSON: some nodes have an id and some have none`},
	{NodeLink, "{\"nodes\": [{\"id\":1}], \"links\":[\n{\"source\":1}]}",
		`f:2: JSON: a link has no target, or one that is neither text nor a number`},
	{NodeLink, "{\"nodes\": [{}], \"links\":[\n{\"source\":0,\"target\":1}]}",
		`f:2: JSON: link end: found 1, allowed: a place in the list of nodes, 0 to 0`},
	{NodeLink, "{\"nodes\": [], \"links\": []} x", `f:1: JSON: something follows the value`},
	{"gluon-nodes", `{"nodes": {"a": {"nodeinfo": {}}}}`, "f:1: Gluon's list of nodes; their links are in a graph.json, " +
		"and there is none beside it"},
	{NetJSON, "[]", `f:1: JSON: value: found [, expected {`},
	{BatmanVis, "{\"vis\": [\n{\"primary\": 5}]}", `f:2: JSON: primary: found 5, expected an address`},
	{BatmanVis, "{}", `f:1: JSON: found {}, expected router, primary, secondary, client or gateway`},
	{Graph6, "D?\n", `f:1: 1 characters of edges, but 5 nodes need 2`},
	{Graph6, "D? \x7f\n", `f:1: character 3 is ' ', allowed: ? to ~`},
	{Graph6, "~~?????\n", `f:1: the number of nodes is cut off`},
	{Graph6, "\n", `f:1: no graph`},
	{Sparse6, ":~~@?????\n", `f:1: claims 1073741824 nodes, but the file has only 10 bytes`},
	{Inet, "2\n", `f:1: header: found "2", expected the numbers of nodes and edges`},
	{Inet, "2 1\n0 5 6\n", `f:2: the file ends before all nodes that the header says`},
	{Inet, "2 1\n0 5 6\n0 7 8\n0 1 9\n", `f:3: node 0 stands twice, first on line 2`},
	{Inet, "2 1\n0 5 6\n1 7 8\n0 2 9\n", `f:4: node: found "2", allowed: a number from 0 to 1`},
	{Inet, "1 0\n0 5 6\n0 0 1\n", `f:3: found "0 0 1" after the 0 edges that the header says`},
	{BRITE, "Nodes: ( 2 )\n0 5 6\n", `f:2: Nodes: 1 lines, but the section says 2`},
	{BRITE, "Nodes: two\n", `f:1: found "Nodes: two", expected a number in brackets`},
	{BRITE, "Nodes: ( 1 )\n0 5 6\nEdges: ( 1 )\n0 0 7 1\n",
		`f:4: edge names node "7", which the file does not declare`},
	{BRITE, "hello\n", `f:1: found "hello", expected a section Nodes: or Edges:, or a line of one`},
	{"olsr-jsoninfo", `{"topology":[{"lastHopIP":"a"}]}`, `f:1: JSON: topology: a link lacks lastHopIP or destinationIP`},
	{"olsr-txtinfo", "Table: Links\nLocal IP\tRemote IP\n", `f:2: no table Topology`},
	{"olsr-txtinfo", "Table: Topology\nDest. IP\tLast hop IP\na\n",
		`f:3: Topology: found "a", expected an address, the last hop and costs`},
	{"bmx", `[{"links":[]}]`, `f:1: JSON: a node lacks its name`},
	{"bmx", `[{"name":"a","links":[{}]}]`, `f:1: JSON: a link of a lacks the name of its other end`},
	{"jgf", `{"graphs":5}`, `f:1: JSON: neither "graph" nor a list "graphs"`},
	{"jgf", `{"graph":{"nodes":{"a":{}},"edges":[{"source":"a"}]}}`, `f:1: JSON: an edge lacks source or target`},
	{"jgf", `{"graph":{"hyperedges":[{}]}}`, `f:1: JSON: hyperedges; a network has edges of two ends only`},
	{"cytoscape", `{"elements":[{}]}`, `f:1: JSON: an element lacks its data`},
	{"cytoscape", `{"elements":{"nodes":[{"data":{}}]}}`, `f:1: JSON: a node lacks its id`},
	{"containerlab", "topology:\n  links: []\n", `f:1: topology: no mapping of nodes`},
	{"containerlab", "topology:\n  nodes:\n    a:\n  links:\n    - endpoints: [a:e1]\n",
		`f:5: links: found 1 endpoints, expected two`},
	{"containerlab", "topology:\n  nodes:\n    a:\n  links:\n    - endpoints: [a:e1, b:e1]\n",
		`f:5: edge names node "b", which the file does not declare`},
	{"ned", "network N\n{\nsubmodules:\n a: T;\nconnections:\n a.g <--> b;\n}\n",
		`f:1: NED: network N has no connections: who hears whom by radio is not in the file`},
	{"ned", "network N\n{\nsubmodules:\n a[n]: T;\n}\n",
		`f:4: NED: submodule a[n]: n: n has no value in the file; only what a file says by itself is read`},
	{"ned", "network N\n{\nparameters:\n int n = default(n+1);\nsubmodules:\n a[n]: T;\n}\n",
		`f:6: NED: submodule a[n]: n+1: n depends on itself; only what a file says by itself is read`},
	{"ned", "network N\n{\nsubmodules:\n a[3]: T;\nconnections:\n a[0].g --> a[1].g if uniform(0,1)<0.5;\n}\n",
		`f:6: NED: a[0].g-->a[1].g if uniform(0,1)<0.5: uniform(0,1)<0.5: uniform() is random, or computed elsewhere; ` +
			`only what a file says by itself is read`},
	{"ned", "network N\n{\nsubmodules:\n a[3]: T;\nconnections:\n for i=0..2 { a[i].g --> a[i+1].g; }\n}\n",
		`f:6: edge names node "a[3]", which the file does not declare`},
	{"ned", "network N\n{\nsubmodules:\n a[3]: T;\nconnections:\n for i=0..9999999 { a[0].g --> a[1].g; }\n}\n",
		`f:6: NED: a[0].g-->a[1].g: loops go on for more than 1048576 steps; only what a file says by itself is read`},
	{"ned", "network N\n{\nsubmodules:\n a[3]: T;\nconnections:\n for i=0..1 { a[0].g --> a[1].g;\n",
		`f:6: NED: the block that begins here is not closed`},
	{"ned", "network N\n{\n", `f:1: NED: the network N is not closed`},
	{"ned", "simple S {}\n", `f:2: NED: no network, only modules or channels`},
	{"as-rel", "1|2\n", `f:1: found "1|2", expected AS|AS|relation`},
	{"as-rel", "1|2|7\n", `f:1: relation: found "7", allowed: -1 (provider), 0 (peers), 1 or 2 (siblings)`},
	{"rocketfuel", "7 @x\n", `f:1: found "7 @x", expected uid @place (links) -> <neighbour> … =name radius`},
	{"sndlib", "NODES (\n", `f:1: the section NODES is not closed`},
	{"sndlib", "NODES (\na ( 1\n)\n",
		`f:2: found "a ( 1", expected a node and its longitude and latitude in brackets`},
	{"sndlib-xml", "<network><networkStructure><links><link id=\"l\"/></links></networkStructure></network>",
		`f:1: <link> lacks <source> or <target>`},
	{"ospf", `{"routerLinkStates":{"areas":{"0":[{}]}}}`, `f:1: JSON: a router LSA lacks its linkStateId`},
	{"lldp", `{"lldp":[{"interface":[{"chassis":[{}]}]}]}`, `f:1: JSON: a neighbour lacks its chassis id`},
	{"iproute", `[{"dst":`, `f:1: JSON: the file ends early`},
	{"gt-itm", "VERTICES (x):\n1 a\n", `f:2: found "1 a", expected vertex 0 and its name`},
	{"gt-itm", "* GraphBase graph\n", `f:1: found "* GraphBase graph", expected * GraphBase graph (util_types …,nV,mA)`},
	{"gt-itm", "* GraphBase graph (util_types ZZZZZZZZZZZZZZ,1V,1A)\n\"g\",1,1\n* Vertices\n\"a\",A0\n* Arcs\n" +
		"V0,A0,1\n* Checksum 1\n", `f:4: vertex 0: arc A0 does not exist or is in two lists`},
	{"dimacs", "e 1 2\n", `f:1: found "e 1 2" before the line p`},
	{"dimacs", "p edge 2 3\ne 1 2\n", `f:2: 1 edges, but the header says 3`},
	{"dimacs", "p edge 2 1\ne 1 3\n", `f:2: node: found "3", allowed: a number from 1 to 2`},
	{"tossim", "gain 1 2\n", `f:1: found "gain 1 2", allowed: gain FROM TO DB, noise NODE MEAN DEVIATION`},
	{"adjlist", "# only comments\n", `f: no nodes (read as adjlist)`},
}

func TestMalformed(t *testing.T) {
	for _, c := range malformed {
		g, _, err := Read(strings.NewReader(c.text), "f", c.format, Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %.60q\ngot  %v\nwant %s", c.format, c.text, err, c.want)
		}
		if g != nil {
			t.Errorf("%s %.60q: part of a graph came with the error", c.format, c.text)
		}
	}
}

// oddNumbers are weights and coordinates that no way can be measured by, in each format that has such.
var oddNumbers = []struct {
	format     Format
	text, want string // with @ for the number
}{
	{EdgeList, "a b @\n", `f:1: weight (column 3): found "@", allowed: a finite number; another column or none can be ` +
		`chosen as the weight`},
	{EdgeList, "Source,Target,Weight\na,b,@\n", `f:2: weight (column Weight): found "@", allowed: a finite number`},
	{EdgeList, "a b {'cost': @}\n", `f:1: weight attribute "cost": found "@", allowed: a finite number`},
	{Matrix, "0 @\n1 0\n", `f:1: column 2: found "@", allowed: a finite number`},
	{Pajek, "*Vertices 2\n*Edges\n1 2 @\n", `f:3: value: found "@", allowed: a finite number`},
	{Pajek, "*Vertices 2\n*Matrix\n0 @\n1 0\n", `f:3: column 2: found "@", allowed: a finite number`},
	{Pajek, "*Vertices 2\n1 \"a\" @ 2\n*Edges\n1 2\n", `f: coordinate x of node 1: found "@", allowed: a finite number`},
	{METIS, "2 1 1\n2 @\n1 @\n", `f:2: weight: found "@", allowed: a finite number`},
	{MatrixMarket, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 @\n",
		`f:3: value: found "@", allowed: a finite number`},
	{GML, "graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 weight @ ] ]",
		`f:2: weight attribute "weight": found "@", allowed: a finite number`},
	{GML, "graph [\nnode [ id 1 graphics [ x @ y 1 ] ] ]", `f:2: coordinate x: found "@", allowed: a finite number`},
	{DOT, "graph { a -- b [weight=\"@\"] }", `f:1: weight attribute "weight": found "@", allowed: a finite number`},
	{NodeLink, `{"nodes":[{"id":1},{"id":2}],"links":[{"source":1,"target":2,"weight":"@"}]}`,
		`f:1: weight attribute "weight": found "@", allowed: a finite number`},
	{GraphML, `<graphml><key id="w" for="edge" attr.name="weight"/><graph><node id="a"/><node id="b"/>` +
		`<edge source="a" target="b"><data key="w">@</data></edge></graph></graphml>`,
		`f:1: weight attribute "weight": found "@", allowed: a finite number`},
	{GEXF, `<gexf><graph><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="a" target="b" weight="@"/>` +
		`</edges></graph></gexf>`, `f:1: weight attribute "weight": found "@", allowed: a finite number`},
	{"dimacs", "p sp 2 1\na 1 2 @\n", `f:2: weight: found "@", allowed: a finite number`},
	{"tossim", "gain 1 2 @\n", `f:1: gain: found "@", allowed: a finite number`},
	{Inet, "2 1\n0 1 1\n1 1 1\n0 1 @\n", `f:4: weight: found "@", allowed: a finite number`},
	{BRITE, "Nodes: (2)\n0 1 1 1 1\n1 1 1 1 1\nEdges: (1)\n0 0 1 @\n", `f:5: length: found "@", allowed: a finite number`},
}

func TestOddNumbers(t *testing.T) {
	for _, c := range oddNumbers {
		for _, odd := range []string{"inf", "-Infinity", "NaN", "1e999"} {
			text, want := strings.ReplaceAll(c.text, "@", odd), strings.ReplaceAll(c.want, "@", odd)
			if _, _, err := Read(strings.NewReader(text), "f", c.format, Options{}); err == nil || err.Error() != want {
				t.Errorf("%s %q\ngot  %v\nwant %s", c.format, text, err, want)
			}
		}
	}
}

// TestLongInput: a message quotes the beginning of what is long, whichever reader it is from.
func TestLongInput(t *testing.T) {
	long := strings.Repeat("é", 1<<13)
	for _, c := range malformed {
		for _, text := range []string{long, c.text + long, strings.ReplaceAll(c.text, "a", long),
			strings.ReplaceAll(c.text, "1", long)} {
			_, r, err := Read(strings.NewReader(text), "f", c.format, Options{Lenient: true})
			if err != nil && len(err.Error()) > 4000 {
				t.Errorf("%s: a message of %d bytes: %.200s", c.format, len(err.Error()), err)
			}
			for _, note := range r.Notes {
				if len(note) > 4000 {
					t.Errorf("%s: a note of %d bytes: %.200s", c.format, len(note), note)
				}
			}
		}
	}
}

// TestPackedTrap: a small packed file must not unpack without end.
func TestPackedTrap(t *testing.T) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	for range 17 {
		if _, err := z.Write(bytes.Repeat([]byte{' '}, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	_, _, err := Read(&b, "f.gz", "", Options{})
	if want := "f.gz: unpacking: larger than the 16777216 bytes allowed for it"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestUnrecognised are inputs of no format.
func TestUnrecognised(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"f", "", `f: the file is empty`},
		{"f", "hello\n",
			`f: format not recognised; it starts with "hello"; allowed: graphml, gml, gexf, dot, matrix, `},
		{"f", "57.65 47.6\n57.55 47.25\n58.7 38.59\n",
			`f: looks like a list of coordinates, not like a topology; if it is an edge list, say so as its format`},
		{"f", "<html><body/></html>", `f: XML with the root element <html>; allowed: <graphml>, <gexf>, <network> of SNDlib`},
		{"f.tij", "20 1 2\n40 1 3\n",
			`f.tij: a trace, as its name says (give it as movements); if it is a topology, say its format`},
		{"f", "PNG\x00\x01", `f: byte 3 is zero: a binary file, not a topology in text`},
		{"f", "\x1f\x8b\x08junk", `f: unexpected EOF`},
		{"f", `<?xml version="1.0" encoding="klingon"?><graphml/>`,
			`f: encoding: found "klingon" in the XML declaration, allowed: UTF-8, UTF-16 and those of one byte a letter, ` +
				`such as ISO-8859-1, windows-1252 and KOI8-R`},
	} {
		_, _, err := Read(strings.NewReader(c.text), c.name, "", Options{})
		if err == nil || err.Error() != c.want && !(strings.HasSuffix(c.want, ", ") && strings.HasPrefix(err.Error(),
			c.want)) {
			t.Errorf("%q\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// manyNames are so many nodes that a statement between two sets of them is a trap.
func manyNames(of string) string {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "%s%d;", of, i)
	}
	return b.String()
}
