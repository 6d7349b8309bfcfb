package format

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"caucus"
	"caucus/topology"
)

// Write writes g so that [Read] gives the same graph: nodes in the same order with their
// names, edges, weights, coordinates and attributes. [Lost] says what a format cannot hold.
//
// An attribute whose name has a meaning of its own in the format ("label", "x", …) gets an
// underscore added. An edge list starts with comment lines that name every node in order:
//
//	# caucus edge list
//	# node "New York"
//
// Other programs skip these; Read uses them for the order and for isolated nodes. Names with
// blanks, commas or quotes stand in quotes, with escapes as in Go.
func Write(w io.Writer, g *topology.Graph, f Format) error {
	k, err := kindOf(f)
	if err != nil {
		return err
	}
	if k.write == nil {
		return &caucus.FieldError{Field: "format to write", Found: string(f), Allowed: list(Writable())}
	}
	if err := writableNames(g); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if err := k.write(b, g); err != nil {
		return err
	}
	return b.Flush()
}

// Lost says in words what of g the format cannot hold; nil when it holds everything.
func Lost(g *topology.Graph, f Format) []string {
	if f != EdgeList {
		return nil
	}
	var lost []string
	if g.X != nil {
		lost = append(lost, "coordinates")
	}
	if len(g.Attrs) > 0 {
		lost = append(lost, "node attributes")
	}
	if g.Name != "" {
		lost = append(lost, "the graph's name")
	}
	return lost
}

// WriteFile writes g to a file, in the format of its extension if f is empty. An existing
// file stays as it is, with an error, unless overwrite is set; a failure leaves no file behind.
func WriteFile(path string, g *topology.Graph, f Format, overwrite bool) error {
	if f == "" {
		var err error
		if f, err = ByExtension(path); err != nil {
			return err
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	if err := Write(tmp, g, f); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if overwrite {
		return os.Rename(tmp.Name(), path)
	}
	// Unlike a rename, a link fails when the name is taken.
	if err := os.Link(tmp.Name(), path); os.IsExist(err) {
		return fmt.Errorf("%s: exists already", path)
	} else if err != nil {
		return linkless(tmp.Name(), path)
	}
	return nil
}

// linkless renames where the file system has no hard links.
func linkless(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: exists already", to)
	}
	return os.Rename(from, to)
}

// ByExtension gives the format in which a file of this name is written.
func ByExtension(path string) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	var allowed []string
	for _, k := range kinds() {
		if k.write == nil {
			continue
		}
		for _, e := range k.extensions {
			if e == ext {
				return k.format, nil
			}
		}
		allowed = append(allowed, k.extensions...)
	}
	return "", &caucus.FieldError{Field: "extension of " + path, Found: ext, Allowed: strings.Join(allowed, ", ")}
}

// writableNames refuses names that no format reads back unchanged.
func writableNames(g *topology.Graph) error {
	for i := range g.Len() {
		name := g.NodeName(i)
		bad := name == "" || strings.TrimSpace(name) != name || !utf8.ValidString(name)
		for _, r := range name {
			bad = bad || r < 0x20 || r == 0xfffe || r == 0xffff
		}
		if bad {
			return &caucus.FieldError{Field: fmt.Sprintf("name of node %d", i+1), Found: name, Allowed: "text without control characters, not empty, without blanks at its ends"}
		}
	}
	return nil
}

