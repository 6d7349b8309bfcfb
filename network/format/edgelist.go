package format

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

var nan = math.NaN()

// edgeListMark starts the first line of an edge list that we wrote; see [Write].
const edgeListMark = "# caucus edge list"

// readEdgeList reads two names a line and an optional weight, as SNAP, NetworkX and many
// others write them, or a table with titles. Lines that start with # or % are comments. Names in quotes may hold
// blanks. See separator for what separates the fields. What has more columns is no edge list
// unless the weight is chosen.
func readEdgeList(d *draft, text string) error {
	l := &lines{rest: text}
	ours := strings.HasPrefix(text, edgeListMark)
	column, explicit := 2, false // of the weight
	if c, err := strconv.Atoi(d.o.Weight); err == nil {
		column, explicit = c-1, true
	}
	sep := byte(0) // not known yet
	if ours {
		sep = ' '
	}
	var fields []string
	var head table
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '%' {
			if name, ok := strings.CutPrefix(line, "# node "); ok && ours {
				if err := d.listedNode(name, l.n); err != nil {
					return err
				}
			}
			continue
		}
		first := sep == 0
		if first {
			sep = separator(line, d.inner)
		}
		if k := strings.IndexByte(line, '{'); k > 0 && sep == ' ' && (line[k-1] == ' ' || line[k-1] == '\t') {
			if err := d.attributed(line[:k], line[k:], l.n); err != nil {
				return err
			}
			continue
		}
		var err error
		if fields, err = splitFields(fields[:0], line, sep); err != nil {
			return d.errorf(l.n, "%v", err)
		}
		if t, ok := tableOf(fields); first && ok && !ours {
			head = table{slices.Clone(t.titles), t.source, t.target, -1}
			d.notef("line %d taken as a header: %s", l.n, line)
			if !explicit {
				err = d.chooseColumn(&head)
			} else if head.weight = column0(column, head.titles); head.weight < 0 {
				err = d.errorf(l.n, "column %d is the weight, but there are only %d", column+1, len(head.titles))
			}
			if err != nil {
				return err
			}
			continue
		}
		if head.titles != nil {
			if err := d.row(head, fields, l.n); err != nil {
				return err
			}
			continue
		}
		if err := d.plainRow(fields, line, column, explicit, l.n); err != nil {
			return err
		}
	}
	if head.titles == nil && d.o.Weight != "" && d.o.Weight != "none" && d.o.Weight != "weight" && !explicit && len(d.weight) == 0 {
		return d.noAttribute("weight", d.o.Weight, sortedKeys(d.edgeAttrs), "edge")
	}
	for _, name := range d.weightNames() {
		if col := d.weight[name]; len(col) > 0 {
			for k, w := range col {
				d.edges[k].W = w
			}
			break
		}
	}
	d.suspectHeader()
	return nil
}

// suspectHeader notes a first line that may be the numbers of nodes and edges. It was read as
// an edge, since it can be one.
func (d *draft) suspectHeader() {
	if len(d.edges) < 3 {
		return
	}
	a, b := d.ids[d.edges[0].A], d.ids[d.edges[0].B]
	if m, err := strconv.Atoi(b); err == nil && m == len(d.edges)-1 {
		d.notef("the first line, %s %s, may be meant as the numbers of nodes and edges; it was read as an edge", a, b)
	}
}

// column0 is the column if the table has it, else -1.
func column0(column int, titles []string) int {
	if column < len(titles) {
		return column
	}
	return -1
}

// plainRow reads an edge of a list without titles.
func (d *draft) plainRow(fields []string, line string, column int, explicit bool, n int) error {
	if len(fields) < 2 {
		return d.errorf(n, "found %q, expected two nodes and an optional weight", line)
	}
	if len(fields) > 3 && d.o.Weight == "" {
		return d.errorf(n, "found %d columns, allowed: two nodes and an optional weight (a column can be chosen as the weight, or none)", len(fields))
	}
	if fields[0] == "" || fields[1] == "" {
		return d.errorf(n, "found %q: a node has an empty name", line)
	}
	w, err := d.fieldWeight(fields, column, explicit, n)
	if err != nil {
		return err
	}
	d.edge(d.mention(fields[0], n), d.mention(fields[1], n), w)
	return nil
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
	w, err := parseNumber(text)
	if err != nil || math.IsNaN(w) {
		return 0, d.errorf(line, "weight (column %d): found %q, allowed: a number; another column or none can be chosen as the weight", column+1, text)
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

func (e quoteError) Error() string { return "the quoted name " + string(e) + " is malformed" }

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
