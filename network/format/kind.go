package format

import (
	"io"

	"caucus.example/caucus/network"
)

// Format names a file format.
type Format string

// Formats that are named outside of their own file. [Formats] lists all that can be read, [Writable] those that can be
// written.
const (
	GraphML      Format = "graphml"
	GML          Format = "gml"
	GEXF         Format = "gexf"
	DOT          Format = "dot"
	EdgeList     Format = "edgelist"
	Matrix       Format = "matrix"
	Pajek        Format = "pajek"
	METIS        Format = "metis"
	MatrixMarket Format = "mtx"
	NetJSON      Format = "netjson"
	NodeLink     Format = "nodelink"
	BatmanVis    Format = "batvis"
	Graph6       Format = "graph6"
	Sparse6      Format = "sparse6"
	Inet         Format = "inet"
	BRITE        Format = "brite"
)

// kind is what the package knows about one format: a file of the package declares it, and a line of kinds lists it.
type kind struct {
	format     Format
	about      string
	extensions []string // with which it is written or detected, when the content leaves it open
	// mark tells the format by its content, whatever else the file may look like; nil for one without such a mark.
	mark func(s *sample) bool
	// guess is asked where no format has its mark and the name's extension says nothing.
	guess   func(s *sample) bool
	read    func(d *draft, text string) error
	write   func(w io.Writer, g *network.Graph) error
	unnamed bool // edges have at most one weight, which has no name
}
