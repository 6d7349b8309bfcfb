package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// A file may hold several graphs. Whatever its format, they are read as their union, in which nodes of one id are one,
// unless one is chosen by its name or number; the report says how many there are and how many nodes they share. Where
// nodes of one id have different labels they are not the same, and that is an error.

// series are the graphs of a file that holds several.
type series struct {
	names  []string      // of all, or their numbers
	chosen int           // how many are read
	first  int32         // the node with which the present graph began
	again  map[int32]int // nodes of earlier graphs that stand in a later one, and which declared them last, if any did
	most   int           // of numbered nodes, in any graph
	common int           // of numbered nodes, in two graphs
}

// elsewhere tells whether a node was declared in an earlier graph of the file only; then it is the same node.
func (s *series) elsewhere(i int32) bool {
	if i >= s.first || s.again[i] == len(s.names) {
		return false
	}
	if s.again == nil {
		s.again = map[int32]int{}
	}
	s.again[i] = len(s.names)
	return true
}

// meet notes that the present graph names a node, which an earlier one may have named.
func (s *series) meet(i int32) {
	if i >= s.first {
		return
	}
	if _, ok := s.again[i]; ok {
		return
	}
	if s.again == nil {
		s.again = map[int32]int{}
	}
	s.again[i] = -1
}

// close ends a graph of numbered nodes, among which those of one number are one.
func (s *series) close(n int) {
	s.common = max(s.common, min(s.most, n))
	s.most = max(s.most, n)
}

// wanted begins a graph of a file that may hold several and tells whether it is to be read; it has any of some names.
func (d *draft) wanted(names ...string) bool {
	s := &d.series
	number := strconv.Itoa(len(s.names) + 1)
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) == 0 {
		names = []string{number}
	}
	s.names = append(s.names, names[0])
	s.first = int32(d.n)
	if d.o.Graph != "" && d.o.Graph != number && !slices.Contains(names, d.o.Graph) {
		return false
	}
	if s.chosen++; d.o.Graph != "" {
		d.name = names[0]
	}
	return true
}

// several says what became of several graphs.
func (d *draft) several() error {
	s := &d.series
	switch {
	case d.o.Graph != "" && len(s.names) == 0:
		return fmt.Errorf("%s: %w", d.file, caucus.Wrong("graph", d.o.Graph, "none: this file holds one graph"))
	case d.o.Graph != "" && s.chosen == 0:
		err := caucus.NotAmong("graph", d.o.Graph, s.names)
		err.Allowed += fmt.Sprintf("; or a number from 1 to %d", len(s.names))
		return fmt.Errorf("%s: %w", d.file, err)
	case d.o.Graph == "" && len(s.names) > 1:
		d.name = "" // which was that of one of them
		names := strings.Join(s.names[:min(5, len(s.names))], ", ")
		if len(s.names) > 5 {
			names += ", …"
		}
		d.notef("%d graphs (%s), read as their union; %d nodes stand in several, as their ids say; "+
			"one graph can be chosen, by its name or number", len(s.names), names, max(s.common, len(s.again)))
		return d.disagree()
	}
	return nil
}

// disagree finds a node that has different labels in two graphs.
func (d *draft) disagree() error {
	_, a := d.naming()
	if a == nil {
		return nil
	}
	called := make(map[int32]string, len(a.node))
	for k, i := range a.node {
		was, ok := called[i]
		called[i] = a.value[k]
		if ok && was != a.value[k] && !d.forgive("nodes of one id with two labels; the last stays") {
			id := strconv.Itoa(int(i) + 1)
			if d.ids != nil {
				id = d.ids[i]
			}
			return fmt.Errorf("%s: node %s is called %q in one graph and %q in another, so that there is no union; "+
				"one graph can be chosen, by its name or number: %s", d.file, id, caucus.Cut(was),
				caucus.Cut(a.value[k]), caucus.Cut(strings.Join(d.series.names, ", ")))
		}
	}
	return nil
}
