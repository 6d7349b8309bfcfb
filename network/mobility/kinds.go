package mobility

import (
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// kind is what the package knows about one format.
type kind struct {
	format     Format
	about      string
	extensions []string
	mark       func(head string, rows [][]string) bool
	read       func(r io.Reader, file string, o Options) (*Trace, error)
}

// kinds in the order in which they are listed and looked for in a file.
var kinds = []kind{
	{ns2Moves, "setdest commands of ns-2", []string{".ns_movements"},
		func(_ string, rows [][]string) bool {
			return strings.HasPrefix(first(rows), "$") || first(rows) == "set"
		}, readNS2},
	{fcd, "floating-car data of SUMO, in metres or degrees", nil,
		func(head string, _ [][]string) bool { return strings.Contains(head, "<fcd-export") }, readFCD},
	{gpx, "GPX 1.0 and 1.1, a node for each track; a folder of such, a node for each file", []string{".gpx"},
		func(head string, _ [][]string) bool { return strings.Contains(head, "<gpx") }, readGPX},
	{"one", "contacts of The ONE: t CONN a b up|down", nil,
		func(_ string, rows [][]string) bool { return len(rows) > 0 && isONE(rows[0]) }, readONE},
	{"one-movement", "movement of The ONE: limits, then t node x y", nil, isONEMovement, readONEMovement},
	{"crawdad", "contacts of CRAWDAD's iMotes and Rollernet: i j start end, and more columns", nil, isCRAWDAD,
		readCRAWDAD},
	{bonnMotion, `a line of "time x y" for each node`, []string{".movements"}, isBonnMotion, readBonnMotion},
	{Intervals, `contacts "i j start end"`, nil, isIntervals, contactReader(columnsIntervals)},
	{tij, `contacts "t i j"`, []string{".tij"},
		func(_ string, rows [][]string) bool { return sorted(rows, 0) && !sorted(rows, 2) }, contactReader(columnsTIJ)},
	{ijt, `contacts "i j t"`, []string{".ijt"},
		func(_ string, rows [][]string) bool { return sorted(rows, 2) && !sorted(rows, 0) }, contactReader(columnsIJT)},
}

// Formats lists all formats.
func Formats() []Format {
	var all []Format
	for _, k := range kinds {
		all = append(all, k.format)
	}
	return all
}

func kindOf(f Format) (kind, error) {
	k := slices.IndexFunc(kinds, func(k kind) bool { return k.format == f })
	if k < 0 {
		var names []string
		for _, f := range Formats() {
			names = append(names, string(f))
		}
		return kind{}, caucus.NotAmong("movements-format", string(f), names)
	}
	return kinds[k], nil
}

// detect finds the format of a trace by its beginning and, where that leaves it open, by the extension of its name.
func detect(head, file string) (kind, error) {
	rows := rowsOf(head)
	ext := filepath.Ext(file)
	for _, k := range kinds {
		if slices.Contains(k.extensions, ext) && (numbersOnly(k.format) || k.mark(head, rows)) {
			return k, nil
		}
	}
	for _, k := range kinds {
		if k.mark(head, rows) {
			return k, nil
		}
	}
	return kind{}, caucus.Wrong("movements-format", "", "one of "+strings.Join(formatNames(), ", ")+
		": neither the name nor the beginning of "+file+" tells")
}

// numbersOnly tells whether a format's lines may be those of several formats, so that the name of a file counts.
func numbersOnly(f Format) bool { return f == bonnMotion || f == tij || f == ijt }

func formatNames() (names []string) {
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return names
}

// rowsOf gives the words of the first whole lines that are neither blank nor comments.
func rowsOf(head string) (rows [][]string) {
	text := head
	if k := strings.LastIndexByte(head, '\n'); k > 0 {
		text = head[:k]
	}
	for line := range strings.SplitSeq(text, "\n") {
		if f := strings.Fields(line); len(f) > 0 && !strings.HasPrefix(f[0], "#") {
			rows = append(rows, f)
		}
	}
	return rows
}

func first(rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	return rows[0][0]
}

// finite reads a number that may be a time or a place.
func finite(word string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(word, 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// numbers reads all words of a row as finite numbers.
func numbers(row []string) (list []float64, ok bool) {
	for _, word := range row {
		x, ok := finite(word)
		if !ok {
			return nil, false
		}
		list = append(list, x)
	}
	return list, true
}

// sorted tells whether all rows but a title have at least three columns, of which one holds numbers that do not fall
// and are not all the same.
func sorted(rows [][]string, column int) bool {
	if len(rows) > 1 {
		if _, ok := finite(rows[0][0]); !ok && len(rows[0]) >= 3 && column == 0 {
			rows = rows[1:]
		}
	}
	var last, begin float64
	for k, row := range rows {
		if len(row) < 3 || column == 2 && len(row) != 3 {
			return false
		}
		t, ok := finite(row[column])
		if !ok || k > 0 && t < last {
			return false
		}
		if last = t; k == 0 {
			begin = t
		}
	}
	return len(rows) > 1 && last > begin
}

// isIntervals: four numbers or names, of which the fourth is later than the third.
func isIntervals(_ string, rows [][]string) bool {
	for _, row := range rows {
		if len(row) != 4 {
			return false
		}
		t, ok := numbers(row[2:])
		if !ok || t[1] <= t[0] {
			return false
		}
	}
	return len(rows) > 0
}

// isBonnMotion: triples of numbers whose times rise, more than one in some line.
func isBonnMotion(_ string, rows [][]string) bool {
	long := false
	for _, row := range rows {
		x, ok := numbers(row)
		if !ok || len(row)%3 != 0 {
			return false
		}
		for k := 3; k < len(x); k += 3 {
			if long = true; x[k] <= x[k-3] {
				return false
			}
		}
	}
	return long
}

// isCRAWDAD: i j start end count gap, perhaps under titles.
func isCRAWDAD(_ string, rows [][]string) bool {
	if len(rows) > 1 {
		if _, ok := numbers(rows[0]); !ok {
			rows = rows[1:]
		}
	}
	for _, row := range rows {
		x, ok := numbers(row)
		if !ok || len(row) < 6 || len(row) > 8 || x[3] < x[2] || x[0] == x[1] || x[0] != math.Trunc(x[0]) || x[4] < 1 {
			return false
		}
	}
	return len(rows) > 0
}

// isONEMovement: limits of time and places, then lines of time, node and place.
func isONEMovement(_ string, rows [][]string) bool {
	if len(rows) < 2 || len(rows[0]) != 6 && len(rows[0]) != 8 {
		return false
	}
	limits, ok := numbers(rows[0])
	if !ok || limits[0] > limits[1] || limits[2] > limits[3] {
		return false
	}
	for _, row := range rows[1:] {
		if _, ok := numbers(append([]string{row[0]}, row[min(2, len(row)):]...)); !ok || len(row) != 4 &&
			len(row) != 5 {
			return false
		}
	}
	return true
}
