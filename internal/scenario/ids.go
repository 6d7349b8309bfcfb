package scenario

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/unpack"
)

// chooseIDs gives the nodes their IDs: nil for those that they have anyway, 1 to n in their order.
func (r *Run) chooseIDs(s *Scenario) (err error) {
	n, c := r.Config.Graph.Len(), &r.Config
	switch s.texts["ids"] {
	case "increasing":
	case "decreasing":
		for i := range n {
			c.IDs = append(c.IDs, caucus.ID(n-i))
		}
	case "random":
		for _, k := range shuffled(n, caucus.NewRand(c.Seed, "ids")) {
			c.IDs = append(c.IDs, caucus.ID(k+1))
		}
	default:
		c.IDs, err = readIDs(s.beside("ids"), n)
	}
	return located(s.places["ids"], err)
}

// readIDs reads one ID a line, in the order of the nodes; # begins a comment.
func readIDs(file string, nodes int) ([]caucus.ID, error) {
	f, err := unpack.Open(file)
	if err != nil {
		return nil, caucus.Wrong("ids", file, "increasing, decreasing, random or a file that can be read: "+err.Error())
	}
	defer f.Close()
	ids := []caucus.ID{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		id, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n,
				caucus.Wrong("id", text, "a whole number from 1 to 2^64-1; 0 for a node without"))
		}
		if len(ids) == nodes {
			return nil, fmt.Errorf("%s:%d: more IDs than nodes; there are %d", file, n, nodes)
		}
		ids = append(ids, caucus.ID(id))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(ids) < nodes {
		return nil, fmt.Errorf("%s: %d IDs for %d nodes", file, len(ids), nodes)
	}
	return ids, nil
}

// Place tells whose an ID is by the place of its node, from 1, as Names does: of nodes with the same
// ID the first one's; an ID of no node stays as it is.
func (r *Run) Place(id caucus.ID) caucus.ID {
	if r.Config.IDs == nil || id == caucus.None {
		return id
	}
	if r.places == nil {
		r.places = make(map[caucus.ID]caucus.ID, len(r.Config.IDs))
		for i, id := range r.Config.IDs {
			if _, taken := r.places[id]; !taken {
				r.places[id] = caucus.ID(i + 1)
			}
		}
	}
	if place, ok := r.places[id]; ok {
		return place
	}
	return max(id, caucus.ID(r.Names.Len()+1))
}
