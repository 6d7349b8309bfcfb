package format

var kindJGF = kind{
	format: "jgf", about: "JSON Graph Format, one graph or several",
	mark: func(s *sample) bool {
		return s.object("graphs") || s.object("graph.nodes") || s.object("graph.edges")
	},
	read: readJGF,
}

// readJGF reads "graph", or the union of "graphs" or the one that is chosen. Nodes are members of an object (version
// 2) or a list (version 1); "metadata" of nodes and edges are their attributes. Hyperedges are refused.
func readJGF(d *draft, text string) error {
	v, err := d.document(text)
	if err != nil {
		return err
	}
	if g := v.get("graph"); g.kind == '{' {
		d.name = g.get("label").text
		return d.jgfGraph(g)
	}
	for _, g := range v.get("graphs").items {
		if d.wanted(g.get("id").text, g.get("label").text) {
			if err := d.jgfGraph(g); err != nil {
				return err
			}
		}
	}
	if v.get("graphs").kind != '[' {
		return d.errorf(int(v.line), `JSON: neither "graph" nor a list "graphs"`)
	}
	return nil
}

func (d *draft) jgfGraph(g value) error {
	if h := g.get("hyperedges"); len(h.items) > 0 {
		return d.errorf(int(h.line), "JSON: hyperedges; a network has edges of two ends only")
	}
	d.report.Directed = d.report.Directed || g.get("directed").text != "false" // true is the default of the format
	for _, n := range g.get("nodes").items {
		id := n.name
		if g.get("nodes").kind == '[' {
			id = n.get("id").text
		}
		i, err := d.node(id, int(n.line))
		if err != nil {
			return err
		}
		for _, f := range flatten(n) {
			if f.name != "id" {
				d.nodeAttr(i, f.name, f.value)
			}
		}
	}
	for _, l := range g.get("edges").items {
		a, b := l.get("source"), l.get("target")
		if !a.scalar() || !b.scalar() {
			return d.errorf(int(l.line), "JSON: an edge lacks source or target")
		}
		if err := d.members(d.link(a.text, b.text, int(l.line)), l, "source", "target", "id"); err != nil {
			return err
		}
	}
	return nil
}
