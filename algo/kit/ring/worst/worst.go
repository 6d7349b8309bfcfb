// Package worst gives the orders of IDs round a ring on which the algorithms of rings cost most, and
// some of them least. IDs are 1 to n; right of entry i is entry i+1, and the last is left of the first.
package worst

import (
	"math/bits"
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/algo/kit/ring"
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

// Cycle is a ring on which the candidates of c take Steps(n) steps to get down to one, if each of its
// steps compares with the other side than the step before. It is grown backwards from that one:
// before a step stood, between two neighbours of which one would have lost to the other, one more that the
// survivor was compared with instead and that lost, being beyond all that stood later. That many more are as few
// as there can be: Fibonacci numbers in all. Those left over lose in the first step.
func Cycle(n int, c ring.Cycle) []caucus.ID {
	values := []int{0}
	for step := Steps(n); step > 0; step-- {
		extra := 0
		if step == 1 {
			extra = n - fibonacci(Steps(n))
		}
		values = before(values, c[(step-1)%len(c)], extra)
	}
	return ranks(values)
}

// before gives the least ring from which a step leaves the given one, and some extra losers.
func before(after []int, rule ring.Rule, extra int) []int {
	// A value is compared with its neighbour on this side, whoever of the two judges.
	withRight := (rule.Out == caucus.Right) == rule.Take
	beyond, away := slices.Max(after), 1
	if rule.Max {
		beyond, away = slices.Min(after), -1
	}
	var grown []int
	for i, v := range after {
		grown = append(grown, v)
		right := after[(i+1)%len(after)]
		one, other := right, v
		if withRight {
			one, other = v, right
		}
		if one != other && (one > other) == rule.Max {
			continue // it survives by itself
		}
		losers := make([]int, 1+extra)
		for k := range losers {
			beyond += away
			losers[k] = beyond
		}
		if withRight {
			slices.Reverse(losers)
		}
		grown, extra = append(grown, losers...), 0
	}
	return grown
}

// ranks replaces distinct values by 1 to n in the same order.
func ranks(values []int) []caucus.ID {
	sorted := slices.Sorted(slices.Values(values))
	ids := make([]caucus.ID, len(values))
	for i, v := range values {
		k, _ := slices.BinarySearch(sorted, v)
		ids[i] = caucus.ID(k + 1)
	}
	return ids
}

// Steps is how many steps it can take on a ring of n >= 2 nodes until one candidate is left, if in each step
// no two neighbours both lose to each other: the largest k with F_k <= n, where F_1 = 2, F_2 = 3 and each
// further one is the sum of the two before.
func Steps(n int) int {
	k := 0
	for a, b := 2, 3; a <= n; a, b = b, a+b {
		k++
	}
	return k
}

// fibonacci gives F_k of Steps.
func fibonacci(k int) int {
	a, b := 1, 2
	for ; k > 0; k-- {
		a, b = b, a+b
	}
	return a
}
