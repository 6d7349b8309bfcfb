package check

import (
	"slices"

	"caucus.example/caucus/story"
)

// visit is a configuration on a path and what has led there: who acted, or a fault.
type visit struct {
	at    *stage
	key   uint64
	acts  uint16 // processes of the stage
	fault *strike
}

// step is a visit within one stage.
type step struct {
	key  uint64
	acts uint16
}

// trace makes the shortest counterexample out of a component of a stage in which the daemon can stay.
func (c *course) trace(s *stage, y *cycle, fair bool) (*story.Story, error) {
	if y.dead {
		path := []visit{{at: s, key: y.keys[0]}}
		if !s.m.every { // any dead end will do
			path = c.way(s, s.x.deadEnd)
		}
		return c.tell(path, len(path)-1)
	}
	round := s.x.lasso(y, fair)
	path := []visit{{at: s, key: round[0].key}}
	if !s.m.every {
		path = c.way(s, func(key uint64) bool {
			return slices.ContainsFunc(round, func(v step) bool { return v.key == key })
		})
	}
	round = startAt(round, path[len(path)-1].key)
	for _, v := range round[1:] {
		path = append(path, visit{at: s, key: v.key, acts: v.acts})
	}
	return c.tell(path, len(path)-len(round))
}

// startAt turns a round trip so that it starts at one of its configurations.
func startAt(round []step, key uint64) []step {
	k := slices.IndexFunc(round, func(v step) bool { return v.key == key })
	turned := append([]step{{key: key}}, round[k+1:]...)
	return append(turned, round[1:k+1]...)
}

// deadEnd reports whether nothing changes any more at a configuration with a wrong result.
func (x *explorer) deadEnd(key uint64) bool {
	set, _ := x.enabled(key)
	return set == 0 && *x.marks.at(uint64(x.id(key)))&bad != 0
}

// way is the shortest execution from an initial configuration to one of a stage that is a goal, faults being steps. Not
// for complete machines, of which all configurations are initial.
func (c *course) way(to *stage, goal func(key uint64) bool) []visit {
	type place struct {
		at  *stage
		key uint64
	}
	came := map[place]visit{} // how a place was reached, and from where
	from := map[place]place{}
	var queue []place
	var found *place
	reach := func(p, before place, v visit) {
		if _, seen := came[p]; seen || found != nil {
			return
		}
		came[p], from[p] = v, before
		queue = append(queue, p)
		if p.at == to && goal(p.key) {
			found = &p
		}
	}
	whole := c.stages[0]
	for k := range whole.x.starts() {
		p := place{whole, whole.x.startKey(k)}
		reach(p, p, visit{at: whole, key: p.key})
	}
	for ; found == nil; queue = queue[1:] {
		p := queue[0]
		x := p.at.x
		set := x.movers(p.key)
		for _, e := range x.successors(x.id(p.key), nil) {
			key := x.key(e.to)
			reach(place{p.at, key}, p, visit{at: p.at, key: key, acts: e.acts & set})
		}
		if !c.r.cfg.Faults.Any() {
			continue
		}
		// Every stage has been made, so that there is no error any more.
		_ = c.faults(p.at, p.key, func(t *stage, key uint64, what strike) {
			key = t.m.normal(key, make([]uint32, t.m.n))
			if to.had.Crash >= t.had.Crash && to.had.Corrupt >= t.had.Corrupt && to.had.Loss >= t.had.Loss {
				reach(place{t, key}, p, visit{at: t, key: key, fault: &what})
			}
		})
	}
	var path []visit
	for p := *found; ; p = from[p] {
		path = append(path, came[p])
		if from[p] == p {
			slices.Reverse(path)
			return path
		}
	}
}

// lasso walks round the component from one of its configurations back to it: the shortest way on
// which, with fair, every node acts.
func (x *explorer) lasso(c *cycle, fair bool) []step {
	in := make(map[uint64]bool, len(c.keys))
	for _, k := range c.keys {
		in[k] = true
	}
	var best []step
	tries := max(1, min(len(c.keys), 1<<16/len(c.keys)))
	for _, start := range c.keys[:tries] {
		if w := x.roundTrip(start, in, fair, len(best)); w != nil && (best == nil || len(w) < len(best)) {
			best = w
		}
	}
	return best
}

// movers are the nodes that count as acting where the trace is shown: those that change something, and whoever a
// daemon that goes by rounds has picked.
func (x *explorer) movers(key uint64) uint16 {
	if x.daemon.inRounds() {
		return x.full
	}
	set, _ := x.enabled(key)
	return set
}

// roundTrip is a breadth-first search for the way back; nil if it is no shorter than limit (0: any).
func (x *explorer) roundTrip(start uint64, in map[uint64]bool, fair bool, limit int) []step {
	type place struct {
		key   uint64
		acted uint16
	}
	type from struct {
		place
		acts  uint16
		depth int
	}
	idle := func(key uint64) uint16 {
		set, _ := x.enabled(key)
		return x.full &^ set
	}
	need := x.full
	if !fair {
		need = 0
	}
	first := place{start, idle(start) & need}
	came := map[place]from{first: {}}
	for queue := []place{first}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		depth := came[p].depth + 1
		if limit > 0 && depth+1 >= limit {
			return nil
		}
		for _, e := range x.successors(x.id(p.key), nil) {
			key := x.key(e.to)
			if !in[key] {
				continue
			}
			set := x.movers(p.key)
			q := place{key, (p.acted | e.acts | idle(key)) & need}
			if key == start && q.acted == need {
				path := []step{{key, e.acts & set}}
				for ; p != first; p = came[p].place {
					path = append(path, step{p.key, came[p].acts})
				}
				path = append(path, step{key: start})
				slices.Reverse(path)
				return path
			}
			if _, seen := came[q]; !seen {
				came[q] = from{p, e.acts & set, depth}
				queue = append(queue, q)
			}
		}
	}
	return nil
}
