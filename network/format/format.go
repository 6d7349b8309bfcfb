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
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// Format names a file format.
type Format string

// Formats. All can be read; [Writable] lists those that can be written.
const (
	GraphML      Format = "graphml"
	GML          Format = "gml"
	GEXF         Format = "gexf"
	DOT          Format = "dot"
	EdgeList     Format = "edgelist"
	Matrix       Format = "matrix" // adjacency matrix as plain text
	Pajek        Format = "pajek"
	METIS        Format = "metis"
	MatrixMarket Format = "mtx"
	NetJSON      Format = "netjson"  // NetworkGraph
	NodeLink     Format = "nodelink" // JSON lists of nodes and links: NetworkX, D3, vis.js, meshnet-lab
	BatmanVis    Format = "batvis"   // batman-adv vis JSON
	Graph6       Format = "graph6"
	Sparse6      Format = "sparse6"
	Inet         Format = "inet"
	BRITE        Format = "brite"
)

// kind is what the package knows about one format.
type kind struct {
	format     Format
	about      string
	extensions []string // with which it is written or detected, when the content leaves it open
	read       func(d *draft, text string) error
	write      func(w io.Writer, g *network.Graph) error
	unnamed    bool // edges have at most one weight, which has no name
}

// kinds in the order in which they are listed to users. It is a function because the
// readers refer to it.
func kinds() []kind {
	return []kind{
		{GraphML, "GraphML, with key defaults", []string{".graphml"}, readGraphML, writeGraphML, false},
		{GML, "Graph Modelling Language", []string{".gml"}, readGML, nil, false},
		{GEXF, "GEXF 1.1 to 1.3 (Gephi)", []string{".gexf"}, readGEXF, nil, false},
		{DOT, "Graphviz DOT", []string{".dot", ".gv"}, readDOT, writeDOT, false},
		{EdgeList, "edge list: two names a line, optional weight",
			[]string{".edgelist", ".edges", ".csv", ".tsv", ".intra", ".txt"}, readEdgeList, writeEdgeList, true},
		{Matrix, "adjacency matrix as text", []string{".adj"}, readMatrix, nil, true},
		{Pajek, "Pajek network", []string{".net", ".paj"}, readPajek, nil, true},
		{METIS, "METIS graph", []string{".graph", ".metis"}, readMETIS, nil, true},
		{MatrixMarket, "MatrixMarket coordinate", []string{".mtx"}, readMatrixMarket, nil, true},
		{NetJSON, "NetJSON NetworkGraph", nil, readJSON, nil, false},
		{NodeLink, "node-link JSON (NetworkX, D3, vis.js, meshnet-lab)", []string{".json"}, readJSON, writeNodeLink,
			false},
		{BatmanVis, "batman-adv vis JSON", nil, readBatmanVis, nil, true},
		{Graph6, "graph6", []string{".g6"}, readGraph6, nil, true},
		{Sparse6, "sparse6", []string{".s6"}, readSparse6, nil, true},
		{Inet, "Inet generator output", nil, readInet, nil, true},
		{BRITE, "BRITE generator output", []string{".brite"}, readBRITE, nil, true},
	}
}

func kindOf(f Format) (kind, error) {
	for _, k := range kinds() {
		if k.format == f {
			return k, nil
		}
	}
	return kind{}, caucus.NotAmong("format", string(f), namesOf(Formats()))
}

// Formats lists every format that can be read.
func Formats() []Format {
	var all []Format
	for _, k := range kinds() {
		all = append(all, k.format)
	}
	return all
}

// Writable lists every format that can be written.
func Writable() []Format {
	var all []Format
	for _, k := range kinds() {
		if k.write != nil {
			all = append(all, k.format)
		}
	}
	return all
}

// About describes a format in a few words and lists its file name extensions.
func About(f Format) (text string, extensions []string) {
	k, err := kindOf(f)
	if err != nil {
		return "", nil
	}
	return k.about, k.extensions
}

func namesOf(formats []Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return names
}

// Options choose what of a file becomes names, weights and coordinates. The zero value
// means the defaults of the package comment.
type Options struct {
	// Name is the node attribute that names nodes; "id" means the source's node ids.
	Name string
	// Weight is the edge attribute that is the weight, or "none". In an edge list it is the
	// number of a column, from 3.
	Weight string
	// X and Y are the node attributes that are the coordinates. They count as geographic
	// when X is called longitude, lon, lng or long.
	X, Y string
	// Lenient lets broken links and repeated node ids pass, and adds nodes that only edges
	// name; the notes of the report count each kind.
	Lenient bool
}

// check refuses options that a format cannot follow.
func (o Options) check(k kind) error {
	if (o.X == "") != (o.Y == "") {
		return caucus.Wrong("x, y", o.X+","+o.Y, "both names or neither")
	}
	if !k.unnamed || o.Weight == "" || o.Weight == "none" || o.Weight == "weight" {
		return nil
	}
	if c, err := strconv.Atoi(o.Weight); k.format == EdgeList && (err != nil || c >= 3) {
		return nil // a column, or the title or attribute that the reader looks for
	}
	allowed := "weight, none (a " + string(k.format) + " file has one weight, without a name)"
	if k.format == EdgeList {
		allowed = "none, the title of a column, or the number of one from 3"
	}
	return caucus.Wrong("weight", o.Weight, allowed)
}

// Report says what was read and what was dropped or changed on the way.
type Report struct {
	Format      Format
	Encoding    string // of the text, as in "UTF-8"; empty for a graph that no file holds
	Directed    bool   // the source gives edges a direction, which was dropped
	Merged      network.Merged
	Weight      string // the attribute that became the weight; empty when no edge has one
	Coordinates string // the attributes that became the coordinates; empty when no node has any
	Renamed     int    // nodes that share their label with another and got their id added
	Notes       []string
}

// Read reads one graph. Name stands for the source in errors and, by its extension, in
// detection; an empty f means [Detect]. Gzip is recognised by content.
func Read(r io.Reader, name string, f Format, o Options) (*network.Graph, Report, error) {
	in, err := readInput(r, name)
	if err != nil {
		return nil, Report{}, err
	}
	if f == "" {
		if f, err = detect(in); err != nil {
			return nil, Report{}, err
		}
	}
	k, err := kindOf(f)
	if err != nil {
		return nil, Report{}, err
	}
	if err := o.check(k); err != nil {
		return nil, Report{}, err
	}
	d := &draft{file: name, inner: in.inner, size: len(in.text), o: o, at: map[string]int32{}}
	d.report = Report{Format: f, Encoding: in.encoding, Notes: in.notes}
	if err := k.read(d, in.text); err != nil {
		return nil, Report{}, err
	}
	return d.finish()
}

// ReadFile reads one graph from a file of any format.
func ReadFile(path string, f Format, o Options) (*network.Graph, Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, Report{}, err
	}
	defer file.Close()
	if st, err := file.Stat(); err == nil && st.IsDir() {
		return nil, Report{}, fmt.Errorf("%s: is a directory; a topology is a file", path)
	}
	return Read(file, path, f, o)
}

// base is the file's name without folder and extensions, for a graph without a name.
func base(inner string) string {
	b := filepath.Base(inner)
	if i := strings.IndexByte(b, '.'); i > 0 {
		b = b[:i]
	}
	return b
}
