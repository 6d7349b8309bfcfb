package format

import (
	"strings"
)

// readMatrix reads an adjacency matrix: as many rows as columns, numbers parted by blanks or commas. Each entry that is
// not 0 is an edge; entries other than 0 and 1 make them weights.
func readMatrix(d *draft, text string) error {
	l := &lines{rest: text}
	var first, row int
	weighted := false
	for {
		line, ok := l.data("#%")
		if !ok {
			break
		}
		cells := matrixCells(line)
		if row == 0 {
			first = len(cells)
			if err := d.number(int64(first), l.n); err != nil {
				return err
			}
		}
		if len(cells) != first {
			return d.errorf(l.n, "row %d has %d columns, the first has %d", row+1, len(cells), first)
		}
		if row == first {
			return d.errorf(l.n, "a row more than the %d columns", first)
		}
		for col, cell := range cells {
			w, err := parseNumber(cell)
			if err != nil {
				return d.errorf(l.n, "column %d: found %q, allowed: a number", col+1, cell)
			}
			if w != 0 {
				d.edge(int32(row), int32(col), w)
				weighted = weighted || w != 1
			}
		}
		row++
	}
	if row < first {
		return d.errorf(l.n, "%d rows, but %d columns", row, first)
	}
	if !weighted {
		d.dropWeights()
	}
	return nil
}

func matrixCells(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' })
}

func (d *draft) dropWeights() {
	for k := range d.edges {
		d.edges[k].W = nan
	}
}
