package format

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"caucus.example/caucus/network"
)

func writeEdgeList(w io.Writer, g *network.Graph) error {
	fmt.Fprintln(w, edgeListMark)
	for i := range g.Len() {
		fmt.Fprintf(w, "# node %s\n", strconv.Quote(g.NodeName(i)))
	}
	return eachEdge(g, func(a, b int, weight float64) error {
		line := edgeListName(g.NodeName(a)) + " " + edgeListName(g.NodeName(b))
		if !math.IsNaN(weight) {
			line += " " + number(weight)
		}
		_, err := fmt.Fprintln(w, line)
		return err
	})
}

// edgeListName quotes a name that could be taken for something else.
func edgeListName(name string) string {
	if strings.ContainsAny(name, " \t\",;#%\\{") || strings.TrimSpace(name) != name ||
		strconv.Quote(name) != `"`+name+`"` {
		return strconv.Quote(name)
	}
	return name
}
