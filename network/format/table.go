package format

import (
	"math"
	"slices"
	"strings"

	"caucus.example/caucus"
)

// table is an edge list whose first line has the titles of its columns.
type table struct {
	titles                 []string
	source, target, weight int // columns; weight is -1 where there is none
}

// endTitles are the pairs of titles under which tables have the ends of edges.
var endTitles = [][2]string{{"source", "target"}, {"from", "to"}, {"src", "dst"},
	{"node1", "node2"}, {"fromnodeid", "tonodeid"}}

// titled finds a title, whatever its case; -1 for none.
func titled(titles []string, name string) int {
	return slices.IndexFunc(titles, func(t string) bool { return strings.EqualFold(t, name) })
}

// tableOf recognises a line of titles: it has a column for each end of an edge. The two ends
// alone may also be called u and v, or a and b, if a weight follows.
func tableOf(fields []string) (table, bool) {
	for _, ends := range endTitles {
		if s, t := titled(fields, ends[0]), titled(fields, ends[1]); s >= 0 && t >= 0 {
			return table{fields, s, t, -1}, true
		}
	}
	if len(fields) == 3 && strings.EqualFold(fields[2], "weight") {
		switch strings.ToLower(fields[0] + " " + fields[1]) {
		case "u v", "a b":
			return table{fields, 0, 1, -1}, true
		}
	}
	return table{}, false
}

// chooseColumn finds the weight's column by its title.
func (d *draft) chooseColumn(t *table) error {
	for _, name := range d.weightNames() {
		if t.weight = titled(t.titles, name); t.weight >= 0 {
			return nil
		}
	}
	if d.o.Weight == "none" || d.o.Weight == "" && len(t.titles) == 2 {
		return nil
	}
	if d.o.Weight == "" {
		d.notef("no column is called weight, value or cost, so that edges have no weight; another can be chosen")
		return nil
	}
	return d.noAttribute("weight", d.o.Weight, t.titles, "edge")
}

// chosenTable takes the line of titles of which the ends' are chosen.
func (d *draft) chosenTable(fields []string) (table, error) {
	t := table{slices.Clone(fields), titled(fields, d.o.Source), titled(fields, d.o.Target), -1}
	switch {
	case t.source < 0:
		return t, d.noAttribute("source", d.o.Source, fields, "column")
	case t.target < 0:
		return t, d.noAttribute("target", d.o.Target, fields, "column")
	}
	return t, nil
}

// row reads an edge of a table.
func (d *draft) row(t table, fields []string, line int) error {
	if len(fields) > len(t.titles) || len(fields) <= max(t.source, t.target) {
		return d.errorf(line, "a row of %d columns under %d titles", len(fields), len(t.titles))
	}
	a, b, w := fields[t.source], fields[t.target], math.NaN()
	if a == "" || b == "" {
		return d.errorf(line, "found %q, %q: a node has an empty name", a, b)
	}
	if t.weight >= 0 && t.weight < len(fields) && fields[t.weight] != "" {
		var err error
		if w, err = d.weightOf("weight (column "+t.titles[t.weight]+")", fields[t.weight], line); err != nil {
			return err
		}
	}
	e := d.edge(d.mention(a, line), d.mention(b, line), w)
	if !d.sieve.on {
		return nil
	}
	for k, value := range fields {
		d.edgeAttrs = keep(d.edgeAttrs, t.titles[k])
		d.sift(e, t.titles[k], value)
	}
	return nil
}

// dictionary reads the attributes that NetworkX writes behind the ends of an edge, as in
// {'latency': 5.5, 'name': 'a b'}.
func (d *draft) dictionary(e int, text string, line int) error {
	wrong := caucus.Wrong("attributes", text, "a dictionary such as {'weight': 5}")
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "{")
	rest, closed := strings.CutSuffix(rest, "}")
	if !ok || !closed {
		return d.errorf(line, "%v", wrong)
	}
	for rest = strings.TrimSpace(rest); rest != ""; {
		key, value := "", ""
		if key, rest, ok = literal(rest, ":"); !ok || rest == "" {
			return d.errorf(line, "%v", wrong)
		}
		if value, rest, ok = literal(rest[1:], ","); !ok {
			return d.errorf(line, "%v", wrong)
		}
		rest = strings.TrimSpace(strings.TrimPrefix(rest, ","))
		if err := d.edgeAttr(e, key, value, line); err != nil {
			return err
		}
	}
	return nil
}

// literal takes a Python literal off text, up to the character end, which stays, outside of
// quotes and brackets, or up to the end of text. A text in quotes loses them.
func literal(text, end string) (value, rest string, ok bool) {
	depth, quote := 0, byte(0)
	k := 0
	for ; k < len(text); k++ {
		c := text[k]
		switch {
		case quote != 0 && c == '\\':
			k++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"':
			quote = c
		case c == end[0] && depth == 0:
			return unquoted(text[:k]), text[k:], true
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
	}
	return unquoted(text), "", quote == 0 && depth == 0
}

func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && s[0] == s[len(s)-1] && (s[0] == '\'' || s[0] == '"') {
		return s[1 : len(s)-1]
	}
	return s
}
