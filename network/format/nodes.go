package format

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/unpack"
)

// Some tools write nodes and edges to two files: Gephi tables, Gluon nodes.json and graph.json.

var kindGluonNodes = kind{
	format: "gluon-nodes", about: "Gluon's nodes.json, with the graph.json beside it",
	mark: func(s *sample) bool {
		return s.object("nodes") && strings.Contains(s.head, `"nodeinfo"`) && !s.object("links") && !s.object("batadv")
	},
	read: readGluonNodes,
}

// Beside lists the files that a topology is read with because they lie in its folder: Gluon writes two.
func Beside(file string) (list []string) {
	d := draft{file: file, onDisk: true}
	for _, name := range []string{"graph.json", "nodes.json"} {
		path, ok := d.besides(name)
		if ok && path != filepath.Clean(file) && strings.Contains(filepath.Base(file), ".json") {
			list = append(list, path)
		}
	}
	return list
}

// besides gives a file of this name in the folder of the one that is read; ok is false if there is none.
func (d *draft) besides(name string) (path string, ok bool) {
	if !d.onDisk {
		return name, false
	}
	path = filepath.Join(filepath.Dir(d.file), name)
	st, err := os.Stat(path)
	return path, err == nil && st.Mode().IsRegular()
}

// readGluonNodes reads the graph.json beside a nodes.json, and names and places from that.
func readGluonNodes(d *draft, text string) error {
	path, ok := d.besides("graph.json")
	if !ok {
		return d.errorf(1, "Gluon's list of nodes; their links are in a graph.json, and there is none beside it")
	}
	in, err := inputFrom(path)
	if err != nil {
		return err
	}
	d.notef("links from %s", path)
	nodes := d.file
	d.file, d.size = path, len(in.text)
	if err := readNodeLink(d, in.text); err != nil {
		return err
	}
	return d.gluon(text, nodes)
}

func inputFrom(path string) (input, error) {
	file, err := unpack.Open(path)
	if err != nil {
		return input{}, err
	}
	defer file.Close()
	return readInput(file, path)
}

// addNodes reads the file of nodes that was chosen, or lies beside a graph.json of Gluon.
func (d *draft) addNodes() error {
	path := d.o.Nodes
	if path == "" {
		beside, ok := d.besides("nodes.json")
		if !ok || !d.batadv || d.kind == &kindGluonNodes {
			return nil
		}
		path = beside
	}
	if d.ids == nil {
		return caucus.Wrong("nodes-file", path, "none: the nodes of a "+string(d.kind.format)+" file have no names")
	}
	in, err := inputFrom(path)
	if err != nil {
		return err
	}
	if s := newSample(in); kindGluonNodes.mark(s) {
		d.notef("names and places of nodes from %s", path)
		return d.gluon(in.text, path)
	}
	return d.nodeTable(in, path)
}

// nodeTable reads a table of nodes, one of whose titles is Id. It is the list of nodes, and its other columns their
// attributes.
func (d *draft) nodeTable(in input, path string) error {
	l, table := &lines{rest: in.text}, &draft{file: path}
	head, _ := l.data("#%")
	sep := separator(head, in.inner)
	titles, err := splitFields(nil, head, sep)
	id := titled(titles, "id")
	if err != nil || id < 0 {
		return table.errorf(max(1, l.n), "found %q, allowed: titles of a table of nodes, one of them Id; or Gluon's "+
			"nodes.json", head)
	}
	named := make([]bool, d.n)
	var fields []string
	for line, ok := l.data(""); ok; line, ok = l.data("") {
		fields, err = splitFields(fields[:0], line, sep)
		if err != nil || len(fields) > len(titles) || len(fields) <= id {
			return table.errorf(l.n, "a row of %d columns under %d titles", len(fields), len(titles))
		}
		i := d.mention(fields[id], l.n)
		for int(i) >= len(named) {
			named = append(named, false)
		}
		if named[i] && !d.forgive("repeated node ids; the first of each stays") {
			return table.errorf(l.n, "node id %q stands twice", fields[id])
		} else if named[i] {
			continue
		}
		named[i] = true
		for k, value := range fields {
			if k != id {
				d.nodeAttr(i, titles[k], value)
			}
		}
	}
	d.notef("nodes from %s", path)
	for i, ok := range named {
		if !ok && !d.forgive(endsNowhere) {
			return d.errorf(int(d.line[i]), "edge names node %q, which %s does not hold", d.ids[i], path)
		}
	}
	return nil
}

// gluon gives the nodes of a graph.json their names and places, which a nodes.json has by node_id: as members of an
// object (version 1) or as a list.
func (d *draft) gluon(text, path string) error {
	at := index{}
	for i, id := range d.ids {
		at.put(id, int32(i))
	}
	if a := d.attrs["node_id"]; a != nil {
		for k, i := range a.node {
			if _, ok := at.find(a.value[k]); !ok {
				at.put(a.value[k], i)
			}
		}
	}
	own := &draft{file: path, o: d.o}
	top, err := own.document(text)
	if err != nil {
		return err
	}
	found, absent := 0, 0
	for _, o := range top.get("nodes").items {
		info := o.get("nodeinfo")
		id := info.get("node_id").shown()
		if id == "" {
			id = o.name
		}
		i, ok := at.find(id)
		if !ok {
			absent++
			continue
		}
		found++
		d.nodeAttr(i, "name", info.get("hostname").shown())
		d.nodeAttr(i, "longitude", info.get("location", "longitude").shown())
		d.nodeAttr(i, "latitude", info.get("location", "latitude").shown())
	}
	if found == 0 {
		return fmt.Errorf("%s: none of its %d nodes is in %s; they are found by node_id", path, absent, d.file)
	}
	if absent > 0 {
		d.notef("%d nodes without a link, of %s, left out", absent, path)
	}
	return nil
}
