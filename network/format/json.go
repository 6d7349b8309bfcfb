package format

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// jsonReader reads the JSON shapes that list nodes and links.
type jsonReader struct {
	d       *draft
	text    string
	dec     *json.Decoder
	pos     int // a place in the text …
	posLine int // … and its line
	lists   map[string]bool
	// idKey is the member that is a node's id; "" where nodes have none, and links name their places in the list.
	idKey   string
	idText  bool // ids are strings
	refText bool // … and so are some ends of links
}

func newJSONReader(d *draft, text string) *jsonReader {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return &jsonReader{d: d, text: text, dec: dec, posLine: 1, lists: map[string]bool{}}
}

// readJSON reads NetJSON's NetworkGraph and node-link JSON: an object with "nodes" and
// "links" (or "edges", whose ends may also be called "from" and "to"). Nodes are known by id,
// else by node_id; without either by their name, where links name ends in words, else by their
// place in the list, from 0, which also numbers mean where all ids are strings. Without a list
// of nodes there are those that the links name.
func readJSON(d *draft, text string) error {
	r := newJSONReader(d, text)
	if err := r.object(r.top); err != nil {
		return err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return d.errorf(r.here(), "JSON: something follows the object")
	}
	if !r.lists["links"] {
		return d.errorf(r.here(), `JSON: no list "links" or "edges"`)
	}
	if !r.lists["nodes"] {
		if d.report.Format == NetJSON || len(d.refs) == 0 {
			return d.errorf(r.here(), `JSON: no list "nodes"`)
		}
		d.loose = true
		d.notef("no list of nodes; they are those that the links name")
		return nil
	}
	if r.d.n > 0 && r.idKey == "" && r.refText {
		return r.byName()
	}
	return r.places()
}

// here is the line of the next value.
func (r *jsonReader) here() int {
	to := int(r.dec.InputOffset())
	for to < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[to]) >= 0 {
		to++
	}
	return r.lineAt(to)
}

func (r *jsonReader) lineAt(to int) int {
	if to = min(to, len(r.text)); to < r.pos {
		return 1 + strings.Count(r.text[:to], "\n")
	}
	r.posLine += strings.Count(r.text[r.pos:to], "\n")
	r.pos = to
	return r.posLine
}

func (r *jsonReader) wrong(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return r.d.errorf(r.lineAt(int(syntax.Offset)), "JSON: %v", err)
	case errors.As(err, &kind):
		return r.d.errorf(r.lineAt(int(kind.Offset)), "JSON: field %s: found a %s", kind.Field, kind.Value)
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return r.d.errorf(r.lineAt(len(r.text)), "JSON: the file ends early")
	}
	return r.d.errorf(r.here(), "JSON: %v", err)
}

// delim reads { or [.
func (r *jsonReader) delim(want json.Delim, what string) error {
	line := r.here()
	t, err := r.dec.Token()
	if err != nil {
		return r.wrong(err)
	}
	if t != want {
		return r.d.errorf(line, "JSON: %s: found %v, expected %v", what, t, want)
	}
	return nil
}

