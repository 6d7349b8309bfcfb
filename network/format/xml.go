package format

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a file.
const maxDepth = 200

// element is the start of an element: its name and attributes, without prefixes. It is valid until the next token.
type element struct {
	name  string
	attrs []field
}

// xmlToken is what comes next in a document.
type xmlToken int

const (
	xmlEnd xmlToken = iota // of the document
	xmlStarts
	xmlEnds
	xmlChars
)

// xmlReader walks over the elements of a document and knows the line. It copies nothing but what holds an entity:
// package encoding/xml takes about four times as long.
type xmlReader struct {
	d       *draft
	text    string
	pos     int
	counted int // a place in the text …
	lineNo  int // … and its line
	open    []string
	closed  bool // the element that has just started ended with />

	more func() (string, bool) // the text that follows; nil where text is all

	element element // of the token that was given last
	name    string  // of the element that ended
	chars   string
}

func newXMLReader(d *draft, text string) *xmlReader {
	return &xmlReader{d: d, text: text, more: d.more, lineNo: 1}
}

// line is the line that was reached.
func (x *xmlReader) line() int {
	x.lineNo += strings.Count(x.text[x.counted:x.pos], "\n")
	x.counted = x.pos
	return x.lineNo
}

func (x *xmlReader) wrong(format string, args ...any) error {
	return x.d.errorf(x.line(), "XML: "+format, args...)
}

// next gives the next token. One that reaches the end of a piece may go on in the next and is read again with it.
func (x *xmlReader) next() (xmlToken, error) {
	for {
		pos, counted, lineNo, depth, closed := x.pos, x.counted, x.lineNo, len(x.open), x.closed
		t, err := x.token()
		if x.more == nil || err == nil && x.pos < len(x.text) {
			return t, err
		}
		x.pos, x.counted, x.lineNo, x.open, x.closed = pos, counted, lineNo, x.open[:depth], closed
		x.extend()
	}
}

// extend drops what was read and at least doubles the rest, so that long tokens are not read again and again.
func (x *xmlReader) extend() {
	x.line()
	rest := x.text[x.pos:]
	x.text, x.pos, x.counted = rest, 0, 0
	for x.more != nil && len(x.text) <= 2*len(rest) {
		piece, ok := x.more()
		if x.text += piece; !ok {
			x.more = nil
		}
	}
}

// token reads a token that the text holds whole.
func (x *xmlReader) token() (xmlToken, error) {
	if x.closed {
		x.closed = false
		return x.ends(x.open[len(x.open)-1])
	}
	for x.pos < len(x.text) {
		rest := x.text[x.pos:]
		skip := 0
		switch {
		case rest[0] != '<':
			return x.plain(rest)
		case strings.HasPrefix(rest, "<!--"):
			skip = x.until(rest, 4, "-->")
		case strings.HasPrefix(rest, "<![CDATA["):
			if skip = x.until(rest, 9, "]]>"); skip > 0 {
				x.pos += skip
				x.chars = rest[9 : skip-3]
				return xmlChars, nil
			}
		case strings.HasPrefix(rest, "<!"):
			skip = declaration(rest)
		case strings.HasPrefix(rest, "<?"):
			skip = x.until(rest, 2, "?>")
		case strings.HasPrefix(rest, "</"):
			if skip = x.until(rest, 2, ">"); skip > 0 {
				x.pos += skip
				return x.ends(local(strings.TrimSpace(rest[2 : skip-1])))
			}
		default:
			return x.starts(rest)
		}
		if skip == 0 {
			x.pos = len(x.text)
			return 0, x.wrong("unexpected EOF")
		}
		x.pos += skip
	}
	if len(x.open) > 0 {
		return 0, x.wrong("unexpected EOF")
	}
	return xmlEnd, nil
}

// until is where the first end behind a number of bytes ends; 0 for nowhere.
func (x *xmlReader) until(rest string, from int, end string) int {
	k := strings.Index(rest[min(from, len(rest)):], end)
	if k < 0 {
		return 0
	}
	return from + k + len(end)
}

// declaration is how long a declaration of the type is, with what stands in brackets and quotes; 0 if it does not end.
func declaration(rest string) int {
	depth, quote := 0, byte(0)
	for k := 0; k < len(rest); k++ {
		switch c := rest[k]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return 0
}

func (x *xmlReader) plain(rest string) (xmlToken, error) {
	end := strings.IndexByte(rest, '<')
	if end < 0 {
		end = len(rest)
	}
	x.pos += end
	var err error
	x.chars, err = x.unescape(rest[:end])
	return xmlChars, err
}

// unescape replaces entities and the line ends of other systems.
func (x *xmlReader) unescape(s string) (string, error) {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if strings.IndexByte(s, '&') < 0 {
		return s, nil
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "&")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, rest, ended := strings.Cut(after, ";")
		r, known := entity(name)
		if !ended || !known {
			if !ended || len(name) > 40 {
				name = after[:min(len(after), 20)]
			}
			return "", x.wrong("invalid character entity &%s;", name)
		}
		b.WriteRune(r)
		s = rest
	}
}

