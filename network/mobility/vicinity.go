package mobility

import (
	"math"
	"slices"
)

// vicinity lists for each node of a walk those that may come within range before all lists are made anew, every few
// periods. Until then nobody goes farther than so many steps: a list of whoever is within the range and twice that way
// has them all. Where nodes are so fast or speak so seldom that this gains nothing, or so many are near each other that
// lists would take much memory, there are none, and the grid is searched each time. Nodes come in rising order either
// way, so that no run depends on which it is.
type vicinity struct {
	grid    grid // in it nodes are where they were when the lists were made; without lists, where they are
	periods int  // for which lists last; 0: there are none
	within  float64
	reach   float64 // of a search: within, and for lists farther
	list    []int32 // one node's after the other's, with the node itself, in rising order
	ends    []int   // of each node's: it begins where the one before ends
	found   []int32 // list in the order in which the grid has them
	next    []int   // where a node's list is to go on
	age     int     // of the lists, in periods
	spoken  int     // how often somebody has spoken since they were made
	jumped  bool    // a node has gone farther since
}

// slackShare is by which part of the range, at most, lists reach farther. From 0.2 to 0.6 it makes little difference.
const slackShare = 0.25

// mostListed is how many nodes a list has at most, on average.
const mostListed = 256

// newVicinity prepares for nodes that hear each other within a range and make steps of a length at most.
func newVicinity(n int, a Arena, within, step float64) vicinity {
	step += (a.Width + a.Height) * 0x1p-53 // places are rounded
	periods := math.MaxInt32
	if most := slackShare * within / (2 * step); most < math.MaxInt32 {
		periods = int(most)
	}
	v := vicinity{within: within, reach: within}
	if periods >= 2 {
		v.periods = periods
		v.reach = (within + float64(2*float64(periods)*step)) * (1 + 1e-9) // so is this
	}
	v.grid = newGrid(n, point{}, point{a.Width, a.Height}, v.reach)
	return v
}

// relist makes the lists for nodes at these places.
func (v *vicinity) relist(at []point) {
	for i, p := range at {
		v.grid.put(i, p)
	}
	v.age, v.spoken, v.jumped = 0, 0, false
	if v.periods == 0 {
		return
	}
	v.found, v.ends = v.found[:0], append(v.ends[:0], 0)
	for _, p := range at {
		if len(v.found) > mostListed*len(at) {
			v.giveUp()
			return
		}
		v.found = v.grid.within(p, v.reach, v.found)
		v.ends = append(v.ends, len(v.found))
	}
	v.order()
}

// giveUp has the grid searched from now on.
func (v *vicinity) giveUp() {
	v.periods, v.reach = 0, v.within
	v.list, v.found, v.ends, v.next = nil, nil, nil, nil
}

// order lists for each node on whose lists it is, the least first: these are whom it has found, since two are as near
// to each other from either side.
func (v *vicinity) order() {
	v.list = slices.Grow(v.list[:0], len(v.found))[:len(v.found)]
	v.next = append(v.next[:0], v.ends...)
	j := 0 // whose list it is
	for k, i := range v.found {
		if k == v.ends[j+1] {
			j++
		}
		v.list[v.next[i]] = int32(j)
		v.next[i]++
	}
}

// of gives whom node i may hear from a place: in a list, or behind row, which may have moved.
func (v *vicinity) of(i int, here point, row []int32) (may, moved []int32) {
	if v.periods > 0 {
		return v.list[v.ends[i]:v.ends[i+1]], row
	}
	moved = v.grid.within(here, v.reach, row)
	v.sort(moved[len(row):])
	return moved[len(row):], moved[:len(row)]
}

// sort puts nodes in rising order, by their digits in base 64 from the last one on: comparing takes twice the time.
func (v *vicinity) sort(nodes []int32) {
	var memory [128]int32
	if len(nodes) > len(memory) {
		slices.Sort(nodes)
		return
	}
	from, to := nodes, memory[:len(nodes)]
	for shift := 0; len(v.grid.spot)>>shift > 0; shift += 6 {
		var begin [64]int32
		for _, i := range from {
			begin[i>>shift&63]++
		}
		sum := int32(0)
		for d, count := range begin {
			begin[d] = sum
			sum += count
		}
		for _, i := range from {
			at := &begin[i>>shift&63]
			to[*at] = i
			*at++
		}
		from, to = to, from
	}
	copy(nodes, from)
}

// moved says that a node has made a step.
func (v *vicinity) moved(i int, to point) {
	if v.periods == 0 {
		v.grid.put(i, to)
	}
}

// turn says that everybody has made a step since it was last said. Making the lists takes as long as two or three
// searches for each node, half of which each use spares.
func (v *vicinity) turn(at []point) {
	if v.age++; v.periods == 0 || v.age < v.periods {
		return
	}
	if 2*v.spoken < 3*len(at) {
		v.giveUp()
	}
	v.relist(at)
}

// jump says that a node has gone farther than a step.
func (v *vicinity) jump() { v.jumped = v.periods > 0 }
