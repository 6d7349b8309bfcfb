package format

import (
	"strings"

	"caucus.example/caucus/network"
)

var kindGraphML = kind{
	format: GraphML, about: "GraphML, with key defaults", extensions: []string{".graphml"},
	mark: func(s *sample) bool { return s.root() == "graphml" }, read: readGraphML, write: writeGraphML,
}

// graphmlKey declares an attribute of nodes, edges or the graph.
type graphmlKey struct {
	name, scope string
	value       string // default
	hasDefault  bool
}

// graphmlReader is the state of reading GraphML: which element we are in and which data.
type graphmlReader struct {
	*xmlReader
	keys     map[string]*graphmlKey // "scope id" to key; scope all stands under "all id"
	key      *graphmlKey            // the key being declared
	defaults []*graphmlKey          // the keys with a default
	nodes    []int32                // stack of open nodes
	edge     int                    // open edge, -1 for none
	data     *graphmlKey            // open data, nil for none
	labelled map[int32]bool         // nodes that have one; further ones are remarks
	label    bool                   // in a yEd label
	value    strings.Builder        // text of data, default or label
	has      map[int32]map[*graphmlKey]bool
	edgeIs   map[*graphmlKey]bool // keys that the open edge has
	graphs   int
	nested   bool
	points   []string // ends of the open hyperedge
}

// readGraphML reads all graphs, or the one that is chosen. Nested graphs are flattened; a hyperedge of two ends is an
// edge. yEd's node labels and geometry count as label, x and y.
func readGraphML(d *draft, text string) error {
	r := &graphmlReader{xmlReader: newXMLReader(d, text), keys: map[string]*graphmlKey{}, edge: -1,
		labelled: map[int32]bool{}, has: map[int32]map[*graphmlKey]bool{}, edgeIs: map[*graphmlKey]bool{}}
	if err := r.root("graphml"); err != nil {
		return err
	}
	edges := strings.Count(text, "<edge")
	if d.more != nil {
		edges = d.size / 48 // the shortest that is usual; what is not used costs no memory
	}
	d.edges = make([]network.Edge, 0, edges)
	for {
		t, err := r.next()
		if err != nil {
			return err
		}
		switch t {
		case xmlEnd:
			if r.graphs == 0 {
				return d.errorf(r.line(), "no <graph> in the file")
			}
			if r.nested {
				d.notef("graphs within nodes were flattened")
			}
			r.applyDefaults()
			return nil
		case xmlStarts:
			err = r.start(r.element)
		case xmlChars:
			if r.data != nil || r.key != nil || r.label {
				r.value.WriteString(r.chars)
			}
		case xmlEnds:
			err = r.end(r.name)
		}
		if err != nil {
			return err
		}
	}
}

func (r *graphmlReader) start(e element) error {
	switch e.name {
	case "key":
		return r.startKey(e)
	case "default":
		r.value.Reset()
	case "graph":
		return r.startGraph(e)
	case "node":
		return r.startNode(e)
	case "edge":
		return r.startEdge(e)
	case "hyperedge":
		r.points = nil
	case "endpoint":
		node, err := r.need(e, "node")
		r.points = append(r.points, node)
		return err
	case "data":
		return r.startData(e)
	case "NodeLabel":
		r.label = len(r.nodes) > 0 && !r.labelled[r.nodes[len(r.nodes)-1]]
		r.value.Reset()
	case "Geometry":
		if len(r.nodes) > 0 {
			r.d.nodeAttr(r.nodes[len(r.nodes)-1], "x", attr(e, "x"))
			r.d.nodeAttr(r.nodes[len(r.nodes)-1], "y", attr(e, "y"))
		}
	}
	return nil
}

func (r *graphmlReader) startKey(e element) error {
	id, err := r.need(e, "id")
	if err != nil {
		return err
	}
	k := &graphmlKey{name: attr(e, "attr.name"), scope: attr(e, "for")}
	if k.name == "" {
		k.name = id
	}
	if k.scope == "" {
		k.scope = "all"
	}
	if attr(e, "yfiles.type") != "" {
		k.name = "" // drawing; its labels and geometry are read, the rest is not
	}
	if r.keys[k.scope+" "+id] != nil {
		return r.d.errorf(r.line(), "key %q for %s stands twice", id, k.scope)
	}
	r.keys[k.scope+" "+id] = k
	r.key = k
	r.value.Reset()
	return nil
}

