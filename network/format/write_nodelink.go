package format

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"caucus.example/caucus/network"
)

// member is one "name": value of a JSON object; value is JSON.
type member struct{ name, value string }

func writeNodeLink(w io.Writer, g *network.Graph) error {
	ax, ay := axes(g)
	attributes := columns(g, "id", "label", "name", "properties", "location")
	fmt.Fprintf(w, "{\n\"directed\": false,\n\"multigraph\": false,\n\"graph\": {\"name\": %s},\n\"nodes\": [\n",
		jsonText(g.Name))
	for i := range g.Len() {
		o := []member{{"id", jsonText(g.NodeName(i))}}
		if g.Located(i) {
			o = append(o, member{ax, number(g.X[i])}, member{ay, number(g.Y[i])})
		}
		for _, c := range attributes {
			if v := c.values[i]; v != "" {
				o = append(o, member{c.as, jsonText(v)})
			}
		}
		jsonObject(w, o, i+1 < g.Len())
	}
	fmt.Fprint(w, "],\n\"links\": [\n")
	done := 0
	err := eachEdge(g, func(a, b int, weight float64) error {
		o := []member{{"source", jsonText(g.NodeName(a))}, {"target", jsonText(g.NodeName(b))}}
		if !math.IsNaN(weight) {
			o = append(o, member{"weight", number(weight)})
		}
		done++
		jsonObject(w, o, done < g.Edges())
		return nil
	})
	fmt.Fprint(w, "]\n}\n")
	return err
}

func jsonObject(w io.Writer, members []member, more bool) {
	fmt.Fprint(w, "{")
	for k, m := range members {
		if k > 0 {
			fmt.Fprint(w, ", ")
		}
		fmt.Fprintf(w, "%s: %s", jsonText(m.name), m.value)
	}
	fmt.Fprint(w, "}")
	if more {
		fmt.Fprint(w, ",")
	}
	fmt.Fprintln(w)
}

func jsonText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
