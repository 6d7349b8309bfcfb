package format

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNodesBeside: nodes and edges that a tool wrote to two files are one graph, whichever is given.
func TestNodesBeside(t *testing.T) {
	const graph = `{"version": 1, "batadv": {"directed": false, "graph": [], "nodes": [{"id": "aa:01", "node_id": "aa"},
		{"id": "bb:01", "node_id": "bb"}, {"id": "cc:01"}],
		"links": [{"source": 0, "target": 1, "tq": 1, "vpn": false}, {"source": 1, "target": 2, "tq": 1, "vpn": true}]}}`
	const node = `{"nodeinfo": {"node_id": "ID", "hostname": "NAME", "location": {"latitude": 50, "longitude": 7}}}`
	a := strings.NewReplacer("ID", "aa", "NAME", "attic").Replace(node)
	z := strings.NewReplacer("ID", "zz", "NAME", "zoo").Replace(node)
	const edges = "Source,Target\nx,y\ny,z\n"
	folder := t.TempDir()
	for name, text := range map[string]string{"old/graph.json": graph, "old/nodes.json": `{"nodes": {"aa": ` + a +
		`, "zz": ` + z + `}}`, "new/graph.json": graph, "new/nodes.json": `{"version": 2, "nodes": [` + a + `]}`,
		"alone/nodes.json": `{"nodes": [` + a + `]}`, "lone/g.json": graph, "e.csv": edges,
		"n.csv":     "Id,Label,lon,lat\nx,Xanten,6.4,51.6\ny,Yverdon,6.6,46.7\nz,,,\nw,alone,,\n",
		"short.csv": "Id\nx\ny\n",
		"twice.csv": "Id\nx\ny\nz\nx\n",
		"no.csv":    "Name\nx\n", "m.adj": "0 1\n1 0\n", "wide.csv": "Id,Label\nx,y,z\n"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ file, nodes, want string }{
		{"old/graph.json", "", "attic bb:01 cc:01 located 1"}, {"old/nodes.json", "", "attic bb:01 cc:01 located 1"},
		{"new/graph.json", "", "attic bb:01 cc:01 located 1"}, {"new/nodes.json", "", "attic bb:01 cc:01 located 1"},
		{"lone/g.json", "alone/nodes.json", "attic bb:01 cc:01 located 1"},
		{"lone/g.json", "", "aa:01 bb:01 cc:01 located 0"},
		{"alone/nodes.json", "", "their links are in a graph.json, and there is none beside it"},
		{"e.csv", "n.csv", "Xanten Yverdon z alone located 2"}, {"n.csv", "", "and this one its nodes-file"},
		{"e.csv", "short.csv", `e.csv:3: edge names node "z", which`}, {"e.csv", "no.csv", "one of them Id"},
		{"e.csv", "twice.csv", `twice.csv:5: node id "x" stands twice`}, {"m.adj", "n.csv", "have no names"},
		{"e.csv", "wide.csv", "wide.csv:2: a row of 3 columns under 2 titles"}, {"e.csv", "none.csv", "no such file"},
		{"e.csv", "alone/nodes.json", "none of its 1 nodes is in"}, {"e.csv", "new", "a regular file"},
	} {
		o := Options{}
		if c.nodes != "" {
			o.Nodes = filepath.Join(folder, c.nodes)
		}
		g, _, err := ReadFile(filepath.Join(folder, c.file), "", o)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			located := 0
			for i := range g.Len() {
				got += g.NodeName(i) + " "
				if g.Located(i) {
					located++
				}
			}
			got += "located " + string(rune('0'+located))
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s with %q: %s, expected %s", c.file, c.nodes, got, c.want)
		}
	}
}
