package format

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// draft collects what a reader finds until finish makes the graph. Nodes have either ids
// of the source (node, link) or are numbered from 1 to n (number).
type draft struct {
	kind   *kind
	file   string
	inner  string                // file without .gz
	size   int                   // bytes of text
	more   func() (string, bool) // the text behind the piece that a reader gets; nil where it gets all
	o      Options
	report Report
	name   string // of the graph

	n          int
	ids        []string // by node; nil when numbered
	at         index    // nodes by id
	line       []int32  // by node: where it is declared; nil when numbered
	attrs      map[string]*attribute
	edges      []network.Edge
	refs       []ref           // edges that name their ends by id, see link
	loose      bool            // an end that no node declares becomes a node
	folds      map[string]fold // by address
	series     series          // graphs of the file
	sieve      sieve           // what edges stay
	hubs       []int32         // nodes that are transit networks
	batadv     bool            // the graph is the member batadv: a graph.json of Gluon
	onDisk     bool            // file is a path, beside which others may lie
	geographic bool            // x and y are degrees, as the file says
	faults     map[string]int  // what was forgiven, by reason
	weight     map[string][]float64
	oddWeight  map[string]error // by the name of a weight: its first value that is none
	weightName string           // of the weight, where a format has none of its own
	// edgeAttrs are the names of all edge attributes, to name in an error.
	edgeAttrs map[string]bool
	byID      bool // nodes go by their ids although they have labels
}

// attribute holds the values of one node attribute, for the nodes that have it.
type attribute struct {
	node  []int32
	value []string
}

// ref is an edge whose ends are looked up once all nodes are known.
type ref struct {
	a, b    string
	line, e int32
}

// errorf makes the error of a malformed file.
func (d *draft) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", d.file, line, quoting(format, args))
}

func (d *draft) notef(format string, args ...any) {
	d.report.Notes = append(d.report.Notes, quoting(format, args))
}

// quoting makes a message of which no part that may be input is long.
func quoting(format string, args []any) string {
	for k, a := range args {
		switch a := a.(type) {
		case string:
			args[k] = caucus.Cut(a)
		case fmt.Stringer: // a token
			args[k] = caucus.Cut(a.String())
		}
	}
	return fmt.Sprintf(format, args...)
}

// maxDefaults is how many attributes with a default value a file may declare. Each costs
// a value for every node, so that a small file could ask for much memory.
const maxDefaults = 256

// maxBare is how many nodes a small file may claim. Larger claims must be backed by
// bytes, so that a header cannot make us allocate at will.
const maxBare = 1 << 20

// number makes n numbered nodes.
func (d *draft) number(n int64, line int) error {
	if n < 0 || n > math.MaxInt32 || n > maxBare && n > 16*int64(d.size) {
		return d.errorf(line, "claims %d nodes, but the file has only %d bytes", n, d.size)
	}
	d.n = int(n)
	return nil
}

// endsNowhere is the fault of an edge that names no node of a list of nodes, or none of a number of them.
const endsNowhere = "edge ends that name no node of the list"

// numbered reads a number that names a node from first to first+n-1.
func (d *draft) numbered(token string, first, line int) (int32, error) {
	k, err := strconv.Atoi(token)
	if err == nil && k >= first+d.n && d.forgive(endsNowhere) {
		err = d.number(int64(k)-int64(first)+1, line)
		return int32(k - first), err
	}
	if err != nil || k < first || k >= first+d.n {
		return 0, d.errorf(line, "node: found %q, allowed: a number from %d to %d", token, first, first+d.n-1)
	}
	return int32(k - first), nil
}

// node declares a node with an id of its own.
func (d *draft) node(id string, line int) (int32, error) {
	id = strings.TrimSpace(id)
	if i, ok := d.at.find(id); ok {
		if d.series.elsewhere(i) {
			return i, nil
		}
		if d.forgive("repeated node ids; the first of each stays") {
			return i, nil
		}
		return 0, d.errorf(line, "node id %q stands twice, first on line %d", id, d.line[i])
	}
	return d.mention(id, line), nil
}

// forgive reports whether a fault of this kind may pass, and counts it.
func (d *draft) forgive(what string) bool {
	if !d.o.Lenient {
		return false
	}
	if d.faults == nil {
		d.faults = map[string]int{}
	}
	d.faults[what]++
	return true
}

// mention gives the node of an id and makes it if it is new.
func (d *draft) mention(id string, line int) int32 {
	i, ok := d.at.find(id)
	if !ok {
		i = int32(d.n)
		d.at.put(id, i)
		d.ids = append(d.ids, id)
		d.line = append(d.line, int32(line))
		d.n++
	}
	d.series.meet(i)
	return i
}

