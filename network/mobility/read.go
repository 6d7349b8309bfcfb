package mobility

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"caucus.example/caucus/internal/unpack"
)

// Options of [Read].
type Options struct {
	// SkipUntimed leaves out points of GPX tracks without a time or whose time goes
	// back, which are errors otherwise. [Report] counts them.
	SkipUntimed bool
	// Lasts is how many seconds a contact lasts of which the file gives one time; 0: see [Report].
	Lasts float64
	// Geographic says that places are degrees, longitude first, where the format leaves that open.
	Geographic bool
}

// Limits of a trace file.
const (
	maxText = 1 << 30 // bytes after decompression
	maxLine = 1 << 20 // bytes
	maxTime = 1e11    // seconds, either side of zero
)

// Open reads a trace from a file, packed or not, or from a folder of GPX files, each of them a node of a fleet. An
// empty format means that the content tells.
func Open(file string, format Format, o Options) (*Trace, error) {
	if st, err := os.Stat(file); err == nil && st.IsDir() {
		return openFleet(file, format, o)
	}
	f, err := unpack.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, file, format, o)
}

// Read reads a trace. Errors start with file:line, file being the name to show for r.
func Read(r io.Reader, file string, format Format, o Options) (*Trace, error) {
	text, err := open(r, file)
	if err != nil {
		return nil, err
	}
	var k kind
	if format == "" {
		head, _ := text.Peek(1 << 14)
		if k, err = detect(string(head), unpack.Inner(file)); err != nil {
			err = atLine(file, 1, err)
		}
	} else {
		k, err = kindOf(format)
	}
	if err != nil {
		return nil, err
	}
	t, err := k.read(&limited{r: text, left: maxText}, file, o)
	if err == nil && len(t.Names) == 0 {
		err = atLine(file, 1, wrong("nodes", "none", "one or more"))
	}
	if err != nil {
		return nil, err
	}
	t.Format = k.format
	return t, nil
}

// open unpacks a file and skips its byte order mark.
func open(r io.Reader, file string) (*bufio.Reader, error) {
	plain, _, err := unpack.Reader(r)
	if err != nil {
		return nil, atLine(file, 1, err)
	}
	b := bufio.NewReaderSize(plain, 1<<16)
	if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		b.Discard(3)
	}
	return b, nil
}

// limited is a reader with an error, not an end, where there is too much.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("more than %d bytes of text", maxText)
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

func atLine(file string, line int, err error) error { return fmt.Errorf("%s:%d: %w", file, line, err) }

// eachLine calls do with the number and the fields of every line but blank ones and comments (#). The fields live in
// the reader's buffer: what do keeps of them it must clone.
func eachLine(r io.Reader, file string, do func(line int, fields []string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), maxLine)
	line := 0
	var fields []string
	for s.Scan() {
		line++
		text := s.Bytes()
		fields = splitWords(fields[:0], unsafe.String(unsafe.SliceData(text), len(text)))
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := do(line, fields); err != nil {
			return atLine(file, line, err)
		}
	}
	if err := s.Err(); errors.Is(err, bufio.ErrTooLong) {
		return atLine(file, line+1, fmt.Errorf("line of more than %d bytes", maxLine))
	} else if err != nil {
		return atLine(file, line+1, err)
	}
	return nil
}

// splitWords appends the words of a line, which blanks and tabs part.
func splitWords(words []string, line string) []string {
	start := -1
	for k := 0; k < len(line); k++ {
		blank := line[k] == ' ' || line[k] == '\t' || line[k] == '\r'
		if blank && start >= 0 {
			words = append(words, line[start:k])
			start = -1
		} else if !blank && start < 0 {
			start = k
		}
	}
	if start >= 0 {
		words = append(words, line[start:])
	}
	return words
}

func parseTime(field, s string) (float64, error) { return parseWithin(field, s, maxTime) }
func parsePlace(field, s string) (float64, error) {
	return parseWithin(field, s, maxLength)
}

func parseWithin(field, s string, most float64) (float64, error) {
	if v, ok := decimal(s); ok && v <= most {
		return v, nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(math.Abs(v) <= most) {
		return 0, wrong(field, s, fmt.Sprintf("a number from %g to %g", -most, most))
	}
	return v, nil
}

// decimal reads what most numbers of traces are, digits and perhaps a point; both parts of the quotient are exact.
func decimal(s string) (v float64, ok bool) {
	if len(s) == 0 || len(s) > 15 {
		return 0, false
	}
	whole, scale := uint64(0), 0.0
	for k := range len(s) {
		switch c := s[k] - '0'; {
		case c <= 9:
			whole, scale = 10*whole+uint64(c), scale*10
		case s[k] == '.' && scale == 0 && k > 0 && k+1 < len(s):
			scale = 1
		default:
			return 0, false
		}
	}
	if scale == 0 {
		return float64(whole), true
	}
	return float64(whole) / scale, true
}

// names numbers nodes in the order in which a file first names them.
type names struct {
	list  []string
	of    map[string]int32
	small []int32 // names that are such numbers: index + 1
}

func newNames() *names { return &names{of: map[string]int32{}} }

// index gives the number of a name. Most are small numbers, looked up in a table.
func (n *names) index(name string) int32 {
	if k, ok := smallNumber(name); ok {
		if k >= len(n.small) {
			n.small = append(n.small, make([]int32, k+1-len(n.small)+len(n.small)/2)...)
		}
		if n.small[k] == 0 {
			n.small[k] = n.add(name) + 1
		}
		return n.small[k] - 1
	}
	i, ok := n.of[name]
	if !ok {
		i = n.add(name)
		n.of[n.list[i]] = i
	}
	return i
}

func (n *names) add(name string) int32 {
	n.list = append(n.list, strings.Clone(name))
	return int32(len(n.list) - 1)
}

// smallNumber reads a number of at most six digits, as it is written without zeros before it.
func smallNumber(name string) (k int, ok bool) {
	if len(name) > 6 || len(name) > 1 && name[0] == '0' {
		return 0, false
	}
	for at := range len(name) {
		c := name[at] - '0'
		if c > 9 {
			return 0, false
		}
		k = 10*k + int(c)
	}
	return k, name != ""
}

// finish sorts out the times of a trace of places.
func (t *Trace) finish() *Trace {
	t.Begin, t.End = math.Inf(1), math.Inf(-1)
	for _, track := range t.tracks {
		for _, k := range track {
			t.Begin, t.End = math.Min(t.Begin, k.t), math.Max(t.End, k.t)
		}
	}
	if t.Begin > t.End {
		t.Begin, t.End = 0, 0
	}
	t.tracks = slices.Clip(t.tracks)
	return t
}
