package format

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// finish makes the graph and completes the report.
func (d *draft) finish() (*network.Graph, Report, error) {
	for _, step := range []func() error{d.resolve, d.several} {
		if err := step(); err != nil {
			return nil, Report{}, err
		}
	}
	if d.n == 0 {
		return nil, Report{}, fmt.Errorf("%s: no nodes (read as %s)", d.file, d.report.Format)
	}
	if err := d.chooseWeight(); err != nil {
		return nil, Report{}, err
	}
	for _, step := range []func() error{d.shake, d.cliques} {
		if err := step(); err != nil {
			return nil, Report{}, err
		}
	}
	g, merged, err := network.Build(d.n, d.edges)
	if err != nil {
		return nil, Report{}, fmt.Errorf("%s: %w", d.file, err)
	}
	d.report.Merged = merged
	if d.report.Format == Matrix { // an asymmetric one has fewer repeats than edges
		d.report.Directed = 2*merged.Repeats != merged.Records-merged.SelfLoops
	}
	d.compareWeights(g)
	if g.Name = d.name; g.Name == "" {
		g.Name = base(d.inner)
	}
	if err := d.locate(g); err != nil {
		return nil, Report{}, err
	}
	if err := d.nameNodes(g); err != nil {
		return nil, Report{}, err
	}
	d.keepAttrs(g)
	for _, what := range sortedKeys(d.faults) {
		d.notef("forgiven: %d %s", d.faults[what], what)
	}
	return g, d.report, nil
}

// chooseWeight fills in the weights from the attribute that is the weight.
func (d *draft) chooseWeight() error {
	if d.o.Weight == "none" {
		for k := range d.edges {
			d.edges[k].W = math.NaN()
		}
		return nil
	}
	if d.kind.unnamed {
		for _, e := range d.edges {
			if !math.IsNaN(e.W) {
				d.report.Weight = cmp.Or(d.weightName, "weight")
				break
			}
		}
		return nil
	}
	for _, name := range d.weightNames() {
		col := d.weight[name]
		if err := d.oddWeight[name]; err != nil {
			return err
		}
		if len(col) == 0 {
			continue
		}
		for k, w := range col {
			d.edges[k].W = w
		}
		d.report.Weight = name
		return nil
	}
	if d.o.Weight != "" {
		return d.noAttribute("weight", d.o.Weight, sortedKeys(d.edgeAttrs), "edge")
	}
	return nil
}

// compareWeights notes how many repeated records had another weight than the one kept.
func (d *draft) compareWeights(g *network.Graph) {
	if g.Weight == nil || d.report.Merged.Repeats == 0 {
		return
	}
	other := 0
	for _, e := range d.edges {
		row := g.Neighbours(int(e.A))
		k := sort.Search(len(row), func(k int) bool { return row[k] >= e.B })
		if k == len(row) || e.A == e.B {
			continue
		}
		if kept := g.Weight[g.Off[e.A]+k]; kept != e.W && !(math.IsNaN(kept) && math.IsNaN(e.W)) {
			other++
		}
	}
	if other > 0 {
		d.notef("%d repeated records have another weight than the first of their pair, which stays", other)
	}
}

// find gives the attribute of a name, whatever its case; an exact match wins.
func (d *draft) find(name string) (string, *attribute) {
	if a, ok := d.attrs[name]; ok {
		return name, a
	}
	for _, n := range sortedKeys(d.attrs) {
		if strings.EqualFold(n, name) {
			return n, d.attrs[n]
		}
	}
	return "", nil
}

var longitudes = []string{"longitude", "lon", "lng", "long"}

