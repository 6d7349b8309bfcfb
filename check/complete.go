package check

import (
	"fmt"
	"slices"

	"caucus.example/caucus"
)

// pair is a state and a message of one node.
type pair struct{ state, message uint32 }

// steps tabulates what a node does: out is indexed by the state and the messages of its neighbours in turn, the state
// changing slowest.
type steps struct {
	dims []int
	out  []pair
}

// tabulate computes every step of every node from the values numbered so far and from all that these steps give, until
// there is nothing new; most bounds them for one node. The steps of a node that can be different are those in which its
// own state or a neighbour's message is another; nothing else is assumed about who holds what at the same time.
func (y *system) tabulate(most int, stop func() bool) ([]steps, error) {
	all, work := make([]steps, len(y.nodes)), 0
	for again := true; again; {
		again = false
		for i := range all {
			dims := []int{len(y.nodes[i].states.values)}
			entries := dims[0]
			for _, j := range y.nodes[i].nbr {
				d := len(y.nodes[j].messages.values)
				dims = append(dims, d)
				if entries *= d; entries > most {
					return nil, errTooLarge{fmt.Sprintf("more than %d steps of one node", most)}
				}
			}
			if slices.Equal(dims, all[i].dims) {
				continue
			}
			if work += entries; work > 2*most {
				return nil, errTooLarge{fmt.Sprintf("no end of new values after %d steps", work)}
			}
			again = true
			if !y.extend(i, &all[i], dims, entries, stop) {
				return nil, errStopped
			}
			if y.err != nil {
				return nil, y.err
			}
		}
	}
	return all, nil
}

// extend computes the entries that a larger table has and a smaller had not.
func (y *system) extend(i int, t *steps, dims []int, entries int, stop func() bool) bool {
	out := make([]pair, entries)
	digits, old := make([]uint32, len(dims)), 0
	for at := range out {
		known := t.dims != nil
		for k, d := range digits {
			known = known && int(d) < t.dims[k]
		}
		if known { // met in the same order as before
			out[at] = t.out[old]
			old++
		} else {
			out[at].state, out[at].message = y.round(i, digits[0], digits[1:])
		}
		for k := len(dims) - 1; k >= 0; k-- {
			if digits[k]++; int(digits[k]) < dims[k] {
				break
			}
			digits[k] = 0
		}
		if at%stopEvery == 0 && stop() {
			return false
		}
	}
	t.dims, t.out = dims, out
	return true
}

// classes merges states of node i that no future tells apart: with every choice of messages they step alike, and
// the result is the same. label numbers the results.
func (t *steps) classes(label []uint32) []uint32 {
	class := make([]uint32, t.dims[0])
	width := len(t.out) / t.dims[0]
	byHash := map[uint64][]uint32{} // representatives
	for s := range class {
		row := t.out[s*width : (s+1)*width]
		h := uint64(label[s])
		for _, p := range row {
			h = (h ^ (uint64(p.state)<<32 | uint64(p.message))) * 0xff51afd7ed558ccd
			h ^= h >> 29
		}
		class[s] = uint32(s)
		for _, r := range byHash[h] {
			if label[r] == label[s] && slices.Equal(row, t.out[int(r)*width:(int(r)+1)*width]) {
				class[s] = r
				break
			}
		}
		if class[s] == uint32(s) {
			byHash[h] = append(byHash[h], uint32(s))
		}
	}
	return class
}

// complete makes the machine of all configurations, each node in any of its letters, that may be left after
// every node has acted a number of times: 0 if they are no more than most, else the least that makes them so few.
//
// The sets of letters shrink with that number, since what a step gives is among what it started from; any choice of one
// for each node is a configuration that a corruption can leave as well, and every fair execution gets among them. So
// convergence from there is convergence from everywhere.
func (y *system) complete(w *caucus.World, most uint64, stop func() bool) (m *machine, after int, err error) {
	if y.moves() {
		return nil, 0, errTooLarge{"a counter that never rests"}
	}
	if _, _, err = y.domain(w, int(most)); err != nil {
		return nil, 0, err
	}
	all, err := y.tabulate(int(most), stop)
	if err != nil {
		return nil, 0, err
	}
	letters, class := make([][]pair, len(all)), make([][]uint32, len(all))
	labels := y.labels()
	for i := range all {
		class[i] = all[i].classes(labels[i])
		letters[i] = y.anyLetter(i, class[i])
	}
	for ; product(letters) > most; after++ {
		next := y.image(all, class, letters)
		if product(next) == product(letters) {
			return nil, after, errTooLarge{fmt.Sprintf("%d configurations even after %d rounds", product(letters),
				after)}
		}
		letters = next
	}
	m = y.compact(all, class, letters, labels)
	return m, after, nil
}

