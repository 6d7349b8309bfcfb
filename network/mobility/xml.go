package mobility

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxDepth bounds the nesting of an XML file.
const maxDepth = 200

// elements calls start and end for the elements of an XML file, with the text directly
// before the end, and comment, if there is one, for comments.
func elements(r io.Reader, file, root string, start func(e xml.StartElement) error,
	end func(name, text string) error, comment func(text string)) error {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset
	var text []byte
	depth, seen := 0, false
	for {
		token, err := d.Token()
		line, _ := d.InputPos()
		if err == io.EOF && seen {
			return nil
		}
		if err == nil {
			switch t := token.(type) {
			case xml.StartElement:
				text = text[:0]
				if depth++; depth > maxDepth {
					err = fmt.Errorf("elements nest deeper than %d", maxDepth)
				} else if !seen && t.Name.Local != root {
					err = wrong("root element", t.Name.Local, root)
				} else {
					err = start(t)
				}
				seen = true
			case xml.Comment:
				if comment != nil {
					comment(string(t))
				}
			case xml.CharData:
				if len(text) < maxLine {
					text = append(text, t...)
				}
			case xml.EndElement:
				depth--
				err = end(t.Name.Local, strings.TrimSpace(string(text)))
				text = text[:0]
			}
		}
		if err != nil {
			return xmlError(file, line, err)
		}
	}
}

func xmlError(file string, line int, err error) error {
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF:
		err = errors.New("XML: the file has no element")
	case errors.As(err, &syntax):
		return atLine(file, syntax.Line, fmt.Errorf("XML: %s", syntax.Msg))
	}
	return atLine(file, line, err)
}

// charset decodes the encodings other than UTF-8 that GPS devices write.
func charset(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1", "windows-1252":
		return &latin1{r: bufio.NewReader(r)}, nil
	}
	return nil, wrong("encoding", name, "UTF-8, US-ASCII, ISO-8859-1 or windows-1252")
}

// latin1 turns ISO-8859-1 into UTF-8.
type latin1 struct {
	r    *bufio.Reader
	rest []byte // of a character that did not fit
}

func (l *latin1) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(l.rest) == 0 {
			if n > 0 && l.r.Buffered() == 0 {
				break
			}
			b, err := l.r.ReadByte()
			if err != nil {
				return n, err
			}
			l.rest = []byte(string(rune(b)))
		}
		k := copy(p[n:], l.rest)
		l.rest = l.rest[k:]
		n += k
	}
	return n, nil
}

// attribute gives the value of an attribute, "" for none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
