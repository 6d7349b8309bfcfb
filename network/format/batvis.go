package format

import "strings"

var kindBatmanVis = kind{
	format: BatmanVis, about: "batman-adv vis: JSON document or lines",
	mark: func(s *sample) bool {
		return s.object("vis") || s.object() && s.json.then &&
			(s.object("router", "neighbor") || s.object("primary") || s.object("secondary", "of"))
	},
	read: readBatmanVis,
}

// readBatmanVis reads batman-adv vis JSON. A node's secondary addresses are the node; clients
// are left out; the metric of a link, in lines its label, is the weight. The file lists who reports, so that a
// neighbour that is not listed is a node too.
func readBatmanVis(d *draft, text string) error {
	d.loose, d.report.Directed = true, true
	r := newJSONReader(d, text)
	first := true
	for ; r.dec.PeekKind() == '{'; first = false {
		v, err := r.value(0)
		if err != nil {
			return err
		}
		if vis := v.get("vis"); vis.kind == '[' {
			for _, o := range vis.items {
				if err := d.visNode(o); err != nil {
					return err
				}
			}
		} else if err := d.visLine(v); err != nil {
			return err
		}
	}
	if first {
		return r.open('{', "value")
	}
	if d.n == 0 && len(d.refs) == 0 {
		return d.errorf(r.here(), `JSON: no list "vis", and no router, primary or secondary`)
	}
	return r.end()
}

// visNode reads an entry of a document: a node, its secondary addresses and neighbours.
func (d *draft) visNode(o value) error {
	primary, line := o.get("primary"), int(o.line)
	if primary.kind != '"' {
		return d.errorf(int(primary.line), "JSON: primary: found %s, expected an address", primary.shown())
	}
	if _, err := d.node(primary.text, line); err != nil {
		return err
	}
	for _, s := range o.get("secondary").items {
		if err := d.fold(s.shown(), primary.text, line); err != nil {
			return err
		}
	}
	for _, n := range o.get("neighbors").items {
		if err := d.visLink(n, n.get("metric")); err != nil {
			return err
		}
	}
	return nil
}

// visLine reads a line: a link, a primary, or a secondary address.
func (d *draft) visLine(o value) error {
	switch {
	case o.get("router").there():
		return d.visLink(o, o.get("label"))
	case o.get("secondary").there():
		return d.fold(o.get("secondary").shown(), o.get("of").shown(), int(o.line))
	case o.get("primary").there():
		d.mention(strings.TrimSpace(o.get("primary").shown()), int(o.line)) // may stand several times
	case !o.get("client").there() && !o.get("gateway").there():
		return d.errorf(int(o.line), "JSON: found %.60s, expected router, primary, secondary, client or gateway",
			o.shown())
	}
	return nil
}

func (d *draft) visLink(o, metric value) error {
	ends := [2]value{o.get("router"), o.get("neighbor")}
	for _, end := range ends {
		if end.kind != '"' || end.text == "" {
			return d.errorf(int(o.line), "JSON: a link lacks router or neighbor: %.60s", o.shown())
		}
	}
	e := d.link(ends[0].text, ends[1].text, int(o.line))
	if metric.there() && metric.text != "TT" { // so older versions mark clients
		return d.edgeAttr(e, "weight", metric.text, int(o.line))
	}
	return nil
}
