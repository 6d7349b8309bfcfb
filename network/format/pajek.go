package format

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var kindPajek = kind{
	format: Pajek, about: "Pajek network", extensions: []string{".net", ".paj"},
	mark: func(s *sample) bool { return pajekHead.MatchString(s.head) }, read: readPajek,
	unnamed: true,
}

var pajekHead = regexp.MustCompile(`(?im)^\s*\*vertices\s+\d`)

// pajekReader reads a Pajek network line by line.
type pajekReader struct {
	d       *draft
	l       *lines
	section string
	skips   bool  // in a network that is not chosen
	row     int32 // of *Matrix
	counted bool  // *Vertices was there
	valued  bool  // a section left out has values
	points  int   // nodes with coordinates other than 0 0
	listed  map[int32]int
}

// leftOut are sections of a project that say more of the vertices.
var leftOut = []string{"*partition", "*vector", "*permutation", "*cluster", "*hierarchy", "*events"}

// readPajek reads one network, or several as their union. Text before the first section is skipped. When all nodes lie
// at 0 0, as programs write that know no coordinates, none are kept.
func readPajek(d *draft, text string) error {
	r := &pajekReader{d: d, l: &lines{rest: text}, listed: map[int32]int{}}
	for {
		line, ok := r.l.data("%")
		if !ok {
			break
		}
		var err error
		if line[0] == '*' {
			err = r.open(line)
		} else {
			err = r.data(line)
		}
		if err != nil {
			return err
		}
	}
	if d.o.Graph == "" || d.series.chosen > 0 {
		if err := r.close(); err != nil {
			return err
		}
	}
	d.n = d.series.most
	if r.points == 0 {
		delete(d.attrs, "x")
		delete(d.attrs, "y")
	}
	return nil
}

// close ends a network.
func (r *pajekReader) close() error {
	if !r.counted && !r.skips {
		return r.d.errorf(r.l.n, "no section *Vertices")
	}
	if r.section == "*matrix" && int(r.row) != r.d.n {
		return r.d.errorf(r.l.n, "*Matrix has %d rows for %d vertices", r.row, r.d.n)
	}
	r.d.series.close(r.d.n)
	return nil
}

// network begins a network, perhaps after another.
func (r *pajekReader) network(name string) error {
	if r.counted || len(r.d.series.names) > 0 {
		if err := r.close(); err != nil {
			return err
		}
	}
	r.section, r.counted, r.row, r.d.n = "", false, 0, 0
	clear(r.listed)
	if r.skips = !r.d.wanted(name); !r.skips {
		r.d.name = name
	}
	return nil
}

func (r *pajekReader) open(line string) error {
	f := strings.Fields(line)
	section := strings.ToLower(f[0])
	if r.skips && section != "*network" {
		return nil
	}
	if r.section == "*matrix" && section != "*network" && int(r.row) != r.d.n {
		return r.d.errorf(r.l.n, "*Matrix has %d rows for %d vertices", r.row, r.d.n)
	}
	links := []string{"*edges", "*arcs", "*edgeslist", "*arcslist", "*matrix"}
	if !r.counted && slices.Contains(links, section) {
		return r.d.errorf(r.l.n, "section: found %q, expected *Vertices first", f[0])
	}
	switch section {
	case "*network":
		return r.network(strings.Trim(strings.TrimSpace(line[len(f[0]):]), `"`))
	case "*vertices":
		if slices.Contains(leftOut, r.section) && !r.valued {
			return nil // the number of its values
		}
		if r.counted {
			return r.d.errorf(r.l.n, "a second section *Vertices")
		}
		if len(r.d.series.names) == 0 && !r.d.wanted() {
			r.skips = true
			return nil
		}
		r.section, r.counted = section, true
		return r.vertices(f)
	case "*arcs", "*arcslist", "*matrix":
		r.d.report.Directed = true
	case "*edges", "*edgeslist":
	default:
		if slices.Contains(leftOut, section) {
			r.d.notef("section %s was left out", f[0])
			r.valued = false
			break
		}
		return r.d.errorf(r.l.n, "section: found %q, allowed: *Vertices, *Edges, *Arcs, *Edgeslist, *Arcslist, *Matrix",
			f[0])
	}
	r.section = section
	return nil
}

