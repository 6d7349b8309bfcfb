package format

import (
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/network"
)

// Options choose what of a file becomes names, weights and coordinates. The zero value
// means the defaults of the package comment.
type Options struct {
	// Name is the node attribute that names nodes; "id" means the source's node ids.
	Name string
	// Weight is the edge attribute that is the weight, or "none". In an edge list it is the
	// number of a column, from 3, or its title.
	Weight string
	// X and Y are the node attributes that are the coordinates. They count as geographic
	// when X is called longitude, lon, lng or long, or Geographic is set.
	X, Y       string
	Geographic bool
	// Nodes is a file of the nodes and what they are called, beside one of edges.
	Nodes string
	// Source and Target are the titles of the columns that hold the ends of an edge, in a table.
	Source, Target string
	// Graph is the one graph to read of a file that holds several, by its name or its number from 1.
	Graph string
	// Where keeps the edges that have an attribute of a value: "attribute=value". Without drops those of a class.
	Where, Without string
	// MinGain drops edges whose attribute "gain" is less, if it is a number.
	MinGain string
	// Clique makes each transit network a clique of those that it joins, rather than a node.
	Clique bool
	// Lenient lets broken links and repeated node ids pass, and adds nodes that only edges
	// name; the notes of the report count each kind.
	Lenient bool
}

// check refuses options that a format cannot follow.
func (o Options) check(k *kind) error {
	if (o.X == "") != (o.Y == "") {
		return caucus.Wrong("x, y", o.X+","+o.Y, "both names or neither")
	}
	if (o.Source == "") != (o.Target == "") {
		return caucus.Wrong("source, target", o.Source+","+o.Target, "both titles or neither")
	}
	if o.Source != "" && k.format != EdgeList {
		return caucus.Wrong("source", o.Source, "none: a "+string(k.format)+" file has no columns with titles")
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
