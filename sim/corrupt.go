package sim

import (
	"slices"

	"caucus.example/caucus"
)

// draw picks corrupt values from an algorithm's domain.
type draw[S, M any] struct {
	states   caucus.Values[S]
	messages caucus.Values[M]
	random   caucus.Rand
	fixed    *pair[S, M] // of a fake leader: the same for all
}

// ghostIDs is how many IDs of no node a corrupt value may name.
const ghostIDs = 3

// newDraw prepares the values of one corrupt or fake-leader fault.
func (t *tape[S, M]) newDraw(fault int) *draw[S, M] {
	e := t.run
	s := &e.cfg.Faults[fault]
	d := &draw[S, M]{random: caucus.NewRand(e.cfg.Seed, "corrupt", uint64(fault))}
	if s.Kind == Corrupt {
		w := e.world()
		d.states, d.messages = t.algo.Domain(&w)
		return d
	}
	fake := s.Fake
	if fake == caucus.None {
		fake = e.ghosts(1)[0]
	}
	d.fixed = t.fakeLeader(fake, s.Value)
	return d
}

func (t *tape[S, M]) draw(fault int) overwriting {
	d := t.newDraw(fault)
	return func(p int, now float64) {
		state, export := d.pick(t.run.node(p))
		t.put(p, state, export, now)
	}
}

// pick draws for the caller's node i.
func (d *draw[S, M]) pick(i int) (state S, export M) {
	if d.fixed != nil {
		return d.fixed.state, d.fixed.export
	}
	r := d.random.At(uint64(i))
	if d.states.Len > 0 {
		state = d.states.At(r.Uint64() % d.states.Len)
	}
	if d.messages.Len > 0 {
		export = d.messages.At(r.Uint64() % d.messages.Len)
	}
	return state, export
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

// fakeLeader finds a state that names the fake as its leader, and a message that
// supports it.
func (t *tape[S, M]) fakeLeader(fake caucus.ID, strength float64) *pair[S, M] {
	w := caucus.World{IDs: []caucus.ID{fake}, Strengths: []float64{strength}, Dists: []float64{0}, Counter: 1}
	states, messages := t.algo.Domain(&w)
	out := &pair[S, M]{}
	local := caucus.Local{ID: t.run.id(0), Known: t.run.cfg.Known}
	for k := range min(states.Len, maxFakeTries) {
		out.state = states.At(k)
		if t.algo.Outcome(&local, &out.state).Leader == fake {
			break
		}
	}
	backer, _ := t.algo.(caucus.Backer[M])
	for k := range min(messages.Len, maxFakeTries) {
		out.export = messages.At(k)
		if backer == nil {
			break
		}
		if leader, _ := backer.Backs(&out.export); leader == fake {
			break
		}
	}
	return out
}

// maxFakeTries bounds the search; the world of a fake leader is tiny.
const maxFakeTries = 1 << 16
