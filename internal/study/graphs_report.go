package study

import (
	"fmt"
	"slices"
	"strings"

	"caucus.example/caucus/internal/picture"
	"caucus.example/caucus/internal/results"
)

// graphClasses are the classes of networks, in the order of the report.
var graphClasses = []struct{ name, title string }{
	{"trees", "Trees"}, {"meshes", "Meshes"}, {"tori", "Tori"}, {"hypercubes", "Hypercubes"},
	{"complete", "Complete networks"}, {"arbitrary", "Arbitrary networks"},
}

// graphCount is an algorithm on a network.
type graphCount struct {
	*wide
	*contest
	initiators int
}

// family is what the networks of one kind and growing size have in common.
func (c *graphCount) family() string {
	name, _, _ := strings.Cut(c.Network, ":")
	return name
}

// find evaluates the rows.
func (g Graphs) find(out *Report) {
	list, kinds := contests(), map[string]*contest{}
	for i := range list {
		kinds[list[i].algo] = &list[i]
	}
	var counts []graphCount
	for _, w := range widen(out.Rows) {
		counts = append(counts, graphCount{w, kinds[w.Series], int(w.X)})
	}
	for _, class := range graphClasses {
		if own := results.Pick(counts, func(c *graphCount) bool { return c.class == class.name }); len(own) > 0 {
			out.Tables = append(out.Tables, graphTable(class.title, own))
			out.Files = append(out.Files, g.graphCharts(class.name, class.title, own)...)
		}
	}
	graphBounds(out, counts)
}

// graphTable has the largest network of each kind, beside the first formula of each algorithm.
func graphTable(title string, counts []graphCount) Table {
	t := Table{Title: title, Columns: strings.Split(
		"algorithm,network,n,m,D,initiators,formula,value,most,mean,mean/n,time", ",")}
	type kind struct {
		algo, family string
		one          bool
	}
	largest := map[kind]int{}
	for i := range counts {
		c := &counts[i]
		k := kind{c.algo, c.family(), c.initiators == 1}
		if last, ok := largest[k]; !ok || counts[last].N < c.N {
			largest[k] = i
		}
	}
	for i := range counts {
		c := &counts[i]
		if largest[kind{c.algo, c.family(), c.initiators == 1}] != i {
			continue
		}
		f, mean := c.formulas[0], c.of["messages, mean"]
		t.Rows = append(t.Rows, []any{c.algo, c.Network, c.N, int(c.of["edges"]), int(c.of["diameter"]), c.initiators,
			f.text,
			rounded(c.of[f.metric()], 1), int(c.of["messages, most"]), rounded(mean, 1), rounded(mean/float64(c.N), 2),
			rounded(c.of["ideal time, mean"], 1)})
	}
	return t
}

// graphBounds says which formulas held, and where one did not. What this project claims itself, and what is
// exact, must hold.
func graphBounds(out *Report, counts []graphCount) {
	formulas, whole, mustHold := 0, 0, 0
	for _, a := range contests() {
		own := results.Pick(counts, func(c *graphCount) bool { return c.algo == a.algo })
		for _, f := range a.formulas {
			failed := results.Pick(own, func(c *graphCount) bool { return !f.holds(c.wide) })
			if formulas++; len(failed) == 0 {
				whole++
				continue
			}
			if f.exact || strings.HasPrefix(f.source, ours) {
				mustHold += len(failed)
			}
			last := failed[len(failed)-1]
			out.Notes = append(out.Notes, fmt.Sprintf(
				"%s: %s (%s) did not hold on %d of %d networks; on %s with %s it took up to %.0f messages.",
				a.algo, f.text, f.source, len(failed), len(own), last.Network, plural(last.initiators, "initiator"),
				last.of["messages, most"]))
		}
	}
	out.Notes = append(out.Notes, fmt.Sprintf("%d of %d formulas held everywhere.", whole, formulas))
	out.Violated = mustHold > 0
	out.fact("networks", len(counts),
		"formulas", formulas, "held", whole,
		"violated", mustHold)
}

// graphCharts draws messages against n for each kind of network of a class, beside the formulas, and messages against m
// and time against D for the class.
func (g Graphs) graphCharts(class, title string, counts []graphCount) (files []File) {
	counts = results.Pick(counts, func(c *graphCount) bool { return c.initiators > 1 })
	var families []string
	for i := range counts {
		if f := counts[i].family(); !slices.Contains(families, f) {
			families = append(families, f)
		}
	}
	for _, f := range families {
		c := g.chart(fmt.Sprintf("%s (%s): messages against nodes", title, f), "nodes n", "messages")
		for _, n := range results.Pick(counts, func(c *graphCount) bool { return c.family() == f }) {
			line(c, n.algo, "", picture.LinePoints).put(float64(n.N), n.of["messages, mean"])
			f := n.formulas[0]
			line(c, f.text, n.algo, picture.Dashes).put(float64(n.N), n.of[f.metric()])
		}
		files = append(files, charts(class+"-"+f, c)...)
	}
	edges := g.chart(title+": messages against edges", "edges m", "messages")
	times := g.chart(title+": ideal time against diameter", "diameter D", "ideal time")
	for _, n := range results.Pick(counts, func(c *graphCount) bool { return c.of["diameter"] > 0 }) {
		line(edges, n.algo, "", picture.Points).put(n.of["edges"], n.of["messages, mean"])
		line(times, n.algo, "", picture.Points).put(n.of["diameter"], n.of["ideal time, mean"])
	}
	return append(files, append(charts(class+"-edges", edges), charts(class+"-diameter", times)...)...)
}

func (g Graphs) chart(title, x, y string) *picture.Chart {
	return &picture.Chart{Title: title, XLabel: x, YLabel: y, LogX: true, LogY: true,
		Subtitle: fmt.Sprintf("mean of %s with IDs in random order, all nodes initiating, unit delays",
			plural(g.Runs, "run"))}
}
