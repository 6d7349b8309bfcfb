package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// series are the graphs of a file that holds several.
type series struct {
	names  []string // of all, or their numbers
	chosen int      // how many are read
	first  int32    // the node with which the present graph began
	again  map[int32]int
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
		names := s.names[:min(5, len(s.names))]
		d.notef("%d graphs (%s); read as their union, in which nodes of one id are one; one can be chosen",
			len(s.names),
			strings.Join(names, ", "))
	}
	return nil
}
