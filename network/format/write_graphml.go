package format

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"caucus.example/caucus/network"
)

func writeGraphML(w io.Writer, g *network.Graph) error {
	ax, ay := axes(g)
	attrs := columns(g, "label", "name")
	fmt.Fprintln(w, `<?xml version="1.0" encoding="UTF-8"?>`)
	fmt.Fprintln(w, `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`)
	graphmlDeclare(w, "node", "label", "label", "string")
	if g.X != nil {
		graphmlDeclare(w, "node", "x", ax, "double")
		graphmlDeclare(w, "node", "y", ay, "double")
	}
	for k, c := range attrs {
		graphmlDeclare(w, "node", "a"+strconv.Itoa(k), c.as, "string")
	}
	if g.Weight != nil {
		graphmlDeclare(w, "edge", "w", "weight", "double")
	}
	if g.Name != "" {
		graphmlDeclare(w, "graph", "n", "name", "string")
	}
	fmt.Fprintln(w, `  <graph edgedefault="undirected">`)
	if g.Name != "" {
		graphmlData(w, "n", g.Name)
	}
	for i := range g.Len() {
		fmt.Fprintf(w, "  <node id=\"n%d\">\n", i+1)
		graphmlData(w, "label", g.NodeName(i))
		if g.Located(i) {
			graphmlData(w, "x", number(g.X[i]))
			graphmlData(w, "y", number(g.Y[i]))
		}
		for k, c := range attrs {
			if v := c.values[i]; v != "" {
				graphmlData(w, "a"+strconv.Itoa(k), v)
			}
		}
		fmt.Fprintln(w, "  </node>")
	}
	err := eachEdge(g, func(a, b int, weight float64) error {
		if math.IsNaN(weight) {
			_, err := fmt.Fprintf(w, "  <edge source=\"n%d\" target=\"n%d\"/>\n", a+1, b+1)
			return err
		}
		_, err := fmt.Fprintf(w, "  <edge source=\"n%d\" target=\"n%d\"><data key=\"w\">%s</data></edge>\n", a+1, b+1,
			number(weight))
		return err
	})
	fmt.Fprintln(w, "  </graph>\n</graphml>")
	return err
}

func graphmlDeclare(w io.Writer, scope, id, name, kind string) {
	fmt.Fprintf(w, "  <key id=%q for=%q attr.name=\"%s\" attr.type=%q/>\n", id, scope, xmlText(name), kind)
}

func graphmlData(w io.Writer, key, value string) {
	fmt.Fprintf(w, "    <data key=%q>%s</data>\n", key, xmlText(value))
}

func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
