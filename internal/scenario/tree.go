package scenario

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// tree is YAML reduced to what a scenario needs: text, lists and mappings, each
// with its place. Numbers stay text, so that "10k" and "1500km" are read by the
// same code as flags are.
type tree struct {
	where  string // file:line
	kind   string // "text", "list", "mapping" or "nothing"
	text   string
	list   []tree
	fields []field
}

type field struct {
	name  string
	where string
	value tree
}

// maxDepth is more than any scenario nests and keeps hostile files off the stack.
const maxDepth = 20

// parseTree reads one YAML document. The name is for messages.
func parseTree(name string, data []byte) (tree, error) {
	if depth := nesting(data); depth > maxDepth {
		return tree{}, fmt.Errorf("%s: nested %d deep, allowed: %d", name, depth, maxDepth)
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return tree{}, syntaxError(name, err)
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			return tree{}, fmt.Errorf("%s: a second document; a file holds one", at(name, doc.Body))
		}
		body = doc.Body
	}
	if body == nil {
		return tree{where: name, kind: "nothing"}, nil
	}
	return grow(name, body, 0)
}

// nesting bounds the depth of a document from above: its brackets, or its deepest indentation
// and dashes.
func nesting(data []byte) int {
	deepest, brackets := 0, 0
	for _, line := range strings.Split(string(data), "\n") {
		indent := (len(line) - len(strings.TrimLeft(line, " -?\t"))) / 2
		for _, c := range line {
			switch c {
			case '[', '{':
				brackets++
			case ']', '}':
				brackets = max(0, brackets-1)
			}
			deepest = max(deepest, brackets+indent)
		}
	}
	return deepest
}

func syntaxError(name string, err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		return fmt.Errorf("%s:%d: %s", name, y.GetToken().Position.Line, y.GetMessage())
	}
	return fmt.Errorf("%s: %w", name, err)
}

func at(name string, n ast.Node) string {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return fmt.Sprintf("%s:%d", name, t.Position.Line)
	}
	return name
}

func grow(name string, n ast.Node, depth int) (tree, error) {
	t := tree{where: at(name, n)}
	if depth > maxDepth {
		return t, fmt.Errorf("%s: nested more than %d deep", t.where, maxDepth)
	}
	switch n := n.(type) {
	case *ast.NullNode:
		t.kind = "nothing"
	case *ast.StringNode:
		t.kind, t.text = "text", n.Value
	case *ast.LiteralNode:
		t.kind, t.text = "text", n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		t.kind, t.text = "text", n.GetToken().Value
	case *ast.SequenceNode:
		t.kind = "list"
		for _, v := range n.Values {
			item, err := grow(name, v, depth+1)
			if err != nil {
				return t, err
			}
			t.list = append(t.list, item)
		}
	case *ast.MappingNode:
		t.kind = "mapping"
		for _, v := range n.Values {
			key, ok := v.Key.(ast.Node)
			if !ok || v.Value == nil {
				return t, fmt.Errorf("%s: a field without a name or a value", t.where)
			}
			value, err := grow(name, v.Value, depth+1)
			if err != nil {
				return t, err
			}
			t.fields = append(t.fields, field{key.GetToken().Value, at(name, key), value})
		}
	case *ast.MappingValueNode:
		return grow(name, &ast.MappingNode{BaseNode: n.BaseNode, Start: n.Start, Values: []*ast.MappingValueNode{n}},
			depth)
	default:
		return t, fmt.Errorf("%s: %s is not used in scenarios", t.where, strings.ToLower(n.Type().String()))
	}
	return t, nil
}
