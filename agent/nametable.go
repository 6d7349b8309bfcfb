package agent

import (
	"hash/fnv"
	"strconv"

	"caucus.example/caucus"
	"caucus.example/caucus/internal/wire"
)

// maxNames bounds the table of names heard.
const maxNames = 256

// nameTable knows the names of nodes, most of which are no neighbours: followers hear
// their leader's from each other.
type nameTable struct {
	names map[caucus.ID]nameEntry
	clock uint64
}

type nameEntry struct {
	name string
	own  bool   // told by the node itself: hearsay does not replace it
	used uint64 // clock at the last time it was heard or asked for
}

// learn tells whether the name is news.
func (t *nameTable) learn(id caucus.ID, name string, own bool) bool {
	e, known := t.names[id]
	if name == "" || known && e.own && !own {
		return false
	}
	if !known && len(t.names) >= maxNames {
		var oldest caucus.ID
		for i, x := range t.names {
			if o, ok := t.names[oldest]; !ok || x.used < o.used || x.used == o.used && i < oldest {
				oldest = i
			}
		}
		delete(t.names, oldest)
	}
	t.clock++
	t.names[id] = nameEntry{name, own, t.clock}
	return e.name != name
}

// get gives the name, or "" if it is not known.
func (t *nameTable) get(id caucus.ID) string {
	e, known := t.names[id]
	if known {
		t.clock++
		e.used = t.clock
		t.names[id] = e
	}
	return e.name
}

// whereabouts is where a leader that is no neighbour is heard by one who hears it.
type whereabouts struct {
	who  wire.Instance
	addr string
}

// show gives something to print for every ID.
func show(name string, id caucus.ID) string {
	switch {
	case name != "":
		return name
	case id == caucus.None:
		return "-"
	}
	return "#" + strconv.FormatUint(uint64(id), 10)
}

// HashID is the ID of a node that is configured without one: FNV-1a, 32 bits, of
// its name. It is never 0. Two names of one group have the same hash with probability
// 2^-32 per pair; the agents then report a duplicate ID and one needs an explicit id.
func HashID(name string) caucus.ID {
	h := fnv.New32a()
	h.Write([]byte(name))
	return caucus.ID(max(1, h.Sum32()))
}
