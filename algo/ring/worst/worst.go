// Package worst gives the orders of IDs round a ring on which the algorithms of rings cost most, and
// some of them least. IDs are 1 to n; right of entry i is entry i+1, and the last is left of the first.
package worst

import (
	"math/bits"
	"slices"

	"caucus"
)

// Increasing is 1, 2, …, n: the most expensive ring of As Far, whose IDs travel to the right.
func Increasing(n int) []caucus.ID {
	ids := make([]caucus.ID, n)
	for i := range ids {
		ids[i] = caucus.ID(i + 1)
	}
	return ids
}

// Decreasing is n, …, 2, 1: the cheapest ring of As Far.
func Decreasing(n int) []caucus.ID {
	ids := Increasing(n)
	slices.Reverse(ids)
	return ids
}

// Halving is a ring on which every second candidate survives each stage of Stages and UniStages,
// if n is a power of two: a place has a smaller ID the more often 2 divides it.
func Halving(n int) []caucus.ID {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return twos(b) - twos(a) })
	ids := make([]caucus.ID, n)
	for k, place := range places {
		ids[place] = caucus.ID(k + 1)
	}
	return ids
}

func twos(place int) int { return bits.TrailingZeros64(uint64(place)) } // 64 at place 0

// Alternating is a ring on which Alternate takes Steps(n) steps to get down to one candidate. It is grown
// backwards from that one: before a step in which a candidate is compared with its left neighbour stood, between two
// neighbours of which the right one would have lost, one more that loses instead, larger than all that stood later; and the
// same with the sides exchanged. That many more are as few as there can be: Fibonacci numbers in all. Those left
// over lose in the first step.
func Alternating(n int) []caucus.ID {
	if n <= 0 {
		return nil
	}
	ring := []caucus.ID{1}
	for step := Steps(n); step > 0; step-- {
		ring = before(ring, step%2 == 1)
	}
	for len(ring) < n {
		ring = append(ring, caucus.ID(len(ring)+1))
	}
	return ring
}

// before gives the least ring from which one step leaves ring.
func before(ring []caucus.ID, left bool) []caucus.ID {
	var grown []caucus.ID
	loser := caucus.ID(len(ring))
	for i, id := range ring {
		grown = append(grown, id)
		next := ring[(i+1)%len(ring)]
		if left && id <= next || !left && next <= id {
			loser++
			grown = append(grown, loser)
		}
	}
	return grown
}

// Steps is how many steps Alternate can take on a ring of n >= 1 nodes until one candidate is left: the largest k with
// F_k <= n, where F_1 = 2, F_2 = 3 and each further one is the sum of the two before.
func Steps(n int) int {
	k := 0
	for a, b := 2, 3; a <= n; a, b = b, a+b {
		k++
	}
	return k
}
