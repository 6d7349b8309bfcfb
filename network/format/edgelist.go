package format

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

var kindEdgeList = kind{
	format: EdgeList, about: "edge list: two names a line, optional weight",
	extensions: []string{".edgelist", ".edges", ".csv", ".tsv", ".intra", ".txt"},
	mark:       func(s *sample) bool { return strings.HasPrefix(s.text, edgeListMark) || s.titled() },
	guess:      func(s *sample) bool { return len(s.rows()) > 0 && len(s.rows()[0]) >= 2 },
	read:       readEdgeList, write: writeEdgeList, unnamed: true,
}

var nan = math.NaN()

// edgeListMark starts the first line of an edge list that we wrote; see [Write].
const edgeListMark = "# caucus edge list"

// titled tells whether the first line has the titles of a table of edges.
func (s *sample) titled() bool {
	l := &lines{rest: s.head}
	line, ok := l.data("#%")
	if !ok {
		return false
	}
	sep := separator(line, s.file)
	fields, err := splitFields(nil, line, sep)
	if err != nil || sep == ' ' { // words between blanks may be of another format
		return false
	}
	_, ok = tableOf(fields)
	return ok
}

// edgeReader reads an edge list line by line.
type edgeReader struct {
	d        *draft
	ours     bool
	column   int  // of the weight
	explicit bool // it was chosen by number
	sep      byte // between fields; 0 is not known yet
	fields   []string
	head     table
}

// readEdgeList reads two names a line and an optional weight, as SNAP, NetworkX and many
// others write them, or a table with titles. Lines that start with # or % are comments. Names
// in quotes may hold blanks. See separator for what separates the fields. What has more columns
// is no edge list unless the weight is chosen.
func readEdgeList(d *draft, text string) error {
	l := &lines{rest: text}
	r := &edgeReader{d: d, ours: strings.HasPrefix(text, edgeListMark), column: 2}
	if c, err := strconv.Atoi(d.o.Weight); err == nil {
		r.column, r.explicit = c-1, true
	}
	if r.ours {
		r.sep = ' '
	}
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		if err := r.line(strings.TrimSpace(line), l.n); err != nil {
			return err
		}
	}
	if r.head.titles == nil && !r.explicit && len(d.weight) == 0 {
		switch d.o.Weight {
		case "", "none", "weight":
		default:
			return d.noAttribute("weight", d.o.Weight, sortedKeys(d.edgeAttrs), "edge")
		}
	}
	for _, name := range d.weightNames() {
		if err := d.oddWeight[name]; err != nil {
			return err
		}
		if col := d.weight[name]; len(col) > 0 {
			d.weightName = name
			for k, w := range col {
				if !math.IsNaN(w) {
					d.edges[k].W = w
				}
			}
			break
		}
	}
	d.suspectHeader()
	return nil
}

func (r *edgeReader) line(line string, n int) error {
	d := r.d
	if line == "" || line[0] == '#' || line[0] == '%' {
		if name, ok := strings.CutPrefix(line, "# node "); ok && r.ours {
			return d.listedNode(name, n)
		}
		return nil
	}
	first := r.sep == 0
	if first {
		r.sep = separator(line, d.inner)
	}
	if k := attributesAt(line); k > 0 && r.sep == ' ' && !r.ours {
		return d.attributed(line[:k], line[k:], n)
	}
	var err error
	if r.fields, err = splitFields(r.fields[:0], line, r.sep); err != nil {
		return d.errorf(n, "%v", err)
	}
	if first && d.o.Source != "" {
		t, err := d.chosenTable(r.fields)
		if err != nil {
			return err
		}
		return r.header(t, n)
	}
	if t, ok := tableOf(r.fields); first && ok && !r.ours {
		d.notef("line %d taken as a header: %s", n, line)
		return r.header(t, n)
	}
	if r.head.titles != nil {
		return d.row(r.head, r.fields, n)
	}
	return d.plainRow(r.fields, line, r.column, r.explicit, n)
}

