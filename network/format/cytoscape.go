package format

var kindCytoscape = kind{
	format: "cytoscape", about: "JSON of Cytoscape: elements", extensions: []string{".cyjs"},
	mark: func(s *sample) bool {
		return s.object("elements") || s.list("data", "group") || s.list("data.id") ||
			s.object("nodes.data", "edges.data") || s.object("nodes.data") && !s.object("links")
	},
	read: readCytoscape,
}

// readCytoscape reads elements: an object of lists "nodes" and "edges", or one list whose elements say by "group", or
// by having a source, which they are. A node that is only a box around others ("parent") and has no edge is no node.
func readCytoscape(d *draft, text string) error {
	v, err := d.document(text)
	if err != nil {
		return err
	}
	if data := v.get("data"); data.there() {
		d.name = data.get("name").text
	}
	if e := v.get("elements"); e.there() {
		v = e
	}
	all := v.items
	if v.kind == '{' {
		all = append(append([]value{}, v.get("nodes").items...), v.get("edges").items...)
	}
	boxed := 0
	boxes, ends := map[string]bool{}, map[string]bool{}
	for _, e := range all {
		boxes[e.get("data", "parent").text] = true
		ends[e.get("data", "source").text], ends[e.get("data", "target").text] = true, true
	}
	for _, e := range all {
		data := e.get("data")
		switch {
		case data.kind != '{':
			return d.errorf(int(e.line), "JSON: an element lacks its data")
		case e.get("group").text == "edges" || data.get("source").there():
			if !data.get("source").scalar() || !data.get("target").scalar() {
				return d.errorf(int(e.line), "JSON: an edge lacks source or target")
			}
			err = d.members(d.link(data.get("source").text, data.get("target").text, int(e.line)), data, "source",
				"target",
				"id")
		case boxes[data.get("id").text] && !ends[data.get("id").text]:
			boxed++
		default:
			err = d.cytoscapeNode(e, data)
		}
		if err != nil {
			return err
		}
	}
	if boxed > 0 {
		d.notef("%d boxes around other nodes, without edges, are no nodes", boxed)
	}
	return nil
}

func (d *draft) cytoscapeNode(e, data value) error {
	id := data.get("id")
	if !id.scalar() {
		return d.errorf(int(e.line), "JSON: a node lacks its id")
	}
	i, err := d.node(id.text, int(e.line))
	if err != nil {
		return err
	}
	for _, f := range append(flatten(data), flatten(e.get("position"))...) {
		if f.name != "id" {
			d.nodeAttr(i, f.name, f.value)
		}
	}
	return nil
}
