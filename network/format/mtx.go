package format

import (
	"strconv"
	"strings"
)

var kindMatrixMarket = kind{
	format: MatrixMarket, about: "MatrixMarket coordinate", extensions: []string{".mtx"},
	mark: func(s *sample) bool { return s.starts("%%matrixmarket") }, read: readMatrixMarket, unnamed: true,
}

// readMatrixMarket reads a square coordinate matrix: every stored entry is an edge and its
// value the weight, infinite ones as well.
func readMatrixMarket(d *draft, text string) error {
	l := &lines{rest: text}
	banner, _ := l.next()
	f := strings.Fields(strings.ToLower(banner))
	if len(f) != 5 || f[0] != "%%matrixmarket" || f[1] != "matrix" {
		return d.errorf(1, "found %q, expected %%%%MatrixMarket matrix coordinate FIELD SYMMETRY", banner)
	}
	if f[2] != "coordinate" {
		return d.errorf(1, "layout: found %q, allowed: coordinate", f[2])
	}
	values, ok := map[string]int{"pattern": 0, "real": 1, "double": 1, "integer": 1}[f[3]]
	if !ok {
		return d.errorf(1, "field: found %q, allowed: pattern, real, integer", f[3])
	}
	switch f[4] {
	case "general":
		d.report.Directed = true
	case "symmetric", "skew-symmetric":
	default:
		return d.errorf(1, "symmetry: found %q, allowed: general, symmetric, skew-symmetric", f[4])
	}
	entries, err := mtxSize(d, l)
	if err != nil {
		return err
	}
	for {
		line, ok := l.data("%")
		if !ok {
			break
		}
		if int64(len(d.edges)) == entries {
			return d.errorf(l.n, "an entry more than the %d that the size line says", entries)
		}
		if err := mtxEntry(d, strings.Fields(line), values, l.n); err != nil {
			return err
		}
	}
	if int64(len(d.edges)) < entries {
		return d.errorf(l.n, "%d entries, but the size line says %d", len(d.edges), entries)
	}
	return nil
}

// mtxSize reads rows, columns and the number of entries.
func mtxSize(d *draft, l *lines) (entries int64, err error) {
	line, ok := l.data("%")
	f := strings.Fields(line)
	if !ok || len(f) != 3 {
		return 0, d.errorf(l.n, "found %q, expected the size line: rows, columns, entries", line)
	}
	var size [3]int64
	for k := range size {
		if size[k], err = strconv.ParseInt(f[k], 10, 64); err != nil || size[k] < 0 {
			return 0, d.errorf(l.n, "size: found %q, allowed: an integer >= 0", f[k])
		}
	}
	if size[0] != size[1] {
		return 0, d.errorf(l.n, "%d rows and %d columns; an adjacency matrix is square", size[0], size[1])
	}
	return size[2], d.number(size[0], l.n)
}

func mtxEntry(d *draft, f []string, values, line int) error {
	if len(f) != 2+values {
		return d.errorf(line, "an entry of %d fields, expected %d", len(f), 2+values)
	}
	i, err := d.numbered(f[0], 1, line)
	if err != nil {
		return err
	}
	j, err := d.numbered(f[1], 1, line)
	if err != nil {
		return err
	}
	w := nan
	if values == 1 {
		if w, err = d.weightOf("value", f[2], line); err != nil {
			return err
		}
	}
	d.edge(i, j, w)
	return nil
}
