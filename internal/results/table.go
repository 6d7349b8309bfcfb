package results

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Kind is what the cells of a column hold.
type Kind int

// Kinds of columns.
const (
	Text   Kind = iota
	Whole       // int64
	Real        // float64
	Single      // float32
	Names       // text that seldom comes again nearby, but is like that of the row before
)

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Table is typed columns and rows of cells: string, int, int64, uint64 or float64, as the column says; nil and None are
// empty. The rows come the same every time.
type Table struct {
	Columns []Column
	Rows    func(row func(cells ...any))
	Meta    []Pair // what the rows depend on, for formats that have a place for it
}

// Pair is a name and a value.
type Pair struct{ Name, Value string }

// Columns reads columns as "study:text n:whole value:real".
func Columns(text string) (list []Column) {
	for _, word := range strings.Fields(text) {
		name, kind, _ := strings.Cut(word, ":")
		list = append(list, Column{name, map[string]Kind{"text": Text, "whole": Whole, "real": Real,
			"single": Single, "names": Names}[kind]})
	}
	return list
}

// CSV writes a line with the names of the columns and then one a row, and nothing else. Texts that another program
// might take for a comment, a number or an empty cell are quoted.
func (t *Table) CSV(out io.Writer) error {
	w := &quoting{out: out}
	for k, c := range t.Columns {
		w.cell(k, c.Name, false)
	}
	w.end()
	t.Rows(func(cells ...any) {
		for k, c := range cells {
			switch x := c.(type) {
			case nil:
				w.cell(k, "", false)
			case string:
				w.cell(k, x, true)
			case float64:
				text := ""
				if !math.IsNaN(x) {
					text = Number(x)
				}
				w.cell(k, text, false)
			default:
				w.cell(k, fmt.Sprint(x), false)
			}
		}
		w.end()
	})
	return w.err
}

// quoting writes lines of CSV and keeps the first error.
type quoting struct {
	out  io.Writer
	line []byte
	err  error
}

// cell adds a cell. A text is quoted unless it is a whole number, or begins with a letter and has nothing but letters,
// digits and a few signs that no reader minds.
func (q *quoting) cell(k int, text string, mind bool) {
	if k > 0 {
		q.line = append(q.line, ',')
	}
	if mind && !plain(text) || strings.ContainsAny(text, "\",\r\n") {
		q.line = append(q.line, '"')
		q.line = append(q.line, strings.ReplaceAll(text, `"`, `""`)...)
		text = `"`
	}
	q.line = append(q.line, text...)
}

// missing are words that pandas, R or DuckDB take for an empty cell or a truth value.
var missing = map[string]bool{
	"na":       true,
	"n/a":      true,
	"nan":      true,
	"null":     true,
	"none":     true,
	"nil":      true,
	"inf":      true,
	"infinity": true,
	"true":     true,
	"false":    true,
	"t":        true,
	"f":        true,
}

func plain(text string) bool {
	if strings.Trim(text, "0123456789") == "" {
		return text != "" // the name of a node by its number
	}
	for i, c := range text {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 127
		if !letter && (i == 0 || !strings.ContainsRune("0123456789 -_.:=()/+", c)) {
			return false
		}
	}
	return text != "" && !strings.HasSuffix(text, " ") && !missing[strings.ToLower(text)]
}

func (q *quoting) end() {
	if q.err == nil {
		_, q.err = q.out.Write(append(q.line, '\n'))
	}
	q.line = q.line[:0]
}

// Endings are those of the files that a table can be written into.
var Endings = []string{".csv", ".parquet"}

// Write writes the table as the ending of a file's name says; CSV if there is none.
func (t *Table) Write(ending string) func(io.Writer) error {
	if ending == ".parquet" {
		return t.Parquet
	}
	return t.CSV
}

// Typed is a text as what it says: a number, true or false, or else the text.
func Typed(text string) any {
	if n, err := strconv.ParseInt(text, 10, 54); err == nil && strconv.FormatInt(n, 10) == text {
		return n
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) &&
		strings.Trim(text, "+-.e0123456789") == "" {
		return x
	}
	if text == "true" || text == "false" {
		return text == "true"
	}
	return text
}

// Number writes a number in the shortest way.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
