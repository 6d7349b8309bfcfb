// Package unpack reads files that are packed with a common compression, and names those that it does not read.
package unpack

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"caucus.example/caucus"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// form is a compression, known by how its files begin.
type form struct {
	name   string
	suffix string
	magic  string
	open   func(r io.Reader) (io.Reader, error) // nil: it is not read
}

var forms = []form{
	{"gzip", ".gz", "\x1f\x8b", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"zstd", ".zst", "\x28\xb5\x2f\xfd", openZstd},
	{"xz", ".xz", "\xfd7zXZ\x00", func(r io.Reader) (io.Reader, error) { return xz.NewReader(r) }},
	{"bzip2", ".bz2", "BZh", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"zip", ".zip", "PK\x03\x04", nil},
	{"7-Zip", ".7z", "7z\xbc\xaf\x27\x1c", nil},
	{"lz4", ".lz4", "\x04\x22\x4d\x18", nil},
	{"compress", ".Z", "\x1f\x9d", nil},
	{"RAR", ".rar", "Rar!\x1a\x07", nil},
	{"lzip", ".lz", "LZIP", nil},
}

// openZstd decodes in the caller's goroutine, and allows windows of 128 MB, as the program zstd does.
func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
}

// A packed file may grow by any factor up to maxSmall bytes, beyond it by maxGrowth: lists of edges shrink to a fifth
// or so, and only a trap to a hundredth.
const (
	maxSmall  = 16 << 20
	maxGrowth = 100
)

// growing is what a packed file holds, with an error where that is too much.
type growing struct {
	io.Reader
	n    int64
	from *counter
}

func (g *growing) Read(p []byte) (int, error) {
	if limit := max(maxSmall, maxGrowth*g.from.n); g.n > limit {
		return 0, fmt.Errorf("larger than the %d bytes allowed for it", limit)
	}
	n, err := g.Reader.Read(p)
	g.n += int64(n)
	return n, err
}

// counter counts what is read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// Reader gives what a file holds and with what it was packed, "" for a plain one. A compression that is not read is a
// *caucus.FieldError.
func Reader(file io.Reader) (r io.Reader, packed string, err error) {
	from := &counter{Reader: file}
	b := bufio.NewReader(from)
	head, _ := b.Peek(8)
	for _, f := range forms {
		if !bytes.HasPrefix(head, []byte(f.magic)) {
			continue
		}
		if f.open == nil {
			return nil, f.name, caucus.Wrong("compression", f.name, "none, or "+names())
		}
		r, err := f.open(b)
		return &growing{Reader: r, from: from}, f.name, err
	}
	return b, "", nil
}

// names lists what is read.
func names() string {
	var list []string
	for _, f := range forms {
		if f.open != nil {
			list = append(list, f.name)
		}
	}
	return strings.Join(list, ", ")
}

// Inner is the name of what a file of this name holds: the name without the compression's suffix.
func Inner(file string) string {
	for _, f := range forms {
		if f.open != nil && strings.HasSuffix(file, f.suffix) {
			return strings.TrimSuffix(file, f.suffix)
		}
	}
	return file
}