// header takes the titles of the columns and finds the weight's.
func (r *edgeReader) header(t table, n int) error {
	r.head = t
	r.head.titles = slices.Clone(t.titles)
	if !r.explicit {
		return r.d.chooseColumn(&r.head)
	}
	if r.column >= len(t.titles) {
		return r.d.errorf(n, "column %d is the weight, but there are only %d", r.column+1, len(t.titles))
	}
	r.head.weight = r.column
	return nil
}

// suspectHeader notes a first line that may be the numbers of nodes and edges. It was read as
// an edge, since it can be one.
func (d *draft) suspectHeader() {
	if len(d.edges) >= 3 {
		d.suspectCounts(d.ids[d.edges[0].A], d.ids[d.edges[0].B], len(d.edges))
	}
}

func (d *draft) suspectCounts(a, b string, edges int) {
	if m, err := strconv.Atoi(b); err == nil && m == edges-1 {
		d.notef("the first line, %s %s, may be meant as the numbers of nodes and edges; it was read as an edge", a, b)
	}
}

// plainRow reads an edge of a list without titles.
func (d *draft) plainRow(fields []string, line string, column int, explicit bool, n int) error {
	if len(fields) < 2 {
		return d.errorf(n, "found %q, expected two nodes and an optional weight", line)
	}
	if len(fields) > 3 && d.o.Weight == "" {
		return d.errorf(n, "found %d columns, allowed: two nodes and an optional weight "+
			"(a column can be chosen as the weight, or none)", len(fields))
	}
	if fields[0] == "" || fields[1] == "" {
		return d.errorf(n, "found %q: a node has an empty name", line)
	}
	if (fields[0] == "//" || fields[0] == ";") && strings.HasPrefix(strings.TrimSpace(line), fields[0]) { // unquoted
		return d.errorf(n, "found %q: looks like a comment; those of an edge list begin with # or %%", line)
	}
	w, err := d.fieldWeight(fields, column, explicit, n)
	if err != nil {
		return err
	}
	d.edge(d.mention(fields[0], n), d.mention(fields[1], n), w)
	return nil
}

// attributesAt is where a dictionary starts behind the two ends of an edge; 0 for none.
func attributesAt(line string) int {
	rest := line
	for range 2 {
		if strings.HasPrefix(rest, `"`) {
			rest, _ = afterQuote(rest)
		} else {
			_, rest = plainField(rest, ' ')
		}
		rest = strings.TrimSpace(rest)
	}
	if !strings.HasPrefix(rest, "{") {
		return 0
	}
	return len(line) - len(rest)
}

// attributed reads an edge with a dictionary of attributes.
func (d *draft) attributed(ends, attributes string, n int) error {
	fields, err := splitFields(nil, ends, ' ')
	if err != nil {
		return d.errorf(n, "%v", err)
	}
	if len(fields) != 2 {
		return d.errorf(n, "found %q before the attributes, expected two nodes", strings.TrimSpace(ends))
	}
	e := d.edge(d.mention(fields[0], n), d.mention(fields[1], n), nan)
	return d.dictionary(e, attributes, n)
}

func (d *draft) listedNode(quoted string, line int) error {
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return d.errorf(line, "found %q, expected a node's name in quotes", quoted)
	}
	_, err = d.node(name, line)
	return err
}

// fieldWeight reads the weight from its column.
func (d *draft) fieldWeight(fields []string, column int, explicit bool, line int) (float64, error) {
	if column >= len(fields) || d.o.Weight == "none" {
		if explicit {
			return 0, d.errorf(line, "column %d is the weight, but there are only %d", column+1, len(fields))
		}
		return nan, nil
	}
	text := fields[column]
	if text == "" {
		return nan, nil // an empty cell
	}
	w, err := d.weightOf("weight (column "+strconv.Itoa(column+1)+")", text, line)
	if err != nil {
		return 0, fmt.Errorf("%w; another column or none can be chosen as the weight", err)
	}
	return w, nil
}

