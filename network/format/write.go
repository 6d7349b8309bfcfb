package format

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
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
func Write(w io.Writer, g *network.Graph, f Format) error {
	k, err := kindOf(f)
	if err != nil {
		return err
	}
	if k.write == nil {
		return caucus.NotAmong("format to write", string(f), namesOf(Writable()))
	}
	if err := writableNames(g); err != nil {
		return err
	}
	for _, w := range g.Weight {
		if math.IsInf(w, 0) {
			return caucus.Wrong("weight", number(w), "a finite number, as files may hold")
		}
	}
	b := bufio.NewWriter(w)
	if err := k.write(b, g); err != nil {
		return err
	}
	return b.Flush()
}

// Lost says in words what of g the format cannot hold; nil when it holds everything.
func Lost(g *network.Graph, f Format) []string {
	var lost []string
	if g.Labels != nil {
		lost = append(lost, "the directions of ports")
	}
	if f != EdgeList {
		return lost
	}
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

// ByExtension gives the format in which a file of this name is written.
func ByExtension(path string) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	var allowed []string
	for _, k := range kinds {
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
	return "", caucus.NotAmong("extension of "+path, ext, allowed)
}

// writableNames refuses names that no format reads back unchanged.
func writableNames(g *network.Graph) error {
	for i := range g.Len() {
		name := g.NodeName(i)
		bad := name == "" || strings.TrimSpace(name) != name || !utf8.ValidString(name)
		for _, r := range name {
			bad = bad || r < 0x20 && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff
		}
		if bad {
			return caucus.Wrong(fmt.Sprintf("name of node %d", i+1), name,
				"text without control characters but line breaks and tabs, not empty, without blanks at its ends")
		}
	}
	return nil
}

// number writes a float so that it reads back exactly.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// eachEdge calls f once for each edge, with the smaller index first and NaN for no weight.
func eachEdge(g *network.Graph, f func(a, b int, w float64) error) error {
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
func axes(g *network.Graph) (x, y string) {
	if g.Geographic {
		return "Longitude", "Latitude"
	}
	return "x", "y"
}

// column is a node attribute to be written.
type column struct {
	as     string // its name in the file
	values []string
}

// columns lists the node attributes by name. One whose name would read back as something else
// gets an underscore added.
func columns(g *network.Graph, reserved ...string) []column {
	taken := map[string]bool{}
	for _, name := range append(reserved, "longitude", "latitude", "lon", "lng", "long", "lat", "x", "y", "pos") {
		taken[name] = true
	}
	var all []column
	for _, name := range sortedKeys(g.Attrs) {
		as := name
		for taken[strings.ToLower(as)] || as == "" {
			as += "_"
		}
		taken[strings.ToLower(as)] = true
		all = append(all, column{as, g.Attrs[name]})
	}
	return all
}
