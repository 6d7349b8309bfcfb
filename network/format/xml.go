package format

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// maxDepth bounds the nesting of a file.
const maxDepth = 200

// xmlReader walks over the elements of a document and knows the line.
type xmlReader struct {
	d     *draft
	dec   *xml.Decoder
	depth int
}

func newXMLReader(d *draft, text string) *xmlReader {
	dec := xml.NewDecoder(strings.NewReader(text))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // decoded already
	return &xmlReader{d: d, dec: dec}
}

func (x *xmlReader) line() int {
	n, _ := x.dec.InputPos()
	return n
}

// next gives the next token; nil at the end of the document.
func (x *xmlReader) next() (xml.Token, error) {
	t, err := x.dec.Token()
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			return nil, x.d.errorf(syntax.Line, "XML: %s", syntax.Msg)
		}
		return nil, x.d.errorf(x.line(), "XML: %v", err)
	}
	switch t.(type) {
	case xml.StartElement:
		if x.depth++; x.depth > maxDepth {
			return nil, x.d.errorf(x.line(), "XML: elements nest deeper than %d", maxDepth)
		}
	case xml.EndElement:
		x.depth--
	}
	return t, nil
}

// root checks the name of the outermost element.
func (x *xmlReader) root(want string) error {
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case nil:
			return x.d.errorf(x.line(), "XML: no element; expected <%s>", want)
		case xml.StartElement:
			if t.Name.Local != want {
				return x.d.errorf(x.line(), "root element: found <%s>, allowed: <%s>", t.Name.Local, want)
			}
			return nil
		}
	}
}

// attr gives an attribute by its local name, "" where it is missing.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// need gives an attribute that must be there.
func (x *xmlReader) need(e xml.StartElement, name string) (string, error) {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value, nil
		}
	}
	return "", x.d.errorf(x.line(), "<%s> lacks the attribute %q", e.Name.Local, name)
}