// locate finds the coordinates and takes them out of the attributes.
func (d *draft) locate(g *network.Graph) error {
	pairs := [][2]string{{"longitude", "latitude"}, {"lon", "lat"}, {"lng", "lat"}, {"long", "lat"}, {"x", "y"}}
	if d.o.Geographic { // what is declared goes before what looks like it
		pairs = append([][2]string{{"x", "y"}}, pairs...)
	}
	if d.o.X != "" {
		pairs = [][2]string{{d.o.X, d.o.Y}}
		for _, name := range pairs[0] {
			if _, a := d.find(name); a == nil {
				return d.noAttribute("coordinates", name, sortedKeys(d.attrs), "node")
			}
		}
	}
	for _, p := range pairs {
		nx, ax := d.find(p[0])
		ny, ay := d.find(p[1])
		if ax == nil || ay == nil {
			continue
		}
		x, badX, err := d.column(nx, ax)
		if err != nil {
			return err
		}
		y, badY, err := d.column(ny, ay)
		if err != nil {
			return err
		}
		if bad := append(badX, badY...); len(bad) > 0 && d.o.X != "" {
			return fmt.Errorf("%s: %w", d.file, caucus.Wrong("coordinates", bad[0], "a number"))
		} else if len(bad) > 0 {
			d.notef("%d coordinates are not numbers, as %q; those nodes count as without coordinates", len(bad), bad[0])
		}
		if !pairUp(x, y) {
			continue
		}
		g.X, g.Y = x, y
		if g.Geographic = d.isGeographic(p[0], x, y); d.o.Geographic && !g.Geographic {
			return fmt.Errorf("%s: %s", d.file, d.report.Notes[len(d.report.Notes)-1])
		}
		d.report.Coordinates = nx + ", " + ny
		delete(d.attrs, nx)
		delete(d.attrs, ny)
		return nil
	}
	return nil
}

// column turns an attribute into a number for each node, NaN where there is none. Bad
// lists the values that are not numbers; one that is not finite is an error.
func (d *draft) column(name string, a *attribute) (col []float64, bad []string, err error) {
	col = make([]float64, d.n)
	for i := range col {
		col[i] = math.NaN()
	}
	for k, i := range a.node {
		v, err := parseNumber(a.value[k])
		if err != nil {
			bad = append(bad, a.value[k])
			continue
		}
		if err := d.finitePlace(name, v, a.value[k], i); err != nil {
			return nil, nil, err
		}
		if !math.IsInf(v, 0) {
			col[i] = v
		}
	}
	return col, bad, nil
}

// finitePlace judges a coordinate of node i.
func (d *draft) finitePlace(name string, v float64, text string, i int32) error {
	if !math.IsNaN(v) && !math.IsInf(v, 0) || d.forgive("coordinates that are not finite; those nodes have none") {
		return nil
	}
	if d.line == nil { // numbered nodes, whose lines nobody keeps
		return fmt.Errorf("%s: %w", d.file, caucus.Wrong(fmt.Sprintf("coordinate %s of node %d", name, i+1), text,
			"a finite number"))
	}
	return d.errorf(int(d.line[i]), "coordinate %s: found %q, allowed: a finite number", name, text)
}

// pairUp drops coordinates of which one half is missing and reports whether any are left.
func pairUp(x, y []float64) bool {
	some := false
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) {
			x[i], y[i] = math.NaN(), math.NaN()
		} else {
			some = true
		}
	}
	return some
}

func (d *draft) isGeographic(name string, x, y []float64) bool {
	known := d.o.Geographic || d.geographic
	for _, l := range longitudes {
		known = known || strings.EqualFold(l, name)
	}
	if !known {
		return false
	}
	for i := range x {
		if math.Abs(x[i]) > 360 || math.Abs(y[i]) > 90 {
			d.notef("longitude %g, latitude %g is no place on Earth; coordinates are taken as planar", x[i], y[i])
			return false
		}
	}
	return true
}

