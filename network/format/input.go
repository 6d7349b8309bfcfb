package format

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
	"unsafe"

	"caucus.example/caucus/internal/unpack"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// maxInput bounds the text of a file, in bytes.
const maxInput = 1 << 30

// input is a file as text.
type input struct {
	inner    string // the name without .gz
	text     string // valid UTF-8 without byte order mark
	encoding string
	notes    []string
}

func readInput(r io.Reader, name string) (input, error) {
	in := input{inner: name}
	plain, packed, err := unpack.Reader(r)
	if err != nil {
		return in, fmt.Errorf("%s: %w", name, err)
	}
	if packed != "" {
		in.inner = unpack.Inner(name)
		in.notes = append(in.notes, "unpacked from "+packed)
	}
	var b bytes.Buffer
	if packed == "" {
		b.Grow(sizeOf(r) + bytes.MinRead)
	}
	data, err := readAll(&b, plain, name, packed != "")
	if err != nil {
		return in, err
	}
	in.text, in.encoding, err = decode(data)
	if err != nil {
		return in, fmt.Errorf("%s: %w", name, err)
	}
	return in, nil
}

// sizeOf is how many bytes a file has; 0 where that is not known.
func sizeOf(r io.Reader) int {
	if f, ok := r.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
			return int(min(st.Size(), maxInput))
		}
	}
	return 0
}

// readAll reads a text that is not too large.
func readAll(b *bytes.Buffer, r io.Reader, name string, packed bool) ([]byte, error) {
	_, err := b.ReadFrom(io.LimitReader(r, maxInput+1))
	switch {
	case err != nil && packed:
		return nil, fmt.Errorf("%s: unpacking: %w", name, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case b.Len() > maxInput:
		return nil, fmt.Errorf("%s: larger than the %d bytes allowed for it", name, maxInput)
	}
	return b.Bytes(), nil
}

var xmlEncoding = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// decode turns bytes into UTF-8. The byte order mark decides, then an XML declaration;
// bytes that are not UTF-8 and have neither are ISO-8859-1.
func decode(data []byte) (text, encoding string, err error) {
	switch {
	case bytes.HasPrefix(data, []byte{0xef, 0xbb, 0xbf}):
		data, encoding = data[3:], "UTF-8 with byte order mark"
	case wideOrder(data) != "":
		encoding = wideOrder(data)
		order := map[string]unicode.Endianness{"UTF-16LE": unicode.LittleEndian,
			"UTF-16BE": unicode.BigEndian}[encoding]
		if data, err = unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(data); err != nil {
			return "", "", fmt.Errorf("%s: %w", encoding, err)
		}
	default:
		encoding = "UTF-8"
		// A declaration that can be read as single bytes cannot be UTF-16, whatever it says.
		m := xmlEncoding.FindSubmatch(data[:min(len(data), 400)])
		if m != nil && !strings.HasPrefix(strings.ToUpper(string(m[1])), "UTF-") {
			encoding = string(m[1])
			e := singleBytes(encoding)
			if e == nil {
				return "", "", fmt.Errorf("encoding: found %q in the XML declaration, allowed: UTF-8, UTF-16 and "+
					"those of one byte a letter, such as ISO-8859-1, windows-1252 and KOI8-R", encoding)
			}
			if data, err = e.NewDecoder().Bytes(data); err != nil {
				return "", "", fmt.Errorf("%s: %w", encoding, err)
			}
		}
	}
	if !utf8.Valid(data) {
		encoding = "ISO-8859-1"
		data, _ = charmap.ISO8859_1.NewDecoder().Bytes(data) // every byte is a character
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return "", "", fmt.Errorf("byte %d is zero: a binary file, not a topology in text", i)
	}
	return unsafe.String(unsafe.SliceData(data), len(data)), encoding, nil // nobody else has these bytes
}

// singleBytes finds an encoding of one byte a letter by one of its names; nil if there is none.
func singleBytes(name string) encoding.Encoding {
	plain := func(name string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "", "cp125", "windows125").Replace(strings.ToLower(name))
	}
	want := plain(name)
	if want == "latin1" || want == "usascii" {
		return charmap.ISO8859_1
	}
	for _, e := range charmap.All {
		if n, ok := e.(fmt.Stringer); ok && plain(n.String()) == want {
			return e
		}
	}
	return nil
}

// wideOrder recognises UTF-16 by its byte order mark, or by a first character that is ASCII.
func wideOrder(data []byte) string {
	switch {
	case len(data) < 2:
		return ""
	case data[0] == 0xff && data[1] == 0xfe, data[0] != 0 && data[1] == 0:
		return "UTF-16LE"
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] != 0:
		return "UTF-16BE"
	}
	return ""
}

// lines walks over the lines of a text, which may end in LF, CRLF or CR.
type lines struct {
	rest string
	n    int // number of the line last given, from 1
}

func (l *lines) next() (line string, ok bool) {
	if l.rest == "" {
		return "", false
	}
	l.n++
	end := strings.IndexAny(l.rest, "\r\n")
	if end < 0 {
		line, l.rest = l.rest, ""
		return line, true
	}
	line = l.rest[:end]
	if strings.HasPrefix(l.rest[end:], "\r\n") {
		end++
	}
	l.rest = l.rest[end+1:]
	return line, true
}

// data gives the next line that is neither blank nor a comment, trimmed. Marks holds the
// characters that start a comment.
func (l *lines) data(marks string) (line string, ok bool) {
	for {
		line, ok = l.next()
		if !ok {
			return "", false
		}
		line = strings.TrimSpace(line)
		if line != "" && !strings.ContainsRune(marks, rune(line[0])) {
			return line, true
		}
	}
}
