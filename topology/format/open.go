package format

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"caucus"
	"caucus/topology"
)

// Open gives the topology that a user names: a builtin ("geant2012"), a generator
// ("grid:20x50", from graphSeed) or else a file. A name of none of these is a
// *caucus.FieldError that lists what there is.
func Open(what string, graphSeed uint64, o Options) (*topology.Graph, Report, error) {
	if data, file, ok := topology.Builtin(what); ok {
		g, r, err := Read(bytes.NewReader(data), file, "", o)
		if err == nil {
			r.Notes = append([]string{"builtin; Internet Topology Zoo, CC BY 4.0"}, r.Notes...)
		}
		return g, r, err
	}
	if st, err := os.Stat(what); err == nil && !st.IsDir() {
		return ReadFile(what, "", o)
	}
	if topology.IsGenerator(what) {
		if o != (Options{}) {
			return nil, Report{}, &caucus.FieldError{Field: "topology", Found: what, Allowed: "a file or builtin, since attributes of nodes and edges are chosen; a generator has none"}
		}
		g, err := topology.Generate(what, graphSeed)
		if err != nil {
			return nil, Report{}, err
		}
		return g, Report{Format: Generated, Merged: topology.Merged{Records: g.Edges()}, Coordinates: axesOf(g)}, nil
	}
	return nil, Report{}, notFound(what)
}

// Generated stands in a Report for the format of a graph that no file holds.
const Generated Format = "generated"

func axesOf(g *topology.Graph) string {
	if g.X == nil {
		return ""
	}
	return "x, y"
}

func notFound(what string) error {
	var syntax []string
	for _, g := range topology.Generators() {
		syntax = append(syntax, g.Syntax)
	}
	allowed := fmt.Sprintf("a file; a builtin: %s; or a generator: %s", strings.Join(topology.BuiltinNames(), ", "), strings.Join(syntax, ", "))
	if near := nearest(what); near != "" {
		allowed = fmt.Sprintf("did you mean %q? %s", near, allowed)
	}
	if st, err := os.Stat(what); err == nil && st.IsDir() {
		allowed = "a file, not a folder"
	}
	return &caucus.FieldError{Field: "topology", Found: what, Allowed: allowed}
}

// nearest is the builtin or generator that what looks like a misspelling of; "" for none.
func nearest(what string) string {
	name, args, isSpec := strings.Cut(strings.ToLower(what), ":")
	best, found := 3, ""
	try := func(candidate, full string) {
		if n := edits(name, candidate); n < best && n < len(candidate) {
			best, found = n, full
		}
	}
	for _, b := range topology.BuiltinNames() {
		if strings.HasPrefix(b, name) && len(name) >= 3 {
			return b
		}
		try(b, b)
	}
	if isSpec {
		for _, g := range topology.Generators() {
			try(g.Name, g.Name+":"+args)
		}
	}
	return found
}

// edits is the number of single letters to add, drop or change between two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
