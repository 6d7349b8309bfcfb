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
	noID    bool // a node lacks an id: links name nodes by their place in the list
	idText  bool // ids are strings
	refText bool // … and so are some ends of links
}

func newJSONReader(d *draft, text string) *jsonReader {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return &jsonReader{d: d, text: text, dec: dec, posLine: 1, lists: map[string]bool{}}
}

// readJSON reads NetJSON's NetworkGraph and node-link JSON: an object with "nodes" and
// "links" (or "edges", whose ends may also be called "from" and "to"). A link end that no
// node has as its id becomes a node, with a note. Where nodes have no id, or ids are
// strings and all ends numbers, links name nodes by their place in the list, from 0.
func readJSON(d *draft, text string) error {
	d.loose = true
	r := newJSONReader(d, text)
	if err := r.object(r.top); err != nil {
		return err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return d.errorf(r.here(), "JSON: something follows the object")
	}
	if !r.lists["nodes"] {
		return d.errorf(r.here(), `JSON: no list "nodes"`)
	}
	if !r.lists["links"] {
		return d.errorf(r.here(), `JSON: no list "links" or "edges"`)
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

func (r *jsonReader) node(o map[string]any, line int) error {
	id, ok := o["id"]
	text := strconv.Itoa(r.d.n)
	if ok {
		text = scalar(id)
		if _, ok := id.(string); ok {
			r.idText = true
		}
	}
	if r.d.n > 0 && ok == r.noID {
		return r.d.errorf(line, "JSON: some nodes have an id and some have none")
	}
	r.noID = !ok
	i, err := r.d.node(text, line)
	if err != nil {
		return err
	}
	for _, f := range flatten(o) {
		if f.name != "id" {
			r.d.nodeAttr(i, f.name, f.value)
		}
	}
	return nil
}

// flatten lists the members of an object in order of their names; "properties",
// "location" and a list "pos" give way to what they hold.
func flatten(o map[string]any) []field {
	var all []field
	for _, name := range sortedKeys(o) {
		switch v := o[name].(type) {
		case map[string]any:
			if name == "properties" || name == "location" {
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
	if len(r.d.refs) == 0 || r.refText || !r.noID && !r.idText {
		return nil
	}
	if !r.noID { // ids such as "7" may still be what numbers mean
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
				return r.d.errorf(int(f.line), "JSON: link end: found %s, allowed: a place in the list of nodes, 0 to %d", *end, r.d.n-1)
			}
			*end = r.d.ids[i]
		}
	}
	return nil
}

// readBatmanVis reads batman-adv vis JSON. A node's secondary addresses are the node; clients
// are left out; the link metric is the weight.
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
	primary := map[string]string{}
	for _, v := range doc.Vis {
		if _, err := d.node(v.Primary, end); err != nil {
			return err
		}
		for _, s := range v.Secondary {
			primary[s] = v.Primary
		}
	}
	fold := func(address string) string {
		if p, ok := primary[address]; ok {
			return p
		}
		return address
	}
	for _, v := range doc.Vis {
		for _, n := range v.Neighbors {
			e := d.link(fold(n.Router), fold(n.Neighbor), end)
			if w, err := parseNumber(strings.Trim(string(n.Metric), `"`)); err == nil {
				d.edges[e].W = w
			}
		}
	}
	d.report.Directed = true
	return nil
}
