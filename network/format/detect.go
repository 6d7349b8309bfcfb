package format

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Detect finds the format of a file by its content and, where that leaves it open, by the
// extension of its name.
func Detect(name string, data []byte) (Format, error) {
	in, err := readInput(bytes.NewReader(data), name)
	if err != nil {
		return "", err
	}
	return detect(in)
}

var (
	xmlRoot  = regexp.MustCompile(`<([A-Za-z_][A-Za-z0-9_.-]*:)?([A-Za-z_][A-Za-z0-9_.-]*)[\s/>]`)
	dotStart = regexp.MustCompile(
		`(?is)^(strict\s+)?(di)?graph\s*("(\\.|[^"\\])*"|<[^{]*>|[\w\x{80}-\x{10FFFF}.-]*)\s*\{`)
	gmlStart  = regexp.MustCompile(`(?m)^\s*graph\s*\[`)
	pajekHead = regexp.MustCompile(`(?im)^\s*\*vertices\s+\d`)
)

func detect(in input) (Format, error) {
	text := strings.TrimSpace(in.text)
	ext := strings.ToLower(filepath.Ext(in.inner))
	if text == "" {
		return "", fmt.Errorf("%s: the file is empty", in.inner)
	}
	switch start := skipDOTComments(text); {
	case text[0] == '<':
		return detectXML(in, text)
	case text[0] == '{':
		return detectJSON(text), nil
	case strings.HasPrefix(strings.ToLower(text[:min(len(text), 20)]), "%%matrixmarket"):
		return MatrixMarket, nil
	case strings.HasPrefix(text, ">>graph6<<"):
		return Graph6, nil
	case strings.HasPrefix(text, ">>sparse6<<"):
		return Sparse6, nil
	case strings.HasPrefix(text, "Topology: ("):
		return BRITE, nil
	case foreign(text) != "":
		return "", fmt.Errorf("%s: %s; not read as a topology; if it is of another format, say so",
			in.inner, foreign(text))
	case dotStart.MatchString(start[:min(len(start), 1000)]):
		return DOT, nil
	case pajekHead.MatchString(text[:min(len(text), 4000)]):
		return Pajek, nil
	}
	for _, k := range kinds() {
		for _, e := range k.extensions {
			if e == ext && k.format != EdgeList {
				return k.format, nil
			}
		}
	}
	return detectText(in, text)
}

// foreigners are formats that are recognised so that they are not taken for an edge list.
var foreigners = []struct {
	start *regexp.Regexp
	what  string
}{
	{regexp.MustCompile(`(?m)\A(?:\s*(?:#.*)?\n)*\s*(?:\$node_\(|\$ns_\s+at\b|set\s+\S+\s+\$)`),
		"movements of ns-2 (give them as movements)"},
	{regexp.MustCompile(
		`\A(?:\s*(?://.*|#.*)?\n)*\s*(?:(?:package|import)\s[^;\n]*;|(?:network|module|simple)\s+\w+[^\n{]*\s*\{)`),
		"a NED file of OMNeT++"},
	{regexp.MustCompile(`(?m)\A(?:\s*(?:c(?: .*)?)?\n)*p\s+[a-z]+\s+\d+\s+\d+\s*$`),
		"a DIMACS graph"},
	{regexp.MustCompile(`(?mi)\A(?:\s*(?:#.*)?\n)*\s*[\d.eE+-]+\s+CONN\s+\S+\s+\S+\s+(?:up|down)`),
		"a trace of contacts of The ONE (0 CONN 1 2 up)"},
	{regexp.MustCompile(`(?m)\A(?:#.*\n)*\d+\|\d+\|-?\d`),
		"AS relationships of CAIDA"},
	{regexp.MustCompile(`\A(?:[ \t]*(?:#.*)?\r?\n|\?SNDlib.*\n)*\s*(?:\?SNDlib|META\s*\(|NODES\s*\()`),
		"an SNDlib network"},
	{regexp.MustCompile(`(?m)\A(?:[ \t]*(?:#.*)?\r?\n)*Table:\s`),
		"tables of olsrd's txtinfo"},
	{regexp.MustCompile(`(?m)\A(?:[ \t]*(?:#.*)?\r?\n|---[ \t]*\n)*[A-Za-z_]\w*:(?:[ \t].*)?\r?$`),
		"YAML or a report with titles"},
	{regexp.MustCompile(`(?m)\A(?:#.*\n)*gain\s+\d+\s+\d+\s+-?[\d.]+\s*$`),
		"link gains of TOSSIM"},
}

// foreign names what a text is that no reader of this package is for; "" when it is not known.
func foreign(text string) string {
	head := text[:min(len(text), 1<<16)]
	if strings.HasPrefix(text, edgeListMark) || strings.HasPrefix(text, "Topology: (") {
		return ""
	}
	for _, f := range foreigners {
		if f.start.MatchString(head) {
			return f.what
		}
	}
	return ""
}

