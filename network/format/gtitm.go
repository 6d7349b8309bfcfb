package format

import (
	"regexp"
	"strconv"
	"strings"
)

var kindGTITM = kind{
	format: "gt-itm", about: "GT-ITM: alternative format, and the Stanford GraphBase", extensions: []string{".alt",
		".gb"},
	mark: func(s *sample) bool {
		return s.starts("graph (#nodes #edges") || s.starts("* graphbase graph (util_types")
	},
	read: readGTITM, unnamed: true,
}

// readGTITM reads what GT-ITM writes: a graph of the Stanford GraphBase, or sgb2alt's tables. The length of an edge is
// its weight; vertices have places where they carry two integers, x and y.
func readGTITM(d *draft, text string) error {
	if strings.HasPrefix(strings.TrimSpace(text), "*") {
		return readGraphBase(d, text)
	}
	l := &lines{rest: text}
	section, row := "", 0
	for {
		line, ok := l.data("")
		if !ok {
			break
		}
		if name, _, ok := strings.Cut(line, " ("); ok && (name == "GRAPH" || name == "VERTICES" || name == "EDGES") {
			section, row = name, 0
			continue
		}
		f := strings.Fields(line)
		var err error
		switch row++; section {
		case "VERTICES":
			if f[0] != strconv.Itoa(row-1) || len(f) < 2 {
				return d.errorf(l.n, "found %q, expected vertex %d and its name", line, row-1)
			}
			err = d.gbVertex(f[0], f[1], f[2:], l.n)
		case "EDGES":
			if len(f) < 3 {
				return d.errorf(l.n, "found %q, expected two vertices and a length", line)
			}
			err = d.gbArc(f[0], f[1], f[2], l.n)
		}
		if err != nil {
			return err
		}
	}
	if section != "EDGES" {
		return d.errorf(l.n, "no section EDGES")
	}
	return nil
}

// gbVertex declares a vertex by its number. Names may repeat.
func (d *draft) gbVertex(number, name string, integers []string, line int) error {
	i, err := d.node(number, line)
	if err != nil {
		return err
	}
	if name != number {
		d.nodeAttr(i, "label", name)
	}
	if len(integers) == 2 {
		d.nodeAttr(i, "x", integers[0])
		d.nodeAttr(i, "y", integers[1])
	}
	return nil
}

func (d *draft) gbArc(a, b, length string, line int) error {
	w, err := d.weightOf("length", length, line)
	if err != nil {
		return err
	}
	d.edges[d.link(a, b, line)].W = w
	return nil
}

var (
	gbHead   = regexp.MustCompile(`^\* GraphBase graph \(util_types ([ZIVSA]{14}),(\d+)V,(\d+)A\)$`)
	gbVertex = regexp.MustCompile(`^"((?:[^"\\]|\\.)*)",(?:A(\d+)|0)((?:,.*)?)$`)
	gbArc    = regexp.MustCompile(`^(?:V(\d+)|[01]),(?:A(\d+)|0),(-?\d+)`)
)

// gbRow is a line of the section of arcs: tip, next arc of the same vertex, length.
type gbRow struct {
	tip, length string
	next, line  int
}

// readGraphBase reads vertices, and arcs as lists that start at them.
func readGraphBase(d *draft, text string) error {
	l := &lines{rest: text}
	head, _ := l.data("")
	m := gbHead.FindStringSubmatch(head)
	if m == nil {
		return d.errorf(l.n, "found %.60q, expected * GraphBase graph (util_types …,nV,mA)", head)
	}
	section, first := "graph", []int(nil)
	var arcs []gbRow
	for !strings.HasPrefix(section, "* Checksum") {
		line, ok := l.data("")
		if !ok {
			return d.errorf(l.n, "the file ends before its checksum")
		}
		for strings.HasSuffix(line, `\`) { // a long name goes on
			more, ok := l.next()
			if !ok {
				break
			}
			line = strings.TrimSuffix(line, `\`) + more
		}
		switch {
		case strings.HasPrefix(line, "* "):
			section = line
		case section == "* Vertices":
			v := gbVertex.FindStringSubmatch(line)
			if v == nil {
				if strings.HasPrefix(line, "0,") {
					continue // beyond the vertices that count
				}
				return d.errorf(l.n, "found %.60q, expected \"name\",Afirst", line)
			}
			if err := d.gbVertex(strconv.Itoa(len(first)), v[1], gbPlace(m[1], v[3]), l.n); err != nil {
				return err
			}
			first = append(first, gbNumber(v[2]))
		case section == "* Arcs":
			a := gbArc.FindStringSubmatch(line)
			if a == nil {
				return d.errorf(l.n, "found %.60q, expected Vtip,Anext,length", line)
			}
			arcs = append(arcs, gbRow{a[1], a[3], gbNumber(a[2]), l.n})
		}
	}
	return d.gbLists(first, arcs)
}

// gbNumber is -1 for none.
func gbNumber(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// gbPlace gives the fields x and y of a vertex, if both are integers.
func gbPlace(types, fields string) []string {
	if types[3] != 'I' || types[4] != 'I' {
		return nil
	}
	skip := 3 - strings.Count(types[:3], "Z")
	f := strings.Split(strings.TrimPrefix(fields, ","), ",")
	if len(f) < skip+2 {
		return nil
	}
	return f[skip : skip+2]
}

// gbLists follows the arcs of every vertex. An arc may be in one list only, so that no list runs in a circle.
func (d *draft) gbLists(first []int, arcs []gbRow) error {
	taken := make([]bool, len(arcs))
	for i, k := range first {
		for k >= 0 {
			if k >= len(arcs) || taken[k] {
				return d.errorf(int(d.line[i]), "vertex %d: arc A%d does not exist or is in two lists", i, k)
			}
			taken[k] = true
			if err := d.gbArc(strconv.Itoa(i), arcs[k].tip, arcs[k].length, arcs[k].line); err != nil {
				return err
			}
			k = arcs[k].next
		}
	}
	return nil
}