// number writes a float so that it reads back exactly.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// eachEdge calls f once for each edge, with the smaller index first and NaN for no weight.
func eachEdge(g *topology.Graph, f func(a, b int, w float64) error) error {
	for a := range g.Len() {
		for k := g.Off[a]; k < g.Off[a+1]; k++ {
			b := int(g.Nbr[k])
			if b < a {
				continue
			}
			w := nan
			if g.Weight != nil {
				w = g.Weight[k]
			}
			if err := f(a, b, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// axes are the names under which coordinates are written.
func axes(g *topology.Graph) (x, y string) {
	if g.Geographic {
		return "Longitude", "Latitude"
	}
	return "x", "y"
}

// attrName makes sure that an attribute does not read back as something else.
func attrName(name string) string {
	for _, taken := range []string{"label", "name", "id", "longitude", "latitude", "lon", "lng", "long", "lat", "x", "y", "pos", "properties", "location"} {
		if strings.EqualFold(name, taken) {
			return name + "_"
		}
	}
	return name
}

func writeEdgeList(w io.Writer, g *topology.Graph) error {
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
	if strings.ContainsAny(name, " \t\",;#%\\{") || strings.TrimSpace(name) != name || strconv.Quote(name) != `"`+name+`"` {
		return strconv.Quote(name)
	}
	return name
}

func writeDOT(w io.Writer, g *topology.Graph) error {
	fmt.Fprintf(w, "graph %s {\n", dotQuote(g.Name))
	for i := range g.Len() {
		var attrs []string
		if g.Located(i) {
			if g.Geographic {
				attrs = append(attrs, "Longitude="+dotQuote(number(g.X[i])), "Latitude="+dotQuote(number(g.Y[i])))
			} else {
				attrs = append(attrs, "pos="+dotQuote(number(g.X[i])+","+number(g.Y[i])))
			}
		}
		for _, name := range sortedKeys(g.Attrs) {
			if v := g.Attrs[name][i]; v != "" {
				attrs = append(attrs, dotQuote(dotAttrName(name))+"="+dotQuote(v))
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

// dotAttrName leaves "label" and "name" alone: DOT nodes go by their ID.
func dotAttrName(name string) string {
	if strings.EqualFold(name, "label") || strings.EqualFold(name, "name") || strings.EqualFold(name, "id") {
		return name
	}
	return attrName(name)
}

func dotList(attrs []string) string {
	if len(attrs) == 0 {
		return ""
	}
	return " [" + strings.Join(attrs, ", ") + "]"
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func dotQuote(s string) string { return `"` + dotEscapes.Replace(s) + `"` }

func writeGraphML(w io.Writer, g *topology.Graph) error {
	ax, ay := axes(g)
	attrs := sortedKeys(g.Attrs)
	fmt.Fprintln(w, `<?xml version="1.0" encoding="UTF-8"?>`)
	fmt.Fprintln(w, `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`)
	graphmlDeclare(w, "node", "label", "label", "string")
	if g.X != nil {
		graphmlDeclare(w, "node", "x", ax, "double")
		graphmlDeclare(w, "node", "y", ay, "double")
	}
	for k, name := range attrs {
		graphmlDeclare(w, "node", "a"+strconv.Itoa(k), attrName(name), "string")
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
		for k, name := range attrs {
			if v := g.Attrs[name][i]; v != "" {
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
		_, err := fmt.Fprintf(w, "  <edge source=\"n%d\" target=\"n%d\"><data key=\"w\">%s</data></edge>\n", a+1, b+1, number(weight))
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

// member is one "name": value of a JSON object; value is JSON.
type member struct{ name, value string }

func writeNodeLink(w io.Writer, g *topology.Graph) error {
	ax, ay := axes(g)
	fmt.Fprintf(w, "{\n\"directed\": false,\n\"multigraph\": false,\n\"graph\": {\"name\": %s},\n\"nodes\": [\n", jsonText(g.Name))
	for i := range g.Len() {
		o := []member{{"id", jsonText(g.NodeName(i))}}
		if g.Located(i) {
			o = append(o, member{ax, number(g.X[i])}, member{ay, number(g.Y[i])})
		}
		for _, name := range sortedKeys(g.Attrs) {
			if v := g.Attrs[name][i]; v != "" {
				o = append(o, member{attrName(name), jsonText(v)})
			}
		}
		jsonObject(w, o, i+1 < g.Len())
	}
	fmt.Fprint(w, "],\n\"links\": [\n")
	done := 0
	err := eachEdge(g, func(a, b int, weight float64) error {
		o := []member{{"source", jsonText(g.NodeName(a))}, {"target", jsonText(g.NodeName(b))}}
		switch {
		case math.IsInf(weight, 0): // no number of JSON
			o = append(o, member{"weight", jsonText(number(weight))})
		case !math.IsNaN(weight):
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
