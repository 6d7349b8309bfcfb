package engine

import (
	"slices"

	"caucus.example/caucus"
	"caucus.example/caucus/sim"
)

// ghostIDs is how many IDs of no node a corrupt value may name.
const ghostIDs = 3

// overwriting gives the node at a position other values.
type overwriting func(p int, now float64)

// draw prepares the values of one corrupt or fake-leader fault: of the algorithm's domain, or the same for all.
func (e *RoundRun) draw(fault int) overwriting {
	s := &e.cfg.Faults[fault]
	if s.Kind == sim.Corrupt {
		w := e.world()
		states, messages, put := e.tape.Domain(&w)
		random := caucus.NewRand(e.cfg.Seed, "corrupt", uint64(fault))
		return func(p int, now float64) {
			r := random.At(uint64(e.node(p)))
			state, message := pick(&r, states), pick(&r, messages)
			put(p, state, message)
			e.overwritten(p, now)
		}
	}
	fake := s.Fake
	if fake == caucus.None {
		fake = e.ghosts(1)[0]
	}
	w := caucus.World{IDs: []caucus.ID{fake}, Strengths: []float64{s.Value}, Dists: []float64{0}, Counter: 1}
	put := e.tape.Fake(&caucus.Local{ID: e.id(0), Known: e.cfg.Known}, &w)
	return func(p int, now float64) {
		put(p)
		e.overwritten(p, now)
	}
}

// pick draws one of so many values, without a draw if there are none.
func pick(r *caucus.Rand, values uint64) uint64 {
	if values == 0 {
		return 0
	}
	return r.Uint64() % values
}

// world is what corrupt values may name: the IDs of the run and some that no node
// has, its strengths and one above all, distances up to a few edges, and 16 values of
// every counter.
func (e *RoundRun) world() caucus.World {
	w := caucus.World{Counter: 16}
	for i := range e.n {
		w.IDs = append(w.IDs, e.id(i))
	}
	w.IDs = append(w.IDs, e.ghosts(ghostIDs)...)
	w.Strengths = []float64{0}
	if e.strength != nil {
		w.Strengths = slices.Clone(e.strength)
		slices.Sort(w.Strengths)
		w.Strengths = slices.Compact(w.Strengths)
	}
	w.Strengths = append(w.Strengths, w.Strengths[len(w.Strengths)-1]+1)
	least, most := 1.0, 1.0
	for p := range e.n {
		for s := e.off[p]; s < e.off[p+1]; s++ {
			d := e.distance(p, s)
			if p+s == 0 {
				least, most = d, d
			}
			least, most = min(least, d), max(most, d)
		}
	}
	if e.air != nil {
		least, most = e.air.lengths()
	}
	w.Dists = []float64{0, least, most, 2 * most, 5 * most, 10 * most}
	return w
}

// ghosts gives IDs that no node has.
func (e *RoundRun) ghosts(count int) []caucus.ID {
	taken := make(map[caucus.ID]bool)
	top := caucus.ID(e.n)
	for _, id := range e.cfg.IDs {
		taken[id] = true
		top = max(top, id)
	}
	var out []caucus.ID
	for id := top + 1; len(out) < count; id++ { // wraps to small IDs after the largest
		if id != caucus.None && !taken[id] && (e.cfg.IDs != nil || id > caucus.ID(e.n)) {
			out = append(out, id)
		}
	}
	return out
}
