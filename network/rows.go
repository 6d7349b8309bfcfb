package network

import (
	"runtime"
	"slices"
	"sync"
)

// sortRows sorts each row by neighbour, then by record, so that the first record of a repeated pair comes first.
// Without records it sorts neighbours alone. The rows are shared out over the cores.
func (g *Graph) sortRows(rec []int32) {
	share := len(g.Nbr)/runtime.GOMAXPROCS(0) + 1<<16
	var all sync.WaitGroup
	for first := 0; first < g.Len(); {
		last := first
		for last < g.Len() && g.Off[last]-g.Off[first] < share {
			last++
		}
		from := first
		all.Go(func() { g.sortSome(from, last, rec) })
		first = last
	}
	all.Wait()
}

func (g *Graph) sortSome(first, last int, rec []int32) {
	var keys []uint64 // neighbour and record in one
	for i := first; i < last; i++ {
		a, b := g.Off[i], g.Off[i+1]
		if rec == nil {
			slices.Sort(g.Nbr[a:b])
			continue
		}
		keys = keys[:0]
		for k := a; k < b; k++ {
			keys = append(keys, uint64(g.Nbr[k])<<32|uint64(rec[k]))
		}
		slices.Sort(keys)
		for k, key := range keys {
			g.Nbr[a+k], rec[a+k] = int32(key>>32), int32(uint32(key))
		}
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
			g.Nbr[w] = g.Nbr[k]
			if rec != nil {
				rec[w] = rec[k]
			}
			w++
		}
		start = end
		g.Off[i+1] = w
	}
	gone := len(g.Nbr) - w
	g.Nbr = g.Nbr[:w:w]
	return gone / 2
}
