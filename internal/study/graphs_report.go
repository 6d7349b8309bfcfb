package study

import (
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus/internal/picture"
)

// graphClasses are the classes of networks, in the order of the report.
var graphClasses = []struct{ name, title string }{
	{"trees", "Trees"}, {"meshes", "Meshes"}, {"tori", "Tori"}, {"hypercubes", "Hypercubes"}, {"complete", "Complete networks"}, {"arbitrary", "Arbitrary networks"},
}

// family is what the networks of one kind and growing size have in common.
func (c *GraphCount) family() string {
	name, _, _ := strings.Cut(c.Topology, ":")
	return name
}

// Report evaluates the results of the sweep.
func (g Graphs) Report(version string, counts []GraphCount) *Report {
	out := &Report{Experiment: "graphs", Version: version, Options: g.Sweep(version).Options}
	for _, class := range graphClasses {
		own := slices.DeleteFunc(slices.Clone(counts), func(c GraphCount) bool { return c.Class != class.name })
		if len(own) == 0 {
			continue
		}
		out.Tables = append(out.Tables, graphTable(class.title, own))
		out.Files = append(out.Files, g.graphCharts(class.name, class.title, own)...)
	}
	graphBounds(out, counts)
	out.Files = append(out.Files, out.csv("graphs.csv",
		[]string{"algorithm", "class", "topology", "nodes", "edges", "diameter", "initiators", "least", "mean", "most", "time", "formula", "source", "exact", "value", "holds"},
		func(row func(...any)) {
			for i := range counts {
				c := &counts[i]
				for _, f := range c.Formulas {
					row(c.Algo, c.Class, c.Topology, c.Nodes, c.Edges, c.Diameter, c.Initiators, c.Least, c.Mean, c.Most, c.Time, f.Formula, f.Source, f.Exact, f.Value, c.Holds(f))
				}
			}
		}))
	return out
}

// graphTable has the largest network of each kind, beside the first formula of each algorithm.
func graphTable(title string, counts []GraphCount) Table {
	t := Table{Title: title, Columns: []string{"algorithm", "network", "n", "m", "D", "initiators", "formula", "value", "most", "mean", "mean/n", "time"}}
	type kind struct {
		algo, family string
		one          bool
	}
	largest := map[kind]int{}
	for i := range counts {
		c := &counts[i]
		k := kind{c.Algo, c.family(), c.Initiators == 1}
		if last, ok := largest[k]; !ok || counts[last].Nodes < c.Nodes {
			largest[k] = i
		}
	}
	for i := range counts {
		c := &counts[i]
		if largest[kind{c.Algo, c.family(), c.Initiators == 1}] != i {
			continue
		}
		f := c.Formulas[0]
		t.Rows = append(t.Rows, []any{c.Algo, c.Topology, c.Nodes, c.Edges, c.Diameter, c.Initiators, f.Formula, rounded(f.Value, 1),
			c.Most, rounded(c.Mean, 1), rounded(c.Mean/float64(c.Nodes), 2), rounded(c.Time, 1)})
	}
	return t
}

// graphBounds says which formulas held, and where one did not. What this project claims itself, and what is
// exact, must hold.
func graphBounds(out *Report, counts []GraphCount) {
	type claim struct{ algo, formula, source string }
	var order []claim
	held, failed, worst := map[claim]int{}, map[claim]int{}, map[claim]*GraphCount{}
	mustHold := 0
	for i := range counts {
		c := &counts[i]
		for _, f := range c.Formulas {
			k := claim{c.Algo, f.Formula, f.Source}
			if held[k]+failed[k] == 0 {
				order = append(order, k)
			}
			if c.Holds(f) {
				held[k]++
				continue
			}
			failed[k]++
			worst[k] = c
			if f.Exact || strings.HasPrefix(f.Source, ours) {
				mustHold++
			}
		}
	}
	whole := 0
	for _, k := range order {
		if failed[k] == 0 {
			whole++
			continue
		}
		out.Notes = append(out.Notes, fmt.Sprintf("%s: %s (%s) did not hold on %d of %d networks; on %s with %s it took up to %d messages.",
			k.algo, k.formula, k.source, failed[k], held[k]+failed[k], worst[k].Topology, plural(worst[k].Initiators, "initiator"), worst[k].Most))
	}
	out.Notes = append(out.Notes, fmt.Sprintf("%d of %d formulas held everywhere.", whole, len(order)))
	out.Violated = mustHold > 0
	out.Facts = append(out.Facts, Option{"networks", fmt.Sprint(len(counts))}, Option{"formulas", fmt.Sprint(len(order))}, Option{"held", fmt.Sprint(whole)}, Option{"violated", fmt.Sprint(mustHold)})
}

// graphCharts draws messages against n for each kind of network of a class, beside the formulas, and messages against m
// and time against D for the class.
func (g Graphs) graphCharts(class, title string, counts []GraphCount) (files []File) {
	var families []string
	for i := range counts {
		if f := counts[i].family(); !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	for _, f := range families {
		c := g.chart(fmt.Sprintf("%s (%s): messages against nodes", title, f), "nodes n", "messages")
		for i := range counts {
			if n := &counts[i]; n.family() == f && n.Initiators > 1 {
				add(c, n.Algo, picture.LinePoints, "", float64(n.Nodes), n.Mean)
				add(c, n.Formulas[0].Formula, picture.Dashes, n.Algo, float64(n.Nodes), n.Formulas[0].Value)
			}
		}
		files = append(files, charts(class+"-"+f, c)...)
	}
	edges := g.chart(title+": messages against edges", "edges m", "messages")
	times := g.chart(title+": ideal time against diameter", "diameter D", "ideal time")
	for i := range counts {
		if n := &counts[i]; n.Initiators > 1 && n.Diameter > 0 {
			add(edges, n.Algo, picture.Points, "", float64(n.Edges), n.Mean)
			add(times, n.Algo, picture.Points, "", float64(n.Diameter), n.Time)
		}
	}
	return append(files, append(charts(class+"-edges", edges), charts(class+"-diameter", times)...)...)
}

func (g Graphs) chart(title, x, y string) *picture.Chart {
	return &picture.Chart{Title: title, XLabel: x, YLabel: y, LogX: true, LogY: true,
		Subtitle: fmt.Sprintf("mean of %s with IDs in random order, all nodes initiating, unit delays", plural(g.Runs, "run"))}
}

// add puts a point on the series of a name, which it begins if need be, in the colour of the series like.
func add(c *picture.Chart, name string, style picture.Style, like string, x, y float64) {
	of := func(name string) int {
		return slices.IndexFunc(c.Series, func(s picture.Series) bool { return s.Name == name })
	}
	k := of(name)
	if k < 0 {
		k = len(c.Series)
		c.Series = append(c.Series, picture.Series{Name: name, Style: style, Like: of(like) + 1})
	}
	s := &c.Series[k]
	s.X, s.Y = append(s.X, x), append(s.Y, y)
}
