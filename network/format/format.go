// Package format reads and writes network topologies in the file formats that
// researchers and engineers have.
//
// Every reader gives a simple undirected graph: directions are dropped, repeated and
// reversed edges merge (the first record's weight stays), self-loops go, and the
// [Report] says how many. Isolated nodes, several components and missing coordinates are
// kept. A malformed file gives an error that starts with file:line, never part of a graph.
//
// # Names
//
// A node is called by its label where the source has one: the node attribute "label", or
// "name" where no node has a label. DOT nodes are called by their DOT ID. Nodes without a
// label go by the source's node id. Where labels repeat, each of the nodes that share one
// gets its id added, as in "Foo (17)". Blanks around names are dropped.
//
// # Coordinates and weights
//
// Coordinates come from the first of these pairs of node attributes that any node has,
// whatever the case: longitude/latitude, lon/lat, lng/lat, long/lat (all geographic), x/y.
// GML's graphics, GEXF's viz:position, DOT's pos, NetJSON's location and a JSON list "pos" count
// as x/y or lng/lat. The weight of an edge is its attribute "weight", else "value", else "cost",
// or the number that an edge list, matrix, Pajek or METIS file has with the edge.
package format

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"caucus.example/caucus/internal/unpack"
	"caucus.example/caucus/network"
)

// Read reads one graph. Name stands for the source in errors and, by its extension, in
// detection; an empty f means [Detect]. Gzip is recognised by content.
func Read(r io.Reader, name string, f Format, o Options) (*network.Graph, Report, error) {
	return readFrom(r, name, f, o, false)
}

// readFrom looks for files beside that of the name, if there is one.
func readFrom(r io.Reader, name string, f Format, o Options, onDisk bool) (*network.Graph, Report, error) {
	in, err := readInput(r, name)
	if err != nil {
		return nil, Report{}, err
	}
	k, err := kindOf(f)
	if f == "" {
		if k, err = detect(in); err != nil && o.Source != "" {
			k, err = &kindEdgeList, nil // a table, whose titles are chosen
		}
	}
	if err != nil {
		return nil, Report{}, err
	}
	if err := o.check(k); err != nil {
		return nil, Report{}, err
	}
	filter, err := newSieve(o)
	if err != nil {
		return nil, Report{}, err
	}
	d := &draft{sieve: filter, kind: k, file: name, inner: in.inner, size: len(in.text), o: o}
	d.onDisk = onDisk
	d.report = Report{Format: k.format, Encoding: in.encoding, Notes: in.notes}
	if err := k.read(d, in.text); err != nil {
		return nil, Report{}, err
	}
	if err := d.addNodes(); err != nil {
		return nil, Report{}, err
	}
	return d.finish()
}

// ReadFile reads one graph from a file of any format.
func ReadFile(path string, f Format, o Options) (*network.Graph, Report, error) {
	file, err := unpack.Open(path)
	if err != nil {
		return nil, Report{}, err
	}
	defer file.Close()
	type reader = func(*os.File, string, Format, Options) (*network.Graph, Report, bool)
	for _, large := range []reader{readNumbers, readXML} {
		if g, report, ok := large(file, path, f, o); ok {
			return g, report, nil
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, Report{}, fmt.Errorf("%s: cannot be read twice: %w", path, err)
		}
	}
	return readFrom(file, path, f, o, true)
}

// base is the file's name without folder and extensions, for a graph without a name.
func base(inner string) string {
	b := filepath.Base(inner)
	if i := strings.IndexByte(b, '.'); i > 0 {
		b = b[:i]
	}
	return b
}
