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

// eachGraph calls read with each line that holds a graph, without header, and its number; of several, the chosen one.
// Nodes have no names, so that those of one number are one.
func eachGraph(d *draft, text, header string, read func(line string, at int) error) error {
	l := &lines{rest: text}
	for {
		line, ok := l.data("")
		if !ok {
			break
		}
		if line = strings.TrimPrefix(line, header); line == "" { // the header on a line of its own
			continue
		}
		line = strings.TrimPrefix(line, ":")
		for k := range len(line) {
			if line[k] < 63 || line[k] > 126 {
				return d.errorf(l.n, "character %d is %q, allowed: ? to ~", k+1, line[k])
			}
		}
		if !d.wanted() {
			continue
		}
		if err := read(line, l.n); err != nil {
			return err
		}
		d.series.close(d.n)
	}
	d.n = d.series.most
	if len(d.series.names) == 0 {
		return d.errorf(1, "no graph")
	}
	return nil
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

func readGraph6(d *draft, text string) error { return eachGraph(d, text, ">>graph6<<", d.graph6) }

// graph6 reads a graph: the upper triangle of its matrix, column by column.
func (d *draft) graph6(line string, at int) error {
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

func readSparse6(d *draft, text string) error { return eachGraph(d, text, ">>sparse6<<", d.sparse6) }

// sparse6 reads a graph: steps through the nodes and the smaller end of each edge.
func (d *draft) sparse6(line string, at int) error {
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
