package format

var kindBMX = kind{
	format: "bmx", about: "topology of bmx6 and bmx7, JSON: nodes with their links",
	mark: func(s *sample) bool { return s.list("name", "links") }, read: readBMX,
}

// readBMX reads a list of nodes, each with its links. Names are names: one that only links have is a node of its own. A
// link whose txRate is 0 is one, too.
func readBMX(d *draft, text string) error {
	d.loose, d.report.Directed = true, true
	r := newJSONReader(d, text)
	if err := r.list("nodes", func(o value) error {
		name := o.get("name")
		if !name.scalar() {
			return d.errorf(int(o.line), "JSON: a node lacks its name")
		}
		if _, err := d.node(name.text, int(o.line)); err != nil {
			return err
		}
		for _, l := range o.get("links").items {
			if !l.get("name").scalar() {
				return d.errorf(int(l.line), "JSON: a link of %s lacks the name of its other end", name.text)
			}
			if err := d.members(d.link(name.text, l.get("name").text, int(l.line)), l, "name"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return r.end()
}