// skipDOTComments gives the text after comments as DOT writes them.
func skipDOTComments(text string) string {
	l := &dotLexer{d: &draft{}, text: text, line: 1}
	if l.blanks() != nil {
		return text
	}
	return text[l.pos:]
}

func detectXML(in input, text string) (Format, error) {
	d := &draft{file: in.inner}
	x := newXMLReader(d, text)
	err := x.root("graphml")
	if err == nil {
		return GraphML, nil
	}
	if newXMLReader(d, text).root("gexf") == nil {
		return GEXF, nil
	}
	m := xmlRoot.FindStringSubmatch(text)
	if m == nil {
		return "", err
	}
	return "", fmt.Errorf("%s: XML with the root element <%s>; allowed: <graphml>, <gexf>", in.inner, m[2])
}

// detectJSON tells the shapes apart by their keys; node-link is what all others are
// tried as.
func detectJSON(text string) Format {
	switch {
	case strings.Contains(text, `"NetworkGraph"`):
		return NetJSON
	case strings.Contains(text, `"vis"`) && strings.Contains(text, `"primary"`):
		return BatmanVis
	}
	return NodeLink
}

// detectText tells the formats apart that are rows of words or numbers.
func detectText(in input, text string) (Format, error) {
	if gmlStart.MatchString(text[:min(len(text), 1<<16)]) {
		return GML, nil
	}
	rows := make([][]string, 0, 8)
	count := 0
	l := &lines{rest: text}
	for {
		line, ok := l.data("#%")
		if !ok {
			break
		}
		if count++; len(rows) < 5 {
			rows = append(rows, matrixCells(line))
		}
	}
	switch {
	case isMatrix(rows, count):
		return Matrix, nil
	case isInet(rows, count):
		return Inet, nil
	case isMETIS(in.text):
		return METIS, nil
	case strings.HasPrefix(text, edgeListMark):
		return EdgeList, nil
	case notEdges(rows) != "":
		return "", fmt.Errorf("%s: looks like %s, not like a topology; if it is an edge list, say so as its format",
			in.inner, notEdges(rows))
	case len(rows) > 0 && len(rows[0]) >= 2:
		return EdgeList, nil
	}
	first, _, _ := strings.Cut(text, "\n")
	if len(first) > 60 {
		first = first[:60] + "…"
	}
	return "", fmt.Errorf("%s: format not recognised; it starts with %q; allowed: %s", in.inner, first,
		strings.Join(namesOf(Formats()), ", "))
}

// notEdges names what rows are that could be read as an edge list but make no sense as one;
// "" when they may be edges.
func notEdges(rows [][]string) string {
	if len(rows) < 3 {
		return ""
	}
	places, tags := true, true
	for _, row := range rows {
		if len(row) < 2 {
			return ""
		}
		_, err0 := parseNumber(row[0])
		_, err1 := parseNumber(row[1])
		places = places && err0 == nil && err1 == nil && strings.Contains(row[0]+row[1], ".")
		tags = tags && len(row) >= 4 && err0 != nil && row[0] == rows[0][0] && row[0][0] != '"'
	}
	switch {
	case places:
		return "a list of coordinates"
	case tags:
		return fmt.Sprintf("records that all start with %q", rows[0][0])
	}
	return ""
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

// isInet reports a header of two numbers that add up to the number of lines after it, which
// have three fields.
func isInet(rows [][]string, count int) bool {
	if len(rows) < 3 || len(rows[0]) != 2 || len(rows[1]) != 3 || len(rows[2]) != 3 || rows[1][0] != "0" {
		return false
	}
	n, err1 := strconv.Atoi(rows[0][0])
	m, err2 := strconv.Atoi(rows[0][1])
	return err1 == nil && err2 == nil && n+m == count-1
}

// isMETIS reports a header of n and m, then n lines that hold 2m numbers from 1 to n, none the
// number of its own line. Files with weights are known by their extension only.
func isMETIS(text string) bool {
	l := &lines{rest: text}
	head, _ := l.data("%")
	f := strings.Fields(head)
	if len(f) < 2 || len(f) > 3 || len(f) == 3 && strings.Trim(f[2], "0") != "" {
		return false
	}
	n, err1 := strconv.Atoi(f[0])
	m, err2 := strconv.Atoi(f[1])
	if err1 != nil || err2 != nil || n < 1 || m < 1 || n > len(text) {
		return false
	}
	row, entries := 0, 0
	for {
		line, ok := l.next()
		if !ok {
			return row >= n && entries == 2*m
		}
		if strings.HasPrefix(line, "%") {
			continue
		}
		row++
		for _, cell := range strings.Fields(line) {
			k, err := strconv.Atoi(cell)
			if err != nil || k < 1 || k > n || k == row || row > n {
				return false
			}
			entries++
		}
	}
}
