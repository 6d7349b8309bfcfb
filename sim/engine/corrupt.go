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
	e.tape.Part()
	if s.Kind == sim.Corrupt {
		var lengths span
		for p := range e.n {
			for s, end := e.rows.Span(p); s < end; s++ {
				lengths.take(e.distance(p, s))
			}
		}
		if e.air != nil && !e.cfg.Moving.Hops { // hops are 1, as if nobody were near
			lengths.least, lengths.most = e.air.lengths()
		}
		w := world(&e.cfg, func(i int) float64 { return e.strengthOf(e.index(i), i) }, lengths)
		states, messages, put := e.tape.Domain(&w)
		random := caucus.NewRand(e.cfg.Seed, "corrupt", uint64(fault))
		return func(p int, now float64) {
			r := random.At(uint64(e.node(p)))
			state, message := pick(&r, states), pick(&r, messages)
			put(p, state, message)
			e.overwritten(p, now)
		}
	}
	w := fakeWorld(&e.cfg, s, 1)
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

// span is from the least to the most of what it took.
type span struct{ least, most float64 }

func (s *span) take(x float64) {
	if s.most == 0 {
		s.least = x
	}
	s.least, s.most = min(s.least, x), max(s.most, x)
}

// counters is how many values of every counter a corrupt value may hold.
const counters = 16

// world is what corrupt values may name: the IDs of the run and some that no node has, its strengths and one
// above all, distances up to a few edges, and some values of every counter.
func world(cfg *sim.Config, strength func(i int) float64, lengths span) caucus.World {
	w := caucus.World{Counter: counters}
	for i := range cfg.Graph.Len() {
		w.IDs, w.Strengths = append(w.IDs, cfg.ID(i)), append(w.Strengths, strength(i))
	}
	w.IDs = append(w.IDs, ghosts(cfg, ghostIDs)...)
	slices.Sort(w.Strengths)
	w.Strengths = slices.Compact(w.Strengths)
	w.Strengths = append(w.Strengths, w.Strengths[len(w.Strengths)-1]+1)
	if lengths.most == 0 {
		lengths.take(1)
	}
	most := lengths.most
	w.Dists = []float64{0, lengths.least, most, 2 * most, 5 * most, 10 * most}
	return w
}

// fakeWorld is where there is but the leader that does not exist.
func fakeWorld(cfg *sim.Config, s *sim.Fault, counters int) caucus.World {
	fake := s.Fake
	if fake == caucus.None {
		fake = ghosts(cfg, 1)[0]
	}
	return caucus.World{IDs: []caucus.ID{fake}, Strengths: []float64{s.Value}, Dists: []float64{0}, Counter: counters}
}

// ghosts gives IDs that no node has.
func ghosts(cfg *sim.Config, count int) []caucus.ID {
	n := cfg.Graph.Len()
	taken := make(map[caucus.ID]bool)
	top := caucus.ID(n)
	for _, id := range cfg.IDs {
		taken[id] = true
		top = max(top, id)
	}
	var out []caucus.ID
	for id := top + 1; len(out) < count; id++ { // wraps to small IDs after the largest
		if id != caucus.None && !taken[id] && (cfg.IDs != nil || id > caucus.ID(n)) {
			out = append(out, id)
		}
	}
	return out
}
