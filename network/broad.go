package network

import "context"

// broad runs up to 64 breadth-first searches at once, one for each bit of a word: an
// edge is looked at once for all searches that cross it in the same step.
type broad struct {
	seen, now, next []uint64 // by node: the searches that have reached it, … in this step, … for the next
	front, ahead    []int32  // the nodes with a bit in now, … in next
	looks           int      // at an edge, those past the caches counted as wideLooks
}

// A look at an edge costs a few nanoseconds while the nodes of a step fit into the caches, and more than ten times that
// once so many stand in the front that each look waits for memory, as it does where most of a large network is a few
// hops away.
const (
	wideFront = 1 << 16
	wideLooks = 16
)

// stopEvery is after how many nodes of a step a search looks whether it is to stop.
const stopEvery = 1 << 12

func newBroad(n int) *broad {
	return &broad{seen: make([]uint64, n), now: make([]uint64, n), next: make([]uint64, n),
		front: make([]int32, 0, n), ahead: make([]int32, 0, n)}
}

// run gives the greatest eccentricity of the starting nodes. It is not whole when ctx ended first; a node is so far
// from one of them even then. Another run needs another broad.
func (b *broad) run(ctx context.Context, g *Graph, from []int32) (hops int, whole bool) {
	clear(b.seen)
	b.front = append(b.front[:0], from...)
	for bit, i := range from {
		b.seen[i] = 1 << bit
		b.now[i] = 1 << bit
	}
	for ; ; hops++ {
		b.ahead = b.ahead[:0]
		look := 1
		if len(b.front) > wideFront {
			look = wideLooks
		}
		for k, i := range b.front {
			if k%stopEvery == 0 && ctx.Err() != nil {
				return hops, false
			}
			here := b.now[i]
			b.now[i] = 0
			b.looks += look * g.Degree(int(i))
			for _, j := range g.Neighbours(int(i)) {
				fresh := here &^ b.seen[j]
				if fresh == 0 {
					continue
				}
				if b.next[j] == 0 {
					b.ahead = append(b.ahead, j)
				}
				b.next[j] |= fresh
			}
		}
		if len(b.ahead) == 0 {
			return hops, true
		}
		for _, j := range b.ahead {
			b.seen[j] |= b.next[j]
		}
		b.now, b.next = b.next, b.now
		b.front, b.ahead = b.ahead, b.front
	}
}
