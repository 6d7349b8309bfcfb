package caucus

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Shown gives a name as people see it in a table or picture: quoted if it holds
// characters that do not print, which could break a line or steer a terminal.
func Shown(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(name)
	}
	return name
}

// Names maps the user's node names to IDs and back. Node i (from 0) has ID
// i+1, so that with equal strengths the node listed first wins.
type Names struct {
	names []string // nil: node i is called strconv(i+1)
	ids   map[string]ID
	n     int
}

// NewNames makes the table for n nodes; a nil slice names them "1" to "n".
// Empty and repeated names are refused: every output names nodes by them.
func NewNames(names []string, n int) (*Names, error) {
	t := &Names{names: names, n: n}
	if names == nil {
		return t, nil
	}
	if len(names) != n {
		return nil, fmt.Errorf("%d names for %d nodes", len(names), n)
	}
	t.ids = make(map[string]ID, n)
	for i, name := range names {
		if name == "" {
			return nil, fmt.Errorf("node %d has an empty name", i+1)
		}
		if first, ok := t.ids[name]; ok {
			return nil, fmt.Errorf("nodes %d and %d are both called %q; names must be distinct", first, i+1, name)
		}
		t.ids[name] = ID(i + 1)
	}
	return t, nil
}

// Len is the number of nodes.
func (t *Names) Len() int { return t.n }

// Name gives the name of an ID: "-" for None and "#id" for an ID that is no
// node's, as a ghost's.
func (t *Names) Name(id ID) string {
	switch {
	case id == None:
		return "-"
	case uint64(id) > uint64(t.n):
		return "#" + strconv.FormatUint(uint64(id), 10)
	case t.names == nil:
		return strconv.FormatUint(uint64(id), 10)
	}
	return t.names[id-1]
}

// ID gives the ID of a name.
func (t *Names) ID(name string) (ID, bool) {
	if t.names == nil {
		i, err := strconv.ParseUint(name, 10, 64)
		if err != nil || i == 0 || i > uint64(t.n) || strconv.FormatUint(i, 10) != name {
			return None, false
		}
		return ID(i), true
	}
	id, ok := t.ids[name]
	return id, ok
}
