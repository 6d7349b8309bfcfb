package format

import "caucus.example/caucus/network"

// transit says that a node is no station but what joins several: a switch, bridge or network that routers share.
func (d *draft) transit(i int32) { d.hubs = append(d.hubs, i) }

// maxClique is how many nodes a transit network may join that becomes a clique of them.
const maxClique = 2000

// cliques makes each transit network a clique of those that it joins, if that is asked for, and takes it out.
func (d *draft) cliques() error {
	if len(d.hubs) > 0 && !d.o.Clique {
		d.notef("%d transit networks are nodes; each can be a clique of those that it joins", len(d.hubs))
	}
	if len(d.hubs) == 0 || !d.o.Clique {
		return nil
	}
	hub := make([]bool, d.n)
	for _, i := range d.hubs {
		hub[i] = true
	}
	joined := map[int32][]int32{}
	kept := d.edges[:0]
	for _, e := range d.edges {
		if hub[e.A] || hub[e.B] {
			joined[e.A] = append(joined[e.A], e.B)
			joined[e.B] = append(joined[e.B], e.A)
			continue
		}
		kept = append(kept, e)
	}
	d.edges = kept
	for _, i := range d.hubs {
		list := joined[i]
		if len(list) > maxClique {
			return d.errorf(int(d.line[i]), "transit network %s joins %d nodes; at most %d may be a clique", d.ids[i],
				len(list), maxClique)
		}
		for k, a := range list {
			for _, b := range list[:k] {
				if a != b && !hub[a] && !hub[b] {
					d.edges = append(d.edges, network.Edge{A: b, B: a, W: nan})
				}
			}
		}
	}
	d.notef("%d transit networks became cliques", len(d.hubs))
	d.remove(hub)
	return nil
}

// remove takes nodes out and renumbers what is left. No edge may name them.
func (d *draft) remove(gone []bool) {
	to := make([]int32, d.n)
	n := int32(0)
	for i := range to {
		if to[i] = n; gone[i] {
			continue
		}
		d.ids[n], d.line[n] = d.ids[i], d.line[i]
		n++
	}
	d.n, d.ids, d.line = int(n), d.ids[:n], d.line[:n]
	for k := range d.edges {
		d.edges[k].A, d.edges[k].B = to[d.edges[k].A], to[d.edges[k].B]
	}
	for _, a := range d.attrs {
		k := 0
		for j, i := range a.node {
			if !gone[i] {
				a.node[k], a.value[k] = to[i], a.value[j]
				k++
			}
		}
		a.node, a.value = a.node[:k], a.value[:k]
	}
}
