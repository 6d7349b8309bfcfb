package format

import (
	"strings"
)

var kindGraph6 = kind{
	format: Graph6, about: "graph6", extensions: []string{".g6"},
	mark: func(s *sample) bool { return s.starts(">>graph6<<") }, read: readGraph6, unnamed: true,
}

var kindSparse6 = kind{
	format: Sparse6, about: "sparse6", extensions: []string{".s6"},
	mark: func(s *sample) bool { return s.starts(">>sparse6<<") }, read: readSparse6, unnamed: true,
}

// sixBits walks over the bits of graph6 and sparse6: six in each character from ? to ~.
type sixBits struct {
	text string
	k    int // next bit
}

func (b *sixBits) left() int { return 6*len(b.text) - b.k }

func (b *sixBits) take(n int) (v int64) {
	for range n {
		v = v<<1 | int64((b.text[b.k/6]-63)>>(5-b.k%6)&1)
		b.k++
	}
	return v
}

// firstGraph gives the first line that holds a graph, without header, and checks it.
func firstGraph(d *draft, text, header string) (string, int, error) {
	l := &lines{rest: text}
	line, ok := l.data("")
	if !ok {
		return "", 0, d.errorf(1, "no graph")
	}
	at := l.n
	line = strings.TrimPrefix(line, header)
	if line == "" { // the header on a line of its own
		if line, ok = l.data(""); !ok {
			return "", 0, d.errorf(at, "no graph after the header")
		}
		at = l.n
	}
	line = strings.TrimPrefix(line, ":")
	for k := range len(line) {
		if line[k] < 63 || line[k] > 126 {
			return "", 0, d.errorf(at, "character %d is %q, allowed: ? to ~", k+1, line[k])
		}
	}
	more := 0
	for _, ok := l.data(""); ok; _, ok = l.data("") {
		more++
	}
	if more > 0 {
		d.notef("the first of %d graphs was read", more+1)
	}
	return line, at, nil
}

// sixSize reads the number of nodes and returns the rest.
func sixSize(d *draft, line string, at int) (rest *sixBits, err error) {
	skip, size := 0, 1
	switch {
	case strings.HasPrefix(line, "~~"):
		skip, size = 2, 6
	case strings.HasPrefix(line, "~"):
		skip, size = 1, 3
	}
	if len(line) < skip+size {
		return nil, d.errorf(at, "the number of nodes is cut off")
	}
	b := &sixBits{text: line[skip : skip+size]}
	if err := d.number(b.take(6*size), at); err != nil {
		return nil, err
	}
	return &sixBits{text: line[skip+size:]}, nil
}

// readGraph6 reads the first graph: the upper triangle of its matrix, column by column.
func readGraph6(d *draft, text string) error {
	line, at, err := firstGraph(d, text, ">>graph6<<")
	if err != nil {
		return err
	}
	b, err := sixSize(d, line, at)
	if err != nil {
		return err
	}
	n := int64(d.n)
	if want := (n*(n-1)/2 + 5) / 6; int64(len(b.text)) != want {
		return d.errorf(at, "%d characters of edges, but %d nodes need %d", len(b.text), n, want)
	}
	for j := int32(1); int64(j) < n; j++ {
		for i := int32(0); i < j; i++ {
			if b.take(1) == 1 {
				d.edge(i, j, nan)
			}
		}
	}
	return nil
}

// readSparse6 reads the first graph: steps through the nodes and the smaller end of each edge.
func readSparse6(d *draft, text string) error {
	line, at, err := firstGraph(d, text, ">>sparse6<<")
	if err != nil {
		return err
	}
	b, err := sixSize(d, line, at)
	if err != nil {
		return err
	}
	n, width := int64(d.n), 0
	for width = 0; 1<<width < n; width++ {
	}
	for v := int64(0); b.left() > width; {
		if b.take(1) == 1 {
			v++
		}
		x := b.take(width)
		switch {
		case x >= n || v >= n:
			return nil // padding
		case x > v:
			v = x
		default:
			d.edge(int32(x), int32(v), nan)
		}
	}
	return nil
}
