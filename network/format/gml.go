package format

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

var kindGML = kind{
	format: GML, about: "Graph Modelling Language", extensions: []string{".gml"},
	guess: func(s *sample) bool { return gmlStart.MatchString(s.head) }, read: readGML,
}

var gmlStart = regexp.MustCompile(`(?m)^\s*graph\s*\[`)

// gmlReader takes a GML text apart into keys and values.
type gmlReader struct {
	d     *draft
	rest  string
	line  int
	depth int
}

// gmlToken is a key or number (plain), a string, "[" or "]"; the zero token is the end.
type gmlToken struct {
	text   string
	quoted bool
	line   int
}

func (t gmlToken) is(text string) bool { return !t.quoted && t.text == text }
func (t gmlToken) end() bool           { return !t.quoted && t.text == "" }

// readGML reads a graph, or several as one, unless one is chosen. Character entities in strings are
// decoded, and lines that start with # are comments.
func readGML(d *draft, text string) error {
	r := &gmlReader{d: d, rest: text, line: 1}
	graphs := 0
	for {
		key, err := r.token()
		if err != nil {
			return err
		}
		if key.end() {
			break
		}
		if !key.is("graph") {
			if err := r.skip(key); err != nil {
				return err
			}
			continue
		}
		names, err := r.names(key)
		if err != nil {
			return err
		}
		if graphs++; !d.wanted(names...) {
			if err := r.skip(key); err != nil {
				return err
			}
			continue
		}
		if err := r.open(key); err != nil {
			return err
		}
		d.name = ""
		if err := r.graph(); err != nil {
			return err
		}
		if d.o.Graph == "" && d.name != "" {
			d.series.names[graphs-1] = d.name
		}
	}
	if graphs == 0 {
		return d.errorf(r.line, "no graph in the file")
	}
	return nil
}

func (r *gmlReader) token() (gmlToken, error) {
	for r.rest != "" {
		c := r.rest[0]
		switch {
		case c == '\n':
			r.line++
			r.rest = r.rest[1:]
		case c == ' ' || c == '\t' || c == '\r':
			r.rest = r.rest[1:]
		case c == '#':
			end := strings.IndexByte(r.rest, '\n')
			if end < 0 {
				end = len(r.rest)
			}
			r.rest = r.rest[end:]
		case c == '"':
			return r.str()
		case c == '[' || c == ']':
			r.rest = r.rest[1:]
			return gmlToken{text: string(c), line: r.line}, nil
		default:
			end := strings.IndexAny(r.rest, " \t\r\n[]\"")
			if end < 0 {
				end = len(r.rest)
			}
			t := gmlToken{text: r.rest[:end], line: r.line}
			r.rest = r.rest[end:]
			return t, nil
		}
	}
	return gmlToken{line: r.line}, nil
}

func (r *gmlReader) str() (gmlToken, error) {
	end := strings.IndexByte(r.rest[1:], '"')
	if end < 0 {
		return gmlToken{}, r.d.errorf(r.line, "a string is not closed")
	}
	t := gmlToken{text: html.UnescapeString(r.rest[1 : end+1]), quoted: true, line: r.line}
	r.line += strings.Count(r.rest[:end+1], "\n")
	r.rest = r.rest[end+2:]
	return t, nil
}

// open reads the bracket that follows the key of a list.
func (r *gmlReader) open(key gmlToken) error {
	t, err := r.token()
	if err != nil {
		return err
	}
	if !t.is("[") {
		return r.d.errorf(t.line, "%s: found %q, expected [", key.text, t.text)
	}
	if r.depth++; r.depth > maxDepth {
		return r.d.errorf(t.line, "lists nest deeper than %d", maxDepth)
	}
	return nil
}

// each calls f with every key of the list that was opened, until its end.
func (r *gmlReader) each(list string, f func(key gmlToken) error) error {
	from := r.line
	for {
		key, err := r.token()
		switch {
		case err != nil:
			return err
		case key.end():
			return r.d.errorf(r.line, "the list %s of line %d is not closed", list, from)
		case key.is("]"):
			r.depth--
			return nil
		case key.quoted || key.is("["):
			return r.d.errorf(key.line, "found %q, expected a key", key.text)
		}
		if err := f(key); err != nil {
			return err
		}
	}
}

