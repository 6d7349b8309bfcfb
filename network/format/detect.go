package format

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"caucus.example/caucus"
)

// Detect finds the format of a file by its content and, where that leaves it open, by the
// extension of its name.
func Detect(name string, data []byte) (Format, error) {
	in, err := readInput(bytes.NewReader(data), name)
	if err != nil {
		return "", err
	}
	k, err := detect(in)
	if err != nil {
		return "", err
	}
	return k.format, nil
}

// detect looks for the mark of a format, then for one of what is known to be no topology, then at the extension, and
// guesses last.
func detect(in input) (*kind, error) {
	s := newSample(in)
	if s.text == "" {
		return nil, fmt.Errorf("%s: the file is empty", in.inner)
	}
	for _, k := range kinds {
		if k.mark != nil && k.mark(s) {
			return k, nil
		}
	}
	if err := s.foreign(); err != nil {
		return nil, fmt.Errorf("%s: %w", in.inner, err)
	}
	for _, k := range kinds {
		if slices.Contains(k.extensions, s.ext) && k.format != EdgeList {
			return k, nil
		}
	}
	for _, k := range kinds {
		if k.guess == nil || !k.guess(s) {
			continue
		}
		if what := notEdges(s.rows()); k.format == EdgeList && what != "" {
			return nil, fmt.Errorf("%s: looks like %s, not like a topology; if it is an edge list, say so as its "+
				"format",
				in.inner, what)
		}
		return k, nil
	}
	first, _, _ := strings.Cut(s.text, "\n")
	return nil, fmt.Errorf("%s: format not recognised; it starts with %q; allowed: %s", in.inner, caucus.Cut(first),
		strings.Join(namesOf(Formats()), ", "))
}

// foreigners are formats that are recognised so that they are not taken for an edge list.
var foreigners = []struct {
	start *regexp.Regexp
	what  string
}{
	{regexp.MustCompile(`(?m)\A(?:\s*(?:#.*)?\n)*\s*(?:\$node_\(|\$ns_\s+at\b|set\s+\S+\s+\$)`),
		"movements of ns-2 (give them as movements)"},
	{regexp.MustCompile(`(?mi)\A(?:\s*(?:#.*)?\n)*\s*[\d.eE+-]+\s+CONN\s+\S+\s+\S+\s+(?:up|down)`),
		"a trace of contacts of The ONE (0 CONN 1 2 up; give it as movements)"},
	{regexp.MustCompile(`(?m)\A(?:[ \t]*(?:#.*)?\r?\n|---[ \t]*\n)*[A-Za-z_]\w*:(?:[ \t].*)?\r?$`),
		"YAML or a report with titles"},
	{regexp.MustCompile(`(?i)\A"?id"?[,;\t]"?label"?(?:[,;\t][^\n]*)?\n`),
		"a table of nodes, as Gephi writes it; the table of edges is the topology, and this one its nodes-file"},
}

// elsewhere are the root elements of XML files that network people have and no reader of this package is for.
var elsewhere = map[string]string{
	"fcd-export": "floating-car data of SUMO (give them as movements)", "gpx": "tracks (give them as movements)",
	"scenario": "a scenario of CORE", "simconf": "a simulation of Cooja", "net": "a road network of SUMO",
	"osm": "a map of OpenStreetMap", "kml": "a map in KML",
}

// movements are the extensions of traces, whose lines of numbers may look like edges.
var movements = []string{".tij", ".ijt", ".movements", ".ns_movements", ".gpx"}

// foreign names what a file is that no reader of this package is for; nil when it is not known.
func (s *sample) foreign() error {
	if root := s.root(); root != "" {
		if what := elsewhere[root]; what != "" {
			return fmt.Errorf("%s, XML with the root element <%s>; no topology", what, caucus.Cut(root))
		}
		return fmt.Errorf("XML with the root element <%s>; allowed: <graphml>, <gexf>, <network> of SNDlib",
			caucus.Cut(root))
	}
	if s.text[0] == '<' {
		return fmt.Errorf("starts as XML does, but no element can be read")
	}
	if m := s.members(); m != nil {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(m.names)) {
			if !strings.ContainsAny(name, ".=") && len(names) < 8 {
				names = append(names, name)
			}
		}
		return fmt.Errorf("JSON with the members %s: no network that is known; allowed: objects with nodes and "+
			"links, or of "+
			"a format that caucus graph list names", caucus.Cut(strings.Join(names, ", ")))
	}
	for _, f := range foreigners {
		if f.start.MatchString(s.head) {
			return fmt.Errorf("%s; not read as a topology; if it is of another format, say so", f.what)
		}
	}
	if slices.Contains(movements, s.ext) {
		return fmt.Errorf("a trace, as its name says (give it as movements); if it is a topology, say its format")
	}
	return nil
}

// notEdges names what rows are that could be read as an edge list but make no sense as one;
// "" when they may be edges.
func notEdges(rows [][]string) string {
	if len(rows) < 3 {
		return ""
	}
	places, tags, titles := true, true, true
	for k, row := range rows {
		if len(row) < 2 {
			return ""
		}
		_, err0 := parseNumber(row[0])
		_, err1 := parseNumber(row[1])
		titles = titles && (err0 != nil) == (k == 0) && (err1 != nil) == (k == 0)
		places = places && err0 == nil && err1 == nil && strings.Contains(row[0]+row[1], ".")
		tags = tags && len(row) >= 4 && err0 != nil && row[0] == rows[0][0] && row[0][0] != '"'
	}
	switch {
	case titles && len(rows) > 3:
		return fmt.Sprintf("a table with titles that are not known (%s), of which source and target can be chosen",
			caucus.Cut(strings.Join(rows[0], ", ")))
	case places:
		return "a list of coordinates"
	case tags:
		return fmt.Sprintf("records that all start with %q", caucus.Cut(rows[0][0]))
	}
	return meetings(rows)
}

// meetings recognises lists of contacts: a column of times that do not fall, and two of nodes, of which pairs come
// again at other times.
func meetings(rows [][]string) string {
	for _, c := range [][3]int{{0, 1, 2}, {2, 0, 1}} {
		last, distinct, again := "", 0, 0
		before, seen := 0.0, map[[2]string]bool{}
		rising := true
		for k, row := range rows {
			if len(row) != 3 {
				return ""
			}
			t, err := parseNumber(row[c[0]])
			if err != nil || k > 0 && t < before {
				rising = false
				break
			}
			if before = t; row[c[0]] != last {
				last = row[c[0]]
				distinct++
			}
			pair := [2]string{min(row[c[1]], row[c[2]]), max(row[c[1]], row[c[2]])}
			if seen[pair] {
				again++
			}
			seen[pair] = true
		}
		if rising && distinct > 2 && 2*again >= len(rows) {
			return "contacts with times (give them as movements)"
		}
	}
	return ""
}
