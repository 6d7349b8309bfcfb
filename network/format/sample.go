package format

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// sample is what detection sees of a file.
type sample struct {
	file  string // without .gz
	ext   string
	whole string
	text  string // whole without blanks around it
	head  string // its beginning

	lines  [][]string // the cells of the first data lines; see rows
	counts int        // data lines, of lines
	known  string     // the root element; see root
	json   *members
}

func newSample(in input) *sample {
	text := strings.TrimSpace(in.text)
	return &sample{file: in.inner, ext: strings.ToLower(filepath.Ext(in.inner)), whole: in.text, text: text,
		head: text[:min(len(text), 1<<16)], counts: -1}
}

// starts tells whether the text starts with something, whatever its case; it is given in lower case.
func (s *sample) starts(with string) bool {
	return len(s.text) >= len(with) && strings.ToLower(s.text[:len(with)]) == with
}

// sampled is how many data lines are looked at where not all are.
const sampled = 200

// rows are the cells of the first lines that are neither blank nor comments.
func (s *sample) rows() [][]string {
	if s.counts >= 0 {
		return s.lines
	}
	s.counts = 0
	l := &lines{rest: s.text}
	for {
		line, ok := l.data("#%")
		if !ok {
			return s.lines
		}
		if s.counts++; s.counts <= sampled {
			s.lines = append(s.lines, matrixCells(line))
		}
	}
}

// count is how many lines there are that rows takes its from.
func (s *sample) count() int {
	s.rows()
	return s.counts
}

// root is the name of the outermost element of XML; "" where there is none.
func (s *sample) root() string {
	if s.known == "" && strings.HasPrefix(s.text, "<") {
		s.known = newXMLReader(&draft{file: s.file}, s.text).outermost()
	}
	return s.known
}

// members are the names that a JSON value has at its top, be it an object or a list, of which the first object counts;
// the names one level below as "nodes.id"; and short texts as "type=NetworkGraph".
type members struct {
	list  bool
	names map[string]bool
	then  bool // another value follows the first: one a line
}

// members of the JSON value that the text is; nil where it is none.
func (s *sample) members() *members {
	if s.json == nil && s.text != "" && (s.text[0] == '{' || s.text[0] == '[') {
		m := &members{list: s.text[0] == '[', names: map[string]bool{}}
		dec := newJSONDecoder(s.text[:min(len(s.text), 1<<20)])
		if m.gather(dec, "", 2) == nil {
			m.then = dec.PeekKind() == '{'
		}
		s.json = m
	}
	return s.json
}

// gather notes the names of the next value and of those so many levels below. An error only ends it: what was seen
// counts.
func (m *members) gather(dec *jsontext.Decoder, prefix string, levels int) error {
	kind := dec.PeekKind()
	if levels == 0 || kind != '{' && kind != '[' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for first := true; dec.PeekKind() != '}' && dec.PeekKind() != ']'; first = false {
		switch {
		case kind == '[' && first && dec.PeekKind() == '{':
			if err := m.gather(dec, prefix, levels); err != nil {
				return err
			}
			continue
		case kind == '[':
			if err := dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		full := prefix + name.String()
		m.names[full] = true
		if dec.PeekKind() == '"' {
			value, err := dec.ReadToken()
			if err != nil {
				return err
			}
			if text := value.String(); len(text) < 40 {
				m.names[full+"="+text] = true
			}
			continue
		}
		if err := m.gather(dec, full+".", levels-1); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// object tells whether the text is a JSON object with all of some members.
func (s *sample) object(names ...string) bool {
	return s.members() != nil && !s.json.list && s.json.have(names)
}

// list tells whether the text is a JSON list whose first object has all of some members.
func (s *sample) list(names ...string) bool {
	return s.members() != nil && s.json.list && s.json.have(names)
}

func (m *members) have(names []string) bool {
	for _, name := range names {
		if !m.names[name] {
			return false
		}
	}
	return true
}
