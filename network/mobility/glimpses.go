package mobility

import "slices"

// glimpses are contacts of which a file gives one time each, such as every 20 s while they last. Those of a pair that
// follow each other at the usual step become one, so that memory holds as much as there are contacts, not records. How
// long one lasts is known at the end: until then the end of a contact is its last time.
type glimpses struct {
	moments
	fresh, spare []span // records that are not folded yet, and room to sort them
	folded       [][]span
	step         float64 // between the times of a folded one: the usual one of the first records; 0 is not known yet
	nodes        int
	n            int
}

// manyGlimpses is how many records, at least, are folded at once.
var manyGlimpses = 1 << 16

func (g *glimpses) add(c contact) {
	g.n++
	g.nodes = max(g.nodes, int(max(c.a, c.b))+1)
	at := g.index(c.start)
	if g.fresh = append(g.fresh, span{c.a, c.b, at, at}); len(g.fresh) >= max(manyGlimpses, g.nodes) {
		g.fold()
	}
}

func (g *glimpses) fold() {
	if g.step == 0 {
		g.step = usualStep(slices.Clone(g.at))
	}
	g.fresh, g.spare = sortPairs(g.fresh, g.spare, g.nodes)
	w := 0
	for _, c := range g.fresh {
		if w > 0 {
			last := &g.fresh[w-1]
			now, then := g.at[c.start], g.at[last.end]
			if last.a == c.a && last.b == c.b && (then+g.step == now || then == now) {
				last.end = c.start
				continue
			}
		}
		g.fresh[w] = c
		w++
	}
	g.folded = append(g.folded, slices.Clone(g.fresh[:w]))
	g.fresh = g.fresh[:0]
}

// sortPairs sorts contacts by their nodes; those of one pair stay in their order. It gives the room that is free, too.
func sortPairs(list, spare []span, nodes int) (sorted, free []span) {
	spare = byNode(list, spare, nodes, func(c *span) int32 { return c.b })
	return byNode(spare, list, nodes, func(c *span) int32 { return c.a }), spare
}

// byNode sorts contacts by one of their nodes into other room.
func byNode(list, into []span, nodes int, node func(c *span) int32) []span {
	from := make([]int32, nodes+1)
	for k := range list {
		from[node(&list[k])+1]++
	}
	for i := range nodes {
		from[i+1] += from[i]
	}
	if cap(into) < len(list) {
		into = make([]span, len(list))
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
func (g *glimpses) contacts(lasts float64) (list []span, each float64) {
	g.fold()
	if lasts == 0 {
		lasts = usualStep(slices.Clone(g.at))
	}
	if list = slices.Concat(g.folded...); lasts < g.step {
		list = g.unfolded(list)
	}
	g.fresh, g.spare, g.folded = nil, nil, nil
	return list, lasts
}

// unfolded are all single ones again.
func (g *glimpses) unfolded(folded []span) (list []span) {
	for _, c := range folded {
		until := g.at[c.end]
		for t := g.at[c.start]; t <= until; t += g.step {
			at := g.index(t)
			list = append(list, span{c.a, c.b, at, at})
		}
	}
	return list
}

// contactList is what the records of a list have said so far.
type contactList struct {
	c             columns
	names         *names
	list          []span   // that have ends
	glimpses      glimpses // that have none
	blink         float64  // how long a contact lasts whose end is its start
	blinks        int
	extra, titles int // columns that are left out, lines of titles
}
