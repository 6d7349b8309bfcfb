package format

import (
	"strconv"
	"strings"
)

var kindMatrix = kind{
	format: Matrix, about: "adjacency matrix as text", extensions: []string{".adj"},
	guess: func(s *sample) bool { return isMatrix(s.rows(), s.count()) }, read: readMatrix, unnamed: true,
}

// isMatrix reports a square of numbers. Fewer than four rows can as well be an edge list;
// then the entries must be 0 and 1 with zeros in the diagonal.
func isMatrix(rows [][]string, count int) bool {
	if count < 2 {
		return false
	}
	for i, row := range rows {
		if len(row) != count {
			return false
		}
		for j, cell := range row {
			if _, err := parseNumber(cell); err != nil {
				return false
			}
			if count < 4 && (cell != "0" && cell != "1" || i == j && cell != "0") {
				return false
			}
		}
	}
	return true
}

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
			w, err := d.weightOf("column "+strconv.Itoa(col+1), cell, l.n)
			if err != nil {
				return err
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
