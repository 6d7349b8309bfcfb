package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"caucus.example/caucus/network"
)

// draft collects what a reader finds until finish makes the graph. Nodes have either ids
// of the source (node, link) or are numbered from 1 to n (number).
type draft struct {
	file   string
	inner  string // file without .gz
	size   int    // bytes of text
	o      Options
	report Report
	name   string // of the graph

	n      int
	ids    []string         // by node; nil when numbered
	at     map[string]int32 // index by id
	line   []int32          // by node: where it is declared; nil when numbered
	attrs  map[string]*attribute
	edges  []network.Edge
	refs   []ref            // edges that name their ends by id, see link
	loose  bool             // an end that no node declares becomes a node
	other  map[string]int32 // nodes by their other addresses
	faults map[string]int   // what was forgiven, by reason
	weight map[string][]float64
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
	a, b string
	line int32
}

// errorf makes the error of a malformed file.
func (d *draft) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", d.file, line, fmt.Sprintf(format, args...))
}

func (d *draft) notef(format string, args ...any) {
	d.report.Notes = append(d.report.Notes, fmt.Sprintf(format, args...))
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

// numbered reads a number that names a node from first to first+n-1.
func (d *draft) numbered(token string, first, line int) (int32, error) {
	k, err := strconv.Atoi(token)
	if err != nil || k < first || k >= first+d.n {
		return 0, d.errorf(line, "node: found %q, allowed: a number from %d to %d", token, first, first+d.n-1)
	}
	return int32(k - first), nil
}

// node declares a node with an id of its own.
func (d *draft) node(id string, line int) (int32, error) {
	id = strings.TrimSpace(id)
	if i, ok := d.at[id]; ok {
		if d.forgive("repeated node ids; the first of each stays") {
			return i, nil
		}
		return 0, d.errorf(line, "node id %q stands twice, first on line %d", id, d.line[i])
	}
	return d.mention(id, line), nil
}

// also says that a node has another address, by which edges may name it.
func (d *draft) also(address string, i int32, line int) error {
	address = strings.TrimSpace(address)
	if j, ok := d.other[address]; ok && j != i && !d.forgive("addresses of two nodes; they count for the first") {
		return d.errorf(line, "address %q belongs to node %q and to node %q", address, d.ids[j], d.ids[i])
	} else if ok {
		return nil
	}
	if d.other == nil {
		d.other = map[string]int32{}
	}
	d.other[address] = i
	return nil
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
	i, ok := d.at[id]
	if !ok {
		i = int32(d.n)
		d.at[id] = i
		d.ids = append(d.ids, id)
		d.line = append(d.line, int32(line))
		d.n++
	}
	return i
}

// link adds an edge between two ids, which may be declared later. It returns the edge's
// number.
func (d *draft) link(a, b string, line int) int {
	d.refs = append(d.refs, ref{strings.TrimSpace(a), strings.TrimSpace(b), int32(line)})
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
	if d.edgeAttrs == nil {
		d.edgeAttrs, d.weight = map[string]bool{}, map[string][]float64{}
	}
	if len(d.edgeAttrs) < 100 {
		d.edgeAttrs[name] = true
	}
	for _, want := range d.weightNames() {
		if !strings.EqualFold(want, name) {
			continue
		}
		w, err := parseNumber(value)
		if err != nil && d.o.Weight != "" {
			return d.errorf(line, "weight attribute %q: found %q, allowed: a number", name, value)
		}
		if err != nil {
			continue // a default guess; other edges may have numbers
		}
		d.weigh(e, want, w)
	}
	return nil
}

func (d *draft) weigh(e int, name string, w float64) {
	col := d.weight[name]
	for len(col) <= e {
		col = append(col, math.NaN())
	}
	col[e] = w
	d.weight[name] = col
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