func entity(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "apos":
		return '\'', true
	case "quot":
		return '"', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	return rune(n), ok && err == nil && utf8.ValidRune(rune(n)) && n != 0
}

// local is a name without its prefix.
func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

const xmlBlanks = " \t\r\n"

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// starts reads the start of an element.
func (x *xmlReader) starts(rest string) (xmlToken, error) {
	k := 1
	for k < len(rest) && !blank(rest[k]) && rest[k] != '/' && rest[k] != '>' {
		k++
	}
	if k == 1 || k == len(rest) || strings.ContainsAny(rest[1:k], "<&'\"=") {
		return 0, x.wrong("found %.20q, expected the name of an element after <", rest)
	}
	x.element = element{name: local(rest[1:k]), attrs: x.element.attrs[:0]}
	for {
		for k < len(rest) && blank(rest[k]) {
			k++
		}
		switch {
		case k == len(rest):
			x.pos = len(x.text)
			return 0, x.wrong("unexpected EOF")
		case rest[k] == '>':
			x.pos += k + 1
			return x.opened()
		case strings.HasPrefix(rest[k:], "/>"):
			x.pos += k + 2
			x.closed = true
			return x.opened()
		}
		used, err := x.attribute(rest[k:])
		if err != nil {
			return 0, err
		}
		k += used
	}
}

// attribute reads name="value" and tells how long that is.
func (x *xmlReader) attribute(rest string) (int, error) {
	equals := strings.IndexByte(rest, '=')
	name := ""
	if equals > 0 {
		name = strings.TrimRight(rest[:equals], xmlBlanks)
	}
	if name == "" || strings.ContainsAny(name, xmlBlanks+"<>/&'\"") {
		return 0, x.wrong("found %.20q, expected an attribute of <%s>", rest, x.element.name)
	}
	k := equals + 1
	for k < len(rest) && blank(rest[k]) {
		k++
	}
	if k == len(rest) || rest[k] != '"' && rest[k] != '\'' {
		return 0, x.wrong("attribute %s of <%s>: found %.10q, expected a value in quotes", name, x.element.name,
			rest[k:])
	}
	end := strings.IndexByte(rest[k+1:], rest[k])
	if end < 0 {
		return 0, x.wrong("attribute %s of <%s>: its value has no end", name, x.element.name)
	}
	value, err := x.unescape(rest[k+1 : k+1+end])
	x.element.attrs = append(x.element.attrs, field{name: local(name), value: value})
	return k + end + 2, err
}

func (x *xmlReader) opened() (xmlToken, error) {
	if x.open = append(x.open, x.element.name); len(x.open) > maxDepth {
		return 0, x.wrong("elements nest deeper than %d", maxDepth)
	}
	return xmlStarts, nil
}

func (x *xmlReader) ends(name string) (xmlToken, error) {
	if len(x.open) == 0 {
		return 0, x.wrong("unexpected end element </%s>", name)
	}
	last := x.open[len(x.open)-1]
	if last != name {
		return 0, x.wrong("element <%s> closed by </%s>", last, name)
	}
	x.open = x.open[:len(x.open)-1]
	x.name = name
	return xmlEnds, nil
}

// skip leaves out the rest of the element that has just started.
func (x *xmlReader) skip() error {
	for depth := len(x.open); len(x.open) >= depth; {
		if t, err := x.next(); err != nil || t == xmlEnd {
			return err
		}
	}
	return nil
}

// outermost gives the name of the outermost element; "" where there is none.
func (x *xmlReader) outermost() string {
	for {
		switch t, err := x.next(); {
		case err != nil || t == xmlEnd:
			return ""
		case t == xmlStarts:
			return x.element.name
		}
	}
}

// root checks the name of the outermost element.
func (x *xmlReader) root(want string) error {
	for {
		t, err := x.next()
		switch {
		case err != nil:
			return err
		case t == xmlEnd:
			return x.d.errorf(x.line(), "XML: no element; expected <%s>", want)
		case t == xmlStarts && x.element.name != want:
			return x.d.errorf(x.line(), "root element: found <%s>, allowed: <%s>", x.element.name, want)
		case t == xmlStarts:
			return nil
		}
	}
}

// attr gives an attribute by its name, "" where it is missing.
func attr(e element, name string) string {
	for _, a := range e.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// need gives an attribute that must be there.
func (x *xmlReader) need(e element, name string) (string, error) {
	for _, a := range e.attrs {
		if a.name == name {
			return a.value, nil
		}
	}
	return "", x.d.errorf(x.line(), "<%s> lacks the attribute %q", e.name, name)
}
