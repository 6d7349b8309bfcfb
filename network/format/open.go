package format

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// Open gives the topology that a user names: a builtin ("geant2012"), a generator
// ("grid:20x50", from graphSeed) or else a file. A name of none of these is a
// *caucus.FieldError that lists what there is.
func Open(what string, graphSeed uint64, o Options) (*network.Graph, Report, error) {
	if data, file, ok := network.Builtin(what); ok {
		g, r, err := Read(bytes.NewReader(data), file, "", o)
		if err == nil {
			r.Notes = append([]string{"builtin; Internet Topology Zoo, CC BY 4.0"}, r.Notes...)
		}
		return g, r, err
	}
	if st, err := os.Stat(what); err == nil && !st.IsDir() {
		return ReadFile(what, "", o)
	}
	if network.IsGenerator(what) {
		if o != (Options{}) {
			return nil, Report{}, caucus.Wrong("topology", what,
				"a file or builtin, since attributes of nodes and edges are chosen; a generator has none")
		}
		g, err := network.Generate(what, graphSeed)
		if err != nil {
			return nil, Report{}, err
		}
		return g, Report{Format: Generated, Merged: network.Merged{Records: g.Edges()}, Coordinates: axesOf(g)}, nil
	}
	return nil, Report{}, notFound(what)
}

// Generated stands in a Report for the format of a graph that no file holds.
const Generated Format = "generated"

func axesOf(g *network.Graph) string {
	if g.X == nil {
		return ""
	}
	return "x, y"
}

func notFound(what string) error {
	var syntax []string
	for _, g := range network.Generators() {
		syntax = append(syntax, g.Syntax)
	}
	allowed := fmt.Sprintf("a file; a builtin: %s; or a generator: %s", strings.Join(network.BuiltinNames(), ", "),
		strings.Join(syntax, ", "))
	if near := nearest(what); near != "" {
		allowed = fmt.Sprintf("did you mean %q? %s", near, allowed)
	}
	if st, err := os.Stat(what); err == nil && st.IsDir() {
		allowed = "a file, not a folder"
	}
	return caucus.Wrong("topology", what, allowed)
}

// nearest is the builtin or generator that what looks like a misspelling or the beginning of; "" for none.
func nearest(what string) string {
	name, args, isSpec := strings.Cut(what, ":")
	if !isSpec {
		for _, b := range network.BuiltinNames() {
			if len(name) >= 3 && strings.HasPrefix(b, strings.ToLower(name)) {
				return b
			}
		}
		return caucus.Nearest(name, network.BuiltinNames())
	}
	var names []string
	for _, g := range network.Generators() {
		names = append(names, g.Name)
	}
	if near := caucus.Nearest(name, names); near != "" {
		return near + ":" + args
	}
	return ""
}
