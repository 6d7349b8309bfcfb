package format

import "strings"

var kindAdjacencyList = kind{
	format: "adjlist", about: "adjacency list: a node and its neighbours a line", extensions: []string{".adjlist"},
	guess: isAdjacencyList, read: readAdjacencyList, unnamed: true,
}

// isAdjacencyList: lines of different lengths, of which each starts with another node, and every node that any names
// starts one. Two fields a line may as well be an edge list and are taken for one.
func isAdjacencyList(s *sample) bool {
	first, count, differ := map[string]bool{}, 0, false
	l := &lines{rest: s.text}
	for pass := range 2 {
		l.rest = s.text
		for {
			line, ok := l.data("#")
			if !ok {
				break
			}
			f := strings.Fields(line)
			switch {
			case pass == 1 && !allOf(first, f):
				return false
			case pass == 1:
				continue
			case first[f[0]]:
				return false
			}
			first[f[0]] = true
			differ = differ || count > 0 && len(f) != count
			count = len(f)
		}
		if !differ || len(first) < 2 {
			return false
		}
	}
	return true
}

func allOf(set map[string]bool, names []string) bool {
	for _, n := range names {
		if !set[n] {
			return false
		}
	}
	return true
}

// readAdjacencyList reads a node a line and its neighbours, as NetworkX writes it; an edge stands once or twice.
func readAdjacencyList(d *draft, text string) error {
	l := &lines{rest: text}
	for {
		line, ok := l.data("#")
		if !ok {
			return nil
		}
		f := strings.Fields(line)
		a := d.mention(f[0], l.n)
		for _, to := range f[1:] {
			d.edge(a, d.mention(to, l.n), nan)
		}
	}
}