// link adds an edge between two ids, which may be declared later. It returns the edge's
// number.
func (d *draft) link(a, b string, line int) int {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if i, ok := d.at.find(a); ok {
		if j, ok := d.at.find(b); ok {
			return d.edge(i, j, math.NaN())
		}
	}
	return d.linkLater(a, b, line)
}

// linkLater adds an edge whose ends may mean something else once all is known.
func (d *draft) linkLater(a, b string, line int) int {
	d.refs = append(d.refs, ref{a, b, int32(line), int32(len(d.edges))})
	return d.edge(0, 0, math.NaN())
}

// edge adds an edge between two nodes. It returns the edge's number.
func (d *draft) edge(a, b int32, w float64) int {
	d.edges = append(d.edges, network.Edge{A: a, B: b, W: w})
	return len(d.edges) - 1
}

// nodeAttr gives node i an attribute; an empty value is none. Of several values
// the last stays.
func (d *draft) nodeAttr(i int32, name, value string) {
	if value = strings.TrimSpace(value); value == "" || name == "" {
		return
	}
	if d.attrs == nil {
		d.attrs = map[string]*attribute{}
	}
	a := d.attrs[name]
	if a == nil {
		a = &attribute{}
		d.attrs[name] = a
	}
	a.node, a.value = append(a.node, i), append(a.value, value)
}

// keep adds a name to those that an error may list.
func keep(names map[string]bool, name string) map[string]bool {
	if names == nil {
		names = map[string]bool{}
	}
	if len(names) < 100 {
		names[name] = true
	}
	return names
}

// weightNames are the edge attributes that can be the weight, best first.
func (d *draft) weightNames() []string {
	switch d.o.Weight {
	case "":
		return []string{"weight", "value", "cost"}
	case "none":
		return nil
	}
	return []string{d.o.Weight}
}

// edgeAttr gives edge e an attribute, which is kept if it may be the weight.
func (d *draft) edgeAttr(e int, name, value string, line int) error {
	d.edgeAttrs = keep(d.edgeAttrs, name)
	d.sift(e, name, value)
	for _, want := range d.weightNames() {
		if !strings.EqualFold(want, name) {
			continue
		}
		if _, err := parseNumber(value); err != nil && d.o.Weight == "" {
			continue // a default guess; other edges may have numbers
		}
		w, err := d.weightOf("weight attribute "+strconv.Quote(name), value, line)
		if err != nil { // which matters if this one is chosen
			d.oddWeight = remember(d.oddWeight, want, err)
			continue
		}
		d.weigh(e, want, w)
	}
	return nil
}

// members gives edge e what a JSON object says of it, but for some members.
func (d *draft) members(e int, o value, but ...string) error {
	deep := slices.ContainsFunc(o.items, func(m value) bool { return m.kind == '{' || m.kind == '[' })
	if deep {
		for _, f := range flatten(o) {
			if slices.Contains(but, f.name) {
				continue
			}
			if err := d.edgeAttr(e, f.name, f.value, int(o.line)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range o.items {
		if slices.Contains(but, m.name) {
			continue
		}
		if err := d.edgeAttr(e, m.name, m.text, int(o.line)); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) weigh(e int, name string, w float64) {
	if d.weight == nil {
		d.weight = map[string][]float64{}
	}
	col := d.weight[name]
	for len(col) <= e {
		col = append(col, math.NaN())
	}
	col[e] = w
	d.weight[name] = col
}

// remember keeps the first error by what it is about.
func remember(errs map[string]error, about string, err error) map[string]error {
	if errs == nil {
		errs = map[string]error{}
	}
	if errs[about] == nil {
		errs[about] = err
	}
	return errs
}

// weightOf judges what a file gives as the weight of an edge, or as another number that lengths are made of. What is
// infinite, no number, or beyond all numbers would make shortest ways that are none.
func (d *draft) weightOf(field, text string, line int) (float64, error) {
	w, err := parseNumber(text)
	switch {
	case err == nil && !math.IsNaN(w) && !math.IsInf(w, 0):
		return w, nil
	case err == nil && d.forgive("weights that are not finite; those edges have none"):
		return math.NaN(), nil
	}
	return 0, d.errorf(line, "%s: found %q, allowed: a finite number", field, text)
}

// parseNumber reads a number as the formats write it: no underscores, no hexadecimal.
func parseNumber(s string) (float64, error) {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "xX_") {
		return 0, strconv.ErrSyntax
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && math.IsInf(x, 0) {
		return x, nil // beyond the range of a float64
	}
	return x, err
}
