package format

import (
	"bufio"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"caucus.example/caucus/network"
)

// Large XML is read in pieces, so that memory holds the graph and not its text. What is not plain UTF-8, or wrong, is
// read again whole: the reader of all files says what is wrong.

// readXML reads a large file of GraphML or GEXF; ok is false if it is none, and then it has been read in part.
func readXML(file *os.File, name string, f Format, o Options) (g *network.Graph, report Report, ok bool) {
	st, err := file.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() < 2*pieceSize || st.Size() > maxInput ||
		o.Nodes != "" {
		return nil, report, false
	}
	b := bufio.NewReaderSize(file, 1<<16)
	head, _ := b.Peek(1 << 16)
	k := largeXML(string(head), f)
	filter, err := newSieve(o)
	if k == nil || o.check(k) != nil || err != nil {
		return nil, report, false
	}
	text := readAhead(b)
	d := &draft{sieve: filter, kind: k, file: name, inner: name, size: int(st.Size()), o: o, more: text.next}
	d.report = Report{Format: k.format, Encoding: "UTF-8"}
	first, _ := text.next()
	err = k.read(d, first)
	if !text.stop() || err != nil {
		return nil, report, false
	}
	g, report, err = d.finish()
	return g, report, err == nil
}

// largeXML is the format of a file of which the beginning is given; nil if it is not to be read in pieces.
func largeXML(head string, f Format) *kind {
	if m := xmlEncoding.FindStringSubmatch(head); m != nil && !strings.EqualFold(m[1], "UTF-8") {
		return nil
	}
	s := newSample(input{text: head})
	for _, k := range []*kind{&kindGraphML, &kindGEXF} {
		if (f == "" || f == k.format) && k.mark(s) {
			return k
		}
	}
	return nil
}

// ahead is a text that is read while earlier pieces of it are parsed.
type ahead struct {
	pieces chan string
	quit   chan struct{}
	plain  bool // all of it is UTF-8 and could be read; known when pieces is closed
}

func readAhead(r io.Reader) *ahead {
	a := &ahead{pieces: make(chan string, 2), quit: make(chan struct{})}
	go a.fill(r)
	return a
}

// fill cuts the text behind an ASCII character, so that no other is parted.
func (a *ahead) fill(r io.Reader) {
	defer close(a.pieces)
	var rest []byte
	for ended := false; !ended; {
		block := make([]byte, len(rest)+pieceSize)
		copy(block, rest)
		n, err := io.ReadFull(r, block[len(rest):])
		block = block[:len(rest)+n]
		ended = err == io.EOF || err == io.ErrUnexpectedEOF
		end := len(block)
		for !ended && end > 0 && block[end-1] >= utf8.RuneSelf {
			end--
		}
		rest = slices.Clone(block[end:])
		if err != nil && !ended || end == 0 && !ended || !utf8.Valid(block[:end]) || slices.Contains(block[:end], 0) {
			return
		}
		select {
		case a.pieces <- string(block[:end]):
		case <-a.quit:
			return
		}
	}
	a.plain = true
}

// next gives the next piece; ok is false behind the last.
func (a *ahead) next() (piece string, ok bool) {
	piece, ok = <-a.pieces
	return piece, ok
}

// stop waits until nobody reads any more, and tells whether all was read and plain.
func (a *ahead) stop() bool {
	close(a.quit)
	for range a.pieces {
	}
	return a.plain
}