// value reads what follows a key: a scalar, or the members of a list under prefixed keys.
func (r *gmlReader) value(key gmlToken, prefix string, f func(name, value string, line int)) error {
	t, err := r.token()
	switch {
	case err != nil:
		return err
	case t.end() || t.is("]"):
		return r.d.errorf(t.line, "the key %s has no value", key.text)
	case !t.is("["):
		f(prefix+key.text, t.text, t.line)
		return nil
	}
	if r.depth++; r.depth > maxDepth {
		return r.d.errorf(t.line, "lists nest deeper than %d", maxDepth)
	}
	return r.each(key.text, func(k gmlToken) error { return r.value(k, key.text+".", f) })
}

func (r *gmlReader) skip(key gmlToken) error {
	if key.quoted || key.is("[") || key.is("]") {
		return r.d.errorf(key.line, "found %q, expected a key", key.text)
	}
	return r.value(key, "", func(string, string, int) {})
}

// names looks ahead for what the graph is called, where one is to be chosen.
func (r *gmlReader) names(key gmlToken) (names []string, err error) {
	if r.d.o.Graph == "" {
		return nil, nil
	}
	ahead := *r
	if err := ahead.open(key); err != nil {
		return nil, err
	}
	return names, ahead.each("graph", func(key gmlToken) error {
		return ahead.value(key, "", func(name, value string, _ int) {
			if name == "label" || name == "name" || name == "id" {
				names = append(names, strings.TrimSpace(value))
			}
		})
	})
}

func (r *gmlReader) graph() error {
	return r.each("graph", func(key gmlToken) error {
		switch {
		case key.is("node"):
			return r.node(key)
		case key.is("edge"):
			return r.edge(key)
		}
		return r.value(key, "", func(name, value string, _ int) {
			switch {
			case name == "directed":
				r.d.report.Directed = value == "1"
			case name == "label" || name == "name" && r.d.name == "":
				r.d.name = strings.TrimSpace(value)
			}
		})
	})
}

// field is one attribute of a node or edge.
type field struct {
	name, value string
	line        int
}

// fields reads the list of a node or edge.
func (r *gmlReader) fields(key gmlToken) ([]field, error) {
	if err := r.open(key); err != nil {
		return nil, err
	}
	var all []field
	err := r.each(key.text, func(k gmlToken) error {
		return r.value(k, "", func(name, value string, line int) { all = append(all, field{name, value, line}) })
	})
	return all, err
}

func get(fields []field, name string) (string, bool) {
	for _, f := range fields {
		if f.name == name {
			return f.value, true
		}
	}
	return "", false
}

func (r *gmlReader) node(key gmlToken) error {
	fields, err := r.fields(key)
	if err != nil {
		return err
	}
	id, ok := get(fields, "id")
	if !ok { // no edge can name it
		id = fmt.Sprintf("line %d", key.line)
		r.d.notef("the node in line %d has no id, and so no edges", key.line)
	}
	i, err := r.d.node(id, key.line)
	if err != nil {
		return err
	}
	for _, f := range fields {
		if f.name != "id" {
			name := f.name
			if name == "graphics.x" || name == "graphics.y" {
				name = strings.TrimPrefix(name, "graphics.")
			}
			r.d.nodeAttr(i, name, f.value)
		}
	}
	return nil
}

func (r *gmlReader) edge(key gmlToken) error {
	fields, err := r.fields(key)
	if err != nil {
		return err
	}
	source, ok := get(fields, "source")
	target, ok2 := get(fields, "target")
	if !ok || !ok2 {
		return r.d.errorf(key.line, "an edge lacks its source or target")
	}
	e := r.d.link(source, target, key.line)
	for _, f := range fields {
		if f.name != "source" && f.name != "target" {
			if err := r.d.edgeAttr(e, f.name, f.value, f.line); err != nil {
				return err
			}
		}
	}
	return nil
}
