package format

import (
	"errors"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

var kindContainerlab = kind{
	format: "containerlab", about: "lab of Containerlab, YAML", extensions: []string{".clab.yml", ".clab.yaml"},
	mark: func(s *sample) bool { return labTopology.MatchString(s.whole) && labNodes.MatchString(s.whole) },
	read: readContainerlab,
}

var (
	labTopology = regexp.MustCompile(`(?m)^topology:\s*(?:#.*)?$`)
	labNodes    = regexp.MustCompile(`(?m)^\s+nodes:\s*(?:#.*)?$`)
)

// yamlDocument reads a YAML document as a value, so that what is read of JSON can be read of it.
func (d *draft) yamlDocument(text string) (value, error) {
	if err := d.yamlDepth(text); err != nil {
		return value{}, err
	}
	file, err := parser.ParseBytes([]byte(text), 0)
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) {
		return value{}, d.errorf(syntax.Token.Position.Line, "YAML: %s", syntax.Message)
	} else if err != nil {
		return value{}, d.errorf(1, "YAML: %v", err)
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return value{}, d.errorf(1, "YAML: no document")
	}
	for _, more := range file.Docs[1:] {
		if more.Body != nil {
			return value{}, d.errorf(more.Body.GetToken().Position.Line, "YAML: a second document; a lab is one")
		}
	}
	return yamlValue(file.Docs[0].Body, map[string]value{}), nil
}

// yamlDepth refuses what nests so deep that a parser takes for ever.
func (d *draft) yamlDepth(text string) error {
	depth, line, entries := 0, 1, 0
	for k := range len(text) {
		switch text[k] {
		case '\n':
			line++
			entries = 0
		case '-', '?', ' ': // an entry within an entry of the same line
			if k > 0 && text[k] == ' ' && text[k-1] != ' ' {
				entries++
			}
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		default:
			entries = 0
		}
		if depth > maxDepth || entries > maxDepth {
			return d.errorf(line, "YAML: values nest deeper than %d", maxDepth)
		}
	}
	return nil
}

func yamlValue(n ast.Node, anchors map[string]value) value {
	v := value{kind: 'n'}
	if n == nil || n.GetToken() == nil {
		return v
	}
	v.line = int32(n.GetToken().Position.Line)
	switch n := n.(type) {
	case *ast.MappingNode:
		v.kind = '{'
		for _, m := range n.Values {
			v.items = append(v.items, yamlMember(m, anchors))
		}
	case *ast.MappingValueNode:
		v.kind, v.items = '{', []value{yamlMember(n, anchors)}
	case *ast.SequenceNode:
		v.kind = '['
		for _, m := range n.Values {
			v.items = append(v.items, yamlValue(m, anchors))
		}
	case *ast.AnchorNode:
		v = yamlValue(n.Value, anchors)
		anchors[n.Name.String()] = v
	case *ast.AliasNode:
		v = anchors[n.Value.String()]
	case *ast.TagNode:
		return yamlValue(n.Value, anchors)
	case *ast.NullNode:
	case *ast.LiteralNode:
		v.kind, v.text = '"', n.Value.Value
	case *ast.StringNode:
		v.kind, v.text = '"', n.Value
	default:
		v.kind, v.text = '"', n.GetToken().Value
	}
	return v
}

func yamlMember(m *ast.MappingValueNode, anchors map[string]value) value {
	v := yamlValue(m.Value, anchors)
	v.name = m.Key.GetToken().Value
	if m.Key.GetToken() != nil {
		v.line = int32(m.Key.GetToken().Position.Line)
	}
	return v
}

// noNodes are what an end of a link may be that is no node of the lab.
var noNodes = map[string]bool{"host": true, "mgmt-net": true, "macvlan": true, "vxlan": true, "vxlan-stitch": true,
	"dummy": true}

// readContainerlab reads the nodes and links of "topology". Links out of the lab, to the host or the network of
// management, are no edges. A node of kind bridge or ovs-bridge is a transit network.
func readContainerlab(d *draft, text string) error {
	v, err := d.yamlDocument(text)
	if err != nil {
		return err
	}
	d.name = v.get("name").text
	topology := v.get("topology")
	nodes := topology.get("nodes")
	if nodes.kind != '{' {
		return d.errorf(int(topology.line), "topology: no mapping of nodes")
	}
	for _, n := range nodes.items {
		if err := d.labNode(topology, n); err != nil {
			return err
		}
	}
	out := 0
	for _, l := range topology.get("links").items {
		inside, err := d.labLink(l)
		if err != nil {
			return err
		}
		if !inside {
			out++
		}
	}
	if out > 0 {
		d.notef("%d links lead out of the lab and are no edges", out)
	}
	return nil
}

func (d *draft) labNode(topology, n value) error {
	i, err := d.node(n.name, int(n.line))
	if err != nil {
		return err
	}
	group := n.get("group").text
	kind := n.get("kind").text
	for _, from := range []value{topology.get("groups", group), topology.get("defaults")} {
		if kind == "" {
			kind = from.get("kind").text
		}
	}
	d.nodeAttr(i, "kind", kind)
	d.nodeAttr(i, "group", group)
	d.nodeAttr(i, "mgmt-ipv4", n.get("mgmt-ipv4").text)
	if kind == "bridge" || kind == "ovs-bridge" {
		d.transit(i)
	}
	return nil
}

// labLink reads a link, in brief ("node:interface") or extended form, and tells whether it joins two nodes of the lab.
func (d *draft) labLink(l value) (inside bool, err error) {
	ends := l.get("endpoints").items
	if l.get("endpoint").there() {
		return false, nil // of one end: its type says where it leads
	}
	if len(ends) != 2 {
		return false, d.errorf(int(l.line), "links: found %d endpoints, expected two", len(ends))
	}
	var names [2]string
	for k, e := range ends {
		names[k], _, _ = strings.Cut(e.text, ":")
		if e.kind == '{' {
			names[k] = e.get("node").text
		}
		if names[k] == "" {
			return false, d.errorf(int(e.line), "links: found %q, expected NODE:INTERFACE", e.shown())
		}
		if _, declared := d.at.find(names[k]); !declared && noNodes[names[k]] {
			return false, nil
		}
	}
	d.classify(d.link(names[0], names[1], int(ends[0].line)), l.get("type").text)
	return true, nil
}
