package engine

import "caucus.example/caucus/network"

// plan is an order in which one asynchronous period may run. Only the order among
// neighbours matters to the result: the one of smaller phase comes first. The plan
// keeps to that and is otherwise as close to memory order as it can be, since a
// million nodes in order of phase miss the cache at every step.
//
// Parts run at the same time: each holds, with a node, all that it waits for in this
// period. What waits for nodes of two parts comes after, in levels: the nodes of
// a level wait only for earlier ones.
type plan struct {
	order  []int32 // position to node
	parts  []int   // part p is positions parts[p] to parts[p+1]-1; one per worker
	levels []int   // level v is positions levels[v] to levels[v+1]-1
}

// planPeriod finds a plan for a number of workers. phase must be total among
// neighbours; before breaks ties by index.
func planPeriod(rows *network.Rows, phase []float64, workers int) plan {
	before := func(j, i int32) bool {
		return phase[j] < phase[i] || phase[j] == phase[i] && j < i
	}
	order := closures(rows, before)
	n := len(order)
	if workers == 1 {
		return plan{order: order, parts: []int{0, n}, levels: []int{n}}
	}
	return split(rows, before, order, workers)
}

// closures walks the nodes in memory order and puts before each, depth first, those
// neighbours of smaller phase that are not yet placed.
func closures(rows *network.Rows, before func(j, i int32) bool) []int32 {
	n := rows.Len()
	order := make([]int32, 0, n)
	entered := make([]bool, n)
	type visit struct {
		node      int32
		next, end int // slots of its neighbours that are to be looked at
	}
	var stack []visit
	enter := func(i int32) {
		entered[i] = true
		next, end := rows.Span(int(i))
		stack = append(stack, visit{i, next, end})
	}
	for root := range int32(n) {
		if entered[root] {
			continue
		}
		enter(root)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			i, j := top.node, int32(-1)
			for ; top.next < top.end && j < 0; top.next++ {
				if q := int32(rows.End(int(i), top.next)); !entered[q] && before(q, i) {
					j = q
				}
			}
			if j >= 0 {
				enter(j)
				continue
			}
			order = append(order, i)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// split cuts a valid order into parts of about equal work and moves what depends on
// two parts into levels. Every first part is whole: a valid order's beginning waits for nothing later.
func split(rows *network.Rows, before func(j, i int32) bool, order []int32, workers int) plan {
	n := len(order)
	bin := make([]int32, n) // by node: its part, or workers + its level
	bounds := balance(n, workers, func(p int) int { return rows.Degree(int(order[p])) })
	bins := int32(workers)
	for p := range workers {
		for _, i := range order[bounds[p]:bounds[p+1]] {
			b := int32(p)
			for s, end := rows.Span(int(i)); s < end; s++ {
				j := int32(rows.End(int(i), s))
				switch {
				case !before(j, i) || bin[j] == int32(p):
				case bin[j] < int32(workers): // two parts meet
					b = max(b, int32(workers))
				default:
					b = max(b, bin[j]+1)
				}
			}
			bin[i] = b
			bins = max(bins, b+1)
		}
	}
	return collect(order, bin, int(bins), workers)
}

// collect sorts the order by bin, stably.
func collect(order, bin []int32, bins, workers int) plan {
	start := make([]int, bins+1)
	for _, b := range bin {
		start[b+1]++
	}
	for b := range bins {
		start[b+1] += start[b]
	}
	sorted := make([]int32, len(order))
	next := append([]int(nil), start...)
	for _, i := range order {
		b := bin[i]
		sorted[next[b]] = i
		next[b]++
	}
	return plan{order: sorted, parts: start[:workers+1], levels: start[workers:]}
}

// balance cuts 0..n-1 into shards of about equal work; a node's work is its degree
// and a constant.
func balance(n, shards int, degree func(i int) int) []int {
	total := 0
	for i := range n {
		total += degree(i) + nodeWork
	}
	bounds := make([]int, shards+1)
	sum, s := 0, 1
	for i := range n {
		for s < shards && sum >= total/shards*s {
			bounds[s] = i
			s++
		}
		sum += degree(i) + nodeWork
	}
	for ; s <= shards; s++ {
		bounds[s] = n
	}
	return bounds
}

// nodeWork is the work of a node beside its edges, in edges.
const nodeWork = 4
