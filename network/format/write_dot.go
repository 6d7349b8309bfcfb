package format

import (
	"fmt"
	"io"
	"math"
	"strings"

	"caucus.example/caucus/network"
)

func writeDOT(w io.Writer, g *network.Graph) error {
	fmt.Fprintf(w, "graph %s {\n", dotQuote(g.Name))
	attributes := columns(g)
	for i := range g.Len() {
		var attrs []string
		if g.Located(i) {
			if g.Geographic {
				attrs = append(attrs, "Longitude="+dotQuote(number(g.X[i])), "Latitude="+dotQuote(number(g.Y[i])))
			} else {
				attrs = append(attrs, "pos="+dotQuote(number(g.X[i])+","+number(g.Y[i])))
			}
		}
		for _, c := range attributes {
			if v := c.values[i]; v != "" {
				attrs = append(attrs, dotQuote(c.as)+"="+dotQuote(v))
			}
		}
		fmt.Fprintf(w, "\t%s%s;\n", dotQuote(g.NodeName(i)), dotList(attrs))
	}
	err := eachEdge(g, func(a, b int, weight float64) error {
		var attrs []string
		if !math.IsNaN(weight) {
			attrs = []string{"weight=" + dotQuote(number(weight))}
		}
		_, err := fmt.Fprintf(w, "\t%s -- %s%s;\n", dotQuote(g.NodeName(a)), dotQuote(g.NodeName(b)), dotList(attrs))
		return err
	})
	fmt.Fprintln(w, "}")
	return err
}

func dotList(attrs []string) string {
	if len(attrs) == 0 {
		return ""
	}
	return " [" + strings.Join(attrs, ", ") + "]"
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func dotQuote(s string) string { return `"` + dotEscapes.Replace(s) + `"` }