// anyLetter is every state with every message: what they are at the first corruption does not go together.
func (y *system) anyLetter(i int, class []uint32) []pair {
	var out []pair
	for s, c := range class {
		if int(c) != s {
			continue
		}
		for m := range y.nodes[i].messages.values {
			out = append(out, pair{c, uint32(m)})
		}
	}
	return out
}

func product(letters [][]pair) uint64 {
	total := uint64(1)
	for _, l := range letters {
		if uint64(len(l)) > 1<<62/total {
			return 1 << 62
		}
		total *= uint64(len(l))
	}
	return total
}

// image gives what every node may hold after one step from any of the letters.
func (y *system) image(all []steps, class [][]uint32, letters [][]pair) [][]pair {
	out := make([][]pair, len(all))
	for i := range all {
		width := len(y.nodes[i].messages.values)
		found := make([]bool, len(class[i])*width)
		all[i].each(y.axes(i, letters), func(p pair) { found[int(class[i][p.state])*width+int(p.message)] = true })
		for k, is := range found {
			if is {
				out[i] = append(out[i], pair{uint32(k / width), uint32(k % width)})
			}
		}
	}
	return out
}

// axes lists the states of node i and the messages of its neighbours that occur in the letters.
func (y *system) axes(i int, letters [][]pair) [][]uint32 {
	var states []uint32
	for _, p := range letters[i] {
		states = append(states, p.state)
	}
	axes := [][]uint32{distinct(states)}
	for _, j := range y.nodes[i].nbr {
		var messages []uint32
		for _, p := range letters[j] {
			messages = append(messages, p.message)
		}
		axes = append(axes, distinct(messages))
	}
	return axes
}

func distinct(list []uint32) []uint32 {
	slices.Sort(list)
	return slices.Compact(list)
}

// each visits the steps with the given states and messages, in the order of the table.
func (t *steps) each(axes [][]uint32, visit func(p pair)) {
	stride := make([]int, len(axes))
	for k, width := len(axes)-1, 1; k >= 0; k-- {
		stride[k], width = width, width*t.dims[k]
	}
	var walk func(k, at int)
	walk = func(k, at int) {
		if k == len(axes)-1 {
			for _, d := range axes[k] {
				visit(t.out[at+int(d)])
			}
			return
		}
		for _, d := range axes[k] {
			walk(k+1, at+int(d)*stride[k])
		}
	}
	walk(0, 0)
}

// compact renumbers the letters from 0 and lays the steps out for the search.
func (y *system) compact(all []steps, class [][]uint32, letters [][]pair, labels [][]uint32) *machine {
	n := len(all)
	m := &machine{n: n, nodes: n, adj: adjacency(y.net), every: true, table: make([][]uint32, n),
		own: make([][]uint32, n), heard: make([][][]uint32, n)}
	number := make([]map[pair]uint32, n)
	for i := range all {
		number[i] = make(map[pair]uint32, len(letters[i]))
		for k, p := range letters[i] {
			number[i][p] = uint32(k)
		}
		m.size = append(m.size, uint64(len(letters[i])))
		m.start = append(m.start, upTo(len(letters[i])))
		m.nbr = append(m.nbr, y.nodes[i].nbr)
	}
	for i := range all {
		axes := y.axes(i, letters)
		all[i].each(axes, func(p pair) {
			m.table[i] = append(m.table[i], number[i][pair{class[i][p.state], p.message}])
		})
		width := uint32(1)
		m.heard[i] = make([][]uint32, len(m.nbr[i]))
		for k := len(axes) - 1; k > 0; k-- {
			for _, p := range letters[m.nbr[i][k-1]] {
				at, _ := slices.BinarySearch(axes[k], p.message)
				m.heard[i][k-1] = append(m.heard[i][k-1], uint32(at)*width)
			}
			width *= uint32(len(axes[k]))
		}
		for _, p := range letters[i] {
			at, _ := slices.BinarySearch(axes[0], p.state)
			m.own[i] = append(m.own[i], uint32(at)*width)
		}
	}
	m.strides()
	judge := func() func(letters []uint32) bool {
		return y.rightOf(func(i int, letter uint32) pair { return letters[i][letter] })
	}
	m.right = judge()
	m.fork = func(other machine) *machine {
		other.right = judge()
		return &other
	}
	m.holds = func(i int, letter uint32) pair { return y.likely(class, i, letters[i][letter]) }
	return m
}

// likely replaces the state of a letter by the one of its class that says the same as the message, which
// is what people expect to see.
func (y *system) likely(class [][]uint32, i int, p pair) pair {
	if !y.algo.alike {
		return p
	}
	says := y.nodes[i].messages.values[p.message]
	for s, c := range class[i] {
		if c == p.state && y.algo.said(y.nodes[i].states.values[s]) == says {
			return pair{uint32(s), p.message}
		}
	}
	return p
}