func (r *graphmlReader) startGraph(e element) error {
	r.graphs++
	if len(r.nodes) == 0 && !r.d.wanted(attr(e, "id")) {
		return r.skip()
	}
	r.nested = r.nested || len(r.nodes) > 0
	switch mode := attr(e, "edgedefault"); mode {
	case "directed":
		r.d.report.Directed = true
	case "undirected", "":
	default:
		return r.d.errorf(r.line(), "edgedefault: found %q, allowed: directed, undirected", mode)
	}
	return nil
}

func (r *graphmlReader) startNode(e element) error {
	id, err := r.need(e, "id")
	if err != nil {
		return err
	}
	i, err := r.d.node(id, r.line())
	if err != nil {
		return err
	}
	r.nodes = append(r.nodes, i)
	return nil
}

func (r *graphmlReader) startEdge(e element) error {
	source, err := r.need(e, "source")
	if err != nil {
		return err
	}
	target, err := r.need(e, "target")
	if err != nil {
		return err
	}
	if attr(e, "directed") == "true" {
		r.d.report.Directed = true
	}
	r.edge = r.d.link(source, target, r.line())
	clear(r.edgeIs)
	return nil
}

func (r *graphmlReader) startData(e element) error {
	id, err := r.need(e, "key")
	if err != nil {
		return err
	}
	scope := "graph"
	switch {
	case r.edge >= 0:
		scope = "edge"
	case len(r.nodes) > 0:
		scope = "node"
	}
	r.value.Reset()
	for _, s := range []string{scope, "all"} {
		if k := r.keys[s+" "+id]; k != nil {
			r.data = k
			return nil
		}
	}
	r.data = &graphmlKey{} // a key of another scope, or of none: not ours
	return nil
}

func (r *graphmlReader) end(name string) error {
	switch name {
	case "key":
		r.key = nil
	case "default":
		if r.key != nil {
			r.key.value, r.key.hasDefault = strings.TrimSpace(r.value.String()), true
			if r.defaults = append(r.defaults, r.key); len(r.defaults) > maxDefaults {
				return r.d.errorf(r.line(), "more than %d keys have a default", maxDefaults)
			}
		}
	case "node":
		r.nodes = r.nodes[:len(r.nodes)-1]
	case "edge":
		return r.endEdge()
	case "hyperedge":
		return r.endHyperedge()
	case "data":
		return r.endData()
	case "NodeLabel":
		if r.label {
			r.d.nodeAttr(r.nodes[len(r.nodes)-1], "label", r.value.String())
			r.labelled[r.nodes[len(r.nodes)-1]] = true
		}
		r.label = false
		r.value.Reset()
	}
	return nil
}

func (r *graphmlReader) endData() error {
	k, value := r.data, strings.TrimSpace(r.value.String())
	r.data = nil
	if k == nil || k.name == "" {
		return nil
	}
	switch {
	case r.edge >= 0:
		r.edgeIs[k] = true
		return r.d.edgeAttr(r.edge, k.name, value, r.line())
	case len(r.nodes) > 0:
		i := r.nodes[len(r.nodes)-1]
		if k.hasDefault {
			if r.has[i] == nil {
				r.has[i] = map[*graphmlKey]bool{}
			}
			r.has[i][k] = true
		}
		r.d.nodeAttr(i, k.name, value)
	case k.name == "label" || k.name == "name" || k.name == "Network" && r.d.name == "":
		r.d.name = value
	}
	return nil
}

func (r *graphmlReader) endEdge() error {
	e := r.edge
	r.edge = -1
	for _, k := range r.defaults {
		if !r.edgeIs[k] && (k.scope == "edge" || k.scope == "all") {
			if err := r.d.edgeAttr(e, k.name, k.value, r.line()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *graphmlReader) endHyperedge() error {
	if len(r.points) != 2 {
		return r.d.errorf(r.line(), "a hyperedge with %d ends; an edge has 2", len(r.points))
	}
	r.d.link(r.points[0], r.points[1], r.line())
	return nil
}

// applyDefaults gives nodes that lack data the default of its key.
func (r *graphmlReader) applyDefaults() {
	for _, k := range r.defaults {
		if k.name == "" || k.scope != "node" && k.scope != "all" {
			continue
		}
		for i := range int32(r.d.n) {
			if !r.has[i][k] {
				r.d.nodeAttr(i, k.name, k.value)
			}
		}
	}
}
