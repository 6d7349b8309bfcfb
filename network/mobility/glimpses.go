package mobility

import "slices"

// glimpses are contacts of which a file gives one time each, such as every 20 s while they last. Those of a pair that
// follow each other at the usual step become one, so that memory holds as much as there are contacts, not records. How
// long one lasts is known at the end: until then the end of a contact is its last time.
type glimpses struct {
	fresh, spare []contact // records that are not folded yet, and room to sort them
	folded       []contact
	step         float64   // between the times of a folded one: the usual one of the first records; 0 is not known yet
	times        []float64 // in the order of the file, without repetitions next to each other
	nodes        int
	n            int
}

// manyGlimpses is how many records, at least, are folded at once.
var manyGlimpses = 1 << 16

func (g *glimpses) add(c contact) {
	g.n++
	if k := len(g.times); k == 0 || g.times[k-1] != c.start {
		g.times = append(g.times, c.start)
	}
	g.nodes = max(g.nodes, int(max(c.a, c.b))+1)
	c.end = c.start
	if g.fresh = append(g.fresh, c); len(g.fresh) >= max(manyGlimpses, g.nodes) {
		g.fold()
	}
}

func (g *glimpses) fold() {
	if g.step == 0 {
		g.step = usualStep(slices.Clone(g.times))
	}
	g.fresh, g.spare = sortPairs(g.fresh, g.spare, g.nodes)
	first := len(g.folded)
	for _, c := range g.fresh {
		if k := len(g.folded) - 1; k >= first {
			last := &g.folded[k]
			if last.a == c.a && last.b == c.b && (last.end+g.step == c.start || last.end == c.start) {
				last.end = c.start
				continue
			}
		}
		g.folded = append(g.folded, c)
	}
	g.fresh = g.fresh[:0]
}

// sortPairs sorts contacts by their nodes; those of one pair stay in their order. It gives the room that is free, too.
func sortPairs(list, spare []contact, nodes int) (sorted, free []contact) {
	spare = byNode(list, spare, nodes, func(c *contact) int32 { return c.b })
	return byNode(spare, list, nodes, func(c *contact) int32 { return c.a }), spare
}

// byNode sorts contacts by one of their nodes into other room.
func byNode(list, into []contact, nodes int, node func(c *contact) int32) []contact {
	from := make([]int32, nodes+1)
	for k := range list {
		from[node(&list[k])+1]++
	}
	for i := range nodes {
		from[i+1] += from[i]
	}
	if cap(into) < len(list) {
		into = make([]contact, len(list))
	}
	into = into[:len(list)]
	for k := range list {
		i := node(&list[k])
		into[from[i]] = list[k]
		from[i]++
	}
	return into
}

// contacts are the glimpses if each lasts so long; 0 means the usual step of the file, which it gives.
func (g *glimpses) contacts(lasts float64) (list []contact, each float64) {
	g.fold()
	if lasts == 0 {
		lasts = usualStep(g.times)
	}
	if list = g.folded; lasts < g.step {
		list = g.unfolded()
	}
	g.fresh, g.spare, g.times = nil, nil, nil
	for k := range list {
		list[k].end += lasts
	}
	list, _ = sortPairs(list, nil, g.nodes)
	return list, lasts
}

// unfolded are all single ones again.
func (g *glimpses) unfolded() (list []contact) {
	for _, c := range g.folded {
		for t := c.start; t <= c.end; t += g.step {
			list = append(list, contact{c.a, c.b, t, t})
		}
	}
	return list
}

// contactList is what the records of a list have said so far.
type contactList struct {
	c             columns
	names         *names
	list          []contact // that have ends
	glimpses      glimpses  // that have none
	extra, titles int       // columns that are left out, lines of titles
}
