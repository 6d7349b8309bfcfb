package format

import (
	"maps"
	"slices"
	"strings"
)

// A node of a network may have several addresses: of interfaces, secondary ones, aliases. Files declare which belong
// together, and links name any of them. What is declared folds into one node; what nobody declares is an error in a
// file that lists its nodes, and else a node of its own, said in the report.

// fold says which node an address belongs to.
type fold struct {
	of   string
	line int32
	used bool // an edge named it
}

// fold says that a node has another address, by which edges may name it. The node may be declared later.
func (d *draft) fold(address, of string, line int) error {
	address, of = strings.TrimSpace(address), strings.TrimSpace(of)
	if address == of || address == "" {
		return nil
	}
	if f, ok := d.folds[address]; ok {
		if f.of != of && !d.forgive("addresses of two nodes; they count for the first") {
			return d.errorf(line, "address %q belongs to node %q and to node %q", address, f.of, of)
		}
		return nil
	}
	if d.folds == nil {
		d.folds = map[string]fold{}
	}
	d.folds[address] = fold{of: of, line: int32(line)}
	return nil
}

// folded gives the id of the node that an address belongs to. A node's id goes before another's address.
func (d *draft) folded(address string) string {
	for range 3 { // an alias of an alias, but no circle
		f, ok := d.folds[address]
		if _, declared := d.at.find(address); declared || !ok {
			return address
		}
		f.used = true
		d.folds[address] = f
		address = f.of
	}
	return address
}

// resolve looks up the ends of the edges that link added.
func (d *draft) resolve() error {
	missing := map[string]int{}
	end := func(id string, line int32) (int32, error) {
		i, ok := d.at.find(id)
		if !ok && d.folds != nil {
			id = d.folded(id)
			i, ok = d.at.find(id)
		}
		if !ok && !d.loose && !d.forgive("edge ends that name no node of the list") {
			return 0, d.errorf(int(line), "edge names node %q, which the file does not declare", id)
		}
		if !ok {
			i = d.mention(id, int(line))
			missing[id] = 0
		}
		if _, ok := missing[id]; ok {
			missing[id]++
		}
		return i, nil
	}
	listed := d.n
	for _, r := range d.refs {
		var err error
		if d.edges[r.e].A, err = end(r.a, r.line); err != nil {
			return err
		}
		if d.edges[r.e].B, err = end(r.b, r.line); err != nil {
			return err
		}
	}
	d.noteFolds()
	d.noteMissing(missing, listed)
	return nil
}

func (d *draft) noteFolds() {
	used, nodes := 0, map[string]bool{}
	for f := range maps.Values(d.folds) {
		if f.used {
			used++
			nodes[f.of] = true
		}
	}
	if used > 0 {
		d.notef("%d further addresses that edges name folded into %d nodes", used, len(nodes))
	}
}

// noteMissing names nodes that only edges name, where the file has a list of nodes.
func (d *draft) noteMissing(missing map[string]int, listed int) {
	if listed == 0 || len(missing) == 0 {
		return
	}
	for k, id := range slices.Sorted(maps.Keys(missing)) {
		if k == 5 {
			d.notef("… and %d more such nodes", len(missing)-5)
			break
		}
		d.notef("node %q is not in the list of nodes; added, since %d edge ends name it", id, missing[id])
	}
}