// separator decides once for a file what stands between fields: in .csv files a comma (or
// semicolon where there is no comma), in .tsv files a tab, else blanks and tabs, unless the first line has
// none or has commas next to them.
func separator(line, name string) byte {
	lower := strings.ToLower(name)
	if _, _, ok := strings.Cut(line, " {"); ok || strings.HasSuffix(lower, ".intra") {
		return ' '
	}
	switch {
	case strings.HasSuffix(lower, ".tsv") && strings.Contains(line, "\t"):
		return '\t'
	case strings.HasSuffix(lower, ".csv") && strings.Contains(line, ","):
		return ','
	case strings.HasSuffix(lower, ".csv") && strings.Contains(line, ";"):
		return ';'
	}
	commas := false
	blanks := strings.Fields(line)
	for _, f := range blanks {
		commas = commas || strings.HasPrefix(f, ",") || strings.HasSuffix(f, ",")
	}
	switch {
	case strings.HasPrefix(line, `"`):
		if rest, ok := afterQuote(line); ok && strings.HasPrefix(strings.TrimSpace(rest), ",") {
			return ','
		}
	case strings.Contains(line, ",") && (commas || len(blanks) == 1):
		return ','
	case strings.Contains(line, "\t") && strings.Contains(line, " "):
		if _, ok := tableOf(strings.Split(line, "\t")); ok {
			return '\t'
		}
	}
	return ' '
}

// afterQuote gives what follows the quoted field that s starts with.
func afterQuote(s string) (rest string, ok bool) {
	for k := 1; k < len(s); k++ {
		switch s[k] {
		case '\\':
			k++
		case '"':
			return s[k+1:], true
		}
	}
	return "", false
}

type quoteError string

func (e quoteError) Error() string {
	return "the quoted name " + caucus.Cut(string(e)) + " is malformed"
}

// splitFields splits a trimmed line; ' ' stands for any blanks. Quotes in quoted names are
// doubled where commas, semicolons or tabs separate, as spreadsheets do, else escaped as in Go.
func splitFields(fields []string, line string, sep byte) ([]string, error) {
	for {
		line = strings.TrimSpace(line)
		if line == "" {
			return fields, nil
		}
		var f string
		var err error
		switch {
		case line[0] == '"' && sep == ' ':
			f, line, err = goField(line)
		case line[0] == '"':
			f, line, err = csvField(line, sep)
		default:
			f, line = plainField(line, sep)
		}
		if err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
}

func plainField(line string, sep byte) (f, rest string) {
	end := strings.IndexByte(line, sep)
	if sep == ' ' {
		end = strings.IndexAny(line, " \t")
	}
	if end < 0 {
		return line, ""
	}
	return strings.TrimSpace(line[:end]), line[end+1:]
}

func goField(line string) (f, rest string, err error) {
	rest, ok := afterQuote(line)
	if !ok {
		return "", "", quoteError(line)
	}
	quoted := line[:len(line)-len(rest)]
	if f, err = strconv.Unquote(quoted); err != nil {
		return "", "", quoteError(quoted)
	}
	return strings.TrimSpace(f), rest, nil
}

func csvField(line string, sep byte) (f, rest string, err error) {
	var b strings.Builder
	for rest = line[1:]; ; {
		part, after, ok := strings.Cut(rest, `"`)
		if !ok {
			return "", "", quoteError(line)
		}
		b.WriteString(part)
		if rest = after; !strings.HasPrefix(rest, `"`) {
			break
		}
		b.WriteByte('"')
		rest = rest[1:]
	}
	if rest = strings.TrimSpace(rest); rest != "" && rest[0] != sep {
		return "", "", quoteError(line)
	}
	return strings.TrimSpace(b.String()), strings.TrimPrefix(rest, string(sep)), nil
}