func (r *pajekReader) vertices(f []string) error {
	if len(f) < 2 {
		return r.d.errorf(r.l.n, "*Vertices lacks the number of vertices")
	}
	n, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil || n < 0 {
		return r.d.errorf(r.l.n, "*Vertices: found %q, allowed: an integer >= 0", f[1])
	}
	return r.d.number(n, r.l.n)
}

func (r *pajekReader) data(line string) error {
	if r.skips {
		return nil
	}
	switch r.section {
	case "*vertices":
		return r.vertex(line)
	case "*edges", "*arcs":
		return r.pair(strings.Fields(line))
	case "*edgeslist", "*arcslist":
		return r.list(strings.Fields(line))
	case "*matrix":
		return r.matrixRow(strings.Fields(line))
	}
	r.valued = true
	return nil // free text before the first section, or a section left out
}

// vertex reads: number "label" x y z shape name value …
func (r *pajekReader) vertex(line string) error {
	f, err := pajekFields(line)
	if err != nil {
		return r.d.errorf(r.l.n, "%v", err)
	}
	i, err := r.d.numbered(f[0], 1, r.l.n)
	if err != nil {
		return err
	}
	if first, ok := r.listed[i]; ok {
		return r.d.errorf(r.l.n, "vertex %s stands twice, first on line %d", f[0], first)
	}
	r.listed[i] = r.l.n
	if len(f) > 1 {
		r.d.nodeAttr(i, "label", f[1])
	}
	f = f[min(2, len(f)):]
	f = f[r.position(i, f):]
	if len(f)%2 == 1 {
		r.d.nodeAttr(i, "shape", f[0])
		f = f[1:]
	}
	for k := 0; k+1 < len(f); k += 2 {
		r.d.nodeAttr(i, f[k], f[k+1])
	}
	return nil
}

// position reads up to three numbers and returns how many there were.
func (r *pajekReader) position(i int32, f []string) (used int) {
	var at [3]float64
	for used < len(f) && used < 3 {
		x, err := parseNumber(f[used])
		if err != nil {
			break
		}
		at[used] = x
		used++
	}
	if used < 2 {
		return used
	}
	r.d.nodeAttr(i, "x", f[0])
	r.d.nodeAttr(i, "y", f[1])
	if at[0] != 0 || at[1] != 0 {
		r.points++
	}
	return used
}

// pajekFields splits a line at blanks; quoted fields may hold some.
func pajekFields(line string) ([]string, error) {
	var f []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		end := 0
		if line[0] == '"' {
			if end = strings.IndexByte(line[1:], '"'); end < 0 {
				return nil, quoteError(line)
			}
			f = append(f, line[1:end+1])
			line = line[end+2:]
			continue
		}
		if end = strings.IndexAny(line, " \t"); end < 0 {
			end = len(line)
		}
		f = append(f, line[:end])
		line = line[end:]
	}
	return f, nil
}

func (r *pajekReader) pair(f []string) error {
	if len(f) < 2 {
		return r.d.errorf(r.l.n, "found %q, expected two vertices and an optional value", strings.Join(f, " "))
	}
	a, err := r.d.numbered(f[0], 1, r.l.n)
	if err != nil {
		return err
	}
	b, err := r.d.numbered(f[1], 1, r.l.n)
	if err != nil {
		return err
	}
	w := nan
	if len(f) > 2 {
		if w, err = r.d.weightOf("value", f[2], r.l.n); err != nil {
			return err
		}
	}
	r.d.edge(a, b, w)
	return nil
}

func (r *pajekReader) list(f []string) error {
	a, err := r.d.numbered(f[0], 1, r.l.n)
	if err != nil {
		return err
	}
	for _, t := range f[1:] {
		b, err := r.d.numbered(t, 1, r.l.n)
		if err != nil {
			return err
		}
		r.d.edge(a, b, nan)
	}
	return nil
}

func (r *pajekReader) matrixRow(f []string) error {
	if int(r.row) >= r.d.n || len(f) != r.d.n {
		return r.d.errorf(r.l.n, "row %d of *Matrix has %d columns; %d rows and columns are allowed", r.row+1, len(f),
			r.d.n)
	}
	for col, cell := range f {
		w, err := r.d.weightOf("column "+strconv.Itoa(col+1), cell, r.l.n)
		if err != nil {
			return err
		}
		if w != 0 {
			r.d.edge(r.row, int32(col), w)
		}
	}
	r.row++
	return nil
}