// nameNodes gives every node a name of its own.
func (d *draft) nameNodes(g *network.Graph) error {
	labels, err := d.labels()
	if err != nil {
		return err
	}
	if labels == nil && d.ids == nil {
		return nil // "1" to "n"
	}
	ids := d.ids
	if ids == nil {
		ids = make([]string, d.n)
		for i := range ids {
			ids[i] = strconv.Itoa(i + 1)
		}
	}
	for i, id := range ids {
		if id == "" {
			return d.errorf(int(d.line[i]), "a node has an empty id")
		}
	}
	if labels == nil {
		labels = ids
	} else {
		labels = d.distinct(labels, ids)
	}
	if !plainNumbers(labels) {
		g.Names = labels
	}
	return nil
}

// naming is the attribute that names nodes; nil where they go by their ids.
func (d *draft) naming() (string, *attribute) {
	candidates := []string{"label", "name"}
	switch {
	case d.o.Name == "id", d.o.Name == "" && d.byID:
		return "", nil
	case d.o.Name != "":
		candidates = []string{d.o.Name}
	}
	for _, c := range candidates {
		if name, a := d.find(c); a != nil {
			return name, a
		}
	}
	return "", nil
}

// labels are the nodes' names in the attribute that names them; nil when there is none.
// They may be empty and may repeat.
func (d *draft) labels() ([]string, error) {
	name, a := d.naming()
	if a == nil {
		if d.o.Name != "" && d.o.Name != "id" {
			return nil, d.noAttribute("name", d.o.Name, append([]string{"id"}, sortedKeys(d.attrs)...), "node")
		}
		return nil, nil
	}
	delete(d.attrs, name)
	labels := make([]string, d.n)
	for k, i := range a.node {
		labels[i] = a.value[k]
	}
	return labels, nil
}

// distinct adds the id to each label that another node has too, until no two are equal.
func (d *draft) distinct(labels, ids []string) []string {
	renamed := make([]bool, len(labels))
	for i := range labels {
		if labels[i] == "" {
			labels[i] = ids[i]
		}
	}
	for range 4 {
		count := make(map[string]int, len(labels))
		for _, l := range labels {
			count[l]++
		}
		if len(count) == len(labels) {
			for _, r := range renamed {
				if r {
					d.report.Renamed++
				}
			}
			return labels
		}
		for i, l := range labels {
			if count[l] > 1 {
				labels[i], renamed[i] = l+" ("+ids[i]+")", true
			}
		}
	}
	d.notef("labels repeat even with ids added; nodes go by their ids")
	return ids
}

// plainNumbers reports whether the names are those that a graph has without names.
func plainNumbers(names []string) bool {
	for i, name := range names {
		if name != strconv.Itoa(i+1) {
			return false
		}
	}
	return true
}

// maxCells bounds the table of rare attributes, in cells of one node and attribute.
const maxCells = 1 << 20

// keepAttrs gives the graph the remaining attributes. Those that fewer than one node in 16
// has are kept while their table is small.
func (d *draft) keepAttrs(g *network.Graph) {
	names := sortedKeys(d.attrs)
	sort.SliceStable(names, func(a, b int) bool { return len(d.attrs[names[a]].node) > len(d.attrs[names[b]].node) })
	cells, dropped := 0, 0
	for _, name := range names {
		a := d.attrs[name]
		if len(a.node) < d.n/16 {
			if cells += d.n; cells > maxCells {
				dropped++
				continue
			}
		}
		col := make([]string, d.n)
		for k, i := range a.node {
			col[i] = a.value[k]
		}
		if g.Attrs == nil {
			g.Attrs = map[string][]string{}
		}
		g.Attrs[name] = col
	}
	if dropped > 0 {
		d.notef("%d node attributes that few nodes have were left out", dropped)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// noAttribute says that the file has no attribute of the name that the user chose.
func (d *draft) noAttribute(field, found string, names []string, whose string) error {
	err := caucus.NotAmong(field, found, names)
	err.Allowed += " (the " + whose + " attributes of this file)"
	return fmt.Errorf("%s: %w", d.file, err)
}
