package format

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// value is a JSON value and its place in the text.
type value struct {
	name  string // of the member that it is
	kind  jsontext.Kind
	line  int32
	text  string // of a text, number, true or false
	items []value
}

// get gives a member of an object, an empty value where there is none. Several names are a path.
func (v value) get(path ...string) value {
	for _, name := range path {
		k := slices.IndexFunc(v.items, func(m value) bool { return m.name == name })
		if k < 0 || v.kind != '{' {
			return value{line: v.line}
		}
		v = v.items[k]
	}
	return v
}

// there tells whether the value is one, and not null.
func (v value) there() bool { return v.kind != 0 && v.kind != 'n' }

// scalar tells whether the value is a text or a number, as names of nodes are.
func (v value) scalar() bool { return v.kind == '"' || v.kind == '0' }

// shown is the value as text; lists and objects stay JSON.
func (v value) shown() string {
	switch v.kind {
	case '{', '[':
		var b strings.Builder
		enc := jsontext.NewEncoder(&b)
		v.encode(enc)
		return strings.TrimSpace(b.String())
	}
	return v.text
}

func (v value) encode(enc *jsontext.Encoder) {
	switch v.kind {
	case '{':
		enc.WriteToken(jsontext.BeginObject)
		for _, m := range v.items {
			enc.WriteToken(jsontext.String(m.name))
			m.encode(enc)
		}
		enc.WriteToken(jsontext.EndObject)
	case '[':
		enc.WriteToken(jsontext.BeginArray)
		for _, m := range v.items {
			m.encode(enc)
		}
		enc.WriteToken(jsontext.EndArray)
	case '"':
		enc.WriteToken(jsontext.String(v.text))
	case 'n':
		enc.WriteToken(jsontext.Null)
	default:
		enc.WriteValue(jsontext.Value(v.text))
	}
}

// jsonReader walks over a JSON text and knows the line.
type jsonReader struct {
	d       *draft
	text    string
	dec     *jsontext.Decoder
	pos     int     // a place in the text …
	posLine int     // … and its line
	stack   []value // members of the values that are open
	arena   []value // … and of those that are closed
}

func newJSONReader(d *draft, text string) *jsonReader {
	return &jsonReader{d: d, text: text, dec: newJSONDecoder(text), posLine: 1}
}

func newJSONDecoder(text string) *jsontext.Decoder {
	return jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
}

// document reads the one value that the text is.
func (d *draft) document(text string) (value, error) {
	r := newJSONReader(d, text)
	v, err := r.value(0)
	if err == nil {
		err = r.end()
	}
	return v, err
}

// end makes sure that nothing follows.
func (r *jsonReader) end() error {
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return r.d.errorf(r.here(), "JSON: something follows the %s", "value")
	}
	return nil
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
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return r.d.errorf(r.lineAt(len(r.text)), "JSON: the file ends early")
	case errors.As(err, &syntax):
		return r.d.errorf(r.lineAt(int(syntax.ByteOffset)), "JSON: %s",
			strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	}
	return r.d.errorf(r.here(), "JSON: %v", err)
}

// value reads the next value; depth is how many are open around it. Texts are parts of the file's.
func (r *jsonReader) value(depth int) (value, error) {
	v := value{kind: r.dec.PeekKind(), line: int32(r.here())}
	if depth > maxDepth {
		return v, r.d.errorf(int(v.line), "JSON: values nest deeper than %d", maxDepth)
	}
	if v.kind != '{' && v.kind != '[' {
		text, err := r.scalar()
		if v.text = text; v.kind == 'n' {
			v.text = ""
		}
		return v, err
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return v, r.wrong(err)
	}
	first := len(r.stack)
	for r.dec.PeekKind() != '}' && r.dec.PeekKind() != ']' {
		name := ""
		var err error
		if v.kind == '{' {
			if name, err = r.scalar(); err != nil {
				return v, err
			}
		}
		m, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		m.name = name
		r.stack = append(r.stack, m)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return v, r.wrong(err)
	}
	from := len(r.arena)
	r.arena = append(r.arena, r.stack[first:]...)
	r.stack = r.stack[:first]
	v.items = r.arena[from:len(r.arena):len(r.arena)]
	return v, nil
}

// scalar reads a value that is neither an object nor a list, or the name of a member.
func (r *jsonReader) scalar() (string, error) {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return "", r.wrong(err)
	}
	end := int(r.dec.InputOffset())
	text := r.text[end-len(raw) : end]
	if raw.Kind() != '"' {
		return text, nil
	}
	if strings.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1], nil
	}
	plain, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "", r.wrong(err)
	}
	return string(plain), nil
}

// open reads { or [.
func (r *jsonReader) open(want jsontext.Kind, what string) error {
	line := r.here()
	t, err := r.dec.ReadToken()
	if err != nil {
		return r.wrong(err)
	}
	if t.Kind() != want {
		return r.d.errorf(line, "JSON: %s: found %v, expected %v", what, t, want)
	}
	return nil
}

// object calls f with each name of an object; f reads the value.
func (r *jsonReader) object(f func(name string) error) error {
	if err := r.open('{', "value"); err != nil {
		return err
	}
	for r.dec.PeekKind() != '}' {
		t, err := r.dec.ReadToken()
		if err != nil {
			return r.wrong(err)
		}
		if err := f(t.String()); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

// list calls f with each object of a list, which is valid until f returns.
func (r *jsonReader) list(what string, f func(o value) error) error {
	if err := r.open('[', what); err != nil {
		return err
	}
	for r.dec.PeekKind() != ']' {
		r.arena = r.arena[:0]
		v, err := r.value(0)
		if err != nil {
			return err
		}
		if v.kind != '{' {
			return r.d.errorf(int(v.line), "JSON: %s: found %s, expected an object", what, v.shown())
		}
		if err := f(v); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

// flatten lists the members of an object in order of their names; what is only there to group others, and a list of two
// coordinates, give way to what they hold.
func flatten(o value) []field {
	var all []field
	for _, m := range o.items {
		switch {
		case m.kind == '{' && slices.Contains([]string{"properties", "location", "position", "metadata", "data"},
			m.name):
			all = append(all, flatten(m)...)
		case m.kind == '[' && m.name == "pos" && len(m.items) >= 2:
			all = append(all, field{name: "x", value: m.items[0].shown()}, field{name: "y", value: m.items[1].shown()})
		case m.kind == '[' && m.name == "geo" && len(m.items) == 2: // of ffmap
			all = append(all, field{name: "latitude", value: m.items[0].shown()},
				field{name: "longitude", value: m.items[1].shown()})
		default:
			all = append(all, field{name: m.name, value: m.shown()})
		}
	}
	slices.SortStableFunc(all, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return all
}
