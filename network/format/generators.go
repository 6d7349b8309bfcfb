package format

import (
	"strconv"
	"strings"
)

var kindInet = kind{
	format: Inet, about: "Inet generator output",
	guess: func(s *sample) bool { return isInet(s.rows(), s.count()) }, read: readInet, unnamed: true,
}

var kindBRITE = kind{
	format: BRITE, about: "BRITE generator output", extensions: []string{".brite"},
	mark: func(s *sample) bool { return s.starts("topology: (") }, read: readBRITE, unnamed: true,
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

// readInet reads output of the Inet generator: numbers of nodes and edges, then a line
// "node x y" for each node, then a line "node node weight" for each edge.
func readInet(d *draft, text string) error {
	l := &lines{rest: text}
	head, _ := l.data("#")
	f := strings.Fields(head)
	if len(f) != 2 {
		return d.errorf(l.n, "header: found %q, expected the numbers of nodes and edges", head)
	}
	nodes, err1 := strconv.ParseInt(f[0], 10, 64)
	edges, err2 := strconv.ParseInt(f[1], 10, 64)
	if err1 != nil || err2 != nil || edges < 0 {
		return d.errorf(l.n, "header: found %q, expected the numbers of nodes and edges", head)
	}
	if err := d.number(nodes, l.n); err != nil {
		return err
	}
	d.ids = make([]string, d.n) // nodes are numbered from 0
	for i := range d.ids {
		d.ids[i] = strconv.Itoa(i)
	}
	d.line = make([]int32, d.n)
	for range d.n {
		if err := inetNode(d, l); err != nil {
			return err
		}
	}
	for range edges {
		if err := inetEdge(d, l); err != nil {
			return err
		}
	}
	if line, ok := l.data("#"); ok {
		return d.errorf(l.n, "found %q after the %d edges that the header says", line, edges)
	}
	return nil
}

func inetLine(d *draft, l *lines, what string) ([]string, error) {
	line, ok := l.data("#")
	if !ok {
		return nil, d.errorf(l.n, "the file ends before all %s that the header says", what)
	}
	f := strings.Fields(line)
	if len(f) != 3 {
		return nil, d.errorf(l.n, "%s: found %q, expected three numbers", what, line)
	}
	return f, nil
}

func inetNode(d *draft, l *lines) error {
	f, err := inetLine(d, l, "nodes")
	if err != nil {
		return err
	}
	i, err := d.numbered(f[0], 0, l.n)
	if err != nil {
		return err
	}
	if d.line[i] != 0 {
		return d.errorf(l.n, "node %s stands twice, first on line %d", f[0], d.line[i])
	}
	d.line[i] = int32(l.n)
	d.nodeAttr(i, "x", f[1])
	d.nodeAttr(i, "y", f[2])
	return nil
}

func inetEdge(d *draft, l *lines) error {
	f, err := inetLine(d, l, "edges")
	if err != nil {
		return err
	}
	a, err := d.numbered(f[0], 0, l.n)
	if err != nil {
		return err
	}
	b, err := d.numbered(f[1], 0, l.n)
	if err != nil {
		return err
	}
	w, err := d.weightOf("weight", f[2], l.n)
	if err != nil {
		return err
	}
	d.edge(a, b, w)
	return nil
}

// readBRITE reads output of the BRITE generator: sections "Nodes: (n)" and "Edges: (m)". The weight
// of an edge is its length; directed edges end in D.
func readBRITE(d *draft, text string) error {
	l := &lines{rest: text}
	section, claimed, rows := "", 0, 0
	for {
		line, ok := l.data("")
		if !ok {
			break
		}
		f := strings.Fields(line)
		var err error
		switch {
		case f[0] == "Topology:", f[0] == "Model", strings.HasPrefix(f[0], "Model"):
			continue
		case f[0] == "Nodes:" || f[0] == "Edges:":
			if rows != claimed {
				return d.errorf(l.n, "%s %d lines, but the section says %d", section, rows, claimed)
			}
			section, rows = f[0], 0
			if claimed, err = briteClaim(line); err != nil {
				return d.errorf(l.n, "found %q, expected a number in brackets", line)
			}
		case section == "Nodes:" && len(f) >= 3:
			err = briteNode(d, f, l.n)
			rows++
		case section == "Edges:" && len(f) >= 4:
			err = briteEdge(d, f, l.n)
			rows++
		default:
			return d.errorf(l.n, "found %q, expected a section Nodes: or Edges:, or a line of one", line)
		}
		if err != nil {
			return err
		}
	}
	if rows != claimed {
		return d.errorf(l.n, "%s %d lines, but the section says %d", section, rows, claimed)
	}
	return nil
}

func briteClaim(line string) (int, error) {
	_, rest, _ := strings.Cut(line, "(")
	number, _, _ := strings.Cut(rest, ")")
	return strconv.Atoi(strings.TrimSpace(number))
}

func briteNode(d *draft, f []string, line int) error {
	i, err := d.node(f[0], line)
	if err != nil {
		return err
	}
	d.nodeAttr(i, "x", f[1])
	d.nodeAttr(i, "y", f[2])
	if len(f) >= 7 {
		d.nodeAttr(i, "AS", strings.TrimPrefix(f[5], "-1"))
		d.nodeAttr(i, "type", f[6])
	}
	return nil
}

func briteEdge(d *draft, f []string, line int) error {
	w, err := d.weightOf("length", f[3], line)
	if err != nil {
		return err
	}
	e := d.link(f[1], f[2], line)
	d.edges[e].W = w
	if f[len(f)-1] == "D" {
		d.report.Directed = true
	}
	return nil
}
