package network

import "sort"

// row sorts one row by neighbour, then by record, so that the first record of a
// repeated pair comes first.
type row struct{ nbr, rec []int32 }

func (r row) Len() int { return len(r.nbr) }
func (r row) Less(a, b int) bool {
	if r.nbr[a] != r.nbr[b] {
		return r.nbr[a] < r.nbr[b]
	}
	return r.rec[a] < r.rec[b]
}
func (r row) Swap(a, b int) {
	r.nbr[a], r.nbr[b] = r.nbr[b], r.nbr[a]
	r.rec[a], r.rec[b] = r.rec[b], r.rec[a]
}

func (g *Graph) sortRows(rec []int32) {
	for i := range g.Len() {
		a, b := g.Off[i], g.Off[i+1]
		sort.Sort(row{g.Nbr[a:b], rec[a:b]})
	}
}

// dropRepeats keeps the first of equal neighbours in each sorted row and closes
// the gaps, in rec as well. It returns how many undirected records went.
func (g *Graph) dropRepeats(rec []int32) int {
	w, start := 0, 0
	for i := range g.Len() {
		end := g.Off[i+1]
		for k := start; k < end; k++ {
			if k > start && g.Nbr[k] == g.Nbr[k-1] {
				continue
			}
			g.Nbr[w], rec[w] = g.Nbr[k], rec[k]
			w++
		}
		start = end
		g.Off[i+1] = w
	}
	gone := len(g.Nbr) - w
	g.Nbr = g.Nbr[:w:w]
	return gone / 2
}
