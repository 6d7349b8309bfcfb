package format

import (
	"strconv"
	"strings"
)

var kindOLSRJSON = kind{
	format: "olsr-jsoninfo", about: "topology of olsrd, JSON",
	mark: func(s *sample) bool {
		return s.object("topology") && (s.object("topology.lastHopIP") || s.object("topology.destinationIP") ||
			s.object("mid"))
	},
	read: readOLSRJSON,
}

var kindOLSRText = kind{
	format: "olsr-txtinfo", about: "tables of olsrd's txtinfo",
	mark: func(s *sample) bool { return s.starts("table: ") }, read: readOLSRText,
}

// readOLSRJSON reads "topology", whose links stand once, in one direction; "mid" folds aliases into main addresses. The
// cost is tcEdgeCost/1024, the ETX of the link.
func readOLSRJSON(d *draft, text string) error {
	v, err := d.document(text)
	if err != nil {
		return err
	}
	d.loose = true
	for _, m := range v.get("mid").items {
		main := m.get("main")
		if a := m.get("ipAddress"); a.there() {
			main = a
		} else if a := m.get("main", "ipAddress"); a.there() {
			main = a
		}
		for _, alias := range m.get("aliases").items {
			address := alias
			if a := alias.get("ipAddress"); a.there() {
				address = a
			}
			if err := d.fold(address.shown(), main.shown(), int(m.line)); err != nil {
				return err
			}
		}
	}
	for _, l := range v.get("topology").items {
		a, b := l.get("lastHopIP"), l.get("destinationIP")
		if a.kind != '"' || b.kind != '"' {
			return d.errorf(int(l.line), "JSON: topology: a link lacks lastHopIP or destinationIP")
		}
		if err := d.olsrLink(a.text, b.text, l); err != nil {
			return err
		}
	}
	return nil
}

func (d *draft) olsrLink(a, b string, l value) error {
	e := d.link(a, b, int(l.line))
	if cost, err := parseNumber(l.get("tcEdgeCost").text); err == nil {
		if err := d.edgeAttr(e, "cost", strconv.FormatFloat(cost/1024, 'g', -1, 64), int(l.line)); err != nil {
			return err
		}
	}
	return d.members(e, l, "lastHopIP", "destinationIP", "tcEdgeCost")
}

// readOLSRText reads the table Topology, and folds the aliases of the table MID. Links and Neighbors are what the node
// that was asked sees around it, under addresses of interfaces, and would add nodes; they are left out.
func readOLSRText(d *draft, text string) error {
	d.loose = true
	l := &lines{rest: text}
	table, titles, links := "", []string(nil), 0
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if name, ok := strings.CutPrefix(line, "Table: "); ok {
			table, titles = strings.TrimSpace(name), nil
			links += map[bool]int{true: 1}[table == "Topology"]
			continue
		}
		cells := strings.Split(line, "\t")
		if titles == nil {
			titles = cells
			continue
		}
		if err := d.olsrRow(table, titles, cells, l.n); err != nil {
			return err
		}
	}
	if links == 0 {
		return d.errorf(l.n, "no table Topology")
	}
	return nil
}

func (d *draft) olsrRow(table string, titles, cells []string, line int) error {
	switch {
	case table == "Topology" && len(cells) < 2:
		return d.errorf(line, "Topology: found %q, expected an address, the last hop and costs", strings.Join(cells,
			" "))
	case table == "MID" && len(cells) >= 2:
		for _, alias := range strings.FieldsFunc(cells[1], func(r rune) bool { return r == ';' || r == ',' }) {
			if err := d.fold(alias, cells[0], line); err != nil {
				return err
			}
		}
	case table == "Topology":
		e := d.link(cells[1], cells[0], line)
		for k := 2; k < min(len(titles), len(cells)); k++ {
			if err := d.edgeAttr(e, strings.TrimSpace(titles[k]), cells[k], line); err != nil {
				return err
			}
		}
	}
	return nil
}
