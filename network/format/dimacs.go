package format

import (
	"regexp"
	"strconv"
	"strings"
)

var kindDIMACS = kind{
	format: "dimacs", about: "DIMACS: colouring, shortest paths, flows", extensions: []string{".col", ".gr"},
	mark: func(s *sample) bool { return dimacsStart.MatchString(s.head) }, read: readDIMACS, unnamed: true,
}

var dimacsStart = regexp.MustCompile(`(?m)\A(?:\s*(?:c(?:[ \t].*)?)?\r?\n)*p\s+[a-z]+\s+\d+\s+\d+\s*$`)

// readDIMACS reads "p KIND nodes edges", then edges "e a b" and arcs "a from to weight"; of a flow the weight is the
// capacity. Lines of the node (n, v, d, x) say nothing that a network has.
func readDIMACS(d *draft, text string) error {
	l := &lines{rest: text}
	claimed := -1
	for {
		line, ok := l.data("c")
		if !ok {
			break
		}
		f := strings.Fields(line)
		switch {
		case f[0] == "p":
			if claimed >= 0 || len(f) != 4 {
				return d.errorf(l.n, "found %q, expected one line p KIND nodes edges", line)
			}
			n, err1 := strconv.ParseInt(f[2], 10, 64)
			m, err2 := strconv.Atoi(f[3])
			if err1 != nil || err2 != nil || m < 0 {
				return d.errorf(l.n, "found %q, expected the numbers of nodes and edges", line)
			}
			if err := d.number(n, l.n); err != nil {
				return err
			}
			claimed = m
		case claimed < 0:
			return d.errorf(l.n, "found %q before the line p", line)
		case f[0] == "e" || f[0] == "a":
			if err := d.dimacsEdge(f, l.n); err != nil {
				return err
			}
		case len(f[0]) != 1 || !strings.Contains("nvdxl", f[0]):
			return d.errorf(l.n, "found %q, allowed: lines of c, p, e, a, n, v, d, x or l", line)
		}
	}
	if claimed < 0 {
		return d.errorf(l.n, "no line p KIND nodes edges")
	}
	// Edges of colouring files stand once or twice, so that both counts are met in practice.
	if len(d.edges) != claimed && len(d.edges) != 2*claimed {
		if !d.forgive("numbers of edges other than the header's") {
			return d.errorf(l.n, "%d edges, but the header says %d", len(d.edges), claimed)
		}
	}
	return nil
}

func (d *draft) dimacsEdge(f []string, line int) error {
	if len(f) < 3 {
		return d.errorf(line, "found %q, expected two nodes", strings.Join(f, " "))
	}
	a, err := d.numbered(f[1], 1, line)
	if err != nil {
		return err
	}
	b, err := d.numbered(f[2], 1, line)
	if err != nil {
		return err
	}
	w := nan
	d.report.Directed = d.report.Directed || f[0] == "a"
	if k := len(f) - 1; k >= 3 {
		if f[0] == "a" && k == 5 {
			k = 4 // of a flow of least cost: from to low capacity cost
		}
		if w, err = d.weightOf("weight", f[k], line); err != nil {
			return err
		}
	}
	d.edge(a, b, w)
	return nil
}
