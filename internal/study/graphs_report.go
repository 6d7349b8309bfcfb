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
	out := &Report{Experiment: "graphs", Version: version, Options: g.Sweep(version).Options, Rows: graphRows(counts)}
	for _, class := range graphClasses {
		own := slices.DeleteFunc(slices.Clone(counts), func(c GraphCount) bool { return c.Class != class.name })
		if len(own) == 0 {
			continue
		}
		out.Tables = append(out.Tables, graphTable(class.title, own))
		out.Files = append(out.Files, g.graphCharts(class.name, class.title, own)...)
	}
	graphBounds(out, counts)
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
	out.Facts = append(out.Facts, Option{"networks", fmt.Sprint(len(counts))},
		Option{"formulas", fmt.Sprint(len(order))}, Option{"held", fmt.Sprint(whole)},
		Option{"violated", fmt.Sprint(mustHold)})
}

// graphRows has what each algorithm needs on each network, measured over the initiators.
func graphRows(counts []GraphCount) (rows []Row) {
	for i := range counts {
		c := &counts[i]
		row := Row{Series: c.Algo, Network: c.Topology, N: c.Nodes, X: float64(c.Initiators)}
		add := func(metric string, value float64) {
			row.Metric, row.Value = metric, value
			rows = append(rows, row)
		}
		add("edges", float64(c.Edges))
		add("diameter", float64(c.Diameter))
		add("messages, least", float64(c.Least))
		add("messages, mean", c.Mean)
		add("messages, most", float64(c.Most))
		add("ideal time, mean", c.Time)
		for _, f := range c.Formulas {
			add(map[bool]string{true: "exactly ", false: "at most "}[f.Exact]+f.Formula, f.Value)
		}
	}
	return rows
}

// graphCharts draws messages against n for each kind of network of a class, beside the formulas, and messages against m
// and time against D for the class.
func (g Graphs) graphCharts(class, title string, counts []GraphCount) (files []File) {
	counts = pick(counts, func(c *GraphCount) bool { return c.Initiators > 1 })
	var families []string
	for i := range counts {
		if f := counts[i].family(); !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	for _, f := range families {
		c := g.chart(fmt.Sprintf("%s (%s): messages against nodes", title, f), "nodes n", "messages")
		for _, n := range pick(counts, func(c *GraphCount) bool { return c.family() == f }) {
			line(c, n.Algo, "", picture.LinePoints).put(float64(n.Nodes), n.Mean)
			line(c, n.Formulas[0].Formula, n.Algo, picture.Dashes).put(float64(n.Nodes), n.Formulas[0].Value)
		}
		files = append(files, charts(class+"-"+f, c)...)
	}
	edges := g.chart(title+": messages against edges", "edges m", "messages")
	times := g.chart(title+": ideal time against diameter", "diameter D", "ideal time")
	for _, n := range pick(counts, func(c *GraphCount) bool { return c.Diameter > 0 }) {
		line(edges, n.Algo, "", picture.Points).put(float64(n.Edges), n.Mean)
		line(times, n.Algo, "", picture.Points).put(float64(n.Diameter), n.Time)
	}
	return append(files, append(charts(class+"-edges", edges), charts(class+"-diameter", times)...)...)
}

func (g Graphs) chart(title, x, y string) *picture.Chart {
	return &picture.Chart{Title: title, XLabel: x, YLabel: y, LogX: true, LogY: true,
		Subtitle: fmt.Sprintf("mean of %s with IDs in random order, all nodes initiating, unit delays", plural(g.Runs, "run"))}
}
