package check

import "slices"

// graph is what steps lead from where to where, by configuration in the order in which they were expanded. Steps
// of one action are the results of one draw.
type graph struct {
	first  []uint32 // by vertex: its first arrow; one more at the end, which the next vertex shares
	arrows []arrow
}

// arrow is a step.
type arrow struct {
	to     uint32
	action uint16
	sent   uint8 // messages
	ticks  bool
	fault  bool
}

func (g *graph) vertex() {
	g.first = append(g.first, uint32(len(g.arrows)))
}

func (g *graph) add(a arrow) { g.arrows = append(g.arrows, a) }

func (g *graph) span(v uint32) (int, int) {
	if int(v)+1 < len(g.first) {
		return int(g.first[v]), int(g.first[v+1])
	}
	return int(g.first[v]), len(g.arrows)
}

// of lists the arrows of a vertex.
func (g *graph) of(v uint32) []arrow {
	a, b := g.span(v)
	return g.arrows[a:b]
}

// components numbers the strongly connected components along the arrows that are not cut; those that can be reached
// from a component have smaller numbers.
func (g *graph) components(cut []bool) []uint32 {
	comp, count := make([]uint32, len(g.first)), uint32(0)
	s := search{marks: newTable[uint32](new(store), uint64(len(comp))), // every component is reported:
		base: func(uint32) uint32 { return bad }}
	var to []uint32
	s.expand = func(v uint32) ([]uint32, uint32) {
		to = to[:0]
		a, b := g.span(v)
		for k := a; k < b; k++ {
			if cut == nil || !cut[k] {
				to = append(to, g.arrows[k].to)
			}
		}
		return to, 0
	}
	s.component = func(members []uint32) {
		for _, v := range members {
			comp[v] = count
		}
		count++
	}
	for v := range comp {
		s.from(uint32(v))
	}
	return comp
}

// traps finds where an adversary that chooses the steps, but not what is drawn, can stay for ever: the end components
// (de Alfaro 1997). It gives the components and which arrows are cut; what is neither cut nor between components leads
// round in a trap. Without draws that is every cycle.
func (g *graph) traps(draws bool) (comp []uint32, cut []bool) {
	cut = make([]bool, len(g.arrows))
	for {
		comp = g.components(cut)
		changed := false
		for v := range uint32(len(g.first)) {
			a, b := g.span(v)
			for k := a; draws && k < b; k++ {
				if cut[k] || comp[g.arrows[k].to] == comp[v] {
					continue
				}
				for j := a; j < b; j++ { // who takes this action may leave
					if g.arrows[j].action == g.arrows[k].action {
						cut[j], changed = true, true
					}
				}
			}
		}
		if !changed {
			return comp, cut
		}
	}
}

// longest is the most messages on any way from the given vertices; -1 if there is a cycle. The components are of the
// whole graph.
func (g *graph) longest(comp, starts []uint32) int {
	order := make([]uint32, len(comp))
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortFunc(order, func(a, b uint32) int { return int(comp[a]) - int(comp[b]) })
	most := make([]int, len(comp))
	for k, v := range order {
		if k > 0 && comp[v] == comp[order[k-1]] {
			return -1
		}
		for _, a := range g.of(v) {
			if a.to == v {
				return -1
			}
			most[v] = max(most[v], int(a.sent)+most[a.to])
		}
	}
	worst := 0
	for _, v := range starts {
		worst = max(worst, most[v])
	}
	return worst
}

// round is the shortest way from v back to v along arrows that are not cut, within its component, and with a tick in it
// if that is asked; the vertices after v, v included at the end. nil if there is none.
func (g *graph) round(v uint32, comp []uint32, cut []bool, tick bool) []uint32 {
	type place struct {
		at     uint32
		ticked bool
	}
	came := map[place]place{}
	goal := place{v, tick}
	for queue := []place{{v, false}}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		a, b := g.span(p.at)
		for k := a; k < b; k++ {
			q := place{g.arrows[k].to, p.ticked || tick && g.arrows[k].ticks}
			if _, seen := came[q]; seen || cut != nil && cut[k] || comp[q.at] != comp[v] {
				continue
			}
			came[q] = p
			if q == goal {
				way := []uint32{v}
				for at := p; at != (place{v, false}); at = came[at] {
					way = append(way, at.at)
				}
				slices.Reverse(way)
				return way
			}
			queue = append(queue, q)
		}
	}
	return nil
}
