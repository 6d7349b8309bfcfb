package format

import (
	"strconv"
	"strings"
)

var kindNetJSON = kind{
	format: NetJSON, about: "NetJSON NetworkGraph, and a NetworkCollection of such",
	mark: func(s *sample) bool { return s.object("type=NetworkGraph") || s.object("type=NetworkCollection") },
	read: readNetJSON,
}

var kindNodeLink = kind{
	format: NodeLink, about: "node-link JSON (NetworkX, D3, vis.js, meshnet-lab, meshviewer, Gluon)",
	extensions: []string{".json"},
	mark: func(s *sample) bool {
		return s.object("links") || s.object("edges") || s.object("nodes") || s.object("batadv")
	},
	read: readNodeLink, write: writeNodeLink,
}

// nodeLink reads one graph that JSON gives as a list of nodes and one of links.
type nodeLink struct {
	*jsonReader
	listed map[string]bool
	before int // nodes and edges of graphs before this one
	refs   int
	// idKey is the member that is a node's id; "" where nodes have none, and links name their places in the list.
	idKey   string
	idText  bool // ids are strings
	refText bool // … and so are some ends of links
}

// readNodeLink reads an object with "nodes" and "links" (or "edges", whose ends may also be called "from" and "to"),
// also as the member "batadv" of a graph.json of Gluon. Nodes are known by id, else by node_id; without either by
// their name, where links name ends in words, else by their place in the list, from 0, which also numbers mean where
// all ids are strings. Without a list of nodes there are those that the links name.
func readNodeLink(d *draft, text string) error {
	r := &nodeLink{jsonReader: newJSONReader(d, text), listed: map[string]bool{}}
	if err := r.object(r.top); err != nil {
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	return r.finish()
}

// readNetJSON reads a graph as node-link does, or all graphs of a collection, or the one that is chosen.
func readNetJSON(d *draft, text string) error {
	r := newJSONReader(d, text)
	if !newSample(input{text: text}).object("collection") {
		return readNodeLink(d, text)
	}
	return r.object(func(name string) error {
		if name != "collection" {
			_, err := r.value(0)
			return err
		}
		return r.list(name, func(o value) error {
			if o.get("type").text != "NetworkGraph" {
				return nil
			}
			if !d.wanted(o.get("label").text, o.get("topology_id").text, o.get("protocol").text) {
				return nil
			}
			return d.graphOf(o)
		})
	})
}

// graphOf reads a graph that is a value already: one of several in a file.
func (d *draft) graphOf(o value) error {
	r := &nodeLink{jsonReader: newJSONReader(d, ""), listed: map[string]bool{}, before: d.n, refs: len(d.refs)}
	for _, m := range o.items {
		each := r.link
		switch m.name {
		case "nodes":
			each = r.node
		case "links", "edges":
		default:
			continue
		}
		if m.kind != '[' {
			return d.errorf(int(m.line), "JSON: %s: found %s, expected a list", m.name, m.shown())
		}
		r.listed[map[bool]string{true: "nodes", false: "links"}[m.name == "nodes"]] = true
		for _, e := range m.items {
			if err := each(e); err != nil {
				return err
			}
		}
	}
	return r.finish()
}

// finish finds out what links mean by their ends.
func (r *nodeLink) finish() error {
	if !r.listed["links"] {
		return r.d.errorf(r.here(), `JSON: no list "links" or "edges"`)
	}
	if !r.listed["nodes"] {
		if r.d.report.Format == NetJSON || len(r.d.refs) == r.refs {
			return r.d.errorf(r.here(), `JSON: no list "nodes"`)
		}
		r.d.loose = true
		r.d.notef("no list of nodes; they are those that the links name")
		return nil
	}
	if r.d.n > r.before && r.idKey == "" && r.refText {
		return r.byName()
	}
	return r.places()
}

func (r *nodeLink) top(name string) error {
	switch name {
	case "nodes":
		return r.once("nodes", r.node)
	case "links", "edges":
		return r.once("links", r.link)
	case "batadv":
		r.d.batadv = true
		return r.object(r.top)
	}
	v, err := r.value(0)
	if err != nil {
		return err
	}
	switch name {
	case "directed":
		r.d.report.Directed = r.d.report.Directed || v.text == "true"
	case "name", "label":
		r.d.name = strings.TrimSpace(v.shown())
	case "graph":
		if r.d.name == "" {
			r.d.name = strings.TrimSpace(v.get("name").shown())
		}
	}
	return nil
}

func (r *nodeLink) once(name string, f func(o value) error) error {
	if r.listed[name] {
		return r.d.errorf(r.here(), "JSON: a second list %q", name)
	}
	r.listed[name] = true
	return r.list(name, f)
}

// idKeys are the members that may be a node's id, best first.
var idKeys = []string{"id", "node_id", "nodeid"}

func (r *nodeLink) node(o value) error {
	key, line := "", int(o.line)
	for k := 0; k < len(idKeys) && key == ""; k++ {
		if o.get(idKeys[k]).there() {
			key = idKeys[k]
		}
	}
	if r.d.n > r.before && (key == "") != (r.idKey == "") {
		return r.d.errorf(line, "JSON: some nodes have an id and some have none")
	}
	if r.d.n > r.before && key != r.idKey {
		return r.d.errorf(line, "JSON: a node has %s, those before have %s", key, r.idKey)
	}
	r.idKey = key
	text := strconv.Itoa(r.d.n)
	if id := o.get(key); key != "" {
		text = id.shown()
		r.idText = r.idText || id.kind == '"'
	}
	i, err := r.d.node(text, line)
	if err != nil {
		return err
	}
	for _, list := range []string{"local_addresses", "secondary"} {
		for _, a := range o.get(list).items {
			if err := r.d.fold(a.shown(), text, line); err != nil {
				return err
			}
		}
	}
	for _, f := range flatten(o) {
		if f.name == "hostname" { // of meshviewer and Gluon
			f.name = "name"
		}
		if f.name != key && f.name != "local_addresses" && f.name != "secondary" {
			r.d.nodeAttr(i, f.name, f.value)
		}
	}
	return nil
}

// byName lets links find nodes without ids by their names, which must then differ.
func (r *nodeLink) byName() error {
	d := r.d
	for _, key := range []string{"name", "label"} {
		a := d.attrs[key]
		if a == nil || len(a.node) < d.n {
			continue
		}
		d.at = index{}
		for k, i := range a.node {
			if other, ok := d.at.find(a.value[k]); ok && other != i {
				return d.errorf(int(d.line[i]), "JSON: links name nodes by %s, but %q stands twice, first on line %d",
					key, a.value[k], d.line[other])
			}
			d.at.put(a.value[k], i)
			d.ids[i] = a.value[k]
		}
		return nil
	}
	return d.errorf(int(d.line[0]), "JSON: links name nodes in words, but nodes have none of id, node_id, name, label")
}

func (r *nodeLink) link(o value) error {
	var ends [2]string
	for k, names := range [][2]string{{"source", "from"}, {"target", "to"}} {
		v := o.get(names[0])
		if !v.there() {
			v = o.get(names[1])
		}
		if !v.scalar() && r.d.forgive("links without an end left out") {
			return nil
		}
		if !v.scalar() {
			return r.d.errorf(int(o.line), "JSON: a link has no %s, or one that is neither text nor a number", names[0])
		}
		r.refText = r.refText || v.kind == '"'
		ends[k] = v.text
	}
	link := r.d.link
	if !r.refText && (r.idKey == "" || r.idText) { // the ends may be places in the list of nodes; see places
		link = r.d.linkLater
	}
	e := link(ends[0], ends[1], int(o.line))
	return r.d.members(e, o, "source", "target", "from", "to")
}

// places turns places in the list into ids, where links name nodes so.
func (r *nodeLink) places() error {
	refs := r.d.refs[r.refs:]
	if len(refs) == 0 || r.refText || r.idKey != "" && !r.idText {
		return nil
	}
	if r.idKey != "" { // ids such as "7" may still be what numbers mean
		for _, f := range refs {
			_, a := r.d.at.find(f.a)
			_, b := r.d.at.find(f.b)
			if a || b {
				return nil
			}
		}
		r.d.notef("links name nodes by their place in the list")
	}
	for k := range refs {
		f := &refs[k]
		for _, end := range []*string{&f.a, &f.b} {
			i, err := strconv.Atoi(*end)
			if err != nil || i < 0 || i >= r.d.n-r.before {
				return r.d.errorf(int(f.line), "JSON: link end: found %s, allowed: a place in the list of nodes, 0 "+
					"to %d", *end, r.d.n-r.before-1)
			}
			*end = r.d.ids[r.before+i]
		}
	}
	return nil
}