// object calls f with each key of an object; f reads the value.
func (r *jsonReader) object(f func(key string) error) error {
	if err := r.delim('{', "value"); err != nil {
		return err
	}
	for r.dec.More() {
		t, err := r.dec.Token()
		if err != nil {
			return r.wrong(err)
		}
		if err := f(t.(string)); err != nil { // the decoder allows no other keys
			return err
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return r.wrong(err)
	}
	return nil
}

func (r *jsonReader) top(key string) error {
	switch key {
	case "nodes":
		return r.list("nodes", r.node)
	case "links", "edges":
		return r.list("links", r.link)
	}
	var v any
	if err := r.dec.Decode(&v); err != nil {
		return r.wrong(err)
	}
	switch key {
	case "directed":
		r.d.report.Directed = v == true
	case "name", "label":
		r.d.name = strings.TrimSpace(scalar(v))
	case "graph":
		if m, ok := v.(map[string]any); ok && r.d.name == "" {
			r.d.name = strings.TrimSpace(scalar(m["name"]))
		}
	}
	return nil
}

// list calls f with each object of a list.
func (r *jsonReader) list(name string, f func(o map[string]any, line int) error) error {
	if r.lists[name] {
		return r.d.errorf(r.here(), "JSON: a second list %q", name)
	}
	r.lists[name] = true
	if err := r.delim('[', name); err != nil {
		return err
	}
	for r.dec.More() {
		line := r.here()
		var v any
		if err := r.dec.Decode(&v); err != nil {
			return r.wrong(err)
		}
		o, ok := v.(map[string]any)
		if !ok {
			return r.d.errorf(line, "JSON: %s: found %s, expected an object", name, scalar(v))
		}
		if err := f(o, line); err != nil {
			return err
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return r.wrong(err)
	}
	return nil
}

// scalar writes a JSON value as text; lists and objects stay JSON.
func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	text, _ := json.Marshal(v) // it came from JSON
	return string(text)
}

// idKeys are the members that may be a node's id, best first.
var idKeys = []string{"id", "node_id", "nodeid"}

func (r *jsonReader) node(o map[string]any, line int) error {
	key := ""
	for k := 0; k < len(idKeys) && key == ""; k++ {
		if v, ok := o[idKeys[k]]; ok && v != nil {
			key = idKeys[k]
		}
	}
	if r.d.n > 0 && (key == "") != (r.idKey == "") {
		return r.d.errorf(line, "JSON: some nodes have an id and some have none")
	}
	if r.d.n > 0 && key != r.idKey {
		return r.d.errorf(line, "JSON: a node has %s, those before have %s", key, r.idKey)
	}
	r.idKey = key
	text := strconv.Itoa(r.d.n)
	if key != "" {
		text = scalar(o[key])
		if _, ok := o[key].(string); ok {
			r.idText = true
		}
	}
	i, err := r.d.node(text, line)
	if err != nil {
		return err
	}
	if list, ok := o["local_addresses"].([]any); ok {
		for _, v := range list {
			if err := r.d.also(scalar(v), i, line); err != nil {
				return err
			}
		}
	}
	for _, f := range flatten(o) {
		if f.name == "hostname" { // of meshviewer and Gluon
			f.name = "name"
		}
		if f.name != key && f.name != "local_addresses" {
			r.d.nodeAttr(i, f.name, f.value)
		}
	}
	return nil
}

// byName lets links find nodes without ids by their names, which must then differ.
func (r *jsonReader) byName() error {
	d := r.d
	for _, key := range []string{"name", "label"} {
		a := d.attrs[key]
		if a == nil || len(a.node) < d.n {
			continue
		}
		clear(d.at)
		for k, i := range a.node {
			if other, ok := d.at[a.value[k]]; ok && other != i {
				return d.errorf(int(d.line[i]), "JSON: links name nodes by %s, but %q stands twice, first on line %d",
					key, a.value[k], d.line[other])
			}
			d.at[a.value[k]], d.ids[i] = i, a.value[k]
		}
		return nil
	}
	return d.errorf(int(d.line[0]), "JSON: links name nodes in words, but nodes have none of id, node_id, name, label")
}

// flatten lists the members of an object in order of their names; "properties",
// "location" and a list "pos" give way to what they hold.
func flatten(o map[string]any) []field {
	var all []field
	for _, name := range sortedKeys(o) {
		switch v := o[name].(type) {
		case map[string]any:
			if name == "properties" || name == "location" || name == "position" {
				all = append(all, flatten(v)...)
				continue
			}
		case []any:
			if name == "pos" && len(v) >= 2 {
				all = append(all, field{name: "x", value: scalar(v[0])}, field{name: "y", value: scalar(v[1])})
				continue
			}
		}
		all = append(all, field{name: name, value: scalar(o[name])})
	}
	return all
}

func (r *jsonReader) link(o map[string]any, line int) error {
	var ends [2]string
	for k, names := range [][2]string{{"source", "from"}, {"target", "to"}} {
		v, ok := o[names[0]]
		if !ok {
			v, ok = o[names[1]]
		}
		switch v.(type) {
		case string:
			r.refText = true
		case json.Number:
		default:
			ok = false
		}
		if !ok && r.d.forgive("links without an end left out") {
			return nil
		}
		if !ok {
			return r.d.errorf(line, "JSON: a link has no %s, or one that is neither text nor a number", names[0])
		}
		ends[k] = scalar(v)
	}
	e := r.d.link(ends[0], ends[1], line)
	for _, f := range flatten(o) {
		switch f.name {
		case "source", "target", "from", "to":
			continue
		}
		if err := r.d.edgeAttr(e, f.name, f.value, line); err != nil {
			return err
		}
	}
	return nil
}

// places turns places in the list into ids, where links name nodes so.
func (r *jsonReader) places() error {
	if len(r.d.refs) == 0 || r.refText || r.idKey != "" && !r.idText {
		return nil
	}
	if r.idKey != "" { // ids such as "7" may still be what numbers mean
		for _, f := range r.d.refs {
			_, a := r.d.at[f.a]
			_, b := r.d.at[f.b]
			if a || b {
				return nil
			}
		}
		r.d.notef("links name nodes by their place in the list")
	}
	for k := range r.d.refs {
		f := &r.d.refs[k]
		for _, end := range []*string{&f.a, &f.b} {
			i, err := strconv.Atoi(*end)
			if err != nil || i < 0 || i >= r.d.n {
				return r.d.errorf(int(f.line), "JSON: link end: found %s, allowed: a place in the list of nodes, 0 "+
					"to %d", *end, r.d.n-1)
			}
			*end = r.d.ids[i]
		}
	}
	return nil
}

// readBatmanVis reads batman-adv vis JSON. A node's secondary addresses are the node; clients
// are left out; the link metric is the weight. The file lists who reports, so that a neighbour
// that is not listed is a node too.
func readBatmanVis(d *draft, text string) error {
	d.loose = true
	r := newJSONReader(d, text)
	var doc struct {
		Vis []struct {
			Primary   string   `json:"primary"`
			Secondary []string `json:"secondary"`
			Neighbors []struct {
				Router   string          `json:"router"`
				Neighbor string          `json:"neighbor"`
				Metric   json.RawMessage `json:"metric"`
			} `json:"neighbors"`
		} `json:"vis"`
	}
	if err := r.dec.Decode(&doc); err != nil {
		return r.wrong(err)
	}
	end := r.here()
	if doc.Vis == nil {
		return d.errorf(end, `JSON: no list "vis"`)
	}
	for _, v := range doc.Vis {
		i, err := d.node(v.Primary, end)
		if err != nil {
			return err
		}
		for _, s := range v.Secondary {
			if err := d.also(s, i, end); err != nil {
				return err
			}
		}
	}
	for _, v := range doc.Vis {
		for _, n := range v.Neighbors {
			e := d.link(n.Router, n.Neighbor, end)
			if w, err := parseNumber(strings.Trim(string(n.Metric), `"`)); err == nil {
				d.edges[e].W = w
			}
		}
	}
	d.report.Directed = true
	return nil
}
