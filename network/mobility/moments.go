package mobility

import (
	"cmp"
	"math"
	"slices"
)

// contact says that two nodes met from one time until just before another.
type contact struct {
	a, b       int32
	start, end float64
}

// span is a contact in memory: its times are places in a list, which is short where many contacts begin at one time.
type span struct{ a, b, start, end int32 }

// moments are the times of a file. One that was met lately is not listed again.
type moments struct {
	at   []float64
	near [1 << 12]int32 // places of times, by some of their bits, and one more
}

// index gives the place of a time.
func (m *moments) index(t float64) int32 {
	t += 0 // -0 is 0
	const odd = 0x9e3779b97f4a7c15
	slot := &m.near[math.Float64bits(t)*odd>>52]
	if k := *slot - 1; k >= 0 && m.at[k] == t {
		return k
	}
	m.at = append(m.at, t)
	*slot = int32(len(m.at))
	return *slot - 1
}

// sorted puts the times in order, each of them once, and gives spans their places there.
func (m *moments) sorted(list []span) {
	if rising := slices.IsSortedFunc(m.at, func(x, y float64) int {
		if x < y {
			return -1
		}
		return 1 // equal ones are out of order, too
	}); rising {
		return
	}
	order := make([]int32, len(m.at))
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(m.at[i], m.at[j]) })
	sorted, place := make([]float64, 0, len(m.at)), make([]int32, len(m.at))
	for _, k := range order {
		if n := len(sorted); n == 0 || sorted[n-1] != m.at[k] {
			sorted = append(sorted, m.at[k])
		}
		place[k] = int32(len(sorted) - 1)
	}
	m.at = sorted
	for k := range list {
		list[k].start, list[k].end = place[list[k].start], place[list[k].end]
	}
}

// orderBy gives the spans in order of a place in a list of so many times; those of one time stay in their order.
func orderBy(list []span, times int, place func(s *span) int32) []int32 {
	from := make([]int32, times+1)
	for k := range list {
		from[place(&list[k])+1]++
	}
	for i := range times {
		from[i+1] += from[i]
	}
	order := make([]int32, len(list))
	for k := range list {
		p := place(&list[k])
		order[from[p]] = int32(k)
		from[p]++
	}
	return order
}
