package format

import (
	"regexp"
	"strings"
)

var kindSNDlib = kind{
	format: "sndlib", about: "network of SNDlib, native text",
	mark: func(s *sample) bool { return sndlibStart.MatchString(s.head) }, read: readSNDlib,
}

var kindSNDlibXML = kind{
	format: "sndlib-xml", about: "network of SNDlib, XML",
	mark: func(s *sample) bool { return s.root() == "network" && strings.Contains(s.head, "networkStructure") },
	read: readSNDlibXML,
}

var (
	sndlibStart = regexp.MustCompile(`(?i)\A(?:[ \t]*(?:#.*)?\r?\n)*(?:\?SNDlib native format;\s*type:\s*network|(?:META|NODES)\s*\()`)
	sndlibNode  = regexp.MustCompile(`^(\S+)\s*(?:\(\s*(\S+)\s+(\S+)\s*\))?$`)
	sndlibLink  = regexp.MustCompile(`^(\S+)\s*\(\s*(\S+)\s+(\S+)\s*\)\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)`)
)

// readSNDlib reads the sections NODES and LINKS. Demands are no links. Neither capacity nor cost is a length, so that
// none is the weight unless it is chosen. Coordinates are longitude and latitude where they can be.
func readSNDlib(d *draft, text string) error {
	l := &lines{rest: text}
	section := ""
	for {
		line, ok := l.data("#?")
		if !ok {
			break
		}
		name, opens := strings.CutSuffix(line, "(")
		if name = strings.TrimSpace(name); opens && section == "" {
			section = strings.ToUpper(name)
			continue
		}
		if line == ")" {
			section = ""
			continue
		}
		var err error
		switch section {
		case "":
			err = d.errorf(l.n, "found %q, expected a section such as NODES (", line)
		case "NODES":
			m := sndlibNode.FindStringSubmatch(line)
			if m == nil {
				return d.errorf(l.n, "found %q, expected a node and its longitude and latitude in brackets", line)
			}
			err = d.sndlibNode(m[1], m[2], m[3], l.n)
		case "LINKS":
			m := sndlibLink.FindStringSubmatch(line)
			if m == nil {
				return d.errorf(l.n, "found %q, expected a link, its ends in brackets, capacity and costs", line)
			}
			e := d.link(m[2], m[3], l.n)
			for k, name := range []string{"capacity", "capacity_cost", "routing_cost", "setup_cost"} {
				if err := d.edgeAttr(e, name, m[4+k], l.n); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return err
		}
	}
	if section != "" {
		return d.errorf(l.n, "the section %s is not closed", section)
	}
	return nil
}

func (d *draft) sndlibNode(id, x, y string, line int) error {
	i, err := d.node(id, line)
	d.nodeAttr(i, "longitude", x)
	d.nodeAttr(i, "latitude", y)
	return err
}

// sndlibXML is the state of reading XML.
type sndlibXML struct {
	*xmlReader
	id     string
	fields map[string]string // of the open node or link
	planar bool
}

// readSNDlibXML reads what the native format says, too: its nodes and links.
func readSNDlibXML(d *draft, text string) error {
	r := &sndlibXML{xmlReader: newXMLReader(d, text)}
	for {
		t, err := r.next()
		if err != nil || t == xmlEnd {
			return err
		}
		switch t {
		case xmlStarts:
			switch r.element.name {
			case "nodes":
				r.planar = attr(r.element, "coordinatesType") == "pixel"
			case "node", "link":
				r.id, r.fields = attr(r.element, "id"), map[string]string{}
			}
		case xmlChars:
			if len(r.open) > 0 && r.fields != nil {
				r.fields[r.open[len(r.open)-1]] += strings.TrimSpace(r.chars)
			}
		case xmlEnds:
			if err := r.end(r.name); err != nil {
				return err
			}
		}
	}
}

func (r *sndlibXML) end(name string) error {
	f := r.fields
	switch name {
	case "node":
		i, err := r.d.node(r.id, r.line())
		if err != nil {
			return err
		}
		x, y := "longitude", "latitude"
		if r.planar {
			x, y = "x", "y"
		}
		r.d.nodeAttr(i, x, f["x"])
		r.d.nodeAttr(i, y, f["y"])
	case "link":
		if f["source"] == "" || f["target"] == "" {
			return r.d.errorf(r.line(), "<link> lacks <source> or <target>")
		}
		e := r.d.link(f["source"], f["target"], r.line())
		for _, p := range [][2]string{{"routingCost", "routing_cost"}, {"setupCost", "setup_cost"}} {
			if f[p[0]] != "" {
				if err := r.d.edgeAttr(e, p[1], f[p[0]], r.line()); err != nil {
					return err
				}
			}
		}
	default:
		return nil
	}
	r.fields = nil
	return nil
}
