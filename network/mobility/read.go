package mobility

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Format names a format of traces.
type Format string

// Formats.
const (
	NS2       Format = "ns2"        // setdest commands of ns-2
	BonnMove  Format = "bonnmotion" // a line of "time x y" triples for each node
	FCD       Format = "fcd"        // SUMO's floating car data, XML
	GPX       Format = "gpx"        // GPX 1.0 and 1.1, a node for each track
	TIJ       Format = "tij"        // contacts "t i j"
	IJT       Format = "ijt"        // contacts "i j t"
	Intervals Format = "intervals"  // contacts "i j start end"
)

// Formats lists all formats.
var Formats = []Format{NS2, BonnMove, FCD, GPX, TIJ, IJT, Intervals}

// Options of [Read].
type Options struct {
	// SkipUntimed leaves out points of GPX tracks without a time or whose time goes
	// back, which are errors otherwise. [Report] counts them.
	SkipUntimed bool
}

// Limits of a trace file.
const (
	maxText = 1 << 30 // bytes after decompression
	maxLine = 1 << 20 // bytes
	maxTime = 1e11    // seconds, either side of zero
)

// Open reads a trace from a file, compressed with gzip or not.
func Open(file string, format Format, o Options) (*Trace, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, file, format, o)
}

// Read reads a trace. Errors start with file:line, file being the name to show for r.
func Read(r io.Reader, file string, format Format, o Options) (*Trace, error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, atLine(file, 1, err)
		}
		b = bufio.NewReader(z)
	}
	if mark, _ := b.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		b.Discard(3)
	}
	text := &limited{r: b, left: maxText}
	t, err := readText(text, file, format, o)
	if err == nil && len(t.Names) == 0 {
		err = atLine(file, 1, wrong("nodes", "none", "one or more"))
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func readText(text io.Reader, file string, format Format, o Options) (*Trace, error) {
	switch format {
	case NS2:
		return readNS2(text, file)
	case BonnMove:
		return readBonnMotion(text, file)
	case FCD:
		return readFCD(text, file)
	case GPX:
		return readGPX(text, file, o)
	case TIJ:
		return readContacts(text, file, columnsTIJ)
	case IJT:
		return readContacts(text, file, columnsIJT)
	case Intervals:
		return readContacts(text, file, columnsIntervals)
	}
	return nil, wrong("format", string(format), strings.Trim(fmt.Sprint(Formats), "[]"))
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

// eachLine calls do with the number and the fields of every line but blank ones and comments (#).
func eachLine(r io.Reader, file string, do func(line int, fields []string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	line := 0
	for s.Scan() {
		line++
		fields := strings.Fields(s.Text())
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

func parseTime(field, s string) (float64, error) { return parseWithin(field, s, maxTime) }
func parsePlace(field, s string) (float64, error) {
	return parseWithin(field, s, maxLength)
}

func parseWithin(field, s string, most float64) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(math.Abs(v) <= most) {
		return 0, wrong(field, s, fmt.Sprintf("a number from %g to %g", -most, most))
	}
	return v, nil
}

// names numbers nodes in the order in which a file first names them.
type names struct {
	list []string
	of   map[string]int32
}

func newNames() *names { return &names{of: map[string]int32{}} }

func (n *names) index(name string) int32 {
	i, ok := n.of[name]
	if !ok {
		i = int32(len(n.list))
		name = strings.Clone(name)
		n.of[name] = i
		n.list = append(n.list, name)
	}
	return i
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
