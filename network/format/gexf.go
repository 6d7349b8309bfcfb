package format

var kindGEXF = kind{
	format: GEXF, about: "GEXF 1.1 to 1.3 (Gephi)", extensions: []string{".gexf"},
	mark: func(s *sample) bool { return s.root() == "gexf" }, read: readGEXF,
}

// gexfAttr declares an attribute of nodes or edges.
type gexfAttr struct {
	title, value string
	hasDefault   bool
}

// gexfReader is the state of reading GEXF.
type gexfReader struct {
	*xmlReader
	attrs    map[string]*gexfAttr // "class id" to attribute
	class    string               // of the open list of attributes
	attr     *gexfAttr            // open declaration
	declared int                  // defaults so far
	text     bool                 // in its default
	nodes    []int32              // stack of open nodes
	edge     int                  // open edge, -1 for none
	has      map[*gexfAttr]bool   // attributes that the open edge has
	nodeH    []map[*gexfAttr]bool // … that the open nodes have
}

// readGEXF reads one graph. Nested nodes are flattened. The times of a dynamic graph are
// ignored: the graph is the union over time.
func readGEXF(d *draft, text string) error {
	r := &gexfReader{xmlReader: newXMLReader(d, text), attrs: map[string]*gexfAttr{}, edge: -1}
	if err := r.root("gexf"); err != nil {
		return err
	}
	graphs := 0
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		switch t {
		case xmlEnd:
			if graphs == 0 {
				return d.errorf(r.line(), "no <graph> in the file")
			}
			return nil
		case xmlStarts:
			if r.element.name == "graph" {
				if graphs++; graphs > 1 {
					return d.errorf(r.line(), "a second <graph>; a file of GEXF holds one")
				}
			}
			err = r.start(r.element)
		case xmlChars:
			if r.text && r.attr != nil {
				r.attr.value += r.chars
			}
		case xmlEnds:
			err = r.end(r.name)
		}
		if err != nil {
			return err
		}
	}
}

func (r *gexfReader) start(e element) error {
	switch e.name {
	case "graph":
		if t := attr(e, "defaultedgetype"); t == "directed" {
			r.d.report.Directed = true
		}
		if attr(e, "mode") == "dynamic" {
			r.d.notef("the graph is dynamic; its times were ignored")
		}
	case "attributes":
		r.class = attr(e, "class")
	case "attribute":
		id, err := r.need(e, "id")
		if err != nil {
			return err
		}
		r.attr = &gexfAttr{title: attr(e, "title")}
		if r.attr.title == "" {
			r.attr.title = id
		}
		r.attrs[r.class+" "+id] = r.attr
	case "default":
		r.text = true
		if r.attr != nil {
			r.attr.hasDefault = true
			if r.declared++; r.declared > maxDefaults {
				return r.d.errorf(r.line(), "more than %d attributes have a default", maxDefaults)
			}
		}
	case "node":
		return r.startNode(e)
	case "edge":
		return r.startEdge(e)
	case "attvalue":
		return r.value(e)
	case "position":
		if len(r.nodes) > 0 {
			i := r.nodes[len(r.nodes)-1]
			r.d.nodeAttr(i, "x", attr(e, "x"))
			r.d.nodeAttr(i, "y", attr(e, "y"))
		}
	}
	return nil
}

func (r *gexfReader) startNode(e element) error {
	id, err := r.need(e, "id")
	if err != nil {
		return err
	}
	i, err := r.d.node(id, r.line())
	if err != nil {
		return err
	}
	r.d.nodeAttr(i, "label", attr(e, "label"))
	r.nodes, r.nodeH = append(r.nodes, i), append(r.nodeH, map[*gexfAttr]bool{})
	return nil
}

func (r *gexfReader) startEdge(e element) error {
	source, err := r.need(e, "source")
	if err != nil {
		return err
	}
	target, err := r.need(e, "target")
	if err != nil {
		return err
	}
	if attr(e, "type") == "directed" {
		r.d.report.Directed = true
	}
	r.edge, r.has = r.d.link(source, target, r.line()), map[*gexfAttr]bool{}
	if w := attr(e, "weight"); w != "" {
		if _, err := parseNumber(w); err != nil {
			return r.d.errorf(r.line(), "weight: found %q, allowed: a finite number", w)
		}
		return r.d.edgeAttr(r.edge, "weight", w, r.line())
	}
	return nil
}

// value reads <attvalue>, which refers to its attribute by "for", in GEXF 1.1 also by "id".
func (r *gexfReader) value(e element) error {
	id := attr(e, "for")
	if id == "" {
		id = attr(e, "id")
	}
	switch {
	case r.edge >= 0:
		if a := r.attrs["edge "+id]; a != nil {
			r.has[a] = true
			return r.d.edgeAttr(r.edge, a.title, attr(e, "value"), r.line())
		}
	case len(r.nodes) > 0:
		if a := r.attrs["node "+id]; a != nil {
			last := len(r.nodes) - 1
			r.nodeH[last][a] = true
			r.d.nodeAttr(r.nodes[last], a.title, attr(e, "value"))
		}
	}
	return nil
}

func (r *gexfReader) end(name string) error {
	switch name {
	case "default":
		r.text = false
	case "attribute":
		r.attr = nil
	case "node":
		last := len(r.nodes) - 1
		for _, a := range r.defaults("node ", r.nodeH[last]) {
			r.d.nodeAttr(r.nodes[last], a.title, a.value)
		}
		r.nodes, r.nodeH = r.nodes[:last], r.nodeH[:last]
	case "edge":
		e := r.edge
		r.edge = -1
		for _, a := range r.defaults("edge ", r.has) {
			if err := r.d.edgeAttr(e, a.title, a.value, r.line()); err != nil {
				return err
			}
		}
	}
	return nil
}

// defaults lists the attributes of a class that has lacks and that have a default.
func (r *gexfReader) defaults(class string, has map[*gexfAttr]bool) []*gexfAttr {
	var list []*gexfAttr
	for _, id := range sortedKeys(r.attrs) {
		a := r.attrs[id]
		if a.hasDefault && !has[a] && len(id) > len(class) && id[:len(class)] == class {
			list = append(list, a)
		}
	}
	return list
}
